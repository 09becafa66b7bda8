package e5

import (
	"bytes"
	"hash/maphash"
	"math"
	"unicode/utf8"
)

// lattice is the working memory of one encoding.
type lattice struct {
	text []byte
	best []float32 // of a word: best score of a cut ending at each byte
	from []int32   // where its last piece starts
	id   []int32   // which piece it is
	back []int32   // the best cut, last piece first

	long  word // the last word too long to be kept
	words []word
	seed  maphash.Seed
}

// word is a word with all the pieces that stand in it. Few words make most of a law:
// they are looked up once.
type word struct {
	text  []byte
	edges []edge
}

// edge is a piece, or an unknown character, at a place of a word.
type edge struct {
	from, to int32 // bytes
	id       int32
	score    float32
}

const (
	keptWords = 1 << 13 // a power of two; some 200 bytes each
	keptBytes = 40      // of a word; longer ones are hardly words
)

// edges gives the pieces in a word by where they start, the shorter first. They are
// good until the next call.
func (t *tokenizer) edges(l *lattice, text []byte) []edge {
	w := &l.long
	if len(text) <= keptBytes {
		if l.words == nil {
			l.words, l.seed = make([]word, keptWords), maphash.MakeSeed()
		}
		w = &l.words[maphash.Bytes(l.seed, text)%keptWords]
		if bytes.Equal(w.text, text) {
			return w.edges
		}
	}
	w.text, w.edges = append(w.text[:0], text...), w.edges[:0]
	for i := 0; i < len(text); {
		size := 1
		if text[i] >= utf8.RuneSelf {
			_, size = utf8.DecodeRune(text[i:])
		}
		w.edges = t.extend(w.edges, text, i, size)
		i += size
	}
	return w.edges
}

// extend appends every piece that starts at byte i, and the character there as unknown
// if it is no piece.
func (t *tokenizer) extend(dst []edge, text []byte, i, size int) []edge {
	single, h := false, uint32(hashBasis)
	for j := i; j < min(len(text), i+t.longest); j++ {
		h = hashed(h, text[j])
		if id := t.find(h, text[i:j+1]); id > 0 {
			single = single || j+1 == i+size
			dst = append(dst, edge{int32(i), int32(j + 1), id, t.scoreOf(id)})
		}
	}
	if !single {
		dst = append(dst, edge{int32(i), int32(i + size), idUnknown, t.unknown})
	}
	return dst
}

// cut fills the lattice with the best cut ending at each of n bytes (Viterbi), of a text
// whose best cut so far has a score, and gives the score at its end.
func (l *lattice) cut(edges []edge, n int, score float32) float32 {
	l.best, l.from, l.id = grow(l.best, n+1), grow(l.from, n+1), grow(l.id, n+1)
	for i := range l.best {
		l.best[i] = float32(math.Inf(-1))
	}
	l.best[0] = score
	for _, e := range edges {
		if s := l.best[e.from] + e.score; s > l.best[e.to] {
			l.best[e.to], l.from[e.to], l.id[e.to] = s, e.from, e.id
		}
	}
	return l.best[n]
}

// pieces reads the best cut of n bytes backwards, then appends it forwards; unknown
// characters that follow one another give one id.
func (l *lattice) pieces(dst []int32, n, limit int) []int32 {
	l.back = l.back[:0]
	for at := n; at > 0; at = int(l.from[at]) {
		l.back = append(l.back, l.id[at])
	}
	for i := len(l.back) - 1; i >= 0 && len(dst) < limit; i-- {
		id := l.back[i]
		if id == idUnknown && len(dst) > 0 && dst[len(dst)-1] == idUnknown {
			continue
		}
		dst = append(dst, id)
	}
	return dst
}
