package index

import (
	"cmp"
	"context"
	"slices"
)

// score is the exact score of a document: the definition of the package, terms in
// their order, true frequencies.
func (x *snapshot) score(sc *scratch, seg, doc int32, each func(term int, tf uint32, score float64)) (float64, error) {
	n := len(sc.terms)
	s := x.segs[seg]
	length := int(s.lengths.u32(int(doc)))
	total := 0.0
	for i := range sc.terms {
		l := &sc.lists[int(seg)*n+i]
		if l.df == 0 {
			continue
		}
		code := l.code(uint32(doc))
		if code == 0 {
			continue
		}
		tf, err := s.tf(sc.numbers[int(seg)*n+i], uint32(doc), code)
		if err != nil {
			return 0, err
		}
		t := &sc.terms[i]
		part := float64(t.weight * x.scoring.saturation(float64(tf), x.scoring.norm(float64(length), x.average)))
		total += part
		if each != nil {
			each(i, tf, part)
		}
	}
	return total, nil
}

// rescore gives the exact scores of the candidates that can be among the k best
// units, in sc.exact, best first. Candidates come by falling bound, so it stops when
// no further one can reach the k-th.
func (x *snapshot) rescore(ctx context.Context, sc *scratch, s scale, k int) error {
	slices.SortFunc(sc.cands, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.hi, a.hi), cmp.Compare(a.seg, b.seg), cmp.Compare(a.doc, b.doc))
	})
	sc.exact = sc.exact[:0]
	sc.top.start(k, sc.single)
	for i, c := range sc.cands {
		if i%1024 == 1023 && ctx.Err() != nil {
			return ctx.Err()
		}
		// One unit more than the bound makes up for rounding in the scale itself.
		if float64(c.hi+1)*s.unit < sc.top.least() {
			break
		}
		v, err := x.score(sc, c.seg, c.doc, nil)
		if err != nil {
			return err
		}
		sc.exact = append(sc.exact, scored{c.seg, c.doc, v})
		sc.top.add(v, x.segs[c.seg].hashes.u32(int(c.doc)))
	}
	least := sc.top.least()
	sc.exact = slices.DeleteFunc(sc.exact, func(d scored) bool { return d.score < least })
	slices.SortFunc(sc.exact, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	return nil
}
