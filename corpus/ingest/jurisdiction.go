package ingest

import (
	"strings"

	"digesto"
	"digesto/text"
)

// placer finds the jurisdiction of norms whose file does not say it, by what the
// expected norms and the names of norms are known to be of. What fits more than
// one jurisdiction is left open.
type placer struct {
	schemes map[string]string // of official identifiers ("BOE") → jurisdiction; "" = of several
	names   map[string]string // folded name → jurisdiction; "" = of several
}

func newPlacer(opt Options) placer {
	p := placer{schemes: map[string]string{}, names: map[string]string{}}
	for _, n := range opt.Known {
		if id := officialID.FindString(n.ID); id != "" && n.Jurisdiction != "" {
			only(p.schemes, scheme(id), n.Jurisdiction)
		}
	}
	for _, a := range opt.Aliases {
		if name := phrase(a.Name); !a.Weak && a.Jurisdiction != "" && strings.Count(name, " ") > 2 && !bareNumber(name) {
			only(p.names, name, a.Jurisdiction)
		}
	}
	return p
}

// bareNumber says of a name that it is a rank and a number: every country has its law
// of that number, though one alone be known.
func bareNumber(name string) bool {
	return strings.ContainsAny(name, "0123456789") && strings.Count(name, " ") < 5
}

// only keeps the value of a key as long as it is the only one.
func only(m map[string]string, key, value string) {
	if old, ok := m[key]; ok && old != value {
		value = ""
	}
	m[key] = value
}

func scheme(id string) string {
	s, _, _ := strings.Cut(id, "-")
	return s
}

// place completes a norm that says no jurisdiction: by the scheme of its
// identifier, or by the longest name of several words that its title holds.
func (p placer) place(n *digesto.Norm) {
	if n.Jurisdiction != "" {
		return
	}
	of := ""
	if officialID.MatchString(n.ID) {
		of = p.schemes[scheme(n.ID)]
	}
	if of == "" {
		title, longest := phrase(n.Title), 0
		for name, j := range p.names {
			switch {
			case len(name) < longest || !strings.Contains(title, name):
			case len(name) > longest:
				longest, of = len(name), j
			case j != of:
				of = ""
			}
		}
	}
	n.Jurisdiction, n.Territory = territory(of, n.Territory)
}

// phrase is a text folded, its words between single spaces, with one at each end.
func phrase(s string) string {
	var b strings.Builder
	b.WriteByte(' ')
	for _, t := range text.Tokens(nil, s) {
		b.WriteString(t.Text)
		b.WriteByte(' ')
	}
	return b.String()
}
