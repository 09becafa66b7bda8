package jus

import (
	"strings"

	"digesto/pack"
)

// singular takes the mark of the plural off a folded word, the same way in patterns and
// in questions: "verbales" and "verbal", "padres" and "padre" become one form, which
// need not be a word itself.
func singular(w string) string {
	if len(w) <= 3 || w[0] >= '0' && w[0] <= '9' {
		return w
	}
	w = strings.TrimSuffix(w, "s")
	if n := len(w); n > 4 && w[n-1] == 'e' && strings.IndexByte("lnrdj", w[n-2]) >= 0 {
		return w[:n-1]
	}
	if strings.HasSuffix(w, "ce") && len(w) > 4 {
		return w[:len(w)-2] + "z"
	}
	return w
}

func singulars(words []string) []string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = singular(w)
	}
	return out
}

// singularPattern reads a pattern that is looked for in words without plurals.
func singularPattern(s string) (pack.Pattern, error) {
	fields := strings.Fields(s)
	for i, f := range fields {
		if f == "..." || f == "_" || f == "^" || f == "$" {
			continue
		}
		opt := strings.HasPrefix(f, "?")
		alts := strings.Split(strings.TrimPrefix(f, "?"), "|")
		for k, a := range alts {
			if !strings.HasSuffix(a, "*") {
				alts[k] = singular(a)
			}
		}
		fields[i] = onlyIf(opt, "?") + strings.Join(alts, "|")
	}
	return pack.ParsePattern(strings.Join(fields, " "))
}

// findAll gives every place of a pattern, from left to right.
func findAll(p pack.Pattern, words []string) (out [][2]int) {
	for i := 0; i < len(words); {
		from, to, ok := p.Find(words[i:])
		if !ok {
			return out
		}
		out = append(out, [2]int{i + from, i + to})
		i += from + 1
	}
	return out
}
