package index

import (
	"slices"

	"digesto"
	"digesto/text"
)

// RequiredTerms gives the terms that a chunk must have for q.Require and q.Phrases,
// in order and each once: the stems of both, and the bigrams of phrases. A phrase
// of three words and more is met where each pair of neighbours is: the index
// knows no places.
func RequiredTerms(a *text.Analyser, q digesto.Query) (terms []Term) {
	read := func(s string, phrase bool) {
		EachTerm(a.Terms(s), func(k Kind, first, second text.Term) {
			t := Term{k, termText(k, first, second)}
			if (k == KindStem || phrase && k == KindBigram) && !slices.Contains(terms, t) {
				terms = append(terms, t)
			}
		})
	}
	for _, s := range q.Require {
		read(s, false)
	}
	for _, s := range q.Phrases {
		read(s, true)
	}
	return terms
}

// require narrows sc.masks to the documents with every required term, and skip to
// the segments that have any.
func (x *snapshot) require(sc *scratch, q *digesto.Query, skip []bool) error {
	if len(q.Require)+len(q.Phrases) == 0 {
		return nil
	}
	if len(q.Phrases) > 0 && !x.scoring.Indexed(KindBigram) {
		return &digesto.Error{Code: digesto.CodeInvalid, Message: "Este índice no guarda parejas de palabras y no puede buscar frases",
			Hint: "Exija las palabras sueltas, o vuelva a crear el índice con parejas."}
	}
	terms := RequiredTerms(&sc.an, *q)
	for si, seg := range x.segs {
		for _, t := range terms[:min(len(terms), maxTerms)] {
			if skip[si] {
				break
			}
			b := sc.bits(seg)
			if err := seg.termBits(sc, b, t); err != nil {
				return err
			}
			for i, m := range sc.masks[si] {
				b[i] &= m
			}
			sc.masks[si], skip[si] = b, !anyBit(b)
		}
	}
	return nil
}

// termBits sets the documents of a term.
func (s *segment) termBits(sc *scratch, b []uint64, t Term) error {
	n, err := s.number(sc, t)
	if err != nil || n < 0 {
		return err
	}
	rec, err := s.record(n)
	if err != nil {
		return err
	}
	l, err := s.list(sc, rec)
	if err != nil {
		return err
	}
	docs, _ := l.all(s)
	for _, d := range docs {
		b[d/64] |= 1 << (d % 64)
	}
	return nil
}

// number finds a stem or bigram; -1 if the segment does not have it.
func (s *segment) number(sc *scratch, t Term) (n int, err error) {
	first, second := splitBigram(t)
	if n, sc.buf, err = s.stems.find(sc.buf, first); err != nil || n < 0 || t.Kind == KindStem {
		return n, err
	}
	var m int
	if m, sc.buf, err = s.stems.find(sc.buf, second); err != nil || m < 0 || s.meta.Pairs == 0 {
		return -1, err
	}
	return s.pair(n, m)
}
