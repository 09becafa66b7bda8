package vectorfile

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"
)

// sample is a file with vectors of as many texts, some of them alike, and the keys of
// those and of some that it does not have.
func sample(t testing.TB, dims, n int) (*File, []Key, []float32) {
	t.Helper()
	f, err := Open(filepath.Join(t.TempDir(), "x.vec"), Space{"s", dims, "h"})
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, uint64(dims)))
	random := func() []float32 {
		v := make([]float32, dims)
		for i := range v {
			v[i] = float32(r.NormFloat64()) / 20
		}
		return v
	}
	var keys []Key
	same := random()
	for i := range n {
		k := KeyOf(fmt.Sprint(i))
		keys = append(keys, k)
		switch {
		case i%7 == 3: // it has none
		case i%11 == 5:
			f.Put(k, same)
		default:
			f.Put(k, random())
		}
	}
	return f, keys, random()
}

// TestNearest: the same as all products, sorted.
func TestNearest(t *testing.T) {
	for _, dims := range []int{3, 4, 64, 387} {
		f, keys, v := sample(t, dims, 500)
		var want []Near
		for i, k := range keys {
			if p, ok := f.Dot(k, v); ok {
				want = append(want, Near{i, p})
			}
		}
		slices.SortStableFunc(want, func(a, b Near) int { return cmp.Compare(b.Product, a.Product) })
		for _, n := range []int{0, 1, 40, 300, 1000} {
			if got := f.Nearest(keys, v, n); !slices.Equal(got, want[:min(n, len(want))]) {
				t.Errorf("%d dims, %d of %d: %v", dims, n, len(want), got)
			}
		}
		if got := f.Nearest(keys, v[:1], 10); len(got) > 0 {
			t.Errorf("of other dimensions: %v", got)
		}
	}
}

func BenchmarkNearest(b *testing.B) {
	f, keys, v := sample(b, 384, 2000)
	b.Run("rough first", func(b *testing.B) {
		for b.Loop() {
			f.Nearest(keys, v, 40)
		}
	})
	b.Run("all", func(b *testing.B) {
		for b.Loop() {
			f.Nearest(keys, v, len(keys))
		}
	})
}
