package digest

import (
	"slices"
	"strings"
)

// Held is installed law whose units can be counted.
type Held interface {
	Law
	// Units counts the units of a norm that are in force.
	Units(norm string) int
}

// Coverage says how much of the installed law entries lead to.
type Coverage struct {
	Norms     []NormCoverage `json:"norms"` // those installed, by id
	Withdrawn []Withdrawn    `json:"withdrawn"`
}

// NormCoverage is that of a norm.
type NormCoverage struct {
	Norm    string `json:"norm"`
	Units   int    `json:"units"`  // in force
	Places  int    `json:"places"` // with entries
	Entries int    `json:"entries"`
	Asks    int    `json:"asks"`
}

// Withdrawn is an entry that leads nowhere over the installed law.
type Withdrawn struct {
	Place string `json:"place"`
	Ask   string `json:"ask"` // its short one
	Why   string `json:"why"`
}

// Cover counts the entries of files over installed law. Entries of norms that are not
// installed do not count; of what is elsewhere only those count that are withdrawn.
func Cover(files []File, law Held) Coverage {
	var c Coverage
	at := map[string]*NormCoverage{}
	places := map[string]bool{}
	for _, f := range files {
		for i := range f.Entries {
			e := &f.Entries[i]
			if why := e.withdrawn(law); why != "" {
				c.Withdrawn = append(c.Withdrawn, Withdrawn{e.Place(), e.Short(), why})
				continue
			}
			if e.Elsewhere() || !law.Installed(e.Norm) {
				continue
			}
			n := at[e.Norm]
			if n == nil {
				n = &NormCoverage{Norm: e.Norm, Units: law.Units(e.Norm)}
				at[e.Norm] = n
			}
			n.Entries++
			n.Asks += e.Leads() - 1
			if !places[e.Place()] {
				places[e.Place()] = true
				n.Places++
			}
		}
	}
	for _, n := range at {
		n.Units = max(n.Units, n.Places) // entries may lead to what only amends, which is not counted
		c.Norms = append(c.Norms, *n)
	}
	slices.SortFunc(c.Norms, func(a, b NormCoverage) int { return strings.Compare(a.Norm, b.Norm) })
	return c
}

// withdrawn says why an entry leads nowhere; "" = it does, or its norm is not installed.
func (e *Entry) withdrawn(law Law) string {
	if e.Elsewhere() {
		if k := slices.IndexFunc(e.Until, law.Installed); k >= 0 {
			return "ya está instalada la norma " + e.Until[k]
		}
		return ""
	}
	if !law.Installed(e.Norm) {
		return ""
	}
	text, ok := law.Current(e.Norm, e.Unit)
	switch {
	case !ok:
		return "la unidad no está en vigor"
	case !strings.Contains(text, e.Words):
		return "el texto en vigor no dice «" + e.Words + "»"
	}
	return ""
}
