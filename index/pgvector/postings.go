package pgvector

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/bits"
	"slices"
)

// A block is a run of chunks. What the server holds of each is rows of postings: for a
// list (a term, or a value of a filter field) the chunks that are in it, by their places
// in the block, and how often they have the term.
const (
	blockBits = 15
	blockDocs = 1 << blockBits
)

// bitmap is a set of places of a block.
type bitmap [blockDocs / 64]uint64

func (b *bitmap) has(at uint16) bool { return b[at>>6]>>(at&63)&1 != 0 }

func (b *bitmap) put(at uint16) { b[at>>6] |= 1 << (at & 63) }

func (b *bitmap) and(o *bitmap) {
	for i := range b {
		b[i] &= o[i]
	}
}

func (b *bitmap) or(o *bitmap) {
	for i := range b {
		b[i] |= o[i]
	}
}

func (b *bitmap) not() {
	for i := range b {
		b[i] = ^b[i]
	}
}

func (b *bitmap) count() (n int) {
	for _, w := range b {
		n += bits.OnesCount64(w)
	}
	return n
}

// The forms of posts. Up to sparseMost places are written one by one, more as a bitmap;
// frequencies follow as a byte each unless all are 1, and those from 255 on once more at
// the end, as numbers.
const (
	formPlaces = iota
	formBitmap
	formOnes   = 2 // added
	sparseMost = blockDocs / 16
)

// encode writes the posts of a list, places rising.
func encode(places []uint16, tf []uint16) []byte {
	form := byte(formPlaces)
	ones := !slices.ContainsFunc(tf, func(n uint16) bool { return n != 1 })
	if len(places) > sparseMost {
		form = formBitmap
	}
	out := []byte{form}
	if ones {
		out[0] += formOnes
	}
	if form == formBitmap {
		var b bitmap
		for _, at := range places {
			b.put(at)
		}
		for _, w := range b {
			out = binary.LittleEndian.AppendUint64(out, w)
		}
	} else {
		for _, at := range places {
			out = binary.LittleEndian.AppendUint16(out, at)
		}
	}
	if ones {
		return out
	}
	for _, n := range tf {
		out = append(out, byte(min(n, 255)))
	}
	for _, n := range tf {
		if n >= 255 {
			out = binary.AppendUvarint(out, uint64(n))
		}
	}
	return out
}

var errPosts = errors.New("a list of postings cannot be read")

// posts is a list in one block, as it came. It is sound once checked.
type posts struct {
	base int64
	n    int // chunks in it
	raw  []byte
}

// docs is where the places end.
func (p posts) docs() int {
	if p.raw[0]&formBitmap != 0 {
		return 1 + blockDocs/8
	}
	return 1 + 2*p.n
}

// check says whether n chunks can be read out of it.
func (p posts) check() error {
	if p.n < 1 || p.n > blockDocs || len(p.raw) == 0 || p.raw[0] > formBitmap+formOnes {
		return errPosts
	}
	end := p.docs()
	if p.raw[0]&formOnes == 0 {
		end += p.n
	}
	if len(p.raw) < end {
		return errPosts
	}
	if p.raw[0]&formOnes == 0 {
		rest := p.raw[end:]
		for range bytes.Count(p.raw[end-p.n:end], []byte{255}) {
			v, size := binary.Uvarint(rest)
			if size <= 0 || v > maxTF {
				return errPosts
			}
			rest = rest[size:]
		}
	}
	if p.raw[0]&formBitmap != 0 {
		var b bitmap
		p.into(&b)
		if b.count() != p.n {
			return errPosts
		}
		return nil
	}
	for i := range p.n {
		if at := binary.LittleEndian.Uint16(p.raw[1+2*i:]); at >= blockDocs || i > 0 && at <= binary.LittleEndian.Uint16(p.raw[2*i-1:]) {
			return errPosts
		}
	}
	return nil
}

// each calls f with every place and its frequency.
func (p posts) each(f func(at uint16, tf int)) {
	tf := p.raw[p.docs():]
	ones := p.raw[0]&formOnes != 0
	var rest []byte
	if !ones {
		rest = tf[p.n:]
	}
	one := func(i int, at uint16) {
		n := 1
		if !ones {
			n = int(tf[i])
		}
		if n == 255 {
			v, size := binary.Uvarint(rest)
			n, rest = int(v), rest[size:]
		}
		f(at, n)
	}
	if p.raw[0]&formBitmap == 0 {
		for i := range p.n {
			one(i, binary.LittleEndian.Uint16(p.raw[1+2*i:]))
		}
		return
	}
	i := 0
	for w := range blockDocs / 64 {
		for x := binary.LittleEndian.Uint64(p.raw[1+8*w:]); x != 0; x &= x - 1 {
			one(i, uint16(w<<6+bits.TrailingZeros64(x)))
			i++
		}
	}
}

// into adds the places to a set.
func (p posts) into(b *bitmap) {
	if p.raw[0]&formBitmap != 0 {
		for w := range b {
			b[w] |= binary.LittleEndian.Uint64(p.raw[1+8*w:])
		}
		return
	}
	for i := range p.n {
		b.put(binary.LittleEndian.Uint16(p.raw[1+2*i:]))
	}
}

// tf is the frequency at a place; 0 = it is not in the list.
func (p posts) tf(at uint16) int {
	rank := 0
	if p.raw[0]&formBitmap != 0 {
		w := binary.LittleEndian.Uint64(p.raw[1+8*int(at>>6):])
		if w>>(at&63)&1 == 0 {
			return 0
		}
		rank = bits.OnesCount64(w & (1<<(at&63) - 1))
		for i := range int(at >> 6) {
			rank += bits.OnesCount64(binary.LittleEndian.Uint64(p.raw[1+8*i:]))
		}
	} else {
		low, high := 0, p.n
		for low < high {
			mid := (low + high) / 2
			if binary.LittleEndian.Uint16(p.raw[1+2*mid:]) < at {
				low = mid + 1
			} else {
				high = mid
			}
		}
		if rank = low; rank == p.n || binary.LittleEndian.Uint16(p.raw[1+2*rank:]) != at {
			return 0
		}
	}
	if p.raw[0]&formOnes != 0 {
		return 1
	}
	tf := p.raw[p.docs():]
	if tf[rank] < 255 {
		return int(tf[rank])
	}
	rest := tf[p.n:]
	for _, n := range tf[:rank] {
		if n == 255 {
			_, size := binary.Uvarint(rest)
			rest = rest[size:]
		}
	}
	n, _ := binary.Uvarint(rest)
	return int(n)
}

// columns are what is known of the chunks of a block: their lengths, and the pair of days
// between which each held.
type columns struct {
	base    int64
	lengths []int
	held    []uint16 // place in days
	days    [][2]string
	k       []float32 // what the length makes of the saturation of terms; not stored
}

// encode writes them.
func (c *columns) encode() []byte {
	out := binary.AppendUvarint(nil, uint64(len(c.days)))
	for _, d := range c.days {
		for _, s := range d {
			out = append(binary.AppendUvarint(out, uint64(len(s))), s...)
		}
	}
	out = binary.AppendUvarint(out, uint64(len(c.lengths)))
	for i, n := range c.lengths {
		out = binary.AppendUvarint(binary.AppendUvarint(out, uint64(n)), uint64(c.held[i]))
	}
	return out
}

func decodeColumns(base int64, raw []byte) (*columns, error) {
	broken := false
	next := func(limit int) int {
		v, n := binary.Uvarint(raw)
		if n <= 0 || v > uint64(limit) {
			broken, raw = true, nil
			return 0
		}
		raw = raw[n:]
		return int(v)
	}
	c := &columns{base: base, days: make([][2]string, next(blockDocs))}
	for i := range c.days {
		for k := range c.days[i] {
			n := next(len(raw))
			c.days[i][k], raw = string(raw[:min(n, len(raw))]), raw[min(n, len(raw)):]
		}
	}
	n := next(blockDocs)
	c.lengths, c.held = make([]int, n), make([]uint16, n)
	for i := range n {
		c.lengths[i] = next(1 << 31)
		if c.held[i] = uint16(next(blockDocs)); int(c.held[i]) >= len(c.days) {
			broken = true
		}
	}
	if broken {
		return nil, errPosts
	}
	return c, nil
}
