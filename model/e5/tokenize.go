package e5

import (
	"bytes"
	"unicode/utf8"
)

// tokenizer is SentencePiece's unigram model (Kudo, "Subword Regularization",
// 2018): the cut of the text into pieces with the highest sum of scores.
type tokenizer struct {
	*pieces
	low    [128]string // what ASCII becomes
	lowSet [128]bool
}

const (
	idUnknown = 3
	space     = "▁" // U+2581 stands for a space
)

func newTokenizer(file string) (*tokenizer, error) {
	p, err := readPieces(file)
	if err != nil {
		return nil, err
	}
	t := &tokenizer{pieces: p}
	for r := range t.low {
		t.low[r], t.lowSet[r] = p.becomes(rune(r))
	}
	return t, nil
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
		if to, ok := t.becomes(r); ok {
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
