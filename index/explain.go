package index

import (
	"context"
	"strconv"

	"digesto"
)

// explainDepth is how deep each list is read to give a hit its rank there; 0 is
// said of one that is not in the list so far down.
const explainDepth = 100

// explain adds to each hit what every list and every term gave it. Frequencies
// are those that count: a word of the title counts as often as its field weighs.
func (x *snapshot) explain(ctx context.Context, sc *scratch, q *digesto.Query, skip []bool, res *digesto.Results) error {
	if q.TermsOnly {
		if _, err := x.prepare(sc); err != nil {
			return err
		}
		for i := range res.Hits {
			if err := x.explainHit(sc, q, res, &res.Hits[i], [kinds]map[string]int{}, nil); err != nil {
				return err
			}
		}
		return nil
	}
	near := make(map[string]int, len(sc.near))
	for i, d := range sc.near {
		id, err := x.segs[d.seg].id(nil, int(d.doc))
		if err != nil {
			return err
		}
		near[string(id)] = i + 1
	}
	ranks, err := x.listRanks(ctx, sc, q, skip)
	if err != nil {
		return err
	}
	if _, err := x.prepare(sc); err != nil {
		return err
	}
	for i := range res.Hits {
		if err := x.explainHit(sc, q, res, &res.Hits[i], ranks, near); err != nil {
			return err
		}
	}
	return nil
}

// listRanks runs each list alone and gives the ranks of its first documents.
func (x *snapshot) listRanks(ctx context.Context, sc *scratch, q *digesto.Query, skip []bool) (ranks [kinds]map[string]int, err error) {
	for k := range Kind(kinds) {
		for i := range sc.terms {
			t := &sc.terms[i]
			if t.weight = 0; t.kind == k {
				t.weight = x.weigh(t)
			}
		}
		s, err := x.prepare(sc)
		if err != nil {
			return ranks, err
		}
		if err := x.pass(ctx, sc, s, &collector{masks: sc.masks, skip: skip, k: explainDepth}); err != nil {
			return ranks, err
		}
		ranks[k] = map[string]int{}
		for i, d := range sc.exact[:min(explainDepth, len(sc.exact))] {
			id, err := x.segs[d.seg].id(nil, int(d.doc))
			if err != nil {
				return ranks, err
			}
			ranks[k][string(id)] = i + 1
		}
	}
	for i := range sc.terms {
		t := &sc.terms[i]
		t.weight = x.weigh(t)
	}
	return ranks, nil
}

func (x *snapshot) explainHit(sc *scratch, q *digesto.Query, res *digesto.Results, h *digesto.Hit, ranks [kinds]map[string]int, near map[string]int) error {
	seg, doc, err := x.find(h.ID)
	if err != nil || doc < 0 {
		return err
	}
	e := &digesto.Explain{}
	var shares [kinds]float64
	_, err = x.score(sc, int32(seg), int32(doc), func(term int, tf uint32, score float64) {
		t := &sc.terms[term]
		shares[t.kind] += score
		e.Terms = append(e.Terms, digesto.TermShare{Term: t.name(), Field: t.kind.String(), TF: int(tf), IDF: t.idf, Score: score})
	})
	if err != nil {
		return err
	}
	if q.TermsOnly {
		h.Explain = e
		return nil
	}
	for k := range Kind(kinds) {
		if shares[k] > 0 {
			e.Lists = append(e.Lists, digesto.ListShare{List: k.String(), Rank: ranks[k][h.ID], Score: shares[k]})
		}
	}
	if sc.query != nil && len(q.Vector) > 0 {
		if r := near[h.ID]; r > 0 {
			e.Lists = append(e.Lists, digesto.ListShare{List: "vector", Rank: r, Score: sc.near[r-1].cosine})
		}
	}
	for _, u := range q.Units {
		if u == h.Unit && u != "" {
			e.Lists = append(e.Lists, digesto.ListShare{List: "exact", Rank: 1, Score: h.Score})
			e.Notes = append(e.Notes, "La pregunta nombra esta unidad: va primero.")
			break
		}
	}
	for _, n := range q.Norms {
		if n == h.Norm && n != "" {
			e.Notes = append(e.Notes, "La pregunta nombra su norma: se le suma la mitad de la mejor puntuación ("+strconv.FormatFloat(res.Best/2, 'f', 3, 64)+").")
			break
		}
	}
	h.Explain = e
	return nil
}

// find gives the document with an id: its segment and number, or −1.
func (x *snapshot) find(id string) (seg, doc int, err error) {
	for si, s := range x.segs {
		doc, err := s.findID(id)
		if err != nil || doc >= 0 {
			return si, doc, err
		}
	}
	return 0, -1, nil
}
