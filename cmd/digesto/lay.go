package main

import (
	"strings"

	"digesto"
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

// jurisdictions gives the countries of norms: by what the norm says, by a pack
// that lists it among its sources, or by its title when a pack has a name for it.
func jurisdictions(all []*pack.Pack, norms []digesto.Norm) map[string]bool {
	known := map[string]string{}
	var aliases []cite.Alias
	for _, p := range all {
		aliases = append(aliases, p.Aliases...)
		for _, s := range p.Sources {
			known[s.ID] = p.Jurisdiction()
		}
	}
	table := cite.NewTable(aliases, nil)
	out := map[string]bool{}
	for _, n := range norms {
		j := n.Jurisdiction
		if j == "" {
			j = known[n.ID]
		}
		if j == "" {
			if ids, _ := table.Recognise(n.Title); len(ids) > 0 {
				j = known[ids[0]]
			}
		}
		country, _, _ := strings.Cut(j, "-")
		out[country] = true
	}
	delete(out, "")
	return out
}

// add gives a query the words of the law beside those of the street.
func (l lays) add(q *digesto.Query, question string) {
	for _, x := range l {
		q.Also = append(q.Also, x.Expand(question)...)
	}
	q.AlsoWeight = pack.AlternativeWeight
}
