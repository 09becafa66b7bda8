package index

import (
	"encoding/binary"
)

// Sorted strings are stored front-coded in blocks of 16: the first string of a
// block whole, each other as the length it shares with the one before and its rest.
// Blocks are found by binary search over their first strings.
const stringsPerBlock = 16

// stringsWriter writes strings to one section and the offsets of their blocks to
// another. They need no order to be read by number, but must be sorted to be found.
type stringsWriter struct {
	f       *fileWriter
	start   int
	n       int
	offsets []uint32
	prev    []byte
	buf     []byte
}

func newStringsWriter(f *fileWriter, data section) *stringsWriter {
	f.begin(data)
	return &stringsWriter{f: f, start: f.n}
}

func (w *stringsWriter) add(s []byte) {
	w.buf = w.buf[:0]
	shared := 0
	if w.n%stringsPerBlock == 0 {
		w.offsets = append(w.offsets, uint32(w.f.n-w.start))
	} else {
		shared = sharedPrefix(w.prev, s)
		w.buf = binary.AppendUvarint(w.buf, uint64(shared))
	}
	w.buf = binary.AppendUvarint(w.buf, uint64(len(s)-shared))
	w.buf = append(w.buf, s[shared:]...)
	w.f.write(w.buf)
	w.prev = append(w.prev[:0], s...)
	w.n++
}

func (w *stringsWriter) end(blocks section) {
	w.f.begin(blocks)
	w.f.u32s(append(w.offsets, uint32(0))) // one more, so that an empty list has a section too
}

// sharedPrefix is how many bytes two strings begin with together.
func sharedPrefix[S ~string | ~[]byte](a, b S) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// stringTable reads what stringsWriter wrote.
type stringTable struct {
	f      *file
	id     section
	data   []byte
	blocks array
	n      int
	heads  []uint64 // of a sorted table: the first 8 bytes of each block's first string
}

// openStrings checks the table of blocks; the strings are verified as they are read.
func openStrings(f *file, data, blocks section, n int) (*stringTable, error) {
	t := &stringTable{f: f, id: data, data: f.sections[data], n: n}
	b, err := f.whole(blocks)
	if err != nil {
		return nil, err
	}
	t.blocks = array(b)
	if n < 0 || len(b)/4 != t.count()+1 || len(b)%4 != 0 {
		return nil, damaged(f.name, "tabla de cadenas")
	}
	for i := range t.count() {
		if off := int(t.blocks.u32(i)); off >= len(t.data) || i > 0 && off <= int(t.blocks.u32(i-1)) {
			return nil, damaged(f.name, "bloques de cadenas")
		}
	}
	return t, nil
}

func (t *stringTable) count() int { return (t.n + stringsPerBlock - 1) / stringsPerBlock }

// block gives the verified bytes of block b.
func (t *stringTable) block(b int) ([]byte, error) {
	off, end := int(t.blocks.u32(b)), len(t.data)
	if b+1 < t.count() {
		end = int(t.blocks.u32(b + 1))
	}
	return t.data[off:end], t.f.verify(t.id, off, end-off)
}

// first gives the first string of a block and what follows it.
func (t *stringTable) first(b int) (s, rest []byte, err error) {
	blk, err := t.block(b)
	if err != nil {
		return nil, nil, err
	}
	n, k := binary.Uvarint(blk)
	if k <= 0 || n > uint64(len(blk)-k) {
		return nil, nil, damaged(t.f.name, "cadena")
	}
	return blk[k : k+int(n)], blk[k+int(n):], nil
}

// next reads a shared-prefix string after prev, into prev's own storage.
func (t *stringTable) next(prev, rest []byte) (s, after []byte, err error) {
	shared, k := binary.Uvarint(rest)
	if k <= 0 || shared > uint64(len(prev)) {
		return nil, nil, damaged(t.f.name, "cadena")
	}
	rest = rest[k:]
	n, k := binary.Uvarint(rest)
	if k <= 0 || n > uint64(len(rest)-k) {
		return nil, nil, damaged(t.f.name, "cadena")
	}
	return append(prev[:shared], rest[k:k+int(n)]...), rest[k+int(n):], nil
}

// get appends string i to buf[:0].
func (t *stringTable) get(buf []byte, i int) ([]byte, error) {
	s, rest, err := t.first(i / stringsPerBlock)
	if err != nil {
		return nil, err
	}
	buf = append(buf[:0], s...)
	for range i % stringsPerBlock {
		if buf, rest, err = t.next(buf, rest); err != nil {
			return nil, err
		}
	}
	return buf, nil
}

// head is the first 8 bytes of a string as a number that orders like them.
func head(s string) (h uint64) {
	for i := range min(8, len(s)) {
		h |= uint64(s[i]) << (56 - 8*i)
	}
	return h
}

// index reads the heads of a sorted table, so that finding a string touches one
// block instead of one a step.
func (t *stringTable) index() error {
	t.heads = make([]uint64, t.count())
	for b := range t.heads {
		first, _, err := t.first(b)
		if err != nil {
			return err
		}
		t.heads[b] = head(string(first))
		if b > 0 && t.heads[b] < t.heads[b-1] {
			return damaged(t.f.name, "orden de los términos")
		}
	}
	return nil
}

// after gives the first block whose head is beyond h.
func (t *stringTable) after(h uint64) int {
	lo, hi := 0, len(t.heads)
	for lo < hi {
		if m := int(uint(lo+hi) >> 1); t.heads[m] > h {
			hi = m
		} else {
			lo = m + 1
		}
	}
	return lo
}

// blockOf gives the block in which s must stand, or -1.
func (t *stringTable) blockOf(s string) (b int, err error) {
	h := head(s)
	hi := t.after(h) - 1
	for ; hi >= 0 && t.heads[hi] == h; hi-- { // rarely more than one shares 8 bytes
		first, _, err := t.first(hi)
		if err != nil {
			return -1, err
		}
		if string(first) <= s {
			return hi, nil
		}
	}
	return hi, nil
}

// find gives the number of a string of an indexed table, or -1. buf is scratch.
func (t *stringTable) find(buf []byte, s string) (i int, scratch []byte, err error) {
	b, err := t.blockOf(s)
	if err != nil || b < 0 {
		return -1, buf, err
	}
	first, rest, err := t.first(b)
	if err != nil {
		return -1, buf, err
	}
	buf = append(buf[:0], first...)
	for i := b * stringsPerBlock; ; {
		switch { // conversions in comparisons do not allocate
		case string(buf) == s:
			return i, buf, nil
		case string(buf) > s:
			return -1, buf, nil
		}
		if i++; i >= t.n || i%stringsPerBlock == 0 {
			return -1, buf, nil
		}
		if buf, rest, err = t.next(buf, rest); err != nil {
			return -1, nil, err
		}
	}
}
