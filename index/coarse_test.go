package index

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"testing"

	"digesto"
	"digesto/index/kernel"
)

// leaning gives vectors as models make them: round a hundred centres, some
// dimensions wider than others, and all leaning to one side.
func leaning(name string, dim int) []float32 {
	h := fnv.New64a()
	h.Write([]byte(name))
	r, centre := rand.New(rand.NewPCG(h.Sum64(), 1)), rand.New(rand.NewPCG(h.Sum64()%100, 2))
	v := make([]float32, dim)
	for i := range v {
		v[i] = float32(0.8*centre.NormFloat64() + r.NormFloat64() + 1.5)
		if i%17 == 0 {
			v[i] *= 2
		}
	}
	return v
}

// TestCoarse: in a large segment the codes choose rows so that one in a hundred of
// the nearest is lost at most, under a filter too, the same on the portable path.
func TestCoarse(t *testing.T) {
	const n, dim = coarseRows + 5003, 50
	chunks := make([]digesto.Chunk, n)
	for i := range chunks {
		id := fmt.Sprintf("d%05d", i)
		chunks[i] = digesto.Chunk{ID: id, Unit: id, Rank: []string{"ley", "orden", "ley", "ley", "ley", "ley", "ley", "ley", "ley", "ley"}[i%10], Current: true}
	}
	opt := BuildOptions{Vectors: func(c digesto.Chunk) ([]float32, error) {
		if c.ID == "d00007" {
			return nil, nil
		}
		return leaning(c.ID, dim), nil
	}}
	dir := t.TempDir()
	if err := Build(t.Context(), seq(chunks...), dir, opt); err != nil {
		t.Fatal(err)
	}
	fast := opened(t, dir)
	exact, err := Open(dir, OpenOptions{ExactVectors: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { exact.Close() })
	if err := fast.Check(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(fast.snap.segs[0].vectors.coarse.codes) == 0 {
		t.Fatal("a large segment without codes")
	}
	var queries []digesto.Query
	for i := range 60 {
		q := digesto.Query{Vector: leaning(fmt.Sprint("q", i), dim), K: 10}
		if i%3 == 1 {
			q.Filter.In = map[string][]string{"rank": {[]string{"ley", "orden"}[i%2]}} // 9 in 10 pass, or too few for the codes
		}
		queries = append(queries, q)
	}
	want, got := answers(t, exact, queries, 2), answers(t, fast, queries, 2)
	found, all := 0, 0
	for i := range want {
		for _, h := range want[i].Hits {
			all++
			if slices.ContainsFunc(got[i].Hits, func(g digesto.Hit) bool { return g.ID == h.ID }) {
				found++
			}
		}
	}
	if all != 600 || found < 594 {
		t.Errorf("%d of %d nearest found", found, all)
	}
	kernel.Portable(func() { compare(t, "portable", got, answers(t, fast, queries, 1)) })
}
