package ask

import (
	"context"

	"digesto/pack"
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

// alike adds the official places of the fiches that ask the same in other words.
func (e *Engine) alike(ctx context.Context, h *hits) error {
	if e.opt.Alike == nil || len(h.exact) > 0 || h.chat.Norm {
		return nil
	}
	likes, err := e.opt.Alike(ctx, h.pack, h.text)
	if err != nil {
		return err
	}
	for k, l := range likes {
		if l.Cosine < aboutLike {
			break
		}
		_, fact, ok := h.pack.FicheOf(l.Norm, l.Unit)
		if !ok || fact.Place == "" {
			continue
		}
		same := k == 0 && l.Cosine >= sameLike && h.leads(likes, fact) && sameKind(h.focus.kind, kindOf(fact.Ask))
		e.bring(h, l, fact, same)
	}
	nearestClue(h.list)
	return nil
}

// leads says that no fiche about another place is nearly as like as the first.
func (h *hits) leads(likes []Like, first pack.Fact) bool {
	for _, l := range likes[1:] {
		if _, f, ok := h.pack.FicheOf(l.Norm, l.Unit); ok && (f.Norm != first.Norm || f.Place != first.Place) {
			return likes[0].Cosine-l.Cosine >= likeLead
		}
	}
	return true
}

// bring adds the place of a fiche that is like the question, or the fiche itself
// where that place is not installed.
func (e *Engine) bring(h *hits, l Like, fact pack.Fact, same bool) {
	v, norm, unit, law := h.law, fact.Norm, fact.Place, true
	if h.law.empty() || !h.installedAt(norm, unit) {
		v, norm, unit, law = e.opt.Embedded, l.Norm, l.Unit, false
	}
	if v.empty() { // the engine has no fiches to quote
		return
	}
	k, ok := h.find(v, norm, unit, law)
	if !ok {
		return
	}
	x := &h.list[k]
	x.hint = max(x.hint, l.Cosine)
	if !same {
		return
	}
	x.vouch, x.like = max(x.vouch, l.Cosine), (l.Cosine-sameLike)/(1-sameLike)
	if law {
		h.aim(x, fact, l.Cosine)
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
	for k, x := range h.list {
		if x.law == law && x.key() == o.key() {
			return k, true
		}
	}
	o.law, o.score = law, hintScore
	h.add(o)
	k := len(h.list) - 1
	h.list[k].pick, _ = h.list[k].unit.best(h.focus)
	return k, true
}
