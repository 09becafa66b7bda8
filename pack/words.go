package pack

import (
	"strings"
	"sync"

	"digesto/text"
)

// spelling is every word of some expressions, with its stem. It is made when it is
// first asked for: most commands mend no spelling.
type spelling struct {
	once  sync.Once
	words map[string]bool
	stems map[string]bool
}

func (s *spelling) has(lists []phrases, places *Gazetteer, word string, stem bool) bool {
	s.once.Do(func() {
		s.words, s.stems = map[string]bool{}, map[string]bool{}
		for _, l := range lists {
			for expression := range l.ready().index {
				for w := range strings.FieldsSeq(expression) {
					s.words[w], s.stems[text.Stem(w)] = true, true
				}
			}
		}
		for name := range places.all() { // by its stem alone: spelt right, and no mistake is mended into it
			for w := range strings.FieldsSeq(name) {
				s.stems[text.Stem(w)] = true
			}
		}
	})
	if stem {
		return s.stems[word]
	}
	return s.words[word]
}

// Spells reports whether a folded word (or a stem) stands in the pack's synonyms,
// glossary or lexicon of the street, or a stem in the name of a place. Such a word is spelt right, even where no
// indexed text has it, and must not be mended into a neighbour that one has.
func (p *Pack) Spells(word string, stem bool) bool {
	if p == nil {
		return false
	}
	var lists []phrases
	if p.Synonyms != nil {
		lists = append(lists, p.Synonyms.phrases)
	}
	if p.Lay != nil {
		lists = append(lists, p.Lay.found)
	}
	if p.Glossary != nil {
		lists = append(lists, p.Glossary.found)
	}
	kept := p.spelt
	if kept == nil {
		kept = &spelling{}
	}
	return kept.has(lists, p.Territories, word, stem)
}

// Spelling completes the vocabulary of an index (see text.Correct) by the words that
// packs know: each counts as one text, so that a word of the texts goes before it
// where both are near a misspelt one.
func Spelling(indexed func(word string, stem bool) int, packs ...*Pack) func(word string, stem bool) int {
	return func(word string, stem bool) int {
		n := indexed(word, stem)
		if n > 0 {
			return n
		}
		for _, p := range packs {
			if p.Spells(word, stem) {
				return 1
			}
		}
		return 0
	}
}
