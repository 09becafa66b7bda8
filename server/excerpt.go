package server

import (
	"regexp"
	"strconv"
	"strings"

	"digesto"
)

// run is a stretch of text, highlighted when it is the quotation.
type run struct {
	Text string
	Mark bool
}

// paragraphs cuts a text at line feeds and marks the quotation [start, end),
// in code points. Bounds outside the text mark nothing.
func paragraphs(text string, start, end int) [][]run {
	r := []rune(text)
	if start < 0 || end > len(r) || start >= end {
		start, end = 0, 0
	}
	var out [][]run
	for from := 0; from <= len(r); {
		to := from
		for to < len(r) && r[to] != '\n' {
			to++
		}
		if p := cut(r, from, to, start, end); len(p) > 0 {
			out = append(out, p)
		}
		from = to + 1
	}
	return out
}

// cut gives the runs of one paragraph.
func cut(r []rune, from, to, start, end int) []run {
	a, b := min(max(start, from), to), min(max(end, from), to)
	var out []run
	for _, p := range []run{{string(r[from:a]), false}, {string(r[a:b]), true}, {string(r[b:to]), false}} {
		if p.Text != "" {
			out = append(out, p)
		}
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

// span is a stretch of an answer: text, or the mark of a source.
type span struct {
	Text  string
	N     int
	Label string
}

var markPattern = regexp.MustCompile(`\s*\[C(\d+)\]`)

// spans turns the marks "[C2]" of an answer into links to its sources.
func spans(text string, cites []digesto.Citation) []span {
	var out []span
	at := 0
	for _, m := range markPattern.FindAllStringSubmatchIndex(text, -1) {
		n, _ := strconv.Atoi(text[m[2]:m[3]])
		i := labelled(cites, "C"+text[m[2]:m[3]])
		if n == 0 || i < 0 {
			continue
		}
		out = append(out, span{Text: text[at:m[0]]}, span{N: i + 1, Label: "Fuente " + strconv.Itoa(i+1) + ": " + refTitle(cites[i])})
		at = m[1]
	}
	if at < len(text) {
		out = append(out, span{Text: text[at:]})
	}
	return out
}

func labelled(cites []digesto.Citation, label string) int {
	for i, c := range cites {
		if c.Ref != nil && c.Ref.Label == label {
			return i
		}
	}
	return -1
}

func refTitle(c digesto.Citation) string {
	if c.Ref != nil && c.Ref.Title != "" {
		return c.Ref.Title
	}
	return c.Source
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
