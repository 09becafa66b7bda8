package e5

import (
	"math/rand/v2"
	"testing"
)

// TestSumOf: eight at once give the sum of one by one, of the longest rows and the extremes.
func TestSumOf(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 8, 384, 1024, 1032, 1536} {
		for _, of := range []func() int8{func() int8 { return -128 }, func() int8 { return 127 }, func() int8 { return int8(rng.IntN(256) - 128) }} {
			row, want := make([]int8, n), int32(0)
			for i := range row {
				row[i] = of()
				want += int32(row[i])
			}
			if got := sumOf(row); got != want {
				t.Errorf("%d values: %d, want %d", n, got, want)
			}
		}
	}
}
