package kernel

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

// These choose the kernels when the program starts: AVX-512 VNNI for products of
// bytes, AVX2 for all.
var (
	avx2 = cpu.X86.HasAVX2 && cpu.X86.HasBMI1 && cpu.X86.HasPOPCNT
	vnni = avx2 && cpu.X86.HasAVX512F && cpu.X86.HasAVX512VNNI
)

// portable runs f without assembly.
func portable(f func()) {
	a, v := avx2, vnni
	avx2, vnni = false, false
	defer func() { avx2, vnni = a, v }()
	f()
}

func addDelta(acc *Block, gaps, codes []byte, t *Table) {
	if !avx2 || len(gaps) == 0 {
		addDeltaGo(acc, gaps, codes, t)
		return
	}
	_ = codes[len(gaps)-1]
	addDeltaAVX2(&acc[0], &gaps[0], &codes[0], len(gaps), &t[0])
}

func addDense(acc *Block, codes []byte, w uint16) {
	if !avx2 {
		addDenseGo(acc, codes, w)
		return
	}
	_ = codes[BlockDocs-1]
	addDenseAVX2(&acc[0], &codes[0], w)
}

func atLeast(acc *Block, least int16, out *[BlockDocs]uint16) int {
	if !avx2 || least == Excluded { // least−1 has no place in 16 bits
		return atLeastGo(acc, least, out)
	}
	return atLeastAVX2(&acc[0], least, &out[0])
}

func count(acc *Block, least int16) int {
	if !avx2 || least == Excluded {
		return countGo(acc, least)
	}
	return countAVX2(&acc[0], least)
}

func applyMask(acc *Block, bits []uint64) {
	if !avx2 {
		applyMaskGo(acc, bits)
		return
	}
	_ = bits[BlockDocs/64-1]
	applyMaskAVX2(&acc[0], &bits[0])
}

func findGap(gaps []byte, id uint32) int {
	if !avx2 || len(gaps) == 0 {
		return findGapGo(gaps, id)
	}
	return findGapAVX2(&gaps[0], len(gaps), id)
}

func dotRows(rows []byte, n, width int, query []int8, out *[VectorBlock]int32) {
	if !avx2 || n == 0 {
		dotRowsGo(rows, n, width, query, out)
		return
	}
	_, _ = rows[n*width-1], query[2*width-1]
	first := (*int8)(unsafe.Pointer(&rows[0]))
	if vnni {
		dotRowsVNNI(first, n/4, width/32, &query[0], &out[0])
		return
	}
	dotRowsAVX2(first, n/4, width/32, &query[0], &out[0])
}

func reach(dots *[VectorBlock]int32, scales []float32, n int, least float32, out *[VectorBlock]uint16) int {
	if !avx2 || n == 0 {
		return reachGo(dots, scales, n, least, out)
	}
	_ = scales[n-1]
	return reachAVX2(&dots[0], &scales[0], n, least, &out[0])
}

func scanCodes(codes, table []byte, out *Block) {
	tiles := len(codes) / max(1, len(table))
	if !avx2 || tiles == 0 {
		scanCodesGo(codes, table, out)
		return
	}
	_ = out[TileRows*tiles-1]
	scanCodesAVX2(&codes[0], tiles, len(table)/64, &table[0], &out[0])
}

func dotPicks(rows []byte, picks []uint32, width int, query []int8, out *[VectorBlock]int32) {
	if !avx2 || len(picks)%4 != 0 || len(picks) == 0 {
		dotPicksGo(rows, picks, width, query, out)
		return
	}
	_, _ = out[len(picks)-1], query[2*width-1]
	for _, p := range picks {
		_ = rows[(int(p)+1)*width-1]
	}
	first := (*int8)(unsafe.Pointer(&rows[0]))
	if vnni {
		dotPicksVNNI(first, &picks[0], len(picks)/4, width/32, &query[0], &out[0])
		return
	}
	dotPicksAVX2(first, &picks[0], len(picks)/4, width/32, &query[0], &out[0])
}

func dotNibbles(rows []byte, n, width int, query *NibblesQuery, out []int32) {
	chunks, whole := (width+15)/16, n&^3
	if whole > 0 && (whole-1)*width+16*chunks > len(rows) {
		whole -= 4 // its last chunk would reach beyond all rows
	}
	if !avx2 || query.planes == nil {
		whole = 0
	}
	if whole > 0 && len(out) >= whole {
		_ = query.planes[32*chunks-1]
		dotNibblesAVX2(&rows[0], whole/4, width, chunks, &query.planes[0], &out[0])
	}
	dotNibblesGo(rows[whole*width:], n-whole, width, query.values, out[whole:])
}
