package retrieve

import (
	"cmp"
	"context"
	"slices"

	"digesto/pack"
	"digesto/query"
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
	UsualLike  = .45
	SecondLike = .5
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

// Liked is a place that fiches like the question lead to.
type Liked struct {
	Like     // the nearest of them
	Fact     pack.Fact
	Likeness float64 // of the place: of its nearest fiche and the one after it
	many     bool    // that one counted, or none does
	Gap      float64 // how far the place is behind the first
	Lead     float64 // of the first place over the one after it, at most leadMost
}

// Certain is how like the first place is, with its lead; 0 for the others.
func (l Liked) Certain() float64 {
	if l.Lead <= 0 {
		return 0
	}
	return l.Likeness + l.Lead
}

// Weight is what the likeness of a place counts in the order: by itself and beside the
// place most like the question.
func (l Liked) Weight() float64 {
	near := max(0, 1-l.Gap/likeReach) * min(1, (l.Likeness-UsualLike)/(likeFull-UsualLike))
	return min(1, (l.Likeness-nearLike)/(1-nearLike)) + nearestLike*max(0, near)
}

// alike adds the official places of the fiches that ask the same in other words.
func (e *Retriever) alike(ctx context.Context, h *Hits) error {
	if e.Alike == nil || len(h.Exact) > 0 || h.Chat.Norm {
		return nil
	}
	likes, err := e.Alike(ctx, h.Pack, h.Text)
	if err != nil {
		return err
	}
	least := nearLike
	if !h.Pack.Retrieval.Cases {
		likes, least = likes[:min(len(likes), likeFew)], aboutLike
	}
	places, spoken := h.LikedPlaces(likes), 0.0
	if h.Pack.Retrieval.Cases {
		spoken = h.spoken()
	}
	for _, l := range places[:min(len(places), likePlace)] {
		if l.Likeness < least {
			break
		}
		e.bring(h, l, spoken)
	}
	NearestFiche(h.List)
	return nil
}

// spoken is how much meaning has to say: all where no sentence found holds three in
// five of the question's words by their weight, nothing where one holds them all. What
// is asked in the law's own words needs no telling of cases.
func (h *Hits) spoken() float64 {
	said := 0.0
	for k := range h.List {
		if x := &h.List[k]; x.Law {
			said = max(said, x.Pick.Cover)
		}
	}
	return min(1, (1-said)/.4)
}

// LikedPlaces gives the places that fiches lead to, the most like first.
func (h *Hits) LikedPlaces(likes []Like) []Liked {
	var out []Liked
	for _, l := range likes {
		_, fact, ok := h.Pack.FicheOf(l.Norm, l.Unit)
		if !ok || fact.Place == "" {
			continue
		}
		k := slices.IndexFunc(out, func(o Liked) bool { return o.Fact.Norm == fact.Norm && o.Fact.Place == fact.Place })
		switch {
		case k < 0:
			out = append(out, Liked{Like: l, Fact: fact, Likeness: l.Cosine, many: !h.Pack.Retrieval.Cases})
		case !out[k].many:
			out[k].many, out[k].Likeness = true, out[k].Likeness+SecondLike*max(0, l.Cosine-UsualLike)
		}
	}
	slices.SortStableFunc(out, func(a, b Liked) int { return cmp.Compare(b.Likeness, a.Likeness) })
	for k := range out {
		out[k].Gap = out[0].Likeness - out[k].Likeness
	}
	switch {
	case len(out) == 1:
		out[0].Lead = leadMost
	case len(out) > 1:
		out[0].Lead = min(leadMost, out[0].Likeness-out[1].Likeness)
	}
	return out
}

// Same says that a fiche asks the same: by its words, or because no other place is
// nearly as like.
func (h *Hits) Same(l Liked) bool {
	kind := question.KindOf(l.Fact.Ask)
	if !question.SameKind(h.Focus.Kind, kind) && !(h.Pack.Retrieval.Cases && kind == question.KindOpen) {
		return false
	}
	return l.Cosine >= sameLike && l.Lead >= likeLead || h.Pack.Retrieval.Cases && l.Certain() >= sameLed
}

// bring adds the place of a fiche that is like the question, or the fiche itself
// where that place is not installed.
func (e *Retriever) bring(h *Hits, l Liked, spoken float64) {
	v, norm, unit, law := h.Law, l.Fact.Norm, l.Fact.Place, true
	if h.Law.Empty() || !h.installedAt(norm, unit) {
		v, norm, unit, law = e.Embedded, l.Norm, l.Unit, false
	}
	if v.Empty() || !law && l.Cosine < aboutLike { // the engine has no fiches to quote, or none about it
		return
	}
	k, ok := h.find(v, norm, unit, law)
	if !ok {
		return
	}
	x := &h.List[k]
	x.FicheFit = max(x.FicheFit, l.Cosine)
	same := h.Same(l)
	if law && h.Pack.Retrieval.Cases {
		x.like, x.Certain = l.Weight()*spoken, l.Certain()
		if x.FicheFocus == nil && !x.Exact && l.Lead > 0 && !same { // found by its meaning: shown, not vouched for
			if p, _, ok := h.restated(x, l.Fact); ok {
				x.Pick = p
			}
		}
	}
	if !same {
		return
	}
	sure := l.Cosine
	if h.Pack.Retrieval.Cases {
		sure = max(sure, min(1, sameLike*l.Certain()/sameLed))
		x.FicheFit = max(x.FicheFit, sure)
	} else {
		x.like = (l.Cosine - sameLike) / (1 - sameLike)
	}
	x.FicheCover = max(x.FicheCover, sure)
	if law {
		h.PointAt(x, l.Fact, sure)
	}
}

func (h *Hits) installedAt(norm, unit string) bool {
	_, ok := h.Ground(h.Law, norm, unit)
	return ok
}

// find gives where a unit stands in the list, adding it if need be.
func (h *Hits) find(v query.View, norm, unit string, law bool) (int, bool) {
	o, ok := h.Ground(v, norm, unit)
	if !ok {
		return 0, false
	}
	for k := range h.List {
		if x := &h.List[k]; x.Law == law && x.Unit.ID == o.Unit.ID && x.Norm.ID == o.Norm.ID {
			return k, true
		}
	}
	o.Law, o.Score = law, HintScore
	h.add(o)
	k := len(h.List) - 1
	h.List[k].Pick, _ = h.Focus.Best(h.List[k].Prepared)
	return k, true
}
