package ground

import (
	"slices"

	"digesto"
	"digesto/query"
	"digesto/retrieve"
)

// Bounds of the references followed, where the manifest sets none.
const (
	expandEach  = 3
	expandTotal = 15
)

// expand follows the references of the units found, as they were computed at
// ingestion: within a law, or up the rank of norms; at most three for each unit
// and fifteen in all. What is found is context: it never governs.
func (g *Grounds) expand() {
	if g.Law.Empty() || len(g.Govern) == 0 || !g.Govern[0].Law {
		return
	}
	each, total := query.OrInt(g.Pack.Retrieval.Refs, expandEach), query.OrInt(g.Pack.Retrieval.RefsTotal, expandTotal)
	law, _ := retrieve.Split(g.List)
	from := append(slices.Clone(g.Govern), law[:min(len(law), query.OrInt(g.Pack.Retrieval.Rerank, query.MaxSources))]...)
	seen := map[string]bool{}
	for _, x := range from {
		seen[x.Key()] = true
	}
	done := map[string]bool{}
	for _, x := range from {
		if done[x.Key()] {
			continue
		}
		done[x.Key()] = true
		n := 0
		for _, r := range x.Version.Refs {
			if n == each || len(g.Related) == total {
				break
			}
			o, ok := g.referred(x, r)
			if !ok || seen[o.Key()] {
				continue
			}
			seen[o.Key()] = true
			o.Law, o.Score, o.Order = true, x.Score, x.Order
			g.Related = append(g.Related, o)
			n++
		}
	}
	if len(g.Related) > 0 {
		g.Log("expand", "rules", query.Plural(len(g.Related), "referencia seguida", "referencias seguidas"))
	}
}

// referred reads the unit that a reference means, when it is in the same norm or
// in one that ranks as high or higher.
func (g *Grounds) referred(x retrieve.Hit, r digesto.Reference) (retrieve.Hit, bool) {
	if r.Unit == "" || r.Norm == "" && r.Name != "" {
		return retrieve.Hit{}, false
	}
	n := x.Norm
	if r.Norm != "" {
		var ok bool
		if n, ok = g.Installed(r.Norm); !ok || n.ID != x.Norm.ID && !notBelow(g.Hits, n, x.Norm) {
			return retrieve.Hit{}, false
		}
	}
	if n.ID == x.Norm.ID && r.Unit == x.Unit.ID {
		return retrieve.Hit{}, false
	}
	return g.Ground(g.Law, n.ID, r.Unit)
}

func notBelow(h retrieve.Hits, n, than digesto.Norm) bool {
	a, b := h.Pack.Level(n.Jurisdiction, n.Rank), h.Pack.Level(than.Jurisdiction, than.Rank)
	return a > 0 && b > 0 && a <= b
}

// RelatedNote names the articles that the quoted words refer to.
func (g Grounds) RelatedNote(quoted []digesto.Citation) string {
	const most = 3
	var names []string
	for _, x := range g.Govern {
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
				name += " " + query.Of(g.ShortName(o.Norm))
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

func withinQuote(quoted []digesto.Citation, x retrieve.Hit, r digesto.Reference) bool {
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
