package e5

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"
)

// tokenizer is SentencePiece's unigram model (Kudo, "Subword Regularization",
// 2018): the cut of the text into pieces with the highest sum of scores.
type tokenizer struct {
	trie    trie
	score   []float32
	unknown float32         // cost of a character that no piece covers
	norm    map[rune]string // the normalisation map
	low     [128]string     // its entries for ASCII
	lowSet  [128]bool
	crosses bool // some piece goes on beyond a space: there are no words
}

const (
	idUnknown = 3
	// maxPieces bounds the vocabulary; maxPieceBytes the longest piece followed.
	maxPieces = 1 << 20
	space     = "▁" // U+2581 stands for a space
)

func newTokenizer(vocabulary, normalise string) (*tokenizer, error) {
	t := &tokenizer{norm: map[rune]string{}}
	lowest := float32(0)
	for line := range strings.Lines(vocabulary) {
		score, piece, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		f, err := strconv.ParseFloat(score, 32)
		if !ok || err != nil || len(t.score) >= maxPieces {
			return nil, invalid("línea "+strconv.Itoa(len(t.score)+1)+" del vocabulario ilegible", err)
		}
		id := int32(len(t.score))
		t.score = append(t.score, float32(f))
		lowest = min(lowest, float32(f))
		if id > idUnknown { // the specials never match text
			t.trie.add(piece, id)
			t.crosses = t.crosses || strings.LastIndex(piece, space) > 0
		}
	}
	if len(t.score) <= idUnknown {
		return nil, invalid("vocabulario vacío", nil)
	}
	t.unknown = lowest - 10
	return t, t.readNormalise(normalise)
}

func (t *tokenizer) readNormalise(file string) error {
	for line := range strings.Lines(file) {
		from, to, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		r, err := strconv.ParseUint(from, 16, 21)
		if !ok || err != nil {
			return invalid("tabla de normalización ilegible", err)
		}
		var b strings.Builder
		for h := range strings.FieldsSeq(to) {
			c, err := strconv.ParseUint(h, 16, 21)
			if err != nil {
				return invalid("tabla de normalización ilegible", err)
			}
			b.WriteRune(rune(c))
		}
		if r < 128 {
			t.low[r], t.lowSet[r] = b.String(), true
		}
		t.norm[rune(r)] = b.String()
	}
	return nil
}

// normaliseText writes the text as pieces see it: mapped, runs of spaces made
// one, a space in front, spaces shown as U+2581.
func (t *tokenizer) normaliseText(dst []byte, s string) []byte {
	last := false // the last thing written was a space
	put := func(s string) {
		for i := 0; i < len(s); i++ {
			if s[i] != ' ' {
				dst = append(dst, s[i])
				last = false
				continue
			}
			if !last {
				dst = append(dst, space...)
			}
			last = true
		}
	}
	put(" ")
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			if t.lowSet[c] {
				put(t.low[c])
			} else {
				put(s[i : i+1])
			}
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if to, ok := t.norm[r]; ok {
			put(to)
		} else if r == utf8.RuneError && n == 1 {
			put("\uFFFD")
		} else {
			put(s[i : i+n])
		}
		i += n
	}
	return dst
}

// maxText bounds what is looked at: limit pieces hardly ever hold more bytes.
func maxText(limit int) int { return limit * 24 }

// encode appends the ids of s to dst until dst holds limit of them. No piece goes from
// one word into the next, so the best cut up to a word's end is part of the best cut of
// the whole: words are cut one after the other, and what follows the limit is not.
func (t *tokenizer) encode(dst []int32, l *lattice, s string, limit int) []int32 {
	if n := maxText(limit); len(s) > n {
		for n > 0 && !utf8.RuneStart(s[n]) {
			n--
		}
		s = s[:n]
	}
	l.text = t.normaliseText(l.text[:0], s)
	score := float32(0)
	for rest := l.text; len(rest) > 0 && len(dst) < limit; {
		n := len(rest)
		if i := bytes.Index(rest[1:], []byte(space)); i >= 0 && !t.crosses {
			n = i + 1
		}
		score = l.cut(t.edges(l, rest[:n]), n, score)
		dst = l.pieces(dst, n, limit)
		rest = rest[n:]
	}
	return dst
}
