package index

import (
	"strings"

	"digesto"
	"digesto/index/quant"
	"digesto/text"
)

// shard is what one goroutine has analysed: documents and, in their order, the
// terms of each with their frequencies. Terms have numbers of the shard's own;
// assemble gives them their final ones.
type shard struct {
	scoring Scoring
	embed   func(digesto.Chunk) ([]float32, error)
	full    bool  // vectors are kept in float32 too
	err     error // of embed
	an      text.Analyser
	words   []string          // of an, when all is read
	sizes   [kinds]int        // how many numbers there are, when all is read
	values  []int8            // scratch of vector
	owned   map[string]string // see own
	docs    []shardDoc
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
	chunk   digesto.Chunk // without its texts
	terms   []uint32      // kind in the high two bits, number below
	tfs     []uint16      // 0xFFFF = see big
	length  uint32
	arrived int
	docVector
}

const kindShift = 30

func newShard(s Scoring, opt BuildOptions) *shard {
	return &shard{scoring: s, embed: opt.Vectors, full: opt.Full, pairID: map[uint64]uint32{}, big: map[uint64]uint32{}, owned: map[string]string{}}
}

// add analyses a chunk. arrived orders chunks with the same id.
func (s *shard) add(c digesto.Chunk, arrived int) {
	s.docs = append(s.docs, shardDoc{arrived: arrived})
	at := &s.docs[len(s.docs)-1]
	s.now, s.nowTF = s.now[:0], s.nowTF[:0]
	for _, f := range [...]struct {
		text   string
		weight int
	}{{c.Title, s.scoring.Title}, {c.Path, s.scoring.Path}, {c.Body, s.scoring.Body}} {
		at.length += s.field(s.an.IDs(f.text), uint32(f.weight), uint32(len(s.docs)))
	}
	s.keep(at)
	if s.embed != nil && s.err == nil {
		v, err := s.embed(c)
		s.err, at.docVector = err, s.vector(quant.Unit(v))
	}
	c.Title, c.Path, c.Body = "", "", ""
	c.Version, c.ValidFrom, c.ValidTo = s.own(c.Version), digesto.Date(s.own(string(c.ValidFrom))), digesto.Date(s.own(string(c.ValidTo)))
	at.chunk = c
}

// own gives a string of the shard's own: one cut from a text would keep it all.
func (s *shard) own(v string) string {
	if v == "" {
		return ""
	}
	o, ok := s.owned[v]
	if !ok {
		o = strings.Clone(v)
		s.owned[o] = o
	}
	return o
}

// vector makes of a vector what is kept: a quarter of it, and all where float32 is.
func (s *shard) vector(v []float32) docVector {
	d := docVector{dim: len(v)}
	if v == nil || len(v) > maxDim {
		return d
	}
	if s.full {
		d.vector = v
	}
	s.values = resize(s.values, quant.RowWidth(len(v)))
	d.row, d.scale = make([]byte, len(s.values)), quant.Bytes(s.values, v)
	for i, x := range s.values {
		d.row[i] = byte(x)
	}
	return d
}

// finish lets go of what only reading needs, the larger half of what a shard holds.
func (s *shard) finish() {
	s.words = make([]string, s.an.Words()+1)
	for id := range s.words {
		s.words[id] = s.an.Word(uint32(id))
	}
	for k := range s.last {
		s.sizes[k] = len(s.last[k])
	}
	s.an, s.pairID, s.owned, s.last = text.Analyser{}, nil, nil, [kinds][]lastSeen{}
	s.terms, s.tfs, s.now, s.nowTF, s.values = nil, nil, nil, nil, nil
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
