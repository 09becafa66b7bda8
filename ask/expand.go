package ask

import (
	"slices"

	"digesto"
)

// Bounds of the references followed, where the manifest sets none.
const (
	expandEach  = 3
	expandTotal = 15
)

// expand follows the references of the units found, as they were computed at
// ingestion: within a law, or up the rank of norms; at most three for each unit
// and fifteen in all. What is found is context: it never governs.
func (g *grounds) expand() {
	if g.law.empty() || len(g.govern) == 0 || !g.govern[0].law {
		return
	}
	each, total := orInt(g.pack.Retrieval.Refs, expandEach), orInt(g.pack.Retrieval.RefsTotal, expandTotal)
	law, _ := split(g.list)
	from := append(slices.Clone(g.govern), law[:min(len(law), orInt(g.pack.Retrieval.Rerank, maxSources))]...)
	seen := map[string]bool{}
	for _, x := range from {
		seen[x.key()] = true
	}
	done := map[string]bool{}
	for _, x := range from {
		if done[x.key()] {
			continue
		}
		done[x.key()] = true
		n := 0
		for _, r := range x.Version.Refs {
			if n == each || len(g.related) == total {
				break
			}
			o, ok := g.referred(x, r)
			if !ok || seen[o.key()] {
				continue
			}
			seen[o.key()] = true
			o.law, o.score, o.order = true, x.score, x.order
			g.related = append(g.related, o)
			n++
		}
	}
	if len(g.related) > 0 {
		g.log("expand", "rules", plural(len(g.related), "referencia seguida", "referencias seguidas"))
	}
}

// referred reads the unit that a reference means, when it is in the same norm or
// in one that ranks as high or higher.
func (g *grounds) referred(x hit, r digesto.Reference) (hit, bool) {
	if r.Unit == "" || r.Norm == "" && r.Name != "" {
		return hit{}, false
	}
	n := x.Norm
	if r.Norm != "" {
		var ok bool
		if n, ok = g.installed(r.Norm); !ok || n.ID != x.Norm.ID && !g.notBelow(n, x.Norm) {
			return hit{}, false
		}
	}
	if n.ID == x.Norm.ID && r.Unit == x.Unit.ID {
		return hit{}, false
	}
	return g.ground(g.law, n.ID, r.Unit)
}

func (h hits) notBelow(n, than digesto.Norm) bool {
	a, b := h.pack.Level(n.Jurisdiction, n.Rank), h.pack.Level(than.Jurisdiction, than.Rank)
	return a > 0 && b > 0 && a <= b
}

// relatedNote names the articles that the quoted words refer to.
func (g grounds) relatedNote(quoted []digesto.Citation) string {
	const most = 3
	var names []string
	for _, x := range g.govern {
		for _, r := range x.Version.Refs {
			if len(names) == most || !withinQuote(quoted, x, r) {
				continue
			}
			o, ok := g.referred(x, r)
			if !ok {
				continue
			}
			name := o.Unit.Label
			if o.Norm.ID != x.Norm.ID {
				name += " " + of(g.shortName(o.Norm))
			}
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "Lo citado remite a: " + enumerated(names) + "."
}

func withinQuote(quoted []digesto.Citation, x hit, r digesto.Reference) bool {
	return slices.ContainsFunc(quoted, func(c digesto.Citation) bool {
		return c.Ref.Document == x.Norm.ID && c.Ref.Unit == x.Unit.ID && r.Start >= c.Ref.Start && r.End <= c.Ref.End
	})
}

func enumerated(list []string) string {
	s := ""
	for k, n := range list {
		switch {
		case k == 0:
		case k == len(list)-1:
			s += " y "
		default:
			s += ", "
		}
		s += n
	}
	return s
}
