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
	starts []uint64          // where each term's postings begin among all, one more
	most   uint64            // postings that are sorted at once
	from   int               // the first term whose postings are sorted
	all    []posting         // the postings of the terms from there on
	big    map[uint64]uint32 // by place among all, for frequencies over 0xFFFE
	docs   []uint32          // scratch: postings of one term
	tfs    []uint32
}

// posting is a document and a frequency, six bytes in one place: sorting writes
// them to places far apart.
type posting struct{ low, high, tf uint16 }

const absent = ^uint32(0)

// assemble writes the documents at these places as one segment.
func assemble(w io.Writer, sp spec, shards []*shard, order []place, history bool) (size int, err error) {
	return (&assembler{shards: shards, order: order, most: maxSorted, big: map[uint64]uint32{}}).write(w, sp, history)
}

func (a *assembler) write(w io.Writer, sp spec, history bool) (size int, err error) {
	shards := a.shards
	slices.SortFunc(a.order, func(x, y place) int {
		return compareDocs(&shards[x.shard].docs[x.doc].chunk, &shards[y.shard].docs[y.doc].chunk)
	})
	a.nameTerms()
	docs := make([]segDoc, len(a.order))
	for i, p := range a.order {
		d := &shards[p.shard].docs[p.doc]
		docs[i] = segDoc{chunk: d.chunk, length: d.length, docVector: d.docVector}
	}
	return writeSegment(w, sp, docs, history, a.vocab, a.postings)
}

// nameTerms collects the terms that occur, sorts them and gives each its number;
// what it counts on the way becomes starts.
func (a *assembler) nameTerms() {
	counts := make([][kinds][]uint32, len(a.shards))
	a.final = make([][kinds][]uint32, len(a.shards))
	for i, s := range a.shards {
		for k := range kinds {
			counts[i][k] = make([]uint32, s.sizes[k])
			a.final[i][k] = filled(s.sizes[k], absent)
		}
	}
	for _, p := range a.order {
		c := &counts[p.shard]
		for _, t := range a.shards[p.shard].docs[p.doc].terms {
			c[t>>kindShift][t&(1<<kindShift-1)]++
		}
	}
	a.eachTerm(counts, func(shard, kind, id int, _ uint32) { a.final[shard][kind][id] = 0 })
	a.vocab.stems = a.nameWords(KindStem, 0)
	a.vocab.plains = a.nameWords(KindPlain, len(a.vocab.stems))
	a.namePairs(len(a.vocab.stems) + len(a.vocab.plains))
	a.starts = make([]uint64, a.vocab.terms()+1)
	a.eachTerm(counts, func(shard, kind, id int, n uint32) { a.starts[a.final[shard][kind][id]+1] += uint64(n) })
	for i := 1; i < len(a.starts); i++ {
		a.starts[i] += a.starts[i-1]
	}
}

// eachTerm calls f with every term that occurs, shard by shard.
func (a *assembler) eachTerm(counts [][kinds][]uint32, f func(shard, kind, id int, n uint32)) {
	for i := range counts {
		for k := range counts[i] {
			for id, n := range counts[i][k] {
				if n > 0 {
					f(i, k, id, n)
				}
			}
		}
	}
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
				number[s.words[id]] = 0
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
				a.final[i][k][id] = number[s.words[id]]
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

// maxSorted bounds the postings that are sorted at once, six bytes each: beyond it
// they are read again for each part of the terms.
const maxSorted = 1 << 24

// scatter sorts the postings of some terms, counting first: those from this one
// on, as many as may be. Documents come in final order, so each term's postings
// are sorted as they arrive.
func (a *assembler) scatter(term int) {
	from, to := a.starts[term], term+1
	for to < len(a.starts)-1 && a.starts[to+1]-from <= a.most {
		to++
	}
	a.from = term
	if n := int(a.starts[to] - from); n <= cap(a.all) {
		a.all = a.all[:n]
	} else {
		a.all = nil // not two at a time
		a.all = make([]posting, n)
	}
	next := slices.Clone(a.starts[term:to])
	clear(a.big)
	for doc, p := range a.order {
		s, final := a.shards[p.shard], &a.final[p.shard]
		d := &s.docs[p.doc]
		for at, t := range d.terms {
			n := int(final[t>>kindShift][t&(1<<kindShift-1)]) - term
			if uint(n) >= uint(len(next)) {
				continue
			}
			to := next[n]
			next[n]++
			a.all[to-from] = posting{uint16(doc), uint16(doc >> 16), d.tfs[at]}
			if d.tfs[at] == 0xFFFF {
				a.big[to] = s.tf(p.doc, at)
			}
		}
	}
}

// postings gives the postings of one term; terms come in order.
func (a *assembler) postings(term int) (docs, tfs []uint32) {
	first := a.starts[a.from]
	if a.starts[term+1]-first > uint64(len(a.all)) {
		a.scatter(term)
		first = a.starts[term]
	}
	a.docs, a.tfs = a.docs[:0], a.tfs[:0]
	for i := a.starts[term]; i < a.starts[term+1]; i++ {
		p := a.all[i-first]
		tf := uint32(p.tf)
		if tf == 0xFFFF {
			tf = a.big[i]
		}
		a.docs, a.tfs = append(a.docs, uint32(p.high)<<16|uint32(p.low)), append(a.tfs, tf)
	}
	return a.docs, a.tfs
}
