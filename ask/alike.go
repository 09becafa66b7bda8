package ask

import (
	"cmp"
	"context"
	"slices"

	"digesto/pack"
	"digesto/question"
)

// Like is a fiche that asks nearly what is asked.
type Like struct {
	Norm, Unit string  // of the fiche
	Cosine     float64 // of the two questions' vectors
}

// Thresholds of likeness, by the cosine of two questions' vectors: from which a
// fiche is about the question, from which it asks the same, and how far ahead of
// the others it must be for that. Measured over the questions of packs/*/eval
// (docs/retrieval.md).
const (
	aboutLike = .62
	sameLike  = .7
	likeLead  = .03
)

// A second fiche that leads to the same place counts for it, at secondLike of what
// it stands above usualLike: who tells a case is near several fiches of its place.
const (
	usualLike  = .45
	secondLike = .5
)

// Where a place is like the question by itself and by its lead: nearLike is the
// likeness from which a place is looked at, leadMost the most that a lead counts,
// sameLed both together from which its fiche asks the same however far its words are.
const (
	nearLike  = .5
	leadMost  = .2
	sameLed   = .85
	likePlace = 8 // places looked at
	likeFew   = 5 // fiches looked at where they do not tell the cases of the whole domain
)

// The place most like the question counts nearestLike more, those after it the less
// the more they are behind, none from likeReach; all of it from likeFull.
const (
	nearestLike = .4
	likeReach   = .15
	likeFull    = .65
)

// liked is a place that fiches like the question lead to.
type liked struct {
	Like // the nearest of them
	fact pack.Fact
	like float64 // of the place: of its nearest fiche and the one after it
	many bool    // that one counted, or none does
	gap  float64 // how far the place is behind the first
	lead float64 // of the first place over the one after it, at most leadMost
}

// certain is how like the first place is, with its lead; 0 for the others.
func (l liked) certain() float64 {
	if l.lead <= 0 {
		return 0
	}
	return l.like + l.lead
}

// weight is what the likeness of a place counts in the order: by itself and beside the
// place most like the question.
func (l liked) weight() float64 {
	near := max(0, 1-l.gap/likeReach) * min(1, (l.like-usualLike)/(likeFull-usualLike))
	return min(1, (l.like-nearLike)/(1-nearLike)) + nearestLike*max(0, near)
}

// alike adds the official places of the fiches that ask the same in other words.
func (e *Retriever) alike(ctx context.Context, h *hits) error {
	if e.Alike == nil || len(h.exact) > 0 || h.chat.Norm {
		return nil
	}
	likes, err := e.Alike(ctx, h.pack, h.text)
	if err != nil {
		return err
	}
	least := nearLike
	if !h.pack.Retrieval.Cases {
		likes, least = likes[:min(len(likes), likeFew)], aboutLike
	}
	places, spoken := h.likedPlaces(likes), 0.0
	if h.pack.Retrieval.Cases {
		spoken = h.spoken()
	}
	for _, l := range places[:min(len(places), likePlace)] {
		if l.like < least {
			break
		}
		e.bring(h, l, spoken)
	}
	nearestClue(h.list)
	return nil
}

// spoken is how much meaning has to say: all where no sentence found holds three in
// five of the question's words by their weight, nothing where one holds them all. What
// is asked in the law's own words needs no telling of cases.
func (h *hits) spoken() float64 {
	said := 0.0
	for k := range h.list {
		if x := &h.list[k]; x.law {
			said = max(said, x.pick.Cover)
		}
	}
	return min(1, (1-said)/.4)
}

// likedPlaces gives the places that fiches lead to, the most like first.
func (h *hits) likedPlaces(likes []Like) []liked {
	var out []liked
	for _, l := range likes {
		_, fact, ok := h.pack.FicheOf(l.Norm, l.Unit)
		if !ok || fact.Place == "" {
			continue
		}
		k := slices.IndexFunc(out, func(o liked) bool { return o.fact.Norm == fact.Norm && o.fact.Place == fact.Place })
		switch {
		case k < 0:
			out = append(out, liked{Like: l, fact: fact, like: l.Cosine, many: !h.pack.Retrieval.Cases})
		case !out[k].many:
			out[k].many, out[k].like = true, out[k].like+secondLike*max(0, l.Cosine-usualLike)
		}
	}
	slices.SortStableFunc(out, func(a, b liked) int { return cmp.Compare(b.like, a.like) })
	for k := range out {
		out[k].gap = out[0].like - out[k].like
	}
	switch {
	case len(out) == 1:
		out[0].lead = leadMost
	case len(out) > 1:
		out[0].lead = min(leadMost, out[0].like-out[1].like)
	}
	return out
}

// same says that a fiche asks the same: by its words, or because no other place is
// nearly as like.
func (h *hits) same(l liked) bool {
	kind := question.KindOf(l.fact.Ask)
	if !question.SameKind(h.focus.Kind, kind) && !(h.pack.Retrieval.Cases && kind == question.KindOpen) {
		return false
	}
	return l.Cosine >= sameLike && l.lead >= likeLead || h.pack.Retrieval.Cases && l.certain() >= sameLed
}

// bring adds the place of a fiche that is like the question, or the fiche itself
// where that place is not installed.
func (e *Retriever) bring(h *hits, l liked, spoken float64) {
	v, norm, unit, law := h.law, l.fact.Norm, l.fact.Place, true
	if h.law.empty() || !h.installedAt(norm, unit) {
		v, norm, unit, law = e.Embedded, l.Norm, l.Unit, false
	}
	if v.empty() || !law && l.Cosine < aboutLike { // the engine has no fiches to quote, or none about it
		return
	}
	k, ok := h.find(v, norm, unit, law)
	if !ok {
		return
	}
	x := &h.list[k]
	x.hint = max(x.hint, l.Cosine)
	same := h.same(l)
	if law && h.pack.Retrieval.Cases {
		x.like, x.certain = l.weight()*spoken, l.certain()
		if x.clue == nil && !x.exact && l.lead > 0 && !same { // found by its meaning: shown, not vouched for
			if p, _, ok := h.restated(x, l.fact); ok {
				x.pick = p
			}
		}
	}
	if !same {
		return
	}
	sure := l.Cosine
	if h.pack.Retrieval.Cases {
		sure = max(sure, min(1, sameLike*l.certain()/sameLed))
		x.hint = max(x.hint, sure)
	} else {
		x.like = (l.Cosine - sameLike) / (1 - sameLike)
	}
	x.vouch = max(x.vouch, sure)
	if law {
		h.aim(x, l.fact, sure)
	}
}

func (h *hits) installedAt(norm, unit string) bool {
	_, ok := h.ground(h.law, norm, unit)
	return ok
}

// find gives where a unit stands in the list, adding it if need be.
func (h *hits) find(v View, norm, unit string, law bool) (int, bool) {
	o, ok := h.ground(v, norm, unit)
	if !ok {
		return 0, false
	}
	for k := range h.list {
		if x := &h.list[k]; x.law == law && x.Unit.ID == o.Unit.ID && x.Norm.ID == o.Norm.ID {
			return k, true
		}
	}
	o.law, o.score = law, hintScore
	h.add(o)
	k := len(h.list) - 1
	h.list[k].pick, _ = h.focus.Best(h.list[k].unit)
	return k, true
}
