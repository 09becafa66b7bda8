package kernel

import (
	"math/rand/v2"
	"testing"
)

// randomBlock is a block as a filter and some terms may leave it.
func randomBlock(r *rand.Rand) (b Block) {
	for i := range b {
		switch r.IntN(4) {
		case 0:
			b[i] = Excluded
		case 1:
			b[i] = int16(r.IntN(20000))
		}
	}
	return b
}

// FuzzKernels: assembly and portable code do the same to the last bit, whatever
// the bytes; places outside the block are never written.
func FuzzKernels(f *testing.F) {
	f.Add(uint64(1), []byte{0, 255, 255, 3, 1}, uint16(300), int16(1))
	f.Add(uint64(2), make([]byte, 100), uint16(65535), int16(32767))
	f.Add(uint64(3), []byte{}, uint16(0), int16(-32768))
	f.Fuzz(func(t *testing.T, seed uint64, gaps []byte, w uint16, least int16) {
		if len(gaps) > BlockDocs {
			gaps = gaps[:BlockDocs]
		}
		r := rand.New(rand.NewPCG(seed, 7))
		var table Table
		table.Fill(min(w, 32000))
		codes := make([]byte, BlockDocs)
		for i := range codes {
			codes[i] = byte(r.IntN(256) * r.IntN(2))
		}
		start := randomBlock(r)
		a, b := start, start
		addDelta(&a, gaps, codes[:len(gaps)], &table)
		addDeltaGo(&b, gaps, codes[:len(gaps)], &table)
		if a != b {
			t.Fatal("AddDelta")
		}
		addDense(&a, codes, w)
		addDenseGo(&b, codes, w)
		if a != b {
			t.Fatal("AddDense")
		}
		var x, y [BlockDocs]uint16
		if n := atLeast(&a, least, &x); n != atLeastGo(&a, least, &y) || x != y || count(&a, least) != n {
			t.Fatal("AtLeast, count", least)
		}
		for range 20 {
			id := uint32(r.IntN(BlockDocs))
			if findGap(gaps, id) != findGapGo(gaps, id) {
				t.Fatal("FindGap", id)
			}
		}
		bits := make([]uint64, BlockDocs/64)
		for i := range bits {
			bits[i] = r.Uint64()
		}
		applyMask(&a, bits)
		applyMaskGo(&b, bits)
		if a != b {
			t.Fatal("ApplyMask")
		}
	})
}

// FuzzVectorKernels: assembly and portable code multiply and compare alike.
func FuzzVectorKernels(f *testing.F) {
	f.Add(uint64(1), uint8(2), uint8(1), float32(0.1))
	f.Add(uint64(2), uint8(255), uint8(12), float32(-3))
	f.Fuzz(func(t *testing.T, seed uint64, groups, chunks uint8, least float32) {
		n, width := 4*(2*int(groups%128)+2), 32*(1+int(chunks%16))
		r := rand.New(rand.NewPCG(seed, 1))
		rows, query := make([]byte, n*width), make([]int8, 2*width)
		for i := range rows {
			rows[i] = byte(int8(r.IntN(255) - 127))
		}
		for i := range width {
			query[i] = int8(r.IntN(255) - 127)
			query[width+i] = max(query[i], -query[i])
		}
		scales := make([]float32, n)
		for i := range scales {
			scales[i] = r.Float32() / 1e4
		}
		var a, b [VectorBlock]int32
		dotRows(rows, n, width, query, &a)
		dotRowsGo(rows, n, width, query, &b)
		if a != b {
			t.Fatal("dotRows")
		}
		half := make([]int16, 2*width)
		for i := range half {
			half[i] = int16(r.IntN(2*QueryMost+1) - QueryMost)
		}
		nibbles := make([]byte, len(rows)) // apart from rows, which hold no −128
		for i := range rows {
			nibbles[i] = rows[i] & 0xee // codes are 0–14
		}
		count, bytes := n-r.IntN(4), 1+r.IntN(width)
		dotNibbles(nibbles[:count*bytes], count, bytes, NewNibblesQuery(half[:2*bytes]), a[:])
		dotNibblesGo(nibbles, count, bytes, half, b[:])
		if a != b {
			t.Fatal("dotNibbles")
		}
		picks := make([]uint32, 4*(1+r.IntN(50)))
		for i := range picks {
			picks[i] = uint32(r.IntN(n))
		}
		dotPicks(rows, picks, width, query, &a)
		dotPicksGo(rows, picks, width, query, &b)
		if a != b {
			t.Fatal("dotPicks")
		}
		table := make([]byte, 64*(1+int(chunks)/2)) // up to 1,024 dimensions and beyond what is used
		for i := range table {
			table[i] = byte(r.IntN(64))
		}
		codes := make([]byte, len(table)*(1+int(groups)%64))
		for i := range codes {
			codes[i] = byte(r.IntN(256))
		}
		var p, q Block
		scanCodes(codes, table, &p)
		scanCodesGo(codes, table, &q)
		if p != q {
			t.Fatal("scanCodes")
		}
		var x, y [VectorBlock]uint16
		if reach(&a, scales, n, least, &x) != reachGo(&a, scales, n, least, &y) || x != y {
			t.Fatal("reach")
		}
	})
}
