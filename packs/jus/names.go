package jus

import (
	"strings"

	"digesto/pack"
)

// name is one way to name a service or group.
type name struct {
	code    string
	group   bool
	pattern pack.Pattern
	size    int
	gap     bool // words may stand between its own
}

// names holds every way to name a service, found by the first word that each cannot do
// without: a question is held against some twenty of them and not against all.
type names struct {
	list   []name
	words  map[string][]int // by whole word
	begins map[string][]int // by the beginning of a word
}

// beginning is by how many letters words that begin so are found.
const beginning = 3

func (c *Calc) readNames() {
	n := names{words: map[string][]int{}, begins: map[string][]int{}}
	add := func(code string, group bool, patterns []pack.Pattern) {
		for _, p := range patterns {
			i := len(n.list)
			n.list = append(n.list, name{code, group, p, p.Size(), strings.Contains(p.String(), "...")})
			for _, alt := range firstWord(p) {
				if w, begins := strings.CutSuffix(alt, "*"); begins {
					k := w[:min(beginning, len(w))]
					n.begins[k] = append(n.begins[k], i)
				} else {
					n.words[w] = append(n.words[w], i)
				}
			}
		}
	}
	for _, g := range c.groups {
		add(g.Code, true, g.Words)
	}
	for _, s := range c.services {
		add(s.Code, false, s.Words)
	}
	c.names = n
}

// firstWord gives the alternatives of the first word of a pattern that has to be there.
func firstWord(p pack.Pattern) []string {
	for _, f := range strings.Fields(p.String()) {
		if f[0] != '?' && f != "..." && f != "_" && f != "^" {
			return strings.Split(f, "|")
		}
	}
	return nil
}

// among gives the names that words may hold, in the order of the tables.
func (n names) among(words []string) []name {
	want := make([]bool, len(n.list))
	for _, w := range words {
		for _, i := range n.words[w] {
			want[i] = true
		}
		for k := 1; k <= min(beginning, len(w)); k++ {
			for _, i := range n.begins[w[:k]] {
				want[i] = true
			}
		}
	}
	var out []name
	for i, ok := range want {
		if ok {
			out = append(out, n.list[i])
		}
	}
	return out
}
