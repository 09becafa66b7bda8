package pack

import (
	"digesto"
)

// Expected gives what packs know of the norms they expect: identity, never text. A
// norm is of the jurisdiction that its names are of, or of its pack's country.
func Expected(all []*Pack) []digesto.Norm {
	of := map[string]string{}
	for _, p := range all {
		for _, al := range p.Aliases {
			of[al.Norm] = al.Jurisdiction
		}
	}
	var out []digesto.Norm
	for _, p := range all {
		for _, s := range p.Sources {
			n := digesto.Norm{ID: s.ID, Title: s.Title, Short: s.Short, Rank: s.Rank, URL: s.URL, Jurisdiction: digesto.Country(p.Jurisdiction())}
			if j := of[s.ID]; j != "" {
				n.Jurisdiction = digesto.Country(j)
				if j != n.Jurisdiction {
					n.Territory = j
				}
			}
			out = append(out, n)
		}
	}
	return out
}
