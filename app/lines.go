package app

import (
	"digesto/pack"
)

// Lines are problems as lines of text.
func Lines(bad []pack.Problem) (out []string) {
	for _, p := range bad {
		out = append(out, p.String())
	}
	return out
}
