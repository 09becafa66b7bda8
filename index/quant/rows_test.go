package quant_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"digesto/index/quant"
)

// TestRows: products are those of the vectors, whatever their number and length.
func TestRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	random := func(dim int) []float32 {
		v := make([]float32, dim)
		for i := range v {
			v[i] = float32(rng.NormFloat64())
		}
		return v
	}
	for _, dim := range []int{1, 31, 64, 80} {
		for _, n := range []int{0, 1, 4, 7, 1024, 1029, 2050} {
			var all [][]float32
			var data []byte
			var scale []float32
			for range n {
				all = append(all, random(dim))
				var s float32
				data, s = quant.AppendRow(data, all[len(all)-1])
				scale = append(scale, s)
			}
			r, q, out := quant.NewRows(dim, data, scale), random(dim), make([]float32, n)
			u := quant.Unit(q)
			r.Dot(q, out)
			for i, v := range all {
				want, long := 0., 0.
				for d := range v {
					want, long = want+float64(v[d])*float64(u[d]), long+float64(v[d])*float64(v[d])
				}
				if math.Abs(float64(out[i])-want) > .03*math.Sqrt(long) {
					t.Fatalf("%d × %d, row %d: %v, want %v", n, dim, i, out[i], want)
				}
			}
			for _, bad := range [][]float32{make([]float32, dim), random(dim + 64)} {
				r.Dot(bad, out)
				for i, x := range out {
					if x != 0 {
						t.Fatalf("%d × %d, row %d: %v with a vector like nothing", n, dim, i, x)
					}
				}
			}
		}
	}
}
