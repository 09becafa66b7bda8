package ask

import "sort"

// Weights of the order in which units are considered: the search decides, the
// sentence that would answer corrects it.
const (
	rankSearch   = 1.0
	rankSentence = .25
	rankHint     = .30
	rankAmending = -.30 // acts that only change others yield to the consolidated text
	rankWide     = -.10 // law of a narrower territory that the question does not name
	rankOther    = -.15 // dispositions and preambles yield to articles
)

// rerank orders the units by the heuristic: search, sentence, kind of unit.
// Named units stay first, in the order of the question.
func rerank(h hits) hits {
	order := make([]float64, len(h.list))
	index := make([]int, len(h.list))
	for k, x := range h.list {
		index[k] = k
		order[k] = h.rank(x)
	}
	sort.SliceStable(index, func(a, b int) bool { return order[index[a]] > order[index[b]]+1e-12 })
	out := h
	out.list = make([]hit, len(h.list))
	for k, at := range index {
		out.list[k] = h.list[at]
	}
	return out
}

func (h hits) rank(x hit) float64 {
	if x.exact {
		return 10
	}
	r := rankSearch*x.score*h.pack.Weight(x.Norm.Collection) + rankSentence*x.pick.score
	if x.hinted {
		r += rankHint
	}
	if x.Norm.Amending {
		r += rankAmending
	}
	if x.Norm.Territory != "" && len(h.codes) == 0 {
		r += rankWide
	}
	switch x.Unit.Kind {
	case "dt", "dd", "df", "pr":
		r += rankOther
	}
	if !x.law {
		r -= 5 // fiches are looked at when the law does not answer
	}
	return r
}
