package read

import (
	"iter"
	"strings"
)

// stressed is what emphasis sets apart.
var stressed = Compile(`(?:^|[\s(¿¡:])(\*{1,3}|_{1,3})([^\s*_][^*_\n]{24,}[^\s*_])(?:\*{1,3}|_{1,3})`)

// How like the law words without marks must be to count as a quotation.
const (
	StillLike = .85 // in italics, and behind another such paragraph
	Verbatim  = 2
)

// Apart is a stretch that may be a quotation without marks.
type Apart struct {
	Quotation
	Like float64
}

// Emphasised gives the stretches of a text in italics and bold.
func Emphasised(meter *Meter, s string) iter.Seq[Apart] {
	return func(yield func(Apart) bool) {
		at := CodePoints(s)
		for m := range stressed.In(meter, s) {
			a := Apart{Quotation{From: at(m[2]), Start: at(m[4]), End: at(m[5]), To: at(m[1]), Words: s[m[4]:m[5]]}, StillLike}
			if m[3]-m[2] == len("**") {
				a.Like = Verbatim
			}
			if len(a.Words) <= MaxQuotation && !yield(a) {
				return
			}
		}
	}
}

// CellWords gives the cells of rows of tables.
func CellWords(s string) iter.Seq[Apart] {
	return func(yield func(Apart) bool) {
		at := CodePoints(s)
		for c := range CellsOf(s) {
			words := strings.TrimSpace(c.Text)
			if words == "" || len(words) > MaxQuotation || !strings.Contains(strings.Trim(c.Row, " \t\r\n|"), "|") {
				continue
			}
			start := c.From + strings.Index(c.Text, words)
			q := Quotation{From: at(start), Start: at(start), End: at(start + len(words)), To: at(start + len(words)), Words: words}
			if !yield(Apart{q, Verbatim}) {
				return
			}
		}
	}
}

// cell is one of the row of a table: its column, and the byte where it begins.
type cell struct {
	Row, Text    string
	Column, From int
}

// CellsOf gives what stands between the bars of each line that has one; an empty one behind
// those of a table, and column -1 for a line that has none.
func CellsOf(s string) iter.Seq[cell] {
	return func(yield func(cell) bool) {
		at := 0
		for line := range strings.Lines(s) {
			c := cell{line, "", -1, at}
			at += len(line)
			if strings.Contains(line, "|") {
				for part := range strings.SplitSeq(line, "|") {
					if c.Column, c.Text = c.Column+1, part; !yield(c) {
						return
					}
					c.From += len(part) + 1
				}
			} else if !yield(c) {
				return
			}
		}
	}
}
