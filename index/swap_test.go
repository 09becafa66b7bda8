package index

import (
	"reflect"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"digesto"
)

// TestSwap: searches go on while indexes are built and swapped; each
// answers from one whole state, and an old reader from its own.
func TestSwap(t *testing.T) {
	dir := t.TempDir()
	states := [2][]digesto.Chunk{made(900, 1), made(900, 2)}
	if err := Build(t.Context(), seq(states[0]...), dir, BuildOptions{}); err != nil {
		t.Fatal(err)
	}
	q := digesto.Query{Text: "plazo recurso palabra7 multa", K: 20, NoTotal: true}
	var want [2]digesto.Results
	for i, s := range states {
		var err error
		if want[i], err = memory(t, BuildOptions{}, s...).Search(t.Context(), q); err != nil {
			t.Fatal(err)
		}
	}
	old := opened(t, dir)
	quiet := measure(t, dir, q, want, func() bool { return false })
	var done atomic.Bool
	go func() {
		defer done.Store(true)
		for i := range 12 {
			if err := Build(t.Context(), seq(states[(i+1)%2]...), dir, BuildOptions{Jobs: 1}); err != nil {
				t.Error(err)
			}
		}
	}()
	busy := measure(t, dir, q, want, func() bool { return !done.Load() })
	if got, err := old.Search(t.Context(), q); err != nil || !reflect.DeepEqual(got, want[0]) {
		t.Error("the old reader lost its state: ", err)
	}
	t.Logf("p99 quiet %v, while building and swapping %v (%d and %d searches)", p99(quiet), p99(busy), len(quiet), len(busy))
}

// measure opens the index anew and searches it, at least 300 times and while more.
func measure(t *testing.T, dir string, q digesto.Query, want [2]digesto.Results, more func() bool) (took []time.Duration) {
	t.Helper()
	for i := 0; i < 300 || more(); i++ {
		x, err := Open(dir, OpenOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for range 5 {
			start := time.Now()
			got, err := x.Search(t.Context(), q)
			took = append(took, time.Since(start))
			if err != nil || !reflect.DeepEqual(got, want[0]) && !reflect.DeepEqual(got, want[1]) {
				t.Fatal("a mixed state: ", got, err)
			}
		}
		x.Close()
	}
	return took
}

func p99(d []time.Duration) time.Duration {
	slices.Sort(d)
	return d[len(d)*99/100]
}
