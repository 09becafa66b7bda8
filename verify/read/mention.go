package read

import (
	"cmp"
	"slices"
	"sort"

	"digesto/text/cite"
)

// Mention is a citation in the text.
type Mention struct {
	cite.Mention
	Context string
	Ruling  bool
	Prior   *Mention // the unit cited before it, for "el artículo siguiente"
}

// longestList is how many citations one list has at most.
const longestList = 64

// Lists puts together the citations of one list: "artículos 5 y 6 de la ley".
func Lists(r []rune, mentions []Mention) [][]Mention {
	var out [][]Mention
	for _, m := range mentions {
		if n := len(out); n > 0 && !m.Ruling {
			last := out[n-1][len(out[n-1])-1]
			if m.Unit != "" && last.Unit != "" && len(out[n-1]) < longestList && m.Norm == last.Norm && m.Start-last.End <= 4 && m.Start >= last.End && !Has(r[last.End:m.Start], '.', ';', '\n', ')') {
				out[n-1] = append(out[n-1], m)
				continue
			}
		}
		out = append(out, []Mention{m})
	}
	return out
}

// Next gives the groups of citations next before a quotation and behind it; -1 = there is none.
func Next(groups [][]Mention, q Quotation) (before, after int) {
	after = sort.Search(len(groups), func(g int) bool { return groups[g][0].Start >= q.To })
	for before = after - 1; before >= 0; before-- {
		if list := groups[before]; list[len(list)-1].End <= q.From {
			break
		}
	}
	if after == len(groups) {
		after = -1
	}
	return before, after
}

// Within gives the first group of citations that begins in a stretch; -1 = there is none.
func Within(groups [][]Mention, from, to int) int {
	g := sort.Search(len(groups), func(g int) bool { return groups[g][0].Start >= from })
	if g == len(groups) || groups[g][0].Start >= to {
		return -1
	}
	return g
}

// Widest leaves out what stands within another of a list, and what comes twice.
func Widest(list []Mention) []Mention {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b Mention) int { return cmp.Or(a.Start-b.Start, b.End-a.End) })
	end := -1
	return slices.DeleteFunc(list, func(m Mention) bool {
		inside := m.End <= end
		end = max(end, m.End)
		return inside
	})
}
