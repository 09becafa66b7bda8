package passage

import (
	"strings"

	"digesto/text"
)

// Stems is the set of stems of a text.
func Stems(an *text.Analyser, s string) map[string]bool {
	m := map[string]bool{}
	for _, t := range an.Terms(s) {
		if t.Stem != "" {
			m[strings.Clone(t.Stem)] = true
			if k := FamilyOf(t.Stem); k != "" {
				m[k] = true
			}
		}
	}
	return m
}

func StemList(an *text.Analyser, s string) []string {
	var out []string
	for _, t := range an.Terms(s) {
		if t.Stem != "" && !t.Part {
			out = append(out, t.Stem)
		}
	}
	return out
}
