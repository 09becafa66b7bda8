package pack

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Urgent is a need that cannot wait: an answer to it begins with official contacts.
type Urgent struct {
	Name     string
	When     []Pattern
	Unless   []Pattern
	Fiche    string   // id of the fiche that holds the contacts
	Facts    []string // ids of its facts, in the order in which they are given
	Examples []string
	Near     []string // questions that are near and not urgent
}

// Match says whether a question tells of the need.
func (u *Urgent) Match(words []string) bool {
	for _, p := range u.Unless {
		if p.Match(words) {
			return false
		}
	}
	for _, p := range u.When {
		if p.Match(words) {
			return true
		}
	}
	return false
}

// Contacts gives the units ("fiche norm", unit ids) of the contacts for the needs
// that a question tells of, each once, the first need's first.
func (p *Pack) Contacts(question string) (norm string, units []string) {
	words := Words(question)
	for i := range p.Urgent {
		u := &p.Urgent[i]
		if !u.Match(words) {
			continue
		}
		for _, f := range p.Fiches {
			if f.ID == u.Fiche {
				norm = f.Norm.ID
			}
		}
		for _, x := range u.Facts {
			if !slices.Contains(units, "s"+x) {
				units = append(units, "s"+x)
			}
		}
	}
	return norm, units
}

type rawUrgent struct {
	Name     string   `yaml:"name"`
	When     []string `yaml:"when"`
	Unless   []string `yaml:"unless"`
	Fiche    string   `yaml:"fiche"`
	Facts    []string `yaml:"facts"`
	Examples []string `yaml:"examples"`
	Near     []string `yaml:"near_misses"`

	line int
}

// UnmarshalYAML keeps the line.
func (r *rawUrgent) UnmarshalYAML(n *yaml.Node) error {
	type plain rawUrgent
	err := strict(n, (*plain)(r))
	r.line = n.Line
	return err
}

func (r *reader) urgent(p *Pack, file string, u rawUrgent, line func(...any) int) {
	if u.Name == "" || u.Fiche == "" || len(u.Facts) == 0 || len(u.When) == 0 {
		r.fail(file, u.line, "una urgencia necesita «name», «when», «fiche» y «facts»")
	}
	p.Urgent = append(p.Urgent, Urgent{
		Name: u.Name, Fiche: u.Fiche, Facts: u.Facts, Examples: u.Examples, Near: u.Near,
		When:   r.patterns(file, u.When, func(k int) int { return line("when", k) }),
		Unless: r.patterns(file, u.Unless, func(k int) int { return line("unless", k) }),
	})
}

// urgent proves that every need finds its contacts, its examples and nothing near.
func (c *checker) urgent() {
	for i := range c.p.Urgent {
		u := &c.p.Urgent[i]
		say := func(s string) { c.add("rules", 0, "urgencia «"+u.Name+"»: "+s) }
		held := map[string]bool{}
		for _, f := range c.p.Fiches {
			for _, x := range f.Facts {
				held[f.ID+"/"+strings.TrimPrefix(x.Unit, "s")] = true
			}
		}
		for _, x := range u.Facts {
			if !held[u.Fiche+"/"+x] {
				say("no existe el dato «" + x + "» en la ficha «" + u.Fiche + "»")
			}
		}
		if len(u.Examples) == 0 || len(u.Near) == 0 {
			say("necesita ejemplos («examples») y casos cercanos («near_misses»)")
		}
		for _, e := range u.Examples {
			if !u.Match(Words(e)) {
				say("no reconoce su ejemplo «" + e + "»")
			}
		}
		for _, n := range u.Near {
			if u.Match(Words(n)) {
				say("salta con el caso cercano «" + n + "»")
			}
		}
	}
}
