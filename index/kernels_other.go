//go:build !amd64

package index

func addDelta(acc *block, gaps, codes []byte, t *lut) { addDeltaGo(acc, gaps, codes, t) }
func addDense(acc *block, codes []byte, w uint16)     { addDenseGo(acc, codes, w) }
func count(acc *block, least int16) int               { return countGo(acc, least) }
func applyMask(acc *block, bits []uint64)             { applyMaskGo(acc, bits) }
func findGap(gaps []byte, id uint32) int              { return findGapGo(gaps, id) }

func atLeast(acc *block, least int16, out *[blockDocs]uint16) int {
	return atLeastGo(acc, least, out)
}

func dotRows(rows []byte, n, width int, query []int8, out *[vectorBlock]int32) {
	dotRowsGo(rows, n, width, query, out)
}

func reach(dots *[vectorBlock]int32, scales []float32, n int, least float32, out *[vectorBlock]uint16) int {
	return reachGo(dots, scales, n, least, out)
}

func scanCodes(codes, table []byte, out *block) { scanCodesGo(codes, table, out) }

func dotPicks(rows []byte, picks []uint32, width int, query []int8, out *[vectorBlock]int32) {
	dotPicksGo(rows, picks, width, query, out)
}

func dotNibbles(rows []byte, n, width int, query []int16, out []int32) {
	dotNibblesGo(rows, n, width, query, out)
}
