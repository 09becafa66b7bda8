package ground

import (
	"context"
	"slices"

	"digesto/query"
	"digesto/retrieve"
)

// compareGrounds lets each side of a comparison speak: the unit that governs
// each query's answer, in the order of the question.
func (e *Weigher) compareGrounds(ctx context.Context, g Grounds) (Grounds, error) {
	if !g.Plan.Compare || len(g.Sides) < 2 || len(g.Exact) > 0 {
		return g, nil
	}
	var govern []retrieve.Hit
	least := 1.0
	n := 0
	for _, p := range g.Sides {
		one, err := e.ground(ctx, p.Hits)
		if err != nil {
			return g, err
		}
		if one.Done != nil || len(one.Govern) == 0 || !one.Govern[0].Law {
			continue
		}
		x := one.Govern[0]
		x.Own = one.Focus
		if slices.ContainsFunc(govern, func(o retrieve.Hit) bool { return o.Key() == x.Key() && o.Pick.At == x.Pick.At }) {
			continue
		}
		if n++; p.Query.Concept != nil || n <= 2 {
			least = min(least, one.Verdict.Confidence)
		}
		govern = append(govern, x)
	}
	if len(govern) < 2 {
		return g, nil
	}
	g.Govern, g.Done, g.Verdict = govern, nil, Verdict{Confidence: least}
	return g, nil
}

// Grounded lists the units that the answer could be written from.
func (g Grounds) Grounded() []string {
	var out []string
	add := func(list []retrieve.Hit) {
		for _, x := range list {
			if !slices.Contains(out, x.Key()) {
				out = append(out, x.Key())
			}
		}
	}
	add(g.Govern)
	law, _ := retrieve.Split(g.List)
	add(law[:min(len(law), query.OrInt(g.Pack.Retrieval.Rerank, query.MaxSources))])
	add(g.Related)
	return out
}
