package brief

import (
	"regexp"
	"slices"
	"strings"

	"digesto/text/cite"
)

// tied is a citation with its quotation; either may be missing. With several
// mentions ("artículos 5 y 6") the words may be of any of them.
type tied struct {
	mentions []mention
	quote    *quotation
	context  string // norm named last before a citation that names none
	ruling   bool
}

// mention is a citation in the text.
type mention struct {
	cite.Mention
	context string
	ruling  bool
}

// How far, in code points, a citation may stand from the quotation it belongs to.
const (
	reachAfter  = 60  // «…» (artículo 5)
	reachBefore = 400 // El artículo 5 dice: «…»
	reachBlock  = 800
)

// tie gives the citations of a text with their quotations, in the order of the
// text. A quotation belongs to the citation right behind it, in brackets or in
// the same sentence; else to the nearest before it in its paragraph, or for a
// block in the paragraph before; else to the next one in its paragraph.
func tie(r []rune, mentions []mention, quotes []quotation) []tied {
	groups := lists(r, mentions)
	own := make([][]int, len(groups)) // quotations of each group
	var free []int
	for k, q := range quotes {
		if g := groupOf(r, groups, quotes, k, q); g >= 0 {
			own[g] = append(own[g], k)
		} else {
			free = append(free, k)
		}
	}
	var out []tied
	next := 0
	lone := func(before int) {
		for ; next < len(free) && quotes[free[next]].from < before; next++ {
			out = append(out, tied{quote: &quotes[free[next]]})
		}
	}
	for g, list := range groups {
		lone(list[0].Start)
		if len(own[g]) == 0 {
			for _, m := range list {
				out = append(out, tied{mentions: []mention{m}, context: m.context, ruling: m.ruling})
			}
			continue
		}
		for _, k := range own[g] {
			out = append(out, tied{mentions: list, quote: &quotes[k], context: list[0].context, ruling: list[0].ruling})
		}
	}
	lone(len(r) + 1)
	return out
}

// lists puts together the citations of one list: "artículos 5 y 6 de la ley".
func lists(r []rune, mentions []mention) [][]mention {
	var out [][]mention
	for _, m := range mentions {
		if n := len(out); n > 0 && !m.ruling {
			last := out[n-1][len(out[n-1])-1]
			if m.Unit != "" && last.Unit != "" && m.Norm == last.Norm && m.Start-last.End <= 4 && m.Start >= last.End && !has(r[last.End:m.Start], '.', ';', '\n', ')') {
				out[n-1] = append(out[n-1], m)
				continue
			}
		}
		out = append(out, []mention{m})
	}
	return out
}

func groupOf(r []rune, groups [][]mention, quotes []quotation, k int, q quotation) int {
	before, after := -1, -1
	for g, list := range groups {
		if list[len(list)-1].End <= q.from {
			before = g
		}
		if after < 0 && list[0].Start >= q.to {
			after = g
		}
	}
	limit := len(r) // what comes after the next quotation belongs to that one
	if k+1 < len(quotes) {
		limit = quotes[k+1].from
	}
	if g := noteOf(r, groups, q); g >= 0 {
		return g
	}
	if g := sourceOf(groups, q); g >= 0 {
		return g
	}
	right := false
	if after >= 0 {
		start := groups[after][0].Start
		gap := r[q.to:min(start, len(r))]
		right = start < limit && len(gap) <= reachAfter && !sentenceEnd(gap) && (!blank(gap) || strings.Trim(string(gap), " \t\r\n(—–-") == "")
	}
	if right && (has(r[q.to:groups[after][0].Start], '(', '[') || before < 0) {
		return after
	}
	if before >= 0 {
		gap := r[groups[before][len(groups[before])-1].End:q.from]
		if !q.block && len(gap) <= reachBefore && (!blank(gap) || announces(gap)) || q.block && len(gap) <= reachBlock && paragraphs(gap) <= 1 {
			return before
		}
	}
	if right || after >= 0 && q.block && groups[after][0].Start-q.to <= reachAfter && groups[after][0].Start < limit {
		return after
	}
	return -1
}

// sourceOf gives the citation in the last lines of a block, which say where it comes
// from; -1 for none.
func sourceOf(groups [][]mention, q quotation) int {
	if q.source == 0 {
		return -1
	}
	return slices.IndexFunc(groups, func(list []mention) bool { return list[0].Start >= q.source && list[0].Start < q.to })
}

// announces says whether a stretch ends with a colon and the end of its paragraph:
// "El artículo 5 dice:" with what it says in a paragraph of its own.
func announces(gap []rune) bool {
	return paragraphs(gap) == 1 && strings.HasSuffix(strings.TrimRight(string(gap), " \t\r\n"), ":")
}

// footnote is the call of a note behind a quotation: "[^1]", "¹", "(1)", "[1]".
var footnote = regexp.MustCompile(`^[.,;]?(\[\^[\w-]{1,12}\]|[¹²³⁴⁵⁶⁷⁸⁹⁰]{1,3}|[(\[]\d{1,3}[)\]])`)

// noteOf gives the citation in the note that a quotation calls; -1 for none.
func noteOf(r []rune, groups [][]mention, q quotation) int {
	call := footnote.FindStringSubmatch(string(r[q.to:min(len(r), q.to+20)]))
	if call == nil {
		return -1
	}
	mark := []rune(call[1])
	for at := q.to + len(mark); at < len(r); at = lineEnd(r, at) + 1 {
		line := r[at:lineEnd(r, at)]
		if r[at-1] != '\n' || !strings.HasPrefix(strings.TrimLeft(string(line), " \t"), string(mark)) {
			continue
		}
		return slices.IndexFunc(groups, func(list []mention) bool { return list[0].Start >= at && list[0].End <= at+len(line) })
	}
	return -1
}

// sentenceEnd says whether a sentence ends in a stretch.
func sentenceEnd(r []rune) bool {
	for i := 0; i+1 < len(r); i++ {
		if (r[i] == '.' || r[i] == ';' || r[i] == '?') && (r[i+1] == ' ' || r[i+1] == '\n') && !has(r[:i], '(') {
			return i > 0 || r[i] != '.' // the full stop right behind the marks ends the quotation's own sentence
		}
	}
	return false
}

// blank says whether a paragraph ends in a stretch.
func blank(r []rune) bool { return paragraphs(r) > 0 }

func paragraphs(r []rune) int {
	n := 0
	for i := 0; i+1 < len(r); i++ {
		if r[i] == '\n' {
			k := i + 1
			for k < len(r) && (r[k] == ' ' || r[k] == '\t' || r[k] == '\r') {
				k++
			}
			if k < len(r) && r[k] == '\n' {
				n++
				i = k
			}
		}
	}
	return n
}

func has(r []rune, any ...rune) bool {
	for _, x := range r {
		for _, y := range any {
			if x == y {
				return true
			}
		}
	}
	return false
}
