package query

import (
	"digesto"
	"digesto/pack"
	"digesto/text"
)

// vocabulary is a Searcher that knows its words, as the index does.
type vocabulary interface {
	Frequency(word string, stem bool) int
}

// mended gives a question with its spelling corrected against the words that are
// indexed and those that the pack knows, and the words put in. They are searched as alternatives, beside what was
// written: a word nobody knows must go on weighing on the evidence.
func mended(s digesto.Searcher, p *pack.Pack, question string) (string, []pack.Alternative) {
	v, ok := s.(vocabulary)
	if !ok {
		return question, nil
	}
	fixed, changes := text.Correct(question, pack.Spelling(v.Frequency, p))
	var words []pack.Alternative
	for _, c := range changes {
		words = append(words, pack.Alternative{Of: c.Word, Say: c.Instead})
	}
	return fixed, words
}
