package jus

import (
	"strings"

	"digesto/pack"
	"digesto/packs/jus/fees"
	"digesto/text"
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

func (c *Calc) readNames() error {
	c.names, c.namedBy = newNames(), map[string][]pack.Pattern{}
	n := &c.names
	add := func(code string, group bool, words string) error {
		list, err := patterns(words)
		c.namedBy[code] = list
		for _, p := range list {
			p = bare(p)
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
		if err != nil {
			return fees.Invalid("Corrija el patrón.", "«%s»: %v", code, err)
		}
		return nil
	}
	for _, g := range c.Groups() {
		if err := add(g.Code, true, g.Words); err != nil {
			return err
		}
	}
	for _, s := range c.list {
		if err := add(s.Code, false, s.Words); err != nil {
			return err
		}
	}
	return nil
}

func newNames() names { return names{words: map[string][]int{}, begins: map[string][]int{}} }

// fillers carry no meaning inside a name: names are looked for without them, in patterns
// and in questions alike ("partición de los bienes", "partición bienes").
var fillers = set("el la lo los las un una unos unas de del al su sus mi mis este esta ese esa dicho dicha")

// bare is a pattern without the steps that are fillers.
func bare(p pack.Pattern) pack.Pattern {
	var steps []string
	for _, f := range strings.Fields(p.String()) {
		var alts []string
		for _, a := range strings.Split(strings.TrimPrefix(f, "?"), "|") {
			if !fillers[a] {
				alts = append(alts, a)
			}
		}
		if len(alts) > 0 {
			steps = append(steps, fees.OnlyIf(f[0] == '?', "?")+strings.Join(alts, "|"))
		}
	}
	out, err := pack.ParsePattern(strings.Join(steps, " "))
	if err != nil {
		return p
	}
	return out
}

// without gives the words that are no fillers and no small numbers ("los estatutos de tres
// cooperativas"), and where each stands.
func without(words []string) (out []string, at []int) {
	for i, w := range words {
		if !fillers[w] && !isNumber(w) {
			out, at = append(out, w), append(at, i)
		}
	}
	return out, at
}

// isNumber knows a small number, which may have lost its last letter as a plural ("tre").
func isNumber(w string) bool {
	for _, x := range []string{w, w + "s"} {
		if v, ordinal, n := text.Numeral([]string{x}); n > 0 && !ordinal && v > 1 && v < 100 {
			return true
		}
	}
	return false
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
