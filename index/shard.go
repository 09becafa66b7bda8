package index

import (
	"digesto"
	"digesto/text"
)

// shard is what one goroutine has analysed: documents and, in their order, the
// terms of each with their frequencies. Terms have numbers of the shard's own;
// assemble gives them their final ones.
type shard struct {
	scoring Scoring
	embed   func(digesto.Chunk) ([]float32, error)
	err     error // of embed
	an      text.Analyser
	docs    []shardDoc
	terms   []uint32 // kind in the high two bits, number below
	tfs     []uint16 // 0xFFFF = see big
	big     map[int]uint32
	pairs   []uint64          // bigrams: two numbers of stems
	pairID  map[uint64]uint32 // their numbers
	last    [kinds][]uint32   // by number: document that had it last, from 1
	slot    [kinds][]uint32   // and where in terms it stands
}

type shardDoc struct {
	chunk   digesto.Chunk // without its texts
	start   int           // of its terms
	length  uint32
	vector  []float32
	arrived int
}

const kindShift = 30

func newShard(s Scoring, vectors func(digesto.Chunk) ([]float32, error)) *shard {
	return &shard{scoring: s, embed: vectors, pairID: map[uint64]uint32{}, big: map[int]uint32{}}
}

// add analyses a chunk. arrived orders chunks with the same id.
func (s *shard) add(c digesto.Chunk, arrived int) {
	d := shardDoc{start: len(s.terms), arrived: arrived}
	s.docs = append(s.docs, d)
	at := &s.docs[len(s.docs)-1]
	for _, f := range [...]struct {
		text   string
		weight int
	}{{c.Title, s.scoring.Title}, {c.Path, s.scoring.Path}, {c.Body, s.scoring.Body}} {
		at.length += s.field(s.an.Terms(f.text), uint32(f.weight), uint32(len(s.docs)))
	}
	if s.embed != nil && s.err == nil {
		v, err := s.embed(c)
		s.err, at.vector = err, unitVector(v)
	}
	c.Title, c.Path, c.Body = "", "", ""
	at.chunk = c
}

// field counts the terms of one field: the loop of EachTerm, by number. It gives
// the field's weighted length in stems.
func (s *shard) field(words []text.Term, weight, doc uint32) (length uint32) {
	plain, bigram := s.scoring.Indexed(KindPlain), s.scoring.Indexed(KindBigram)
	prev := uint32(0)
	for i := range words {
		w := &words[i]
		if plain && w.PlainID != 0 {
			s.count(KindPlain, w.PlainID, weight, doc)
		}
		if w.StemID == 0 {
			continue
		}
		s.count(KindStem, w.StemID, weight, doc)
		length += weight
		if !bigram || w.Part {
			continue
		}
		if prev != 0 {
			s.count(KindBigram, s.pair(prev, w.StemID), weight, doc)
		}
		prev = w.StemID
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
		n := int(id) + 1 - len(s.last[k])
		s.last[k] = append(s.last[k], make([]uint32, n)...)
		s.slot[k] = append(s.slot[k], make([]uint32, n)...)
	}
	if s.last[k][id] != doc {
		s.last[k][id] = doc
		s.slot[k][id] = uint32(len(s.terms))
		s.terms = append(s.terms, uint32(k)<<kindShift|id)
		s.tfs = append(s.tfs, 0)
	}
	at := int(s.slot[k][id])
	tf := uint32(s.tfs[at]) + weight
	if s.tfs[at] == 0xFFFF {
		tf = s.big[at] + weight
	}
	if tf >= 0xFFFF {
		s.big[at] = tf
		tf = 0xFFFF
	}
	s.tfs[at] = uint16(tf)
}

// tf gives the frequency at one place of terms.
func (s *shard) tf(at int) uint32 {
	if s.tfs[at] == 0xFFFF {
		return s.big[at]
	}
	return uint32(s.tfs[at])
}

// end gives where the terms of document i end.
func (s *shard) end(i int) int {
	if i+1 < len(s.docs) {
		return s.docs[i+1].start
	}
	return len(s.terms)
}
