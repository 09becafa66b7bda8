package server

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"digesto"
)

// run is a stretch of text, highlighted when it is the quotation.
type run struct {
	Text string
	Mark bool
}

// paragraphs cuts a text at line feeds and marks the quotations, given as
// ranges [start, end) in code points. Ranges outside the text mark nothing.
func paragraphs(text string, quotes ...[2]int) [][]run {
	r := []rune(text)
	marked := make([]bool, len(r)+1)
	for _, q := range quotes {
		if q[0] < 0 || q[1] > len(r) {
			continue
		}
		for i := q[0]; i < q[1]; i++ {
			marked[i] = true
		}
	}
	var out [][]run
	for from := 0; from <= len(r); {
		to := from
		for to < len(r) && r[to] != '\n' {
			to++
		}
		if p := runs(r[from:to], marked[from:to]); len(p) > 0 {
			out = append(out, p)
		}
		from = to + 1
	}
	return out
}

// runs gives the stretches of one paragraph.
func runs(r []rune, marked []bool) []run {
	var out []run
	for from := 0; from < len(r); {
		to := from
		for to < len(r) && marked[to] == marked[from] {
			to++
		}
		out = append(out, run{string(r[from:to]), marked[from]})
		from = to
	}
	return out
}

// around keeps the paragraphs with the quotation and one on either side.
func around(ps [][]run) [][]run {
	first, last := len(ps), -1
	for i, p := range ps {
		for _, r := range p {
			if r.Mark {
				first, last = min(first, i), max(last, i)
			}
		}
	}
	if last < 0 {
		return ps[:min(len(ps), 2)]
	}
	return ps[max(first-1, 0):min(last+2, len(ps))]
}

// span is a stretch of an answer: text, the mark of a source, or a link.
type span struct {
	Text  string
	N     int
	Label string
	URL   string
}

var markPattern = regexp.MustCompile(`\s*\[C(\d+)\]`)

// spans turns the marks "[C2]" of an answer into links to its sources. place
// gives the number of the source of a mark, 0 for none.
func spans(text string, place func(label string) (n int, title string)) []span {
	var out []span
	at := 0
	for _, m := range markPattern.FindAllStringSubmatchIndex(text, -1) {
		n, title := place("C" + text[m[2]:m[3]])
		if n == 0 {
			continue
		}
		out = append(out, span{Text: text[at:m[0]]}, span{N: n, Label: "Fuente " + strconv.Itoa(n) + ": " + title})
		at = m[1]
	}
	if at < len(text) {
		out = append(out, span{Text: text[at:]})
	}
	return out
}

// once leaves out marks that are there already.
func once(in []span) []span {
	seen := map[int]bool{0: false} // 0 is text
	return slices.DeleteFunc(in, func(s span) bool {
		again := seen[s.N]
		seen[s.N] = s.N != 0
		return again
	})
}

func refTitle(c digesto.Citation) string {
	if c.Ref != nil && c.Ref.Title != "" {
		return c.Ref.Title
	}
	return c.Source
}

var addressPattern = regexp.MustCompile(`https?://[^\s)»"]*[^\s)»".,;:]`)

// linked turns the addresses in a note into links.
func linked(text string) []span {
	var out []span
	at := 0
	for _, m := range addressPattern.FindAllStringIndex(text, -1) {
		u := webURL(text[m[0]:m[1]])
		if u == "" {
			continue
		}
		out = append(out, span{Text: text[at:m[0]]}, span{Text: u, URL: u})
		at = m[1]
	}
	return append(out, span{Text: text[at:]})
}

// lines cuts an answer into its paragraphs.
func lines(s string) []string {
	var out []string
	for l := range strings.SplitSeq(s, "\n") {
		if l = strings.TrimSpace(l); l != "" {
			out = append(out, l)
		}
	}
	return out
}
