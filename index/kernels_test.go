package index

import (
	"math/rand/v2"
	"testing"
)

// randomBlock is a block as a filter and some terms may leave it.
func randomBlock(r *rand.Rand) (b block) {
	for i := range b {
		switch r.IntN(4) {
		case 0:
			b[i] = excluded
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
		if len(gaps) > blockDocs {
			gaps = gaps[:blockDocs]
		}
		r := rand.New(rand.NewPCG(seed, 7))
		var table lut
		table.fill(min(w, 32000))
		codes := make([]byte, blockDocs)
		for i := range codes {
			codes[i] = byte(r.IntN(256) * r.IntN(2))
		}
		start := randomBlock(r)
		a, b := start, start
		addDelta(&a, gaps, codes[:len(gaps)], &table)
		addDeltaGo(&b, gaps, codes[:len(gaps)], &table)
		if a != b {
			t.Fatal("addDelta")
		}
		addDense(&a, codes, w)
		addDenseGo(&b, codes, w)
		if a != b {
			t.Fatal("addDense")
		}
		var x, y [blockDocs]uint16
		if n := atLeast(&a, least, &x); n != atLeastGo(&a, least, &y) || x != y || count(&a, least) != n {
			t.Fatal("atLeast, count", least)
		}
		for range 20 {
			id := uint32(r.IntN(blockDocs))
			if findGap(gaps, id) != findGapGo(gaps, id) {
				t.Fatal("findGap", id)
			}
		}
		bits := make([]uint64, blockDocs/64)
		for i := range bits {
			bits[i] = r.Uint64()
		}
		applyMask(&a, bits)
		applyMaskGo(&b, bits)
		if a != b {
			t.Fatal("applyMask")
		}
	})
}
