package indextest_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"digesto"
	"digesto/index"
	"digesto/index/indextest"
	"digesto/internal/long"
	"digesto/text"
)

func each(chunks []digesto.Chunk) func(func(digesto.Chunk, error) bool) {
	return func(yield func(digesto.Chunk, error) bool) {
		for _, c := range chunks {
			if !yield(c, nil) {
				return
			}
		}
	}
}

func TestSuite(t *testing.T) {
	t.Run("memory", func(t *testing.T) {
		indextest.Suite(t, 150, func(t *testing.T, chunks []digesto.Chunk) digesto.Searcher {
			x, err := index.Memory(t.Context(), each(chunks), index.BuildOptions{})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { x.Close() })
			return x
		})
	})
	t.Run("disk", func(t *testing.T) {
		indextest.Suite(t, 150, func(t *testing.T, chunks []digesto.Chunk) digesto.Searcher {
			dir := t.TempDir()
			if err := index.Build(t.Context(), each(chunks), dir, index.BuildOptions{}); err != nil {
				t.Fatal(err)
			}
			x, err := index.Open(dir, index.OpenOptions{})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { x.Close() })
			return x
		})
	})
	t.Run("twin", func(t *testing.T) { // keeps the suite honest
		indextest.Suite(t, long.Of(150, 12), func(t *testing.T, chunks []digesto.Chunk) digesto.Searcher {
			return indextest.NewNaive(index.Scoring{}, chunks...)
		})
	})
}

// TestOracle compares with BM25 as the books have it, written here from nothing
// but the formula: one list of stems, one field.
func TestOracle(t *testing.T) {
	const k1, b = 1.2, 0.75
	var chunks []digesto.Chunk
	for i, c := range indextest.Chunks(rng(), 2000) {
		if i%9 != 0 {
			chunks = append(chunks, digesto.Chunk{ID: c.ID, Unit: c.ID, Body: c.Body, Current: true})
		}
	}
	x, err := index.Memory(t.Context(), each(chunks), index.BuildOptions{Scoring: index.Scoring{Title: 1, Plain: -1, Bigram: -1}})
	if err != nil {
		t.Fatal(err)
	}
	var a text.Analyser
	stems := func(s string) (out []string) {
		for _, w := range a.Terms(s) {
			if w.Stem != "" {
				out = append(out, w.Stem)
			}
		}
		return out
	}
	docs, total, df := make([][]string, len(chunks)), 0.0, map[string]float64{}
	for i, c := range chunks {
		docs[i] = stems(c.Body)
		total += float64(len(docs[i]))
		for _, w := range slices.Compact(slices.Sorted(slices.Values(docs[i]))) {
			df[w]++
		}
	}
	n := float64(len(chunks))
	r := rng()
	for range 60 {
		q := digesto.Query{Text: indextest.Words(r, 6), K: len(chunks)}
		res, err := x.Search(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]float64{}
		for _, h := range res.Hits {
			got[h.ID] = h.Score
		}
		terms := slices.Compact(slices.Sorted(slices.Values(stems(q.Text))))
		for i, d := range docs {
			want := 0.0
			for _, w := range terms {
				tf := float64(strings.Count(" "+strings.Join(d, "  ")+" ", " "+w+" "))
				idf := math.Log(1 + (n-df[w]+0.5)/(df[w]+0.5))
				want += idf * tf * (k1 + 1) / (tf + k1*(1-b+b*float64(len(d))/(total/n)))
			}
			if math.Abs(want-got[chunks[i].ID]) > 1e-9 {
				t.Fatalf("%q, %s: %v, want %v", q.Text, chunks[i].ID, got[chunks[i].ID], want)
			}
		}
	}
}

func rng() *rand.Rand { return rand.New(rand.NewPCG(31, 32)) }
