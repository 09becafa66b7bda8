package structure

import (
	"strconv"
	"strings"

	"digesto"
	"digesto/corpus/ingest/line"
	"digesto/text/lazyregexp"
)

// Sources call their notes by numbers within the law ("…del ejercicio.(12)",
// "c)(13) Las fundaciones…"). A number that a reform note of the same unit bears is
// such a call and no word of the law.

var (
	numberedNote = lazyregexp.New(`^\W*\((\d{1,3})\)`)
	endCalls     = lazyregexp.New(`(?:\s*\( ?\d{1,3} ?\))+\s*$`)
	headCalls    = lazyregexp.New(`^(["“«]? ?(?:[a-zñ]{1,3}(?:\.\d{1,2})?\)|\d{1,2}[.)])?)\s*((?:\(\d{1,3}\)\s*)+)`)
	oneCall      = lazyregexp.New(`\d{1,3}`)
)

// farCalls is the number from which a call is known by the notes of the whole
// norm: no list of a law counts so far in brackets.
const farCalls = 100

// calls gives the numbers that reform notes bear.
func calls(notes []string) map[string]bool {
	var out map[string]bool
	for _, n := range notes {
		m := numberedNote.FindStringSubmatch(n)
		if m == nil || !strings.Contains(n, "ublicad") {
			continue
		}
		if out == nil {
			out = map[string]bool{}
		}
		out[m[1]] = true
	}
	return out
}

// cutCalls takes the calls of known notes from the beginning and the end of a
// paragraph and of the cells of a row.
func cutCalls(l line.Line, known map[string]bool) line.Line {
	if len(known) == 0 || !strings.Contains(l.Text, "(") {
		return l
	}
	cells := strings.Split(l.Text, " | ")
	for i, c := range cells {
		if m := endCalls.FindStringIndex(c); m != nil && m[0] > 0 && allKnown(c[m[0]:], known) {
			c = strings.TrimRight(c[:m[0]], " ")
		}
		if m := headCalls.FindStringSubmatchIndex(c); m != nil && allKnown(c[m[4]:m[5]], known) && m[5] < len(c) {
			label, rest := strings.TrimSpace(c[m[2]:m[3]]), c[m[5]:]
			if label != "" {
				rest = label + " " + rest
			}
			c = rest
		}
		cells[i] = c
	}
	was := len([]rune(l.Text))
	l.Text = strings.Join(cells, " | ")
	if cut := was - len([]rune(l.Text)); cut > 0 && len(l.Marks) > 0 {
		marks := append([]digesto.PageMark(nil), l.Marks...)
		for i := range marks {
			marks[i].Start = max(0, min(marks[i].Start, was-cut))
		}
		l.Marks = marks
	}
	return l
}

// allKnown says whether every number of a row of calls is that of a note.
func allKnown(row string, known map[string]bool) bool {
	for _, n := range oneCall.FindAllString(row, -1) {
		if !known[n] {
			return false
		}
	}
	return true
}

// callsFar keeps the numbers that no list of a law reaches.
func callsFar(known map[string]bool) map[string]bool {
	out := map[string]bool{}
	for n := range known {
		if v, err := strconv.Atoi(n); err == nil && v >= farCalls {
			out[n] = true
		}
	}
	return out
}
