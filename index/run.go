package index

import (
	"cmp"
	"encoding/binary"
	"slices"

	"digesto/text"
)

// run is what a shard analysed before it had no more room: its documents, and in its
// spool their terms with their postings, both in the order of segments, so that runs
// are merged as they are read. For each kind:
//
//	terms | each: the term | bytes of its postings | postings
//
// A word is the length that it shares with the one before and its rest, a bigram the
// places of its stems among those of the run; a posting is its distance from the one
// before, by document, and its frequency. All numbers are varints.
type run struct {
	docs   []segDoc
	spool  *spool
	at, to int64 // its bytes there
}

// runPostings bounds the postings that all shards hold at a time, some 25 bytes each with
// the vocabulary that goes with them.
const runPostings = 1 << 23

// spill writes what the shard holds as a run and makes room for more.
func (s *shard) spill() error {
	if len(s.docs) == 0 {
		return nil
	}
	r := &run{docs: make([]segDoc, len(s.docs)), spool: s.spool, at: s.spool.n}
	order := s.order()
	for i, d := range order {
		r.docs[i] = s.docs[d].segDoc
	}
	w := runWriter{shard: s}
	w.name()
	w.sort(order)
	for k := range kinds {
		if err := w.write(Kind(k)); err != nil {
			return err
		}
	}
	r.to = s.spool.n
	s.runs = append(s.runs, r)
	s.reset()
	return nil
}

// order gives the documents in the order of segments.
func (s *shard) order() []uint32 {
	order := make([]uint32, len(s.docs))
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(a, b uint32) int { return compareDocs(&s.docs[a].segDoc, &s.docs[b].segDoc) })
	return order
}

// runWriter sorts the terms and postings of a shard.
type runWriter struct {
	*shard
	terms  [kinds][]uint32 // ids in order
	place  [kinds][]uint32 // id → where it stands there
	starts [kinds][]int    // by place: where its postings begin among all, one more
	all    []posting
	buf    []byte
}

// posting is a document and the frequency of a term in it: they sort by document.
type posting uint64

func (p posting) doc() uint32 { return uint32(p >> 32) }
func (p posting) tf() uint32  { return uint32(p) }

// name puts the terms that occur in order.
func (w *runWriter) name() {
	for k := range kinds {
		for id, l := range w.last[k] {
			if l.doc != 0 {
				w.terms[k] = append(w.terms[k], uint32(id))
			}
		}
		if Kind(k) == KindBigram {
			keys := make([]uint64, len(w.pairs))
			for i := range w.pairs {
				keys[i] = w.pairKey(uint32(i))
			}
			slices.SortFunc(w.terms[k], func(a, b uint32) int { return cmp.Compare(keys[a], keys[b]) })
		} else {
			slices.SortFunc(w.terms[k], func(a, b uint32) int { return cmp.Compare(w.an.Word(a), w.an.Word(b)) })
		}
		w.place[k] = make([]uint32, len(w.last[k]))
		for i, id := range w.terms[k] {
			w.place[k][id] = uint32(i)
		}
	}
}

// pairKey is a bigram by the places of its stems.
func (w *runWriter) pairKey(id uint32) uint64 {
	p, stems := w.pairs[id], w.place[KindStem]
	return text.Bigram(stems[p>>32], stems[uint32(p)])
}

// sort puts all postings in order, counting first. Documents come in order, so each
// term's postings are sorted as they arrive.
func (w *runWriter) sort(order []uint32) {
	for k := range kinds {
		w.starts[k] = make([]int, len(w.terms[k])+1)
	}
	for i := range w.docs {
		for _, t := range w.docs[i].terms {
			k := t >> kindShift
			w.starts[k][w.place[k][t&(1<<kindShift-1)]]++
		}
	}
	n := 0
	for k := range kinds {
		for i, df := range w.starts[k] {
			w.starts[k][i], n = n, n+df
		}
	}
	w.all = make([]posting, n)
	next := [kinds][]int{}
	for k := range kinds {
		next[k] = slices.Clone(w.starts[k])
	}
	for to, d := range order {
		for at, t := range w.docs[d].terms {
			k := t >> kindShift
			n := &next[k][w.place[k][t&(1<<kindShift-1)]]
			w.all[*n] = posting(to)<<32 | posting(w.tf(int(d), at))
			*n++
		}
	}
}

func (w *runWriter) write(k Kind) error {
	err := w.spool.write(binary.AppendUvarint(nil, uint64(len(w.terms[k]))))
	prev := ""
	var list []byte
	for i, id := range w.terms[k] {
		if err != nil {
			return err
		}
		w.buf = w.buf[:0]
		if k == KindBigram {
			key := w.pairKey(id)
			w.buf = binary.AppendUvarint(binary.AppendUvarint(w.buf, key>>32), key&(1<<32-1))
		} else {
			word := w.an.Word(id)
			n := sharedPrefix(prev, word)
			w.buf = binary.AppendUvarint(binary.AppendUvarint(w.buf, uint64(n)), uint64(len(word)-n))
			w.buf, prev = append(w.buf, word[n:]...), word
		}
		list = list[:0]
		last := uint32(0)
		for _, p := range w.all[w.starts[k][i]:w.starts[k][i+1]] {
			list = binary.AppendUvarint(binary.AppendUvarint(list, uint64(p.doc()-last)), uint64(p.tf()))
			last = p.doc()
		}
		w.buf = append(binary.AppendUvarint(w.buf, uint64(len(list))), list...)
		err = w.spool.write(w.buf)
	}
	return err
}
