//go:build !amd64

package kernel

func portable(f func()) { f() }

func addDelta(acc *Block, gaps, codes []byte, t *Table) { addDeltaGo(acc, gaps, codes, t) }
func addDense(acc *Block, codes []byte, w uint16)       { addDenseGo(acc, codes, w) }
func count(acc *Block, least int16) int                 { return countGo(acc, least) }
func applyMask(acc *Block, bits []uint64)               { applyMaskGo(acc, bits) }
func findGap(gaps []byte, id uint32) int                { return findGapGo(gaps, id) }

func atLeast(acc *Block, least int16, out *[BlockDocs]uint16) int {
	return atLeastGo(acc, least, out)
}

func dotRows(rows []byte, n, width int, query []int8, out *[VectorBlock]int32) {
	dotRowsGo(rows, n, width, query, out)
}

func reach(dots *[VectorBlock]int32, scales []float32, n int, least float32, out *[VectorBlock]uint16) int {
	return reachGo(dots, scales, n, least, out)
}

func scanCodes(codes, table []byte, out *Block) { scanCodesGo(codes, table, out) }

func dotPicks(rows []byte, picks []uint32, width int, query []int8, out *[VectorBlock]int32) {
	dotPicksGo(rows, picks, width, query, out)
}

func dotNibbles(rows []byte, n, width int, query *NibblesQuery, out []int32) {
	dotNibblesGo(rows, n, width, query.values, out)
}
