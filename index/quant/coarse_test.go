package quant

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"

	"digesto/index/kernel"
)

// TestCoarseTable: the sum of a row's entries follows the product it stands for.
func TestCoarseTable(t *testing.T) {
	dev := []float32{1, 1, 1, 1, 2, 0.5}
	table := make([]byte, TileBytes(6))
	query := []float32{0.5, -1, 0, 2, 1, 1}
	Sums(table, query, dev)
	levels := []float32{-levelOuter, -levelInner, levelInner, levelOuter}
	r := rand.New(rand.NewPCG(1, 9))
	type pair struct{ sum, product float64 }
	var all []pair
	for range 200 {
		codes, product := make([]byte, len(table)), 0.0
		for i, w := range query {
			k := r.IntN(4)
			product += float64(w * dev[i] * levels[k])
			codes[i/4*kernel.TileRows] |= byte(k << (2 * (i % 4)))
		}
		var out kernel.Block
		kernel.ScanCodes(codes, table, &out)
		all = append(all, pair{float64(out[0]), product})
	}
	for i := range all[1:] {
		unit := MostSum / (2 * levelOuter * 2.5) // of the widest pair: |1·2| + |1·½|
		if d := (all[i].sum - all[0].sum) - unit*(all[i].product-all[0].product); d > 4 || d < -4 {
			t.Fatalf("row %d: %v, row 0: %v, off by %v", i, all[i], all[0], d)
		}
	}
	for _, bad := range []uint32{0x7fc00000, 0x7f800000} { // a file may hold anything
		b := binary.LittleEndian.AppendUint32(nil, bad)
		if err := binaryFloats(b, dev[:1]); err != nil {
			t.Fatal(err)
		}
		if Sums(table, query, dev); slices.Max(table) != 0 {
			t.Error("a table from no number")
		}
	}
}

func binaryFloats(b []byte, to []float32) error {
	_, err := binary.Decode(b, binary.LittleEndian, to)
	return err
}
