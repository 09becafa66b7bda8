package index

import (
	"bufio"
	"bytes"
	"cmp"
	"container/heap"
	"encoding/binary"
	"io"
	"slices"

	"digesto/text"
)

// merge goes through the terms of runs in order, and gives each with its postings in one
// segment: those of its documents, which need not be all of a run. A term without any is
// passed over.
type merge struct {
	sources []*source
	kind    Kind
	open    []*source // heap: those with terms left, the least term first
	stems   []uint32  // of all runs, in order: place in the segment
	same    []*source // scratch: those that have the least term
	found   []posting
	docs    []uint32
	tfs     []uint32
}

// source reads a run.
type source struct {
	r     *bufio.Reader
	final []uint32 // document → its place in the segment, or absent
	left  uint64   // terms of this kind that are still to come
	word  []byte   // the term: a word,
	pair  uint64   // or a bigram, by the places of its stems among those of all runs
	stems []uint32 // stem → its place among those of all runs
	list  []byte   // the postings of the term
}

const absent = ^uint32(0)

// newMerge merges runs into a segment of documents; those stand in it in this order.
func newMerge(runs []*run, order []place) *merge {
	m := &merge{}
	for _, r := range runs {
		final := make([]uint32, len(r.docs))
		for i := range final {
			final[i] = absent
		}
		m.sources = append(m.sources, &source{final: final, r: bufio.NewReaderSize(io.NewSectionReader(r.spool.reader(), r.at, r.to-r.at), 1<<15)})
	}
	for i, p := range order {
		m.sources[p.run].final[p.doc] = uint32(i)
	}
	return m
}

// eachTerm is called with every term of a segment, kind by kind, in order: with its word,
// or a bigram's two stems by their places in the segment, and with its documents, sorted,
// and their frequencies. Slices are valid during the call.
type eachTerm func(k Kind, word []byte, pair uint64, docs, tfs []uint32)

func (m *merge) terms(each eachTerm) error {
	for k := range kinds {
		m.kind, m.open = Kind(k), m.open[:0]
		for _, s := range m.sources {
			var err error
			if s.left, err = binary.ReadUvarint(s.r); err != nil {
				return err
			}
			if err := m.advance(s); err != nil {
				return err
			}
		}
		for n := uint32(0); len(m.open) > 0; {
			if err := m.take(); err != nil {
				return err
			}
			if m.kind == KindStem {
				m.stems = append(m.stems, n)
			}
			if t := m.same[0]; len(m.docs) > 0 {
				pair := t.pair
				if m.kind == KindBigram {
					pair = text.Bigram(m.stems[pair>>32], m.stems[uint32(pair)])
				}
				each(m.kind, t.word, pair, m.docs, m.tfs)
				n++
			}
			for _, s := range m.same {
				if err := m.advance(s); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// advance reads a source's next term and puts it among the open ones, unless it has none left.
func (m *merge) advance(s *source) error {
	if s.left == 0 {
		return nil
	}
	s.left--
	a, b, err := s.two()
	if m.kind == KindBigram {
		if err == nil && max(a, b) < uint64(len(s.stems)) {
			s.pair = text.Bigram(s.stems[a], s.stems[b])
		}
	} else if err == nil {
		s.word, err = s.bytes(s.word[:min(a, uint64(len(s.word)))], b)
	}
	var n uint64
	if err == nil {
		n, err = binary.ReadUvarint(s.r)
	}
	if err == nil {
		s.list, err = s.bytes(s.list[:0], n)
	}
	if err == nil {
		heap.Push(m, s)
	}
	return err
}

// two reads two numbers.
func (s *source) two() (a, b uint64, err error) {
	if a, err = binary.ReadUvarint(s.r); err == nil {
		b, err = binary.ReadUvarint(s.r)
	}
	return a, b, err
}

// bytes appends n bytes to what is there.
func (s *source) bytes(to []byte, n uint64) ([]byte, error) {
	at := len(to)
	to = slices.Grow(to, int(n))[:at+int(n)]
	_, err := io.ReadFull(s.r, to[at:])
	return to, err
}

// take takes the least of the open terms from all sources that have it, with its postings.
func (m *merge) take() error {
	m.same, m.found = m.same[:0], m.found[:0]
	for len(m.open) > 0 && (len(m.same) == 0 || m.compare(m.open[0], m.same[0]) == 0) {
		s := heap.Pop(m).(*source)
		m.same = append(m.same, s)
		if m.kind == KindStem {
			s.stems = append(s.stems, uint32(len(m.stems)))
		}
		doc := uint64(0)
		for b := s.list; len(b) > 0; {
			gap, n := binary.Uvarint(b)
			tf, k := binary.Uvarint(b[max(0, n):])
			if doc += gap; n <= 0 || k <= 0 || doc >= uint64(len(s.final)) {
				return io.ErrUnexpectedEOF
			}
			b = b[n+k:]
			if final := s.final[doc]; final != absent {
				m.found = append(m.found, posting(final)<<32|posting(tf))
			}
		}
	}
	if len(m.same) > 1 {
		slices.Sort(m.found)
	}
	m.docs, m.tfs = m.docs[:0], m.tfs[:0]
	for _, p := range m.found {
		m.docs, m.tfs = append(m.docs, p.doc()), append(m.tfs, p.tf())
	}
	return nil
}

func (m *merge) compare(a, b *source) int {
	if m.kind == KindBigram {
		return cmp.Compare(a.pair, b.pair)
	}
	return bytes.Compare(a.word, b.word)
}

// Len, Less, Swap, Push and Pop make a heap of the open sources.
func (m *merge) Len() int           { return len(m.open) }
func (m *merge) Less(i, j int) bool { return m.compare(m.open[i], m.open[j]) < 0 }
func (m *merge) Swap(i, j int)      { m.open[i], m.open[j] = m.open[j], m.open[i] }
func (m *merge) Push(s any)         { m.open = append(m.open, s.(*source)) }
func (m *merge) Pop() any {
	s := m.open[len(m.open)-1]
	m.open = m.open[:len(m.open)-1]
	return s
}
