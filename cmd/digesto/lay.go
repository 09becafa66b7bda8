package main

import (
	"strings"
	"sync"

	"digesto"
	"digesto/ask"
	"digesto/pack"
	"digesto/text/cite"
)

// lays are the lexicons of the street of some jurisdictions.
type lays []*pack.Lay

// laysOf gives the lexicons of the countries whose law a collection holds; none
// for a collection of which no norm is known. The lexicon of another country
// would mislead: the same word is a strike here and a benefit there.
func laysOf(all []*pack.Pack, norms []digesto.Norm) lays {
	where := jurisdictions(all, norms)
	var out lays
	seen := map[string]bool{}
	for _, p := range all {
		country, _, _ := strings.Cut(p.Jurisdiction(), "-")
		if where[country] && !seen[country] && p.Lay.Len() > 0 {
			seen[country] = true
			out = append(out, p.Lay)
		}
	}
	return out
}

// lay adds the lexicon of a pack to a query, or of the installed law's countries.
func (w *world) lay(q *digesto.Query, text string, v ask.View, p *pack.Pack) {
	if p != nil {
		lays{p.Lay}.add(q, text)
		return
	}
	w.lexicons(v).add(q, text)
}

// lexicons gives those of the installed law, made once for each state of it.
func (w *world) lexicons(v ask.View) lays {
	key := v.Snapshot.Hash()
	w.tables.mu.Lock()
	defer w.tables.mu.Unlock()
	if l, ok := w.tables.lays[key]; ok {
		return l
	}
	if w.tables.lays == nil || len(w.tables.lays) > 64 {
		w.tables.lays = map[string]lays{}
	}
	l := laysOf(w.packs, v.Snapshot.Norms())
	w.tables.lays[key] = l
	return l
}

// jurisdictions gives the countries of norms: by what the norm says, by a pack
// that lists it among its sources, or by its title when a pack has a name for it.
func jurisdictions(all []*pack.Pack, norms []digesto.Norm) map[string]bool {
	known := map[string]string{}
	table := sync.OnceValue(func() *cite.Table { return cite.NewTable(aliasesOf(all), nil) })
	for _, p := range all {
		for _, s := range p.Sources {
			known[s.ID] = p.Jurisdiction()
		}
	}
	out := map[string]bool{}
	for _, n := range norms {
		j := n.Jurisdiction
		if j == "" {
			j = known[n.ID]
		}
		if j == "" {
			if ids, _ := table().Recognise(n.Title); len(ids) > 0 {
				j = known[ids[0]]
			}
		}
		country, _, _ := strings.Cut(j, "-")
		out[country] = true
	}
	delete(out, "")
	return out
}

// add gives a query the words of the law beside those of the street. A question
// that names its law speaks its words already: more of them only blur it.
func (l lays) add(q *digesto.Query, question string) {
	if len(q.Norms) > 0 {
		return
	}
	for _, x := range l {
		if legal := x.Expand(question); len(legal) > 0 {
			q.Also, q.AlsoWeight = append(q.Also, legal...), pack.AlternativeWeight
		}
	}
}
