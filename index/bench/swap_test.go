//go:build linux

package bench

import (
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"digesto"
	"digesto/index"
)

// TestSwapLatency measures searches while the same index is built anew twice beside
// them and swapped in, with what they take in quiet: no error may come up, and p99
// should stay within twice the quiet one. Builder and searcher need a CPU each.
func TestSwapLatency(t *testing.T) {
	if *corpusFile == "" || *queryFile == "" {
		t.Skip("give -corpus and -queries to measure")
	}
	dir := *keepIn
	if dir == "" {
		dir = t.TempDir()
	}
	build := func() error {
		return index.Build(t.Context(), copied(*corpusFile, 1), dir, index.BuildOptions{Jobs: 1, Scoring: OneField})
	}
	if err := build(); err != nil {
		t.Fatal(err)
	}
	queries := questions(t)
	searchAll(t, dir, queries) // pages are verified when first read
	var quiet, busy []time.Duration
	for range 5 {
		quiet = append(quiet, searchAll(t, dir, queries)...)
	}
	var done atomic.Bool
	failed := make(chan error, 1)
	go func() {
		defer done.Store(true)
		for range 2 {
			if err := build(); err != nil {
				failed <- err
				return
			}
		}
		failed <- nil
	}()
	for !done.Load() {
		busy = append(busy, searchAll(t, dir, queries)...)
	}
	if err := <-failed; err != nil {
		t.Fatal(err)
	}
	q, b := quantile(quiet, .99), quantile(busy, .99)
	t.Logf("p99 quiet %v, while building and swapping %v: %.2f times (%d and %d searches, no error); mean %v and %v",
		q, b, float64(b)/float64(q), len(quiet), len(busy), mean(quiet), mean(busy))
}

// searchAll opens the index as it is now and asks all questions.
func searchAll(t *testing.T, dir string, queries []string) (took []time.Duration) {
	x, err := index.Open(dir, index.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	for _, text := range queries {
		start := time.Now()
		res, err := x.Search(t.Context(), digesto.Query{Text: text, NoTotal: true})
		took = append(took, time.Since(start))
		if err != nil || len(res.Hits) == 0 {
			t.Fatalf("%q: %d hits, %v", text, len(res.Hits), err)
		}
	}
	return took
}

func quantile(d []time.Duration, q float64) time.Duration {
	slices.Sort(d)
	return d[min(len(d)-1, int(q*float64(len(d))))]
}
