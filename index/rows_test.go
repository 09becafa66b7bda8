package index_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"digesto/index"
)

func randomVector(rng *rand.Rand, dim int) []float32 {
	v := make([]float32, dim)
	for i := range v {
		v[i] = float32(rng.NormFloat64())
	}
	return v
}

func cosine(a, b []float32) float64 {
	var ab, aa, bb float64
	for i := range a {
		ab += float64(a[i]) * float64(b[i])
		aa += float64(a[i]) * float64(a[i])
		bb += float64(b[i]) * float64(b[i])
	}
	return ab / math.Sqrt(aa*bb)
}

// TestRows holds the cosines of bytes against those of float64.
func TestRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 63, 64, 1025, 2300} {
		for _, dim := range []int{1, 31, 96, 100} {
			r := index.NewRows(dim, n)
			var all [][]float32
			for i := range n {
				v := randomVector(rng, dim)
				all = append(all, v)
				r.Set(i, v)
			}
			q, out := randomVector(rng, dim), make([]float32, n)
			r.Dot(q, out)
			for i, v := range all {
				if want := cosine(q, v); math.Abs(want-float64(out[i])) > .02 {
					t.Fatalf("%d rows of %d: row %d is %.4f, want %.4f", n, dim, i, out[i], want)
				}
			}
		}
	}
}

// TestRowsWithoutLength: a vector without length, or of another length, is like nothing.
func TestRowsWithoutLength(t *testing.T) {
	r := index.NewRows(4, 2)
	r.Set(0, []float32{0, 0, 0, 0})
	r.Set(1, []float32{1, 2, 3, 4})
	out := []float32{9, 9}
	if r.Dot([]float32{1, 2, 3, 4}, out); out[0] != 0 || out[1] < .99 {
		t.Error(out)
	}
	if r.Dot([]float32{1, 2}, out); out[0] != 0 || out[1] != 0 {
		t.Error(out)
	}
}

func BenchmarkRows(b *testing.B) {
	const n, dim = 120_000, 96
	r, rng := index.NewRows(dim, n), rand.New(rand.NewPCG(3, 4))
	for i := range n {
		r.Set(i, randomVector(rng, dim))
	}
	q, out := randomVector(rng, dim), make([]float32, n)
	for b.Loop() {
		r.Dot(q, out)
	}
}
