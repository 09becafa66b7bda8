package ask

import "digesto/pack"

// hint adds the official places of the fiches that hold the question: what a
// fiche says in everyday words the law says there.
func (h *hits) hint() {
	if h.law.empty() {
		return
	}
	for at := range len(h.list) { // find may add to the list
		x := &h.list[at]
		if x.law || x.pick.cover < hintCover {
			continue
		}
		cover := x.pick.cover
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
	if k := kindOf(fact.Ask); k != KindOpen && !sameKind(h.focus.kind, k) { // the matter, but another question about it
		fit *= otherKind
	}
	if fit < x.hint {
		return
	}
	x.hint = fit
	if x.exact || fit < vouchFit || cover < ficheCover || !sameKind(h.focus.kind, kindOf(fact.Ask)) {
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
	if part, narrow := x.unit.detailSpan(h.detailOf(fact)); narrow {
		x.only = &part
	}
}

// restated is the sentence of a unit that a fiche restates, with what it was found by.
func (h *hits) restated(x *hit, fact pack.Fact) (p pick, clue *focus, ok bool) {
	part, _ := x.unit.detailSpan(h.detailOf(fact))
	clue = h.clueOf(fact, x.unit)
	best, at := -1.0, -1
	for i := part.from; i <= part.to; i++ {
		v := clue.nears(clue.on(x.unit).sent(i)) + x.unit.score(h.focus, i).score/4
		if v > best+1e-9 {
			best, at = v, i
		}
	}
	if at < 0 {
		return p, nil, false
	}
	p = x.unit.score(h.focus, at)
	p.score, p.cover = max(p.score, x.pick.score), max(p.cover, x.pick.cover)
	return p, clue, true
}

// clueOf weighs the words of a fiche by how few of the unit's sentences hold
// them; figures tell most.
func (h *hits) clueOf(fact pack.Fact, u *unitText) *focus {
	said := fact.Ask + " " + fact.Text
	f := newFocus(h.analyser(), said, said, nil, nil, func(string) float64 { return 1 })
	f.kind, f.noun, f.local = h.focus.kind, h.focus.noun, 0
	f.weighIn(u)
	return f
}

// weighIn weighs the words of a text by how few of a unit's sentences hold them.
func (f *focus) weighIn(u *unitText) {
	f.local = 0
	seen := f.on(u)
	for k, t := range f.terms {
		df := 0
		for i := range u.sents {
			if seen.sent(i).has(t.slot) {
				df++
			}
		}
		w := logIDF(len(u.sents), df)
		if df == 0 {
			w = 0
		} else if t.stem[0] >= '0' && t.stem[0] <= '9' {
			w *= 2
		}
		f.terms[k].local = w
		f.local += w
	}
}

// sameKind says that a fiche answers what is asked for. Whether something may be is asked
// in many ways, and some are read as open ("¿Cobro si me voy?").
func sameKind(asked, answered Kind) bool {
	return asked == answered || asked == KindOpen || asked == KindYesNo && answered == KindOpen
}

// detailOf gives what a fiche's locator names below its unit ("5.2" → "2").
func (h *hits) detailOf(fact pack.Fact) string {
	if list := h.table.Find(fact.Ref); len(list) > 0 {
		return list[0].Detail
	}
	return ""
}
