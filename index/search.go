package index

import (
	"cmp"
	"context"
	"slices"

	"digesto"
)

const (
	defaultK = 10
	maxK     = 10_000
	// namedBonus lifts a named unit over any fused score: those are at most 1.
	namedBonus = 2
)

// snapshot is one state of an index: segments and what they hold together. It
// never changes.
type snapshot struct {
	scoring Scoring
	segs    []*segment
	current int     // documents that are current
	average float64 // their average length
	upOf    []float64
	downOf  []float64 // see measure
	up      float64
	fusion  string
	model   string
	// exactVectors: see OpenOptions.
	exactVectors bool
}

// measure counts current documents, and how far each segment's codes, made with the
// segment's own average length, may be off: a saturation changes by a factor
// between 1 and the ratio of the averages.
func (x *snapshot) measure() {
	total := uint64(0)
	for _, s := range x.segs {
		if s.meta.History {
			continue
		}
		x.current += s.meta.Docs
		total += s.meta.TotalLength
	}
	x.average, x.up = 1, 1
	if total > 0 {
		x.average = float64(total) / float64(x.current)
	}
	for _, s := range x.segs {
		r := x.average / s.meta.Average
		up, down := max(1, r), min(1, r)
		x.upOf, x.downOf = append(x.upOf, up), append(x.downOf, down/up)
		x.up = max(x.up, up)
	}
}

// search finds the best units in one state of the index.
func (x *snapshot) search(ctx context.Context, sc *scratch, q *digesto.Query) (digesto.Results, error) {
	res := digesto.Results{Hits: []digesto.Hit{}}
	if err := ctx.Err(); err != nil {
		return res, cancelled(err)
	}
	k := min(maxK, cmp.Or(max(0, q.K), defaultK))
	sc.reset()
	sc.near, sc.query = sc.near[:0], nil
	sc.found2 = sc.found2[:0]
	sc.analyse(q, &x.scoring)
	if err := x.lookUp(sc); err != nil {
		return res, err
	}
	for i := range sc.terms {
		if t := &sc.terms[i]; t.own && (t.df > 0 || t.kind != KindBigram) {
			res.Reach += x.scoring.TermReach(t.kind, t.idf)
		}
	}
	skip, err := x.masks(sc, &q.Filter)
	if err == nil {
		err = x.require(sc, q, skip)
	}
	if err != nil {
		return res, err
	}
	sc.single = x.single(skip)
	hybrid, depth := len(q.Vector) > 0 && x.dim() > 0, k
	if hybrid && len(sc.terms) > 0 {
		depth = max(k, hybridDepth) // vectors alone have nothing to be joined with
	}
	if err := x.lexical(ctx, sc, q, depth, skip, &res); err != nil {
		return res, err
	}
	if err := x.named(sc, q, skip); err != nil {
		return res, err
	}
	if hybrid {
		if err := x.hybrid(ctx, sc, q, depth, skip, &res); err != nil {
			return res, err
		}
	}
	if res.Hits, err = x.rank(sc, q, k, hybrid, res); err == nil && q.Explain {
		err = x.explain(ctx, sc, q, skip, &res)
	}
	return res, err
}

// single says that no two documents which a search looks at are of one unit.
func (x *snapshot) single(skip []bool) bool {
	n := 0
	for si, s := range x.segs {
		if !skip[si] {
			if n++; n > 1 || !s.meta.UnitsUnique {
				return false
			}
		}
	}
	return true
}

// lexical runs the pass over everything and, if norms were recognised, a second
// one over their units: what they are raised by depends on the best score of all.
func (x *snapshot) lexical(ctx context.Context, sc *scratch, q *digesto.Query, k int, skip []bool, res *digesto.Results) error {
	s, err := x.prepare(sc)
	if err != nil {
		return err
	}
	c := collector{masks: sc.masks, skip: skip, k: k, count: !q.NoTotal}
	if err := x.pass(ctx, sc, s, &c); err != nil {
		return err
	}
	res.Total = c.total
	if len(sc.exact) > 0 {
		res.Best = sc.exact[0].score
	}
	if len(q.Norms) == 0 {
		return nil
	}
	masks, skip, err := x.restrict(sc, sc.masks, skip, q.Norms)
	if err != nil {
		return err
	}
	if len(sc.terms) == 0 {
		return x.everything(sc, masks, skip)
	}
	return x.pass(ctx, sc, s, &collector{masks: masks, skip: skip, k: k})
}

func (x *snapshot) pass(ctx context.Context, sc *scratch, s scale, c *collector) error {
	if err := x.collect(ctx, sc, s, c); err != nil {
		return cancelled(err)
	}
	if err := x.rescore(ctx, sc, s, c.k); err != nil {
		return cancelled(err)
	}
	sc.found2 = append(sc.found2, sc.exact...)
	return nil
}

func cancelled(err error) error {
	if digesto.CodeOf(err) != digesto.CodeInternal {
		return err
	}
	return &digesto.Error{Code: digesto.CodeCancelled, Message: "La búsqueda se canceló", Hint: "Repita la consulta; si es lenta, acótela con un filtro.", Err: err}
}

// everything takes all documents of the recognised norms: the question named
// nothing but them.
func (x *snapshot) everything(sc *scratch, masks [][]uint64, skip []bool) error {
	for si, m := range masks {
		if skip[si] {
			continue
		}
		for doc := range x.segs[si].meta.Docs {
			if passes(m, doc) {
				sc.found2 = append(sc.found2, scored{int32(si), int32(doc), 0})
			}
		}
	}
	return nil
}

// named adds the units that the question names, with their scores.
func (x *snapshot) named(sc *scratch, q *digesto.Query, skip []bool) (err error) {
	for _, unit := range q.Units {
		for si, seg := range x.segs {
			if skip[si] || unit == "" {
				continue
			}
			if sc.docs, err = seg.findUnit(sc.docs[:0], unit); err != nil {
				return err
			}
			for _, doc := range sc.docs {
				if !passes(sc.masks[si], doc) {
					continue
				}
				v, err := x.score(sc, int32(si), int32(doc), nil)
				if err != nil {
					return err
				}
				sc.found2 = append(sc.found2, scored{int32(si), int32(doc), v})
			}
		}
	}
	return nil
}

// rank raises what norms and units raise, orders by score and id, and keeps the
// best document of each unit.
func (x *snapshot) rank(sc *scratch, q *digesto.Query, k int, fused bool, res digesto.Results) ([]digesto.Hit, error) {
	slices.SortFunc(sc.found2, func(a, b scored) int { return cmp.Or(cmp.Compare(a.seg, b.seg), cmp.Compare(a.doc, b.doc)) })
	all := slices.CompactFunc(sc.found2, func(a, b scored) bool { return a.seg == b.seg && a.doc == b.doc })
	if len(q.Units) == 0 && len(q.Norms) == 0 {
		all = x.cut(sc, all, k)
	}
	hits := make([]digesto.Hit, 0, len(all))
	for _, d := range all {
		seg := x.segs[d.seg]
		id, err := seg.id(sc.buf, int(d.doc))
		if err != nil {
			return nil, err
		}
		sc.buf = id
		h := digesto.Hit{ID: string(id), Norm: seg.norm(int(d.doc)), Score: d.score}
		h.Unit = seg.unit(int(d.doc), h.ID)
		named := h.Unit != "" && slices.Contains(q.Units, h.Unit)
		switch {
		case !fused:
			h.Score = Raise(h.Score, res, h.Norm != "" && slices.Contains(q.Norms, h.Norm), named)
		case named:
			h.Score += namedBonus
		}
		hits = append(hits, h)
	}
	slices.SortFunc(hits, func(a, b digesto.Hit) int { return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.ID, b.ID)) })
	return collapse(hits, k), nil
}

// cut drops what cannot be among the k best units, so that its key need not be read.
func (x *snapshot) cut(sc *scratch, all []scored, k int) []scored {
	sc.top.start(k, sc.single)
	for _, d := range all {
		sc.top.add(d.score, x.segs[d.seg].hashes.u32(int(d.doc)))
	}
	least := sc.top.least()
	return slices.DeleteFunc(all, func(d scored) bool { return d.score < least })
}

// collapse keeps the first hit of each unit, k in all.
func collapse(hits []digesto.Hit, k int) []digesto.Hit {
	out := hits[:0]
	seen := make(map[string]struct{}, min(len(hits), k))
	for _, h := range hits {
		if len(out) == k {
			break
		}
		unit := unitOf(h.ID, h.Unit)
		if _, ok := seen[unit]; !ok {
			seen[unit] = struct{}{}
			out = append(out, h)
		}
	}
	return out
}
