package quant_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"digesto/index/quant"
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

// steps are wide enough for values of a normal distribution.
func steps(dim int) []float32 {
	out := make([]float32, dim)
	for i := range out {
		out[i] = .335
	}
	return out
}

// TestNibbles holds the cosines of codes against those of what they stand for, in one part
// and in two.
func TestNibbles(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 63, 64, 1025, 2300} {
		for _, dim := range []int{1, 31, 32, 96, 100, 1100} {
			step := steps(dim)
			var rows []byte
			all := make([][]float32, n)
			for i := range all {
				codes := quant.EncodeNibbles(randomVector(rng, dim), step)
				rows = append(rows, codes...)
				all[i] = make([]float32, dim)
				quant.DecodeNibbles(codes, step, all[i])
			}
			q, width := randomVector(rng, dim), (dim+1)/2
			for _, cut := range []int{0, n / 3 * width} {
				r, out, v := quant.NewNibbles(step, rows[:cut], rows[cut:]), make([]float32, n), make([]float32, dim)
				r.Dot(q, out)
				for i, x := range all {
					if want := cosine(q, x); math.Abs(want-float64(out[i])) > .001 && !math.IsNaN(want) {
						t.Fatalf("%d rows of %d: row %d is %.4f, want %.4f", n, dim, i, out[i], want)
					}
					if r.Vector(i, v); !slices.Equal(v, x) {
						t.Fatalf("row %d is read as another", i)
					}
				}
			}
		}
	}
}

// TestNibblesNear: codes of a vector are near it.
func TestNibblesNear(t *testing.T) {
	v, back := randomVector(rand.New(rand.NewPCG(5, 6)), 96), make([]float32, 96)
	quant.DecodeNibbles(quant.EncodeNibbles(v, steps(96)), steps(96), back)
	if c := cosine(v, back); c < .98 {
		t.Errorf("%.3f", c)
	}
}

// TestNibblesWithoutLength: a vector without length, or of another length, is like nothing.
func TestNibblesWithoutLength(t *testing.T) {
	step := []float32{1, 1, 1, 1}
	r := quant.NewNibbles(step, quant.EncodeNibbles(nil, step), quant.EncodeNibbles([]float32{1, 2, 3, 4}, step))
	out := []float32{9, 9}
	if r.Dot([]float32{1, 2, 3, 4}, out); out[0] != 0 || out[1] < .99 {
		t.Error(out)
	}
	if r.Dot([]float32{1, 2}, out); out[0] != 0 || out[1] != 0 {
		t.Error(out)
	}
	if r.Dot(make([]float32, 4), out); out[0] != 0 || out[1] != 0 {
		t.Error(out)
	}
}

func BenchmarkNibbles(b *testing.B) {
	const n, dim = 120_000, 96
	rng := rand.New(rand.NewPCG(3, 4))
	rows := make([]byte, n*dim/2)
	for i := range rows {
		rows[i] = byte(rng.IntN(15) | rng.IntN(15)<<4)
	}
	r := quant.NewNibbles(steps(dim), rows)
	q, out := randomVector(rng, dim), make([]float32, n)
	for b.Loop() {
		r.Dot(q, out)
	}
}
