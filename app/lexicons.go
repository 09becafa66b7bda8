package app

import (
	"cmp"
	"strings"
	"sync"

	"digesto"
	"digesto/ask"
	"digesto/pack"
)

// Lexicons are the lexicons of the street of some jurisdictions.
type Lexicons []*pack.Lay

// LexiconsOf gives the lexicons of the countries whose law a collection holds; none
// for a collection of which no norm is known. The lexicon of another country
// would mislead: the same word is a strike here and a benefit there.
func LexiconsOf(all []*pack.Pack, norms []digesto.Norm) Lexicons {
	where := jurisdictions(all, norms)
	var out Lexicons
	seen := map[string]bool{}
	for _, p := range all {
		c := country(p.Jurisdiction())
		if where[c] && !seen[c] && p.Lay.Len() > 0 {
			seen[c] = true
			out = append(out, p.Lay)
		}
	}
	return out
}

// AddLexicon adds the lexicon of a pack to a query, or of the installed law's countries.
func (w *Workspace) AddLexicon(q *digesto.Query, text string, v ask.View, p *pack.Pack) {
	if p != nil {
		Lexicons{p.Lay}.Add(q, text)
		return
	}
	w.lexicons(v).Add(q, text)
}

// lexicons gives those of the installed law, made once for each state of it.
func (w *Workspace) lexicons(v ask.View) Lexicons {
	key := v.Snapshot.Hash()
	w.tables.mu.Lock()
	defer w.tables.mu.Unlock()
	if l, ok := w.tables.lays[key]; ok {
		return l
	}
	if w.tables.lays == nil || len(w.tables.lays) > 64 {
		w.tables.lays = map[string]Lexicons{}
	}
	l := LexiconsOf(w.Packs, v.Snapshot.Norms())
	w.tables.lays[key] = l
	return l
}

// jurisdictions gives the countries of norms: by what the norm says, by a pack
// that lists it among its sources, or by its title when it holds a name that only
// one country's law has.
func jurisdictions(all []*pack.Pack, norms []digesto.Norm) map[string]bool {
	known, names := map[string]string{}, sync.OnceValue(func() map[string]string { return ownNames(all) })
	for _, p := range all {
		for _, s := range p.Sources {
			known[s.ID] = p.Jurisdiction()
		}
	}
	out := map[string]bool{}
	for _, n := range norms {
		j := cmp.Or(n.Jurisdiction, known[n.ID])
		if j == "" && n.Title != "" {
			j = countryOf(names(), n.Title)
		}
		out[country(j)] = true
	}
	delete(out, "")
	return out
}

func country(jurisdiction string) string {
	c, _, _ := strings.Cut(jurisdiction, "-")
	return c
}

// ownNames gives the names of norms of several words that only one country has.
func ownNames(all []*pack.Pack) map[string]string {
	names := map[string]string{}
	for _, a := range AliasesOf(all) {
		k := strings.Join(pack.Words(a.Name), " ")
		c := country(a.Jurisdiction)
		if was, ok := names[k]; ok && was != c {
			c = "" // of two countries: says nothing
		}
		if !a.Weak && strings.Contains(k, " ") {
			names[k] = c
		}
	}
	return names
}

// countryOf finds the longest name in a title.
func countryOf(names map[string]string, title string) string {
	words := pack.Words(title)
	for n := len(words); n > 1; n-- {
		for i := 0; i+n <= len(words); i++ {
			if c := names[strings.Join(words[i:i+n], " ")]; c != "" {
				return c
			}
		}
	}
	return ""
}

// Add gives a query the words of the law beside those of the street. A question
// that names its law speaks its words already: more of them only blur it.
func (l Lexicons) Add(q *digesto.Query, question string) {
	if len(q.Norms) > 0 {
		return
	}
	for _, x := range l {
		if legal := x.Expand(question); len(legal) > 0 {
			q.Also, q.AlsoWeight = append(q.Also, legal...), pack.AlternativeWeight
		}
	}
}
