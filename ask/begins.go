package ask

import (
	"digesto/extract"
	"digesto/question"
)

// leastBegun is how nearly a heading must be the matter of a question for the unit
// that opens it to be looked at; begunFrom, how many of the units found are asked for
// their headings.
const (
	leastBegun = .6
	begunFrom  = 24
)

// open adds the units with which the chapters begin that are about the question: law
// says there what a thing is and what it takes, in words that the question often has not
// ("Definición", "Requisitos"), and speaks of it by its name in all that follows.
func (h *hits) open() {
	if h.law.empty() || len(h.exact) > 0 {
		return
	}
	seen := map[string]bool{}
	for at := range min(len(h.list), begunFrom) { // find may add to the list
		if !h.list[at].law {
			continue
		}
		x, score := h.list[at].Ground, h.list[at].score
		for d := max(0, len(x.Unit.Path)-headingsAbove); d < len(x.Unit.Path); d++ {
			fit := h.fit(x.Unit.Path[d])
			key := x.Norm.ID + "/" + x.Unit.Path[d]
			if fit < leastBegun || seen[key] {
				continue
			}
			seen[key] = true
			first, ok := h.law.Snapshot.FirstUnder(x.Norm.ID, x.Unit.ID, d)
			if !ok {
				continue
			}
			if h.focus.Kind != question.KindDefinition { // asked for something else, it is one more to look at
				score = hintScore
			}
			if k, _ := h.join(x.Norm.ID, first.ID, max(hintScore, fit*score), true); k >= 0 {
				h.list[k].opens = max(h.list[k].opens, fit*extract.OneIf(h.focus.Kind == question.KindDefinition))
			}
		}
	}
}
