package e5

import (
	"math"
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

// lattice is the working memory of one encoding.
type lattice struct {
	text []byte
	best []float32 // best score of a cut ending at each byte
	from []int32   // where its last piece starts
	id   []int32   // which piece it is
	back []int32   // the best cut, last piece first
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

// encode appends the ids of s to dst until dst holds limit of them. Only as much
// of the text as those can need is cut, a whole piece beyond the limit at least.
func (t *tokenizer) encode(dst []int32, l *lattice, s string, limit int) []int32 {
	if n := maxText(limit); len(s) > n {
		for n > 0 && !utf8.RuneStart(s[n]) {
			n--
		}
		s = s[:n]
	}
	l.text = t.normaliseText(l.text[:0], s)
	t.cut(l)
	return l.pieces(dst, limit)
}

// cut fills the lattice with the best cut ending at each byte (Viterbi).
func (t *tokenizer) cut(l *lattice) {
	n := len(l.text)
	l.best, l.from, l.id = grow(l.best, n+1), grow(l.from, n+1), grow(l.id, n+1)
	for i := range l.best {
		l.best[i] = float32(math.Inf(-1))
	}
	l.best[0] = 0
	for i := 0; i < n; {
		size := 1
		if l.text[i] >= utf8.RuneSelf {
			_, size = utf8.DecodeRune(l.text[i:])
		}
		t.extend(l, i, size)
		i += size
	}
}

// extend tries every piece that starts at byte i, and the unknown character.
func (t *tokenizer) extend(l *lattice, i, size int) {
	base, single := l.best[i], false
	node := int32(0)
	for j := i; j < len(l.text); j++ {
		if node = t.trie.next(node, l.text[j]); node < 0 {
			break
		}
		id := t.trie.piece[node]
		if id < 0 {
			continue
		}
		end := j + 1
		single = single || end == i+size
		if s := base + t.score[id]; s > l.best[end] {
			l.best[end], l.from[end], l.id[end] = s, int32(i), id
		}
	}
	if end := i + size; !single && base+t.unknown > l.best[end] {
		l.best[end], l.from[end], l.id[end] = base+t.unknown, int32(i), idUnknown
	}
}

// pieces reads the best cut backwards, then appends it forwards; unknown
// characters that follow one another give one id.
func (l *lattice) pieces(dst []int32, limit int) []int32 {
	l.back = l.back[:0]
	for at := len(l.text); at > 0; at = int(l.from[at]) {
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
