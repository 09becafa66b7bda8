package index

import (
	"strings"

	"digesto"
	"digesto/text"
)

// Kind is a list of terms.
type Kind uint8

// The kinds of term, in the order in which scores add up.
const (
	KindStem Kind = iota
	KindPlain
	KindBigram
	kinds = 3
)

// String is the name of the list in explanations.
func (k Kind) String() string { return [...]string{"stem", "plain", "bigram"}[k] }

// Term is one term of a query or a chunk: a stem, a folded word, or two stems
// joined by a space.
type Term struct {
	Kind Kind
	Text string
}

// QueryTerms gives the distinct terms of a query in the order in which their
// scores add up: by kind, then as they appear in Text, then in Also. own is how
// many come from Text, for each kind.
func QueryTerms(a *text.Analyser, q digesto.Query) (terms [kinds][]string, own [kinds]int) {
	var seen [kinds]map[string]bool
	for k := range seen {
		seen[k] = map[string]bool{}
	}
	read := func(s string) {
		EachTerm(a.Terms(s), func(k Kind, first, second text.Term) {
			t := termText(k, first, second)
			if !seen[k][t] {
				seen[k][t] = true
				terms[k] = append(terms[k], t)
			}
		})
	}
	read(q.Text)
	for k := range own {
		own[k] = len(terms[k])
	}
	for _, s := range q.Also {
		read(s)
	}
	return terms, own
}

func termText(k Kind, first, second text.Term) string {
	switch k {
	case KindStem:
		return first.Stem
	case KindPlain:
		return first.Plain
	}
	return first.Stem + " " + second.Stem
}

// splitBigram gives the two stems of a bigram; of another term itself and nothing.
func splitBigram(t Term) (first, second string) {
	if t.Kind != KindBigram {
		return t.Text, ""
	}
	first, second, _ = strings.Cut(t.Text, " ")
	return first, second
}

// EachTerm calls f with every term of an analysed text: each stem, each plain
// word, and each pair of neighbouring stems (parts of numbers are no members of
// pairs, and words of a number written out have no stem but the first).
func EachTerm(words []text.Term, f func(k Kind, first, second text.Term)) {
	var prev text.Term
	for _, w := range words {
		if w.PlainID != 0 {
			f(KindPlain, w, text.Term{})
		}
		if w.StemID == 0 {
			continue
		}
		f(KindStem, w, text.Term{})
		if w.Part {
			continue
		}
		if prev.StemID != 0 {
			f(KindBigram, prev, w)
		}
		prev = w
	}
}
