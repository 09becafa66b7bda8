package index

import (
	"slices"

	"digesto/index/kernel"
	"digesto/text"
)

// scratch is the memory of one running query. It is pooled and keeps its size, so
// that searching does not grow the heap.
type scratch struct {
	an       text.Analyser
	byKind   [kinds][]queryTerm
	terms    []queryTerm
	stemAt   []stemAt
	buf      []byte
	records  []termRecord // by segment, then term
	numbers  []int
	lists    []list // by segment, then term; df 0 = not in the segment
	weights  []uint16
	luts     []kernel.Table
	words    []uint32 // arena
	used     int
	small    []byte // arena
	usedB    int
	sets     [][]uint64 // arena of sets of documents
	usedM    int
	masks    [][]uint64 // by segment; nil = everything passes
	skip     []bool
	single   bool       // see snapshot.single
	more     [][]uint64 // the same, of recognised norms alone
	skipMore []bool
	ub       []int32
	order    []int // of terms within a block
	early    []int
	acc      kernel.Block
	found    [blockDocs]uint16
	cands    []candidate
	exact    []scored
	found2   []scored // of all passes together
	docs     []int
	top      tracker
	matched  int
	near     []near
	depth    int     // how many of them are scored exactly
	floor    float32 // what a product must reach
	values   []float32
	query    []float32 // at unit length
	bytesQ   []int8    // its bytes, then their absolute values
	dots     [vectorBlock]int32
	places   [vectorBlock]uint16
	signals  []Signal
	table    []byte // of codes, see coarse.go
	rough    []rough
	sums     running
	picks    []uint32
}

// candidate is a document that may be among the best: hi is its sum, never below
// its score.
type candidate struct {
	seg, doc int32
	hi       int32
}

// scored is a document with its exact score.
type scored struct {
	seg, doc int32
	score    float64
}

func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/2)
	}
	return s[:n]
}

// arena gives n numbers that stay until the query ends.
func (sc *scratch) arena(n int) []uint32 {
	if sc.used+n > len(sc.words) {
		sc.words = make([]uint32, max(2*len(sc.words), sc.used+n, 1<<12)) // older slices keep the old array
		sc.used = 0
	}
	s := sc.words[sc.used : sc.used+n : sc.used+n]
	sc.used += n
	return s
}

func (sc *scratch) bytes(n int) []byte {
	if sc.usedB+n > len(sc.small) {
		sc.small = make([]byte, max(2*len(sc.small), n, 256))
		sc.usedB = 0
	}
	s := sc.small[sc.usedB : sc.usedB+n : sc.usedB+n]
	sc.usedB += n
	return s
}

func (sc *scratch) reset() { sc.used, sc.usedB, sc.usedM = 0, 0, 0 }

// tracker keeps the k largest values of different units. Units are known by a
// hash: two that share one make the least value smaller than it is, never larger.
type tracker struct {
	k      int
	single bool      // no unit comes twice
	values []float64 // falling
	units  []uint32
}

func (t *tracker) start(k int, single bool) {
	t.k, t.single, t.values, t.units = k, single, t.values[:0], t.units[:0]
}

// least is the k-th largest value; 0 while there are fewer.
func (t *tracker) least() float64 {
	if len(t.values) < t.k {
		return 0
	}
	return t.values[t.k-1]
}

func (t *tracker) add(v float64, unit uint32) {
	if len(t.values) == t.k && v <= t.values[t.k-1] {
		return
	}
	if i := t.find(unit); i >= 0 {
		if v <= t.values[i] {
			return
		}
		t.values = append(t.values[:i], t.values[i+1:]...)
		t.units = append(t.units[:i], t.units[i+1:]...)
	}
	if len(t.values) == t.k {
		t.values, t.units = t.values[:t.k-1], t.units[:t.k-1]
	}
	i := len(t.values)
	t.values, t.units = append(t.values, v), append(t.units, unit)
	for ; i > 0 && t.values[i-1] < v; i-- {
		t.values[i], t.units[i] = t.values[i-1], t.units[i-1]
	}
	t.values[i], t.units[i] = v, unit
}

func (t *tracker) find(unit uint32) int {
	if t.single {
		return -1
	}
	return slices.Index(t.units, unit)
}
