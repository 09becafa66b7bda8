package e5

import (
	"math/rand/v2"
	"testing"
)

// TestDotPairsKeepsSumsApart compares the packed product with four plain ones,
// with the largest values there are too.
func TestDotPairsKeepsSumsApart(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for _, extreme := range []bool{false, true} {
		for _, n := range []int{1, 3, 4, 7, Dims, inner} {
			w := make([]int8, n)
			rows := [4][]int16{}
			for i := range rows {
				rows[i] = make([]int16, n)
			}
			for i := range w {
				w[i] = int8(rnd.IntN(256) - 128)
				for k := range rows {
					rows[k][i] = int16(rnd.IntN(255) - 127)
				}
				if extreme { // all products of one sign, row by row
					w[i] = -128
					rows[0][i], rows[1][i], rows[2][i], rows[3][i] = 127, -127, -127, 127
				}
			}
			p, q := make([]int64, n), make([]int64, n)
			pack(p, rows[0], rows[1])
			pack(q, rows[2], rows[3])
			s, u := dotPairs(w, p, q)
			var got, want [4]int32
			got[0], got[1] = apart(s)
			got[2], got[3] = apart(u)
			for k, row := range rows {
				for i, x := range row {
					want[k] += int32(w[i]) * int32(x)
				}
			}
			if got != want {
				t.Errorf("n=%d extreme=%v: got %v, want %v", n, extreme, got, want)
			}
		}
	}
}
