package index

import (
	"cmp"
	"encoding/binary"
	"math"
	"strings"

	"digesto"
	"digesto/index/quant"
	"digesto/text"
)

// shard is what one goroutine has analysed since it last spilled: documents and, in
// their order, the terms of each with their frequencies. Terms have numbers of the
// shard's own; a run has them in order.
type shard struct {
	scoring Scoring
	embed   func(digesto.Chunk) ([]float32, error)
	full    bool   // vectors are kept in float32 too
	limit   int    // postings held before they are spilled
	spool   *spool // of runs and vectors
	runs    []*run
	dim     int // of the vectors; 0 = there are none yet
	err     error
	an      text.Analyser
	values  []int8 // scratch of vector
	row     []byte // the same
	traits  map[trait]*digesto.Chunk
	docs    []shardDoc
	held    int               // postings of docs
	big     map[uint64]uint32 // (document, place) → frequency over 0xFFFE
	pairs   []uint64          // bigrams: two numbers of stems
	pairID  map[uint64]uint32 // their numbers

	// Terms of finished documents lie in pages, so that what is there need not move
	// when more comes; the document being read is counted apart.
	terms []uint32 // rest of the page
	tfs   []uint16
	now   []uint32 // terms of the document being read
	nowTF []uint32
	last  [kinds][]lastSeen // by number
}

// lastSeen is the document (from 1) that had a term last, and where it stands there.
type lastSeen struct{ doc, slot uint32 }

const pageTerms = 1 << 16

type shardDoc struct {
	segDoc
	terms []uint32 // kind in the high two bits, number below
	tfs   []uint16 // 0xFFFF = see big
}

const kindShift = 30

func newShard(s Scoring, opt BuildOptions, limit int, to *spool) *shard {
	return &shard{scoring: s, embed: opt.Vectors, full: opt.Full, limit: limit, spool: to,
		pairID: map[uint64]uint32{}, big: map[uint64]uint32{}, traits: map[trait]*digesto.Chunk{}}
}

// reset forgets what was spilled; what it took is used again.
func (s *shard) reset() {
	s.an = text.Analyser{} // its words are bounded by the documents of one run
	clear(s.docs)
	s.docs, s.held, s.terms, s.tfs, s.pairs = s.docs[:0], 0, nil, nil, s.pairs[:0]
	clear(s.traits)
	clear(s.big)
	clear(s.pairID)
	for k := range s.last {
		clear(s.last[k])
		s.last[k] = s.last[k][:0]
	}
}

// add analyses a chunk. arrived orders chunks with the same id.
func (s *shard) add(c digesto.Chunk, arrived int) {
	s.docs = append(s.docs, shardDoc{})
	at := &s.docs[len(s.docs)-1]
	s.now, s.nowTF = s.now[:0], s.nowTF[:0]
	for _, f := range [...]struct {
		text   string
		weight int
	}{{c.Title, s.scoring.Title}, {c.Path, s.scoring.Path}, {c.Body, s.scoring.Body}} {
		at.length += s.field(s.an.IDs(f.text), uint32(f.weight), uint32(len(s.docs)))
	}
	s.keep(at)
	at.arrived, at.id, at.unit, at.traits = uint32(arrived), c.ID, c.Unit, s.traitsOf(&c)
	if strings.HasPrefix(c.ID, c.Unit) {
		at.unit = c.ID[:len(c.Unit)] // not a second time
	}
	if s.embed != nil {
		s.vector(c, &at.docVector)
	}
	if s.held += len(s.now); s.held >= s.limit && s.err == nil {
		s.err = s.spill()
	}
}

// trait is what many chunks have in common.
type trait struct {
	norm, collection, packs, jurisdiction, territory, rank string
	from, to                                               digesto.Date
	official, current                                      bool
}

// traitsOf gives what a segment keeps of a chunk but its id and unit, shared with other
// chunks that have the same. Strings that may be cut from a text, which would be kept
// with them, are copied.
func (s *shard) traitsOf(c *digesto.Chunk) *digesto.Chunk {
	key := trait{c.Norm, c.Collection, strings.Join(c.Packs, "\x00"), c.Jurisdiction, c.Territory, c.Rank, c.ValidFrom, c.ValidTo, c.Official, c.Current}
	t, ok := s.traits[key]
	if ok && c.Meta == nil {
		return t
	}
	t = &digesto.Chunk{Norm: c.Norm, Collection: c.Collection, Packs: c.Packs, Jurisdiction: c.Jurisdiction, Territory: c.Territory, Rank: c.Rank,
		ValidFrom: digesto.Date(strings.Clone(string(c.ValidFrom))), ValidTo: digesto.Date(strings.Clone(string(c.ValidTo))),
		Official: c.Official, Current: c.Current, Meta: c.Meta}
	if c.Meta == nil {
		key.from, key.to = t.ValidFrom, t.ValidTo
		s.traits[key] = t
	}
	return t
}

// vector makes the vector of a chunk and writes what is kept of it to the spool: a
// quarter of it, and all where float32 is.
func (s *shard) vector(c digesto.Chunk, at *docVector) {
	v, err := s.embed(c)
	if v = quant.Unit(v); err != nil || v == nil {
		s.err = cmp.Or(s.err, err)
		return
	}
	s.dim = cmp.Or(s.dim, len(v))
	if s.err = cmp.Or(s.err, checkDim(s.dim, len(v))); s.err != nil {
		return
	}
	s.values = resize(s.values, quant.RowWidth(len(v)))
	at.scale, at.spool, at.at = quant.Bytes(s.values, v), s.spool, s.spool.n
	s.row = s.row[:0]
	for _, x := range s.values {
		s.row = append(s.row, byte(x))
	}
	if s.full {
		for _, x := range v {
			s.row = binary.LittleEndian.AppendUint32(s.row, math.Float32bits(x))
		}
	}
	s.err = s.spool.write(s.row)
}

// keep moves the terms of the document just read to a page.
func (s *shard) keep(d *shardDoc) {
	n := len(s.now)
	if n > len(s.terms) {
		s.terms, s.tfs = make([]uint32, max(n, pageTerms)), make([]uint16, max(n, pageTerms))
	}
	d.terms, d.tfs = s.terms[:n:n], s.tfs[:n:n]
	s.terms, s.tfs = s.terms[n:], s.tfs[n:]
	copy(d.terms, s.now)
	for i, tf := range s.nowTF {
		d.tfs[i] = uint16(min(0xFFFF, tf))
		if tf >= 0xFFFF {
			s.big[uint64(len(s.docs)-1)<<32|uint64(i)] = tf
		}
	}
}

// field counts the terms of one field: the loop of EachTerm, by number. It gives
// the field's weighted length in stems.
func (s *shard) field(words []text.TermID, weight, doc uint32) (length uint32) {
	plain, bigram := s.scoring.Indexed(KindPlain), s.scoring.Indexed(KindBigram)
	prev := uint32(0)
	for i := range words {
		w := &words[i]
		if plain && w.Plain != 0 {
			s.count(KindPlain, w.Plain, weight, doc)
		}
		if w.Stem == 0 {
			continue
		}
		s.count(KindStem, w.Stem, weight, doc)
		length += weight
		if !bigram || w.Part {
			continue
		}
		if prev != 0 {
			s.count(KindBigram, s.pair(prev, w.Stem), weight, doc)
		}
		prev = w.Stem
	}
	return length
}

func (s *shard) pair(first, second uint32) uint32 {
	key := text.Bigram(first, second)
	id, ok := s.pairID[key]
	if !ok {
		id = uint32(len(s.pairs))
		s.pairs = append(s.pairs, key)
		s.pairID[key] = id
	}
	return id
}

func (s *shard) count(k Kind, id, weight, doc uint32) {
	if int(id) >= len(s.last[k]) {
		s.last[k] = append(s.last[k], make([]lastSeen, int(id)+1-len(s.last[k]))...)
	}
	if at := &s.last[k][id]; at.doc != doc {
		*at = lastSeen{doc, uint32(len(s.now))}
		s.now, s.nowTF = append(s.now, uint32(k)<<kindShift|id), append(s.nowTF, weight)
	} else {
		s.nowTF[at.slot] += weight
	}
}

// tf gives the frequency of the term at one place of a document.
func (s *shard) tf(doc, at int) uint32 {
	if tf := s.docs[doc].tfs[at]; tf != 0xFFFF {
		return uint32(tf)
	}
	return s.big[uint64(doc)<<32|uint64(at)]
}
