package main

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"digesto/app"
	"digesto/text"
)

// style paints text for a terminal; the zero value leaves it plain.
type style struct{ on bool }

func (s style) paint(code, text string) string {
	if !s.on || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

func (s style) bold(t string) string { return s.paint("1", t) }
func (s style) dim(t string) string  { return s.paint("2", t) }
func (s style) mark(t string) string { return s.paint("33", t) }
func (s style) num(t string) string  { return s.paint("1;36", t) }
func (s style) good(t string) string { return s.paint("32", t) }
func (s style) bad(t string) string  { return s.paint("1;31", t) }

// outStyle and errStyle paint only on a terminal, and never under NO_COLOR (no-color.org).
func (a *program) outStyle() style { return style{a.outTerm && a.colours()} }
func (a *program) errStyle() style { return style{a.errTerm && a.colours()} }

func (a *program) colours() bool {
	if v, ok := a.lookup("NO_COLOR"); ok && v != "" {
		return false
	}
	t, _ := a.lookup("TERM")
	return t != "dumb"
}

// clean is foreign text as a terminal may show it.
func clean(s string) string { return text.Clean(s) }

// wrap breaks text into lines of at most width columns at spaces; a longer
// word stands on a line of its own. Line feeds in the text are kept.
func wrap(s string, width int) []string {
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

// hang wraps text and indents every line but the first.
func hang(s string, width, indent int) string {
	return strings.Join(wrap(s, width), "\n"+strings.Repeat(" ", indent))
}

// indentAll wraps text and indents every line.
func indentAll(s string, width, indent int) string {
	pad := strings.Repeat(" ", indent)
	return pad + strings.Join(wrap(s, width-indent), "\n"+pad)
}

// many writes a number with its noun: "1 norma", "3 normas".
func many(n int, one, more string) string { return fmt.Sprintf("%d %s", n, app.Or(n == 1, one, more)) }

// columns is the width to write in: that of the terminal, within reason.
func (a *program) columns() int {
	if a.width <= 0 {
		return 96
	}
	return min(max(a.width, 40), 110)
}

// printLines writes a text for people, in the width of the terminal; into a file or another
// program its lines stay whole.
func (a *program) printLines(s string, indent int) {
	for l := range strings.SplitSeq(clean(s), "\n") {
		if a.width <= 0 {
			fmt.Fprintln(a.out, strings.Repeat(" ", indent)+l)
			continue
		}
		fmt.Fprintln(a.out, strings.TrimRight(indentAll(l, a.columns(), indent), " "))
	}
}
