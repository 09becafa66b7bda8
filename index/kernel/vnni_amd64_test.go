package kernel

import (
	"math/rand/v2"
	"testing"
)

// TestVNNI holds the kernels of AVX-512 VNNI, and those of AVX2 that they stand
// before, equal to the portable ones: all widths up to 1,024 dimensions, values at
// their limits. Without such a CPU it runs in an emulator (docs/speed.md).
func TestVNNI(t *testing.T) {
	if !vnni {
		t.Skip("this CPU has no AVX-512 VNNI")
	}
	defer func() { vnni = true }()
	r := rand.New(rand.NewPCG(21, 22))
	for width := 32; width <= 1024; width += 32 {
		n := 4 * (1 + r.IntN(9))
		rows, query := make([]byte, n*width), make([]int8, 2*width)
		extreme := width%96 == 0
		value := func() int8 {
			if extreme {
				return []int8{-127, 127, 0}[r.IntN(3)]
			}
			return int8(r.IntN(255) - 127)
		}
		for i := range rows {
			rows[i] = byte(value())
		}
		for i := range width {
			query[i] = value()
			query[width+i] = max(query[i], -query[i])
		}
		picks := make([]uint32, 4*(1+r.IntN(9)))
		for i := range picks {
			picks[i] = uint32(r.IntN(n))
		}
		var want, picked [VectorBlock]int32
		dotRowsGo(rows, n, width, query, &want)
		dotPicksGo(rows, picks, width, query, &picked)
		for _, vnni = range []bool{true, false} {
			var a, b [VectorBlock]int32
			dotRows(rows, n, width, query, &a)
			dotPicks(rows, picks, width, query, &b)
			if a != want || b != picked {
				t.Fatalf("width %d, VNNI %v: products differ", width, vnni)
			}
		}
	}
}
