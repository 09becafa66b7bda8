package retrieve

import (
	"digesto/extract"
	"digesto/question"
)

// leastBegun is how nearly a heading must be the matter of a question for the unit
// that opens it to be looked at; begunFrom, how many of the units found are asked for
// their headings; begunScore, what such a unit counts at least.
const (
	leastBegun = .6
	begunFrom  = 24
	begunScore = .5
)

// open adds the units with which the chapters begin that are about the question: law
// says there what a thing is and what it takes, in words that the question often has not
// ("Definición", "Requisitos"), and speaks of it by its name in all that follows.
func (h *Hits) open() {
	if h.Law.Empty() || len(h.Exact) > 0 {
		return
	}
	seen := map[string]bool{}
	for at := range min(len(h.List), begunFrom) { // find may add to the list
		if !h.List[at].Law {
			continue
		}
		x, score := h.List[at].Ground, h.List[at].Score
		for d := max(0, len(x.Unit.Path)-headingsAbove); d < len(x.Unit.Path); d++ {
			fit := h.fit(x.Unit.Path[d])
			key := x.Norm.ID + "/" + x.Unit.Path[d]
			if fit < leastBegun || seen[key] {
				continue
			}
			seen[key] = true
			first, ok := h.Law.Snapshot.FirstUnder(x.Norm.ID, x.Unit.ID, d)
			if !ok {
				continue
			}
			if h.Focus.Kind != question.KindDefinition { // asked for something else, it is one more to look at
				score = begunScore
			}
			if k, _ := h.Join(x.Norm.ID, first.ID, max(begunScore, fit*score), true); k >= 0 {
				h.List[k].opens = max(h.List[k].opens, fit*extract.OneIf(h.Focus.Kind == question.KindDefinition))
			}
		}
	}
}
