package index

import (
	"digesto"
	"digesto/text"
)

// queryTerm is a term of a query with what the whole index knows about it.
type queryTerm struct {
	kind   Kind
	a, b   string // the term; b is the second stem of a bigram
	own    bool   // from the question itself, not a synonym
	df     int
	idf    float64
	share  float64 // what it weighs beside a term of the question itself
	weight float64 // weight of its list · idf · share
}

// maxTerms bounds a query: beyond, further words of a kind are not looked up. No
// question has so many; a pasted document may.
const maxTerms = 1024

// analyse fills sc.terms as QueryTerms defines them, without making strings and
// without the kinds that are not in the index.
func (sc *scratch) analyse(q *digesto.Query, s *Scoring) {
	for k := range sc.byKind {
		sc.byKind[k] = sc.byKind[k][:0]
	}
	sc.read(q.Text, s, true, 1)
	for _, also := range q.Also {
		sc.read(also, s, false, AlsoShare(q))
	}
	sc.terms = sc.terms[:0]
	for k := range sc.byKind {
		sc.terms = append(sc.terms, sc.byKind[k]...)
	}
}

// AlsoShare is what terms of Also weigh beside those of Text: 1 unless the query
// says otherwise, never more.
func AlsoShare(q *digesto.Query) float64 {
	if q.AlsoWeight > 0 && q.AlsoWeight < 1 {
		return q.AlsoWeight
	}
	return 1
}

func (sc *scratch) read(words string, s *Scoring, own bool, share float64) {
	EachTerm(sc.an.Terms(words), func(k Kind, first, second text.Term) {
		if !s.Indexed(k) {
			return
		}
		t := queryTerm{kind: k, own: own, share: share}
		switch k {
		case KindPlain:
			t.a = first.Plain
		case KindStem:
			t.a = first.Stem
		default:
			t.a, t.b = first.Stem, second.Stem
		}
		list := sc.byKind[k]
		if len(list) >= maxTerms {
			return
		}
		for i := range list {
			if list[i].a == t.a && list[i].b == t.b {
				return
			}
		}
		sc.byKind[k] = append(list, t)
	})
}

// lookUp finds every term in every segment, and from that its idf. Statistics come
// from current documents alone: history must not change how today's law ranks.
func (x *snapshot) lookUp(sc *scratch) error {
	n := len(sc.terms)
	sc.records = resize(sc.records, n*len(x.segs))
	sc.numbers = resize(sc.numbers, n*len(x.segs))
	for si, seg := range x.segs {
		sc.stemAt = sc.stemAt[:0]
		for i := range sc.terms {
			if err := sc.find(seg, si*n+i, &sc.terms[i]); err != nil {
				return err
			}
		}
	}
	for i := range sc.terms {
		t := &sc.terms[i]
		t.df = 0
		for si, seg := range x.segs {
			if !seg.meta.History && sc.numbers[si*n+i] >= 0 {
				t.df += sc.records[si*n+i].df()
			}
		}
		t.idf = IDF(x.current, t.df)
		t.weight = x.weigh(t)
	}
	return nil
}

// weigh is what a term's saturation is multiplied by.
func (x *snapshot) weigh(t *queryTerm) float64 {
	return float64(x.scoring.weight(t.kind) * float64(t.idf*t.share))
}

// find looks one term up in one segment. Stems come first, so that a bigram finds
// the numbers of its stems already known.
func (sc *scratch) find(seg *segment, at int, t *queryTerm) (err error) {
	number := -1
	switch t.kind {
	case KindStem:
		number, sc.buf, err = seg.stems.find(sc.buf, t.a)
		sc.stemAt = append(sc.stemAt, stemAt{t.a, number})
	case KindPlain:
		if number, sc.buf, err = seg.plains.find(sc.buf, t.a); number >= 0 {
			number += seg.meta.Stems
		}
	case KindBigram:
		if a, b := sc.stem(t.a), sc.stem(t.b); a >= 0 && b >= 0 && seg.meta.Pairs > 0 {
			number, err = seg.pair(a, b)
		}
	}
	if err != nil {
		return err
	}
	sc.numbers[at], sc.records[at] = number, 0
	if number >= 0 {
		sc.records[at], err = seg.record(number)
	}
	return err
}

type stemAt struct {
	stem   string
	number int
}

func (sc *scratch) stem(s string) int {
	for i := range sc.stemAt {
		if sc.stemAt[i].stem == s {
			return sc.stemAt[i].number
		}
	}
	return -1
}

// list opens the postings of a record; decoded documents live in the scratch.
func (s *segment) list(sc *scratch, rec termRecord) (list, error) {
	n := s.meta.Docs
	l := list{df: rec.df(), form: formOf(rec.df(), n)}
	post := s.f.sections[secPostings]
	take := func(off, size int) ([]byte, error) {
		if size < 0 || off > len(post) || size > len(post)-off {
			return nil, damaged(s.f.name, "postings")
		}
		return post[off : off+size : off+size], s.f.verify(secPostings, off, size)
	}
	off := rec.offset()
	switch l.form {
	case formOnce:
		doc, code := rec.once()
		if doc >= n {
			return l, damaged(s.f.name, "término")
		}
		l.docs, l.codes = sc.arena(1), sc.bytes(1)
		l.docs[0], l.codes[0] = uint32(doc), code
	case formSparse:
		size := sparseBytes(l.df, n)
		b, err := take(off, size)
		if err != nil || l.df == 0 || l.df > n {
			return l, orDamaged(err, s.f.name)
		}
		docs, ok := decodeSparse(sc.arena(l.df)[:0], b, l.df, n)
		if !ok {
			return l, damaged(s.f.name, "postings")
		}
		l.docs, l.codes = docs, b[size-l.df:]
	case formDense:
		b, err := take(off, s.blocks+s.blocks*blockDocs)
		if err != nil {
			return l, err
		}
		l.tops, l.codes = b[:s.blocks], b[s.blocks:]
	case formDelta:
		head, err := take(off, 3*s.blocks)
		if err != nil {
			return l, err
		}
		l.counts, l.tops = array(head[:2*s.blocks]), head[2*s.blocks:]
		l.starts = sc.arena(s.blocks + 1)
		total := uint32(0)
		for b := range s.blocks {
			l.starts[b] = total
			total += 2 * uint32(l.counts.u16(b))
		}
		l.starts[s.blocks] = total
		if l.data, err = take(off+3*s.blocks, int(total)); err != nil {
			return l, err
		}
	}
	return l, nil
}

func orDamaged(err error, name string) error {
	if err == nil {
		err = damaged(name, "postings")
	}
	return err
}
