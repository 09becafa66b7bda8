package index

import (
	"io"
	"slices"

	"digesto/text"
)

// place says where a document's terms are: in a shard, under a number.
type place struct{ shard, doc int }

// assembler turns shards into one segment.
type assembler struct {
	shards []*shard
	order  []place // documents in their final order
	vocab  vocabulary
	final  [][kinds][]uint32 // by shard, kind, number: final number of the term
	starts []uint64          // where each term's postings begin in docs, one more
	docs   []uint32
	tfs    []uint16
	big    map[uint64]uint32 // by place in docs, for frequencies over 0xFFFE
	wide   []uint32          // scratch: frequencies of one term
}

const absent = ^uint32(0)

// assemble writes the documents at these places as one segment.
func assemble(w io.Writer, sp spec, shards []*shard, order []place, history bool) (size int, err error) {
	a := &assembler{shards: shards, order: order, big: map[uint64]uint32{}}
	slices.SortFunc(a.order, func(x, y place) int {
		return compareDocs(&shards[x.shard].docs[x.doc].chunk, &shards[y.shard].docs[y.doc].chunk)
	})
	a.nameTerms()
	a.scatter()
	docs := make([]segDoc, len(a.order))
	for i, p := range a.order {
		d := &shards[p.shard].docs[p.doc]
		docs[i] = segDoc{chunk: d.chunk, length: d.length, vector: d.vector}
	}
	return writeSegment(w, sp, docs, history, a.vocab, a.postings)
}

// each calls f for every term of every document, in final order of documents.
func (a *assembler) each(f func(doc, shard int, term uint32, at int)) {
	for i, p := range a.order {
		s := a.shards[p.shard]
		for at, end := s.docs[p.doc].start, s.end(p.doc); at < end; at++ {
			f(i, p.shard, s.terms[at], at)
		}
	}
}

// nameTerms collects the terms that occur, sorts them and gives each its number.
func (a *assembler) nameTerms() {
	a.final = make([][kinds][]uint32, len(a.shards))
	for i, s := range a.shards {
		for k := range kinds {
			a.final[i][k] = filled(len(s.last[k]), absent)
		}
	}
	a.each(func(_, shard int, t uint32, _ int) {
		a.final[shard][t>>kindShift][t&(1<<kindShift-1)] = 0
	})
	a.vocab.stems = a.nameWords(KindStem, 0)
	a.vocab.plains = a.nameWords(KindPlain, len(a.vocab.stems))
	a.namePairs(len(a.vocab.stems) + len(a.vocab.plains))
}

func filled(n int, v uint32) []uint32 {
	s := make([]uint32, n)
	for i := range s {
		s[i] = v
	}
	return s
}

func (a *assembler) nameWords(k Kind, base int) []string {
	number := map[string]uint32{}
	for i, s := range a.shards {
		for id, v := range a.final[i][k] {
			if v != absent {
				number[s.an.Word(uint32(id))] = 0
			}
		}
	}
	words := make([]string, 0, len(number))
	for w := range number {
		words = append(words, w)
	}
	slices.Sort(words)
	for i, w := range words {
		number[w] = uint32(base + i)
	}
	for i, s := range a.shards {
		for id, v := range a.final[i][k] {
			if v != absent {
				a.final[i][k][id] = number[s.an.Word(uint32(id))]
			}
		}
	}
	return words
}

// namePairs numbers bigrams by the final numbers of their stems.
func (a *assembler) namePairs(base int) {
	pairs := make([]uint64, 0, len(a.shards[0].pairs))
	key := func(i int, id int) uint64 {
		p := a.shards[i].pairs[id]
		stems := a.final[i][KindStem]
		return text.Bigram(stems[p>>32], stems[uint32(p)])
	}
	for i := range a.shards {
		for id, v := range a.final[i][KindBigram] {
			if v != absent {
				pairs = append(pairs, key(i, id))
			}
		}
	}
	slices.Sort(pairs)
	pairs = slices.Compact(pairs)
	for i := range a.shards {
		for id, v := range a.final[i][KindBigram] {
			if v != absent {
				at, _ := slices.BinarySearch(pairs, key(i, id))
				a.final[i][KindBigram][id] = uint32(base + at)
			}
		}
	}
	a.vocab.pairs = pairs
}

// scatter sorts all postings by term, counting first. Documents come in final
// order, so each term's postings are sorted as they arrive.
func (a *assembler) scatter() {
	a.starts = make([]uint64, a.vocab.terms()+1)
	a.each(func(_, shard int, t uint32, _ int) {
		a.starts[a.final[shard][t>>kindShift][t&(1<<kindShift-1)]+1]++
	})
	for i := 1; i < len(a.starts); i++ {
		a.starts[i] += a.starts[i-1]
	}
	n := a.starts[len(a.starts)-1]
	a.docs, a.tfs = make([]uint32, n), make([]uint16, n)
	next := slices.Clone(a.starts)
	a.each(func(doc, shard int, t uint32, at int) {
		term := a.final[shard][t>>kindShift][t&(1<<kindShift-1)]
		to := next[term]
		next[term]++
		a.docs[to] = uint32(doc)
		a.tfs[to] = a.shards[shard].tfs[at]
		if a.tfs[to] == 0xFFFF {
			a.big[to] = a.shards[shard].tf(at)
		}
	})
}

// postings gives the postings of one term.
func (a *assembler) postings(term int) (docs, tfs []uint32) {
	from, to := a.starts[term], a.starts[term+1]
	a.wide = a.wide[:0]
	for i := from; i < to; i++ {
		tf := uint32(a.tfs[i])
		if tf == 0xFFFF {
			tf = a.big[i]
		}
		a.wide = append(a.wide, tf)
	}
	return a.docs[from:to], a.wide
}
