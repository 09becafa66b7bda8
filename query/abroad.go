package query

import (
	"slices"

	"digesto"
	"digesto/pack"
	"digesto/text"
)

// Abroad knows of which countries the packs name a norm: a text installed without
// saying whose law it is must not answer for another country. Reading a file places
// what it can, by schemes of identifiers and long names (corpus/ingest); this is for
// what that left open, and for what was read before the packs knew the name: their
// lists change without the law being read again.
type Abroad map[string][]string

func NewAbroad(packs []*pack.Pack) Abroad {
	a := Abroad{}
	for _, p := range packs {
		for _, x := range p.Aliases {
			a.add(x.Jurisdiction, x.Name, x.Norm)
		}
		for _, x := range p.Sources {
			a.add(p.Jurisdiction(), x.ID, x.Title, x.Short)
		}
	}
	return a
}

func (a Abroad) add(jurisdiction string, names ...string) {
	for _, name := range names {
		if k, c := text.Fold(name), digesto.Country(jurisdiction); k != "" && c != "" && !slices.Contains(a[k], c) {
			a[k] = append(a[k], c)
		}
	}
}

// FromAbroad says that a norm that names neither country nor pack is known by its
// id or its title as the law of another country than the question's.
func (s Scope) FromAbroad(n digesto.Norm) bool {
	if n.Jurisdiction != "" || len(n.Packs) > 0 || s.Pack == nil || s.Pack.Jurisdiction() == "" {
		return false
	}
	known, own := false, digesto.Country(s.Pack.Jurisdiction())
	if c := s.publisher(n.Title); c != "" {
		return c != own
	}
	for _, name := range []string{n.ID, n.Title, n.Short} {
		for _, c := range s.Abroad[text.Fold(name)] {
			if c == own {
				return false
			}
			known = true
		}
	}
	return known
}

// publisher is the country that a title names by a place or a body, as those of web
// pages do that are the publisher's and not the norm's; "" = none, or several.
func (s Scope) publisher(title string) string {
	of := ""
	for _, c := range pack.Route(s.Packs, title) {
		if Pointing(c.Why) < ForeignSignal {
			continue
		}
		if j := digesto.Country(c.Pack.Jurisdiction()); of == "" {
			of = j
		} else if j != of {
			return ""
		}
	}
	return of
}

// Weight of signals from which a question belongs to another pack than the one
// it was put to.
const ForeignSignal = 2.0

// Pointing is the weight of the signals that name a country, not its topics:
// both countries have holidays, only one has that unit of account.
func Pointing(why []pack.Evidence) float64 {
	sum := 0.0
	for _, w := range why {
		switch w.Kind {
		case "unit", "place", "body", "identifier":
			sum += w.Weight
		}
	}
	return sum
}
