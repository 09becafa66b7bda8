package ask

import (
	"digesto/extract"
	"digesto/pack"
	"digesto/passage"
	"digesto/question"
)

// hint adds the official places of the fiches that hold the question: what a
// fiche says in everyday words the law says there.
func (h *hits) hint() {
	if h.law.empty() {
		return
	}
	for at := range len(h.list) { // find may add to the list
		x := &h.list[at]
		if x.law || x.pick.Cover < hintCover {
			continue
		}
		cover := x.pick.Cover
		_, fact, ok := h.pack.FicheOf(x.Norm.ID, x.Unit.ID)
		if !ok || fact.Place == "" {
			continue
		}
		if k, ok := h.find(h.law, fact.Norm, fact.Place, true); ok {
			h.point(&h.list[k], fact, cover)
		}
	}
	nearestClue(h.list)
}

// nearestClue lets only the fiche that asks most nearly the same vouch: the
// general rule and its special case have fiches of their own.
func nearestClue(list []hit) {
	top := 0.0
	for k := range list {
		if list[k].clue != nil {
			top = max(top, list[k].hint)
		}
	}
	for k := range list {
		if list[k].hint < top-.05 {
			list[k].clue, list[k].vouch, list[k].only = nil, 0, nil
		}
	}
}

// hintCover is the share of the question's information from which a fiche
// counts as being about it; vouchFit, how nearly it must ask the same for its
// word to stand for the place's.
// hintScore is what a place counts that only a fiche found.
// otherKind is what the fit of a fiche counts that answers another kind of question.
const (
	otherKind = .6
	hintScore = .5
	hintCover = .6
	vouchFit  = .5
)

// point marks a unit as the official place of a fiche, the nearest if several
// point there, and finds in it the sentence that the fiche restates.
func (h *hits) point(x *hit, fact pack.Fact, cover float64) {
	fit := h.fitAsked(fact.Ask)
	if k := question.KindOf(fact.Ask); k != question.KindOpen && !question.SameKind(h.focus.Kind, k) { // the matter, but another question about it
		fit *= otherKind
	}
	if fit < x.hint {
		return
	}
	x.hint = fit
	if x.exact || fit < vouchFit || cover < ficheCover || !question.SameKind(h.focus.Kind, question.KindOf(fact.Ask)) {
		return
	}
	h.aim(x, fact, cover)
}

// aim finds in a unit the sentence that a fiche restates, and lets the fiche vouch for it.
func (h *hits) aim(x *hit, fact pack.Fact, cover float64) {
	p, clue, ok := h.restated(x, fact)
	if !ok {
		return
	}
	x.pick, x.clue, x.vouch, x.only = p, clue, cover, nil
	if part, narrow := x.unit.DetailSpan(h.detailOf(fact)); narrow {
		x.only = &part
	}
}

// restated is the sentence of a unit that a fiche restates, with what it was found by.
func (h *hits) restated(x *hit, fact pack.Fact) (p extract.Pick, clue *extract.Focus, ok bool) {
	part, _ := x.unit.DetailSpan(h.detailOf(fact))
	clue = h.clueOf(fact, x.unit)
	best, at := -1.0, -1
	for i := part.From; i <= part.To; i++ {
		v := clue.Nears(clue.Over(x.unit).Sent(i)) + h.focus.Score(x.unit, i).Score/4
		if v > best+1e-9 {
			best, at = v, i
		}
	}
	if at < 0 {
		return p, nil, false
	}
	p = h.focus.Score(x.unit, at)
	p.Score, p.Cover = max(p.Score, x.pick.Score), max(p.Cover, x.pick.Cover)
	return p, clue, true
}

// clueOf weighs the words of a fiche by how few of the unit's sentences hold
// them; figures tell most.
func (h *hits) clueOf(fact pack.Fact, u *passage.Unit) *extract.Focus {
	said := fact.Ask + " " + fact.Text
	f := extract.NewFocus(h.analyser(), said, said, nil, nil, func(string) float64 { return 1 })
	f.Kind, f.Noun, f.Local = h.focus.Kind, h.focus.Noun, 0
	f.WeighIn(u)
	return f
}

// detailOf gives what a fiche's locator names below its unit ("5.2" → "2").
func (h *hits) detailOf(fact pack.Fact) string {
	if list := h.table.Find(fact.Ref); len(list) > 0 {
		return list[0].Detail
	}
	return ""
}
