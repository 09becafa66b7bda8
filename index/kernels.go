package index

// The inner loops, in portable Go. Assembly takes their place where it is tested;
// both add the same numbers, so the choice never shows in a result.

// block holds the accumulators of one block of documents: sums of quantised
// contributions. Documents that a filter excludes start at the lowest value,
// and no sum lifts them above zero, because a query's largest sum is 32,767.
type block [blockDocs]int16

const excluded = -32768

// lut maps codes to contributions.
type lut [256]uint16

// fill makes the contributions of a term with weight w (in 1/256 units a code):
// ⌊code·w/256⌋ + 1, so that none is below the true value; code 0 gives 0.
func (t *lut) fill(w uint16) {
	t[0] = 0
	for c := 1; c < 256; c++ {
		t[c] = contribution(uint8(c), w)
	}
}

func contribution(code uint8, w uint16) uint16 {
	if code == 0 {
		return 0
	}
	return uint16(uint32(code)*uint32(w)>>8) + 1
}

func addDeltaGo(acc *block, gaps, codes []byte, t *lut) {
	at := 0
	codes = codes[:len(gaps)]
	for i, g := range gaps {
		at += int(g)
		acc[at&(blockDocs-1)] += int16(t[codes[i]])
	}
}

func addDenseGo(acc *block, codes []byte, w uint16) {
	codes = codes[:blockDocs]
	for i := range acc {
		acc[i] += int16(contribution(codes[i], w))
	}
}

func addSparse(acc *block, docs []uint32, codes []byte, w uint16) {
	codes = codes[:len(docs)]
	for i, d := range docs {
		acc[d&(blockDocs-1)] += int16(contribution(codes[i], w))
	}
}

// atLeastGo writes the places with a value ≥ least to out and says how many.
func atLeastGo(acc *block, least int16, out *[blockDocs]uint16) int {
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
func countGo(acc *block, least int16) int {
	n := 0
	for _, v := range acc {
		if v >= least {
			n++
		}
	}
	return n
}

// applyMaskGo starts a block under a filter: 0 where the bit is set.
func applyMaskGo(acc *block, bits []uint64) {
	for i := range acc {
		acc[i] = excluded
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
