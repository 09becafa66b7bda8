package ask

import (
	"sort"
	"strings"

	"digesto"
	"digesto/text"
)

// Weights of the order in which units are considered: the search decides, the
// sentence that would answer corrects it.
const (
	rankSearch    = 1.0
	rankSentence  = .25
	rankRubric    = .30 // the rubric is the matter of the question
	rankPrincipal = .15 // the norm governs the pack's domain
	rankLevel     = .03 // for each step of legal rank, when the question names no norm
	rankHint      = .60 // a fiche about the question points there
	rankAmending  = -.30
	rankWide      = -.10 // law of a narrower territory that the question does not name
	rankOther     = -.15 // dispositions and preambles yield to articles
)

// rerank orders the units by the heuristic: search, sentence, rubric, rank of
// the norm. Named units stay first, in the order of the question.
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
	r := rankSearch*x.score*h.pack.Weight(x.Norm.Collection) + rankSentence*x.pick.score + rankRubric*h.rubricFit(x)
	if x.hinted {
		r += rankHint
	}
	if x.Norm.Amending || amends(x) {
		r += rankAmending
	}
	if x.Norm.Territory != "" && len(h.codes) == 0 {
		r += rankWide
	}
	if len(h.norms) == 0 {
		r += h.authority(x.Norm)
	}
	switch x.Unit.Kind {
	case digesto.KindTransitional, digesto.KindRepealing, digesto.KindFinal, digesto.KindPreamble, digesto.KindOther, digesto.KindAnnex:
		r += rankOther
	}
	if !x.law {
		r -= 5 // fiches are looked at when the law does not answer
	}
	return r
}

// authority is what the place of a norm in its legal order adds: the norms that
// govern the domain, and the higher ranks before the lower.
func (h hits) authority(n digesto.Norm) float64 {
	r := 0.0
	for _, id := range h.pack.Principal {
		if p, ok := h.installed(id); ok && p.ID == n.ID {
			r += rankPrincipal
		}
	}
	if l := h.pack.Level(n.Jurisdiction, n.Rank); l > 0 {
		r += rankLevel * float64(max(0, 5-l))
	}
	return r
}

// rubricFit says how nearly the rubric is the matter of the question: the
// harmonic mean of the share of its words that the question has and the share
// of the question's information that it holds, 0–1.
func (h hits) rubricFit(x hit) float64 {
	n, shared := 0, 0
	seen := map[string]bool{}
	for _, t := range h.an.Terms(x.Unit.Rubric) {
		if t.Stem == "" || t.Part || seen[t.Stem] {
			continue
		}
		seen[t.Stem] = true
		n++
		if _, ok := h.focus.where[t.Stem]; ok {
			shared++
		} else if _, ok := h.focus.alt[t.Stem]; ok {
			shared++
		}
	}
	if shared == 0 {
		return 0
	}
	precision := float64(shared) / float64(n)
	recall := h.focus.cover(func(s string) bool { return seen[s] })
	if precision+recall == 0 {
		return 0
	}
	return 2 * precision * recall / (precision + recall)
}

// amends says that a unit only changes another norm: its words are not its own
// law but the new wording of another's.
func amends(x hit) bool {
	r := text.Fold(x.Unit.Rubric)
	return strings.HasPrefix(r, "modificacion") || strings.HasPrefix(r, "reforma de") || strings.HasPrefix(strings.TrimSpace(x.Version.Text), "«")
}
