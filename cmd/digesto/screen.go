package main

import (
	"digesto/cmd/digesto/internal/terminal"
)

// screen is where what people read goes.
func (a *program) screen() terminal.Screen {
	return terminal.Screen{Writer: a.out, Style: a.outStyle(), Width: a.width}
}

// outStyle and errStyle paint only on a terminal, and never under NO_COLOR (no-color.org).
func (a *program) outStyle() terminal.Style { return terminal.Style{On: a.outTerm && a.colours()} }
func (a *program) errStyle() terminal.Style { return terminal.Style{On: a.errTerm && a.colours()} }

func (a *program) colours() bool {
	if v, ok := a.lookup("NO_COLOR"); ok && v != "" {
		return false
	}
	t, _ := a.lookup("TERM")
	return t != "dumb"
}
