package text

import "math"

// Term is one indexed word of a text. Plain is the folded word, Stem its stem or,
// for a number written out, its digits ("treinta y ocho" gives "38" on its first
// word and an empty Stem on the others). Ids are those of the Analyser's own
// vocabulary: equal strings have equal ids, 0 is the empty string.
type Term struct {
	Start, End      int // bytes in the source
	Plain, Stem     string
	PlainID, StemID uint32
	// Part marks a part of the number before it ("62" of "62-A", "48" of "48.4"):
	// indexed, but no member of a bigram.
	Part bool
}

// TermID is a Term by its ids alone, as an index needs it: half the work.
type TermID struct {
	Start, End  int32 // bytes in the source
	Plain, Stem uint32
	Part        bool
}

// Analyser turns text into terms, without allocating once it knows the words. The
// zero value is ready. It serves one goroutine at a time; each has its own.
type Analyser struct {
	// MaxWords bounds the vocabulary for callers that read foreign text for ever:
	// beyond it the vocabulary is dropped between two calls and ids start anew.
	// 0 = no bound, and ids hold as long as the Analyser.
	MaxWords int

	ids   map[string]uint32 // any string of the vocabulary → id
	known []string          // id → string
	words map[string]word   // folded word → what is known about it
	seen  seenTable         // word as written → the same, without folding again
	buf   []byte
	terms []Term
	found []TermID
	pend  []string // words of a number being read
}

// word is what analysis knows about a folded word.
type word struct {
	plain, stem, part uint32 // ids; part of a compound number, or 0
	is                uint8  // none for most words
	size              uint8  // see seenSlot
}

// What a word may be.
const (
	isStop    = 1 << iota
	isNumeral // a number word
	isAnd     // "y", which joins tens and units
	isNone    // nothing is left when it is folded
)

// Terms gives the terms of s in order, stop words left out. The slice is valid
// until the next call.
func (a *Analyser) Terms(s string) []Term {
	a.terms = a.terms[:0]
	for _, t := range a.IDs(s) {
		a.terms = append(a.terms, Term{int(t.Start), int(t.End), a.known[t.Plain], a.known[t.Stem], t.Plain, t.Stem, t.Part})
	}
	return a.terms
}

// IDs is Terms without the strings. s is at most 2 GiB long; what lies beyond is not read.
func (a *Analyser) IDs(s string) []TermID {
	a.prepare()
	s = s[:min(len(s), math.MaxInt32)]
	a.found = a.found[:0]
	open := 0 // words at the end of found that may belong to one number
	for i := 0; i < len(s); {
		start, end := nextSpan(s, i)
		if start < 0 {
			break
		}
		i = end
		w := a.seen.get(s[start:end])
		if w == nil {
			w = a.meet(s[start:end])
		}
		if w.is != 0 || open > 0 {
			switch {
			case w.is&isNone != 0:
				continue
			case w.is&isNumeral != 0:
				open++
				a.found = append(a.found, TermID{int32(start), int32(end), w.plain, w.stem, false})
				continue
			case open > 0 && w.is&isAnd != 0:
				a.found = append(a.found, TermID{Start: int32(start), End: int32(end)})
				open++
				continue
			case open > 0:
				a.closeNumber(open)
				open = 0
			}
			if w.is&isStop != 0 {
				continue
			}
		}
		a.found = append(a.found, TermID{int32(start), int32(end), w.plain, w.stem, false})
		if w.part != 0 {
			a.found = append(a.found, TermID{int32(start), int32(end), w.part, w.part, true})
		}
	}
	if open > 0 {
		a.closeNumber(open)
	}
	return a.found
}

// closeNumber reads the last n terms as numbers, gives each number's digits to its
// first word, and drops the joining "y" (which stands without an id) and the words
// that are stop words alone.
func (a *Analyser) closeNumber(n int) {
	run := a.found[len(a.found)-n:]
	a.pend = a.pend[:0]
	for _, t := range run {
		plain := a.known[t.Plain]
		if t.Plain == 0 {
			plain = "y"
		}
		a.pend = append(a.pend, plain)
	}
	for i := 0; i < n; {
		digits, took := a.canonical(a.pend[i:])
		if took == 0 {
			i++
			continue
		}
		run[i].Stem = digits
		for j := i + 1; j < i+took; j++ {
			run[j].Stem = 0
		}
		i += took
	}
	keep := a.found[:len(a.found)-n]
	for _, t := range run {
		stem := a.known[t.Stem]
		if t.Plain == 0 || IsStop(a.known[t.Plain]) && stem != "" && !isDigit(stem[0]) {
			continue
		}
		keep = append(keep, t)
	}
	a.found = keep
}

// canonical gives the id of the digits of the number at the start of words.
func (a *Analyser) canonical(words []string) (id uint32, n int) {
	v, ordinal, n := Numeral(words)
	if n == 0 || v < 2 || ordinal && v < 4 {
		return 0, 0
	}
	return a.number(v), n
}

// number interns the digits of v without allocating when they are known.
func (a *Analyser) number(v int) uint32 {
	var digits [20]byte
	i := len(digits)
	for ; v > 0; v /= 10 {
		i--
		digits[i] = byte('0' + v%10)
	}
	if id, ok := a.ids[string(digits[i:])]; ok {
		return id
	}
	return a.intern(string(digits[i:]))
}

// Bigram is the key of two stems that follow one another: equal pairs have equal keys.
func Bigram(first, second uint32) uint64 { return uint64(first)<<32 | uint64(second) }

// Word gives the string of an id; "" for 0 and unknown ids.
func (a *Analyser) Word(id uint32) string {
	if int(id) >= len(a.known) {
		return ""
	}
	return a.known[id]
}

// Words says how large the vocabulary is; ids run from 1 to Words.
func (a *Analyser) Words() int { return max(0, len(a.known)-1) }

func (a *Analyser) prepare() {
	if a.words != nil && (a.MaxWords == 0 || len(a.words) <= a.MaxWords && a.seen.n <= 4*a.MaxWords) {
		return
	}
	a.seen = seenTable{}
	a.words = map[string]word{}
	a.ids = map[string]uint32{}
	a.known = append(a.known[:0], "")
}

// meet folds a word that was not yet seen as it is written here.
func (a *Analyser) meet(raw string) *word {
	a.buf = AppendFold(a.buf[:0], raw)
	w, ok := a.words[string(a.buf)]
	if !ok {
		if w.is = isNone; len(a.buf) > 0 {
			w = a.learn(string(a.buf))
		}
	}
	if len(raw) == 1 && string(a.buf) == "y" {
		w.is |= isAnd
	}
	return a.seen.put(raw, w)
}

func (a *Analyser) intern(s string) uint32 {
	if s == "" {
		return 0
	}
	if id, ok := a.ids[s]; ok {
		return id
	}
	id := uint32(len(a.known))
	a.known = append(a.known, s)
	a.ids[s] = id
	return id
}

func (a *Analyser) learn(folded string) word {
	var w word
	if IsStop(folded) {
		w.is |= isStop
	}
	if _, ok := numeralOf(folded); ok {
		w.is |= isNumeral
	}
	if isDigit(folded[0]) {
		full, part := canonicalDigits(folded)
		w.plain = a.intern(full)
		w.stem, w.part = w.plain, a.intern(part)
	} else {
		w.plain, w.stem = a.intern(folded), a.intern(Stem(folded))
	}
	a.words[folded] = w
	return w
}
