package retrieve

import (
	"digesto/extract"
	"digesto/pack"
	"digesto/passage"
	"digesto/question"
)

// hint adds the official places of the fiches that hold the question: what a
// fiche says in everyday words the law says there.
func (h *Hits) hint() {
	if h.Law.Empty() {
		return
	}
	for at := range len(h.List) { // find may add to the list
		x := &h.List[at]
		if x.Law || x.Pick.Cover < ficheLeast {
			continue
		}
		cover := x.Pick.Cover
		_, fact, ok := h.Pack.FicheOf(x.Norm.ID, x.Unit.ID)
		if !ok || fact.Place == "" {
			continue
		}
		if k, ok := h.find(h.Law, fact.Norm, fact.Place, true); ok {
			h.point(&h.List[k], fact, cover)
		}
	}
	NearestFiche(h.List)
}

// NearestFiche lets only the fiche that asks most nearly the same vouch: the
// general rule and its special case have fiches of their own.
func NearestFiche(list []Hit) {
	top := 0.0
	for k := range list {
		if list[k].FicheFocus != nil {
			top = max(top, list[k].FicheFit)
		}
	}
	for k := range list {
		if list[k].FicheFit < top-.05 {
			list[k].FicheFocus, list[k].FicheCover, list[k].Only = nil, 0, nil
		}
	}
}

// ficheLeast is the share of the question's information from which a fiche
// counts as being about it; vouchFit, how nearly it must ask the same for its
// word to stand for the place's.
// hintScore is what a place counts that only a fiche found.
// otherKind is what the fit of a fiche counts that answers another kind of question.
const (
	otherKind     = .6
	HintScore     = .5
	ficheLeast    = .6
	ficheFitLeast = .5
)

// point marks a unit as the official place of a fiche, the nearest if several
// point there, and finds in it the sentence that the fiche restates.
func (h *Hits) point(x *Hit, fact pack.Fact, cover float64) {
	fit := h.FitAsked(fact.Ask)
	if k := question.KindOf(fact.Ask); k != question.KindOpen && !question.SameKind(h.Focus.Kind, k) { // the matter, but another question about it
		fit *= otherKind
	}
	if fit < x.FicheFit {
		return
	}
	x.FicheFit = fit
	if x.Exact || fit < ficheFitLeast || cover < FicheCover || !question.SameKind(h.Focus.Kind, question.KindOf(fact.Ask)) {
		return
	}
	h.PointAt(x, fact, cover)
}

// PointAt finds in a unit the sentence that a fiche restates, and lets the fiche vouch for it.
func (h *Hits) PointAt(x *Hit, fact pack.Fact, cover float64) {
	p, clue, ok := h.restated(x, fact)
	if !ok {
		return
	}
	x.Pick, x.FicheFocus, x.FicheCover, x.Only = p, clue, cover, nil
	if part, narrow := x.Prepared.DetailSpan(h.DetailOf(fact)); narrow {
		x.Only = &part
	}
}

// restated is the sentence of a unit that a fiche restates, with what it was found by.
func (h *Hits) restated(x *Hit, fact pack.Fact) (p extract.Pick, clue *extract.Focus, ok bool) {
	part, _ := x.Prepared.DetailSpan(h.DetailOf(fact))
	clue = h.FocusOfFiche(fact, x.Prepared)
	best, at := -1.0, -1
	for i := part.From; i <= part.To; i++ {
		v := clue.Nears(clue.Over(x.Prepared).Sent(i)) + h.Focus.Score(x.Prepared, i).Score/4
		if v > best+1e-9 {
			best, at = v, i
		}
	}
	if at < 0 {
		return p, nil, false
	}
	p = h.Focus.Score(x.Prepared, at)
	p.Score, p.Cover = max(p.Score, x.Pick.Score), max(p.Cover, x.Pick.Cover)
	return p, clue, true
}

// FocusOfFiche weighs the words of a fiche by how few of the unit's sentences hold
// them; figures tell most.
func (h *Hits) FocusOfFiche(fact pack.Fact, u *passage.Unit) *extract.Focus {
	said := fact.Ask + " " + fact.Text
	f := extract.NewFocus(h.Analyser(), said, said, nil, nil, func(string) float64 { return 1 })
	f.Kind, f.Noun, f.Local = h.Focus.Kind, h.Focus.Noun, 0
	f.WeighIn(u)
	return f
}

// DetailOf gives what a fiche's locator names below its unit ("5.2" → "2").
func (h *Hits) DetailOf(fact pack.Fact) string {
	if list := h.Table.Find(fact.Ref); len(list) > 0 {
		return list[0].Detail
	}
	return ""
}

// FicheCover is the share of the question's information that a fiche must hold:
// more than is asked of law, because a fiche is one fact and no context.
const FicheCover = .7
