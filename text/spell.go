package text

import (
	_ "embed"
	"strings"
	"sync"
	"unicode/utf8"
)

// Correction is a word that Correct replaced.
type Correction struct {
	Start, End int    // bytes in the source
	Word       string // folded, as found
	Instead    string // folded, as put
}

// shortest is the least length of a word that is corrected: shorter ones have too
// many neighbours.
const shortest = 5

//go:embed everyday.txt
var everydayText string

// everyday tells the words, and the stems, that are spelt right although no law has
// them: "perro" is no "pedro" and "filmar" no "firmar".
var everyday = sync.OnceValue(func() map[string]bool {
	_, list, _ := strings.Cut(everydayText, "\n")
	m := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		m[w], m[Stem(w)] = true, true
	}
	return m
})

// Correct replaces words that a vocabulary does not know by the commonest word it
// knows at one edit's distance: a letter lost, added, changed, or two swapped (Damerau
// 1964). frequency gives in how many texts a folded word (or, with stem, a stem) stands.
// The first letter stays, numbers and short words stay, and so does a word whose stem
// is known: it is another form, not a mistake. Everyday words that laws seldom have stay too. s is given back as it is when nothing changes.
func Correct(s string, frequency func(word string, stem bool) int) (string, []Correction) {
	var changes []Correction
	var b strings.Builder
	at := 0
	for i := 0; i < len(s); {
		start, end := nextSpan(s, i)
		if start < 0 {
			break
		}
		i = end
		word := Fold(s[start:end])
		if !correctable(word) || frequency(word, false) > 0 || frequency(Stem(word), true) > 0 || everyday()[word] || everyday()[Stem(word)] {
			continue
		}
		best := neighbour(word, frequency)
		if best == "" {
			continue
		}
		changes = append(changes, Correction{start, end, word, best})
		b.WriteString(s[at:start])
		b.WriteString(best)
		at = end
	}
	if changes == nil {
		return s, nil
	}
	b.WriteString(s[at:])
	return b.String(), changes
}

func correctable(word string) bool {
	if len(word) < shortest || len(word) > 24 || IsStop(word) {
		return false
	}
	for i := 0; i < len(word); i++ {
		if word[i] < 'a' || word[i] > 'z' {
			return false
		}
	}
	_, numeral := numerals[word]
	return !numeral && utf8.ValidString(word)
}

// neighbour gives the commonest known word one edit away; of equals the first in the order of edits.
func neighbour(word string, frequency func(string, bool) int) string {
	best, most := "", 0
	try := func(candidate []byte) {
		if n := frequency(string(candidate), false); n > most {
			best, most = string(candidate), n
		}
	}
	buf := make([]byte, 0, len(word)+1)
	for i := 1; i < len(word); i++ {
		if i+1 < len(word) && word[i] != word[i+1] { // two letters swapped
			buf = append(buf[:0], word...)
			buf[i], buf[i+1] = buf[i+1], buf[i]
			try(buf)
		}
		buf = append(append(buf[:0], word[:i]...), word[i+1:]...) // a letter too many
		try(buf)
		for c := byte('a'); c <= 'z'; c++ {
			if c != word[i] { // a letter changed
				buf = append(buf[:0], word...)
				buf[i] = c
				try(buf)
			}
			buf = append(append(append(buf[:0], word[:i]...), c), word[i:]...) // a letter lost before i
			try(buf)
		}
	}
	for c := byte('a'); c <= 'z'; c++ {
		try(append(append(buf[:0], word...), c))
	}
	return best
}
