// Package terminal lays out what a command says to people: wrapped to the width of their
// terminal, and painted where that takes colours.
package terminal

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"digesto/text"
)

// Style paints text for a terminal; the zero value leaves it plain.
type Style struct{ On bool }

func (s Style) paint(code, text string) string {
	if !s.On || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

// Bold is for headings and names.
func (s Style) Bold(t string) string { return s.paint("1", t) }

// Dim is for what stands beside the matter.
func (s Style) Dim(t string) string { return s.paint("2", t) }

// Mark is for words of the law.
func (s Style) Mark(t string) string { return s.paint("33", t) }

// Num is for numbers that people refer to.
func (s Style) Num(t string) string { return s.paint("1;36", t) }

// Good is for what is well.
func (s Style) Good(t string) string { return s.paint("32", t) }

// Bad is for what fails.
func (s Style) Bad(t string) string { return s.paint("1;31", t) }

// Screen is where a command writes for people.
type Screen struct {
	io.Writer
	Style
	Width int // columns of the terminal; 0 = none, or unknown
}

// Columns is the width to write in: that of the terminal, within reason.
func (s Screen) Columns() int {
	if s.Width <= 0 {
		return 96
	}
	return min(max(s.Width, 40), 110)
}

// Lines prints a text in the width of the terminal, indented; into a file or another program
// its lines stay whole.
func (s Screen) Lines(text string, indent int) {
	for l := range strings.SplitSeq(Clean(text), "\n") {
		if s.Width <= 0 {
			fmt.Fprintln(s, strings.Repeat(" ", indent)+l)
			continue
		}
		fmt.Fprintln(s, strings.TrimRight(Indent(l, s.Columns(), indent), " "))
	}
}

// Clean is foreign text as a terminal may show it.
func Clean(s string) string { return text.Clean(s) }

// Wrap breaks text into lines of at most width columns at spaces; a longer
// word stands on a line of its own. Line feeds in the text are kept.
func Wrap(s string, width int) []string {
	width = max(width, 20)
	var lines []string
	for para := range strings.SplitSeq(s, "\n") {
		line, n := "", 0
		for _, w := range strings.Fields(para) {
			l := utf8.RuneCountInString(w)
			if n > 0 && n+1+l > width {
				lines = append(lines, line)
				line, n = "", 0
			}
			if n > 0 {
				line += " "
				n++
			}
			line += w
			n += l
		}
		lines = append(lines, line)
	}
	return lines
}

// Hang wraps text and indents every line but the first.
func Hang(s string, width, indent int) string {
	return strings.Join(Wrap(s, width), "\n"+strings.Repeat(" ", indent))
}

// Indent wraps text and indents every line; the indent counts in the width.
func Indent(s string, width, indent int) string {
	pad := strings.Repeat(" ", indent)
	return pad + strings.Join(Wrap(s, width-indent), "\n"+pad)
}

// Many writes a number with its noun: "1 norma", "3 normas".
func Many(n int, one, more string) string {
	if n == 1 {
		more = one
	}
	return fmt.Sprintf("%d %s", n, more)
}
