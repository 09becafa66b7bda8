package index

import (
	"cmp"
	"context"
	"slices"

	"digesto"
	"digesto/index/quant"
)

// hybridDepth is how deep each list is read before the two are fused.
const hybridDepth = 100

// hybrid replaces the lexical scores in sc.found2 by fused ones: the best of both
// lists together, each document with both its scores.
func (x *snapshot) hybrid(ctx context.Context, sc *scratch, q *digesto.Query, k int, skip []bool, res *digesto.Results) error {
	if err := x.nearest(ctx, sc, q.Vector, k, skip); err != nil {
		return err
	}
	for _, d := range sc.near {
		sc.found2 = append(sc.found2, scored{seg: d.seg, doc: d.doc, score: -1})
	}
	// By place; of one document the entry with its lexical score comes first.
	slices.SortFunc(sc.found2, func(a, b scored) int {
		return cmp.Or(cmp.Compare(a.seg, b.seg), cmp.Compare(a.doc, b.doc), cmp.Compare(b.score, a.score))
	})
	sc.found2 = slices.CompactFunc(sc.found2, func(a, b scored) bool { return a.seg == b.seg && a.doc == b.doc })
	if err := x.signals(sc, q, res); err != nil {
		return err
	}
	asked := x.asked(sc, q, res)
	fused, err := Fuse(x.fusion, asked, sc.signals)
	if err != nil {
		return err
	}
	res.Means = digesto.Means{Fusion: cmp.Or(x.fusion, FusionMeasured), Vectors: x.model, Alpha: Alpha(x.fusion, asked)}
	for i := range fused {
		sc.found2[i].score = fused[i]
	}
	return nil
}

// signals fills sc.signals with both scores of each document of sc.found2.
func (x *snapshot) signals(sc *scratch, q *digesto.Query, res *digesto.Results) error {
	sc.signals = sc.signals[:0]
	width := quant.RowWidth(len(q.Vector))
	scale := float32(0)
	if sc.query != nil {
		scale = quant.Bytes(sc.bytesQ[:width], sc.query)
	}
	for i := range sc.found2 {
		d := &sc.found2[i]
		seg := x.segs[d.seg]
		if d.score < 0 {
			v, err := x.score(sc, d.seg, d.doc, nil)
			if err != nil {
				return err
			}
			d.score = v
		}
		norm := seg.norm(int(d.doc))
		s := Signal{Lex: Raise(d.score, *res, norm != "" && slices.Contains(q.Norms, norm), false)}
		if sc.query != nil {
			c, err := seg.cosine(sc, int(d.doc), scale)
			if err != nil {
				return err
			}
			s.Vec = c
		}
		sc.signals = append(sc.signals, s)
	}
	return nil
}

func (x *snapshot) asked(sc *scratch, q *digesto.Query, res *digesto.Results) Asked {
	a := Asked{Norm: len(q.Norms) > 0}
	if res.Reach > 0 {
		a.Cover = res.Best / res.Reach
	}
	for i := range sc.terms {
		if sc.terms[i].kind == KindStem && sc.terms[i].own {
			a.Words++
		}
	}
	return a
}
