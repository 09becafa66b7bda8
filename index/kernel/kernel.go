// Package kernel holds the inner loops of an index: sums of quantised contributions over
// blocks of documents, and products of vectors kept in bytes or in codes of a few bits. On
// amd64 with AVX2 or AVX-512 VNNI they are assembly, written by the generator in index/asm;
// elsewhere, and for what assembly does not take, portable Go. Both add the same numbers, so
// the choice never shows in a result.
package kernel

// Sizes that the loops are made for.
const (
	BlockShift  = 11
	BlockDocs   = 1 << BlockShift // documents of a block
	VectorBlock = 1024            // rows a call of the products takes at most
	TileRows    = 32              // rows of codes that are scanned together
	QueryMost   = 16383           // largest value of a query for codes of four bits: 8,192 products fit 32 bits
)

// Block holds the accumulators of one block of documents: sums of quantised
// contributions. Documents that a filter excludes start at the lowest value,
// and no sum lifts them above zero, because a query's largest sum is 32,767.
type Block [BlockDocs]int16

// Excluded is the value of a document that a filter excludes.
const Excluded = -32768

// Table maps codes to contributions.
type Table [256]uint16

// Fill makes the contributions of a term with weight w (in 1/256 units a code):
// ⌊code·w/256⌋ + 1, so that none is below the true value; code 0 gives 0.
func (t *Table) Fill(w uint16) {
	t[0] = 0
	for c := 1; c < 256; c++ {
		t[c] = Contribution(uint8(c), w)
	}
}

// Contribution is what a code adds under weight w, as Table.Fill computes it.
func Contribution(code uint8, w uint16) uint16 {
	if code == 0 {
		return 0
	}
	return uint16(uint32(code)*uint32(w)>>8) + 1
}

// Portable runs f with the portable loops alone, for tests that hold what is built on them equal
// to assembly. Nothing else may use the package meanwhile.
func Portable(f func()) { portable(f) }

// AddDelta adds the contributions of codes to documents, each so far after the one before as its
// gap says; codes has as many as gaps, at least.
func AddDelta(acc *Block, gaps, codes []byte, t *Table) { addDelta(acc, gaps, codes, t) }

// AddDense adds the contribution of a code for each document of the block, under weight w.
func AddDense(acc *Block, codes []byte, w uint16) { addDense(acc, codes, w) }

// AtLeast writes the places with a value ≥ least to out, rising, and says how many there are.
func AtLeast(acc *Block, least int16, out *[BlockDocs]uint16) int { return atLeast(acc, least, out) }

// Count counts the documents with a value ≥ least.
func Count(acc *Block, least int16) int { return count(acc, least) }

// ApplyMask starts a block under a filter: 0 where the bit is set, else Excluded.
func ApplyMask(acc *Block, bits []uint64) { applyMask(acc, bits) }

// FindGap gives the number of the entry at id, where each is so far after the one before as its
// gap says; or -1.
func FindGap(gaps []byte, id uint32) int { return findGap(gaps, id) }

// DotRows multiplies n rows of width bytes (n a multiple of 4, width of 32) with a query: its
// values, then their absolute values. No byte is −128, whose sign AVX2 cannot turn.
func DotRows(rows []byte, n, width int, query []int8, out *[VectorBlock]int32) {
	dotRows(rows, n, width, query, out)
}

// DotPicks is DotRows for rows by number, which come in any order and more than once.
func DotPicks(rows []byte, picks []uint32, width int, query []int8, out *[VectorBlock]int32) {
	dotPicks(rows, picks, width, query, out)
}

// Reach writes the rows whose product by their scale is at least least to out, rising, and says
// how many there are; n is a multiple of 8.
func Reach(dots *[VectorBlock]int32, scales []float32, n int, least float32, out *[VectorBlock]uint16) int {
	return reach(dots, scales, n, least, out)
}

// ScanCodes adds up, for every row of some tiles, the entries of a query's table that its codes
// choose; see package quant for both.
func ScanCodes(codes, table []byte, out *Block) { scanCodes(codes, table, out) }

// NibblesQuery is a query of two values a byte of the rows that it is multiplied with.
type NibblesQuery struct {
	values []int16
	planes []int16 // of eight words of 16 bits the first codes, the second ones …
}

// nibblesMost is the bytes of the longest row of codes that the vector kernel takes.
const nibblesMost = 512

// NewNibblesQuery prepares a query: values of the codes of each byte, the low half first.
func NewNibblesQuery(values []int16) *NibblesQuery {
	q := &NibblesQuery{values: values}
	if len(values) <= 2*nibblesMost {
		q.planes = make([]int16, (len(values)+31)&^31)
		for i, x := range values {
			q.planes[i&^31+i%4*8+i%32/4] = x
		}
	}
	return q
}

// DotNibbles multiplies n rows of width bytes, two codes of four bits each, with a query; out has
// one place a row.
func DotNibbles(rows []byte, n, width int, query *NibblesQuery, out []int32) {
	dotNibbles(rows, n, width, query, out)
}

// addDeltaGo adds the contributions of the codes at places that lie so far apart.
func addDeltaGo(acc *Block, gaps, codes []byte, t *Table) {
	at := 0
	codes = codes[:len(gaps)]
	for i, g := range gaps {
		at += int(g)
		acc[at&(BlockDocs-1)] += int16(t[codes[i]])
	}
}

// addDenseGo adds one code for each document, under weight w.
func addDenseGo(acc *Block, codes []byte, w uint16) {
	codes = codes[:BlockDocs]
	for i := range acc {
		acc[i] += int16(Contribution(codes[i], w))
	}
}

// AddSparse adds the codes of single documents, under weight w.
func AddSparse(acc *Block, docs []uint32, codes []byte, w uint16) {
	codes = codes[:len(docs)]
	for i, d := range docs {
		acc[d&(BlockDocs-1)] += int16(Contribution(codes[i], w))
	}
}

// atLeastGo writes the places with a value ≥ least to out and says how many.
func atLeastGo(acc *Block, least int16, out *[BlockDocs]uint16) int {
	n := 0
	for i, v := range acc {
		if v >= least {
			out[n] = uint16(i)
			n++
		}
	}
	return n
}

// countGo counts the documents with a value ≥ least.
func countGo(acc *Block, least int16) int {
	n := 0
	for _, v := range acc {
		if v >= least {
			n++
		}
	}
	return n
}

// applyMaskGo starts a block under a filter: 0 where the bit is set.
func applyMaskGo(acc *Block, bits []uint64) {
	for i := range acc {
		acc[i] = Excluded
		if bits[i/64]&(1<<(i%64)) != 0 {
			acc[i] = 0
		}
	}
}

// findGapGo gives the number of the entry that ends at id, or -1.
func findGapGo(gaps []byte, id uint32) int {
	at := uint32(0)
	for i, g := range gaps {
		if at += uint32(g); at >= id {
			if at == id {
				return i
			}
			return -1
		}
	}
	return -1
}

// dotRowsGo multiplies n rows with the query (its values; absolute values follow).
func dotRowsGo(rows []byte, n, width int, query []int8, out *[VectorBlock]int32) {
	q := query[:width]
	for i := range n {
		row := rows[i*width : i*width+width]
		sum := int32(0)
		for j, x := range q {
			sum += int32(x) * int32(int8(row[j]))
		}
		out[i] = sum
	}
}

// dotPicksGo is dotRowsGo for rows by number.
func dotPicksGo(rows []byte, picks []uint32, width int, query []int8, out *[VectorBlock]int32) {
	for i, p := range picks {
		row, sum := rows[int(p)*width:int(p)*width+width], int32(0)
		for j, x := range query[:width] {
			sum += int32(x) * int32(int8(row[j]))
		}
		out[i] = sum
	}
}

// reachGo writes the rows whose scaled product is at least least to out.
func reachGo(dots *[VectorBlock]int32, scales []float32, n int, least float32, out *[VectorBlock]uint16) int {
	found := 0
	for i, s := range scales[:n] {
		if float32(dots[i])*s >= least {
			out[found] = uint16(i)
			found++
		}
	}
	return found
}

// scanCodesGo adds up the table entries of every row of some tiles.
func scanCodesGo(codes, table []byte, out *Block) {
	for at := 0; len(codes) > 0; at += TileRows {
		var sum [TileRows]int16
		for chunk := 0; chunk < len(table); chunk += 32 {
			for r, c := range codes[chunk : chunk+32] {
				sum[r] += int16(table[chunk+int(c&15)]) + int16(table[chunk+16+int(c>>4)])
			}
		}
		copy(out[at:], sum[:])
		codes = codes[len(table):]
	}
}

// dotNibblesGo multiplies the codes of n rows of so many bytes with the query, two values a byte.
func dotNibblesGo(rows []byte, n, width int, query []int16, out []int32) {
	for i := range n {
		row, sum := rows[i*width:i*width+width], int32(0)
		for j, b := range row {
			sum += int32(b&15)*int32(query[2*j]) + int32(b>>4)*int32(query[2*j+1])
		}
		out[i] = sum
	}
}
