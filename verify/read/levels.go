package read

import (
	"strconv"
	"strings"
	"unicode"

	"digesto/text"
	"digesto/text/lazyregexp"
)

// Kinds of parts of a unit.
type PartKind uint8

const (
	NumberPart PartKind = iota
	LetterPart
	ParagraphPart
)

// Level is one level of what a citation names below its unit: numbers, letters or paragraphs.
type Level struct {
	Kind   PartKind
	Values []string // labels as they are, folded; of paragraphs their numbers, "-1" = the last
	End    bool     // "in fine": the end of it
}

// words of parts, folded, by the kind of their labels.
var PartWords = map[string]PartKind{"apartado": NumberPart, "ap": NumberPart, "apdo": NumberPart, "apto": NumberPart, "inciso": NumberPart, "inc": NumberPart, "numeral": NumberPart, "num": NumberPart,
	"numero": NumberPart, "punto": NumberPart, "pto": NumberPart, "regla": NumberPart, "ordinal": NumberPart, "ord": NumberPart, "n": NumberPart, "nro": NumberPart, "supuesto": NumberPart,
	"letra": LetterPart, "let": LetterPart, "lit": LetterPart, "literal": LetterPart, "parrafo": ParagraphPart, "parr": ParagraphPart, "par": ParagraphPart}

// levelToken is a word, number or letter of what a citation names below its unit.
var levelToken = lazyregexp.New(`\d{1,3}(?:\.\d{1,3})*|\p{L}+`)

// joining words stand between parts and say nothing.
var joining = map[string]bool{"fine": true, "del": true, "de": true, "la": true, "el": true, "los": true, "las": true, "en": true, "su": true, "al": true}

// kindOf gives the kind of part that a word is for.
func kindOf(w string) (PartKind, bool) {
	k, ok := PartWords[strings.TrimSuffix(strings.TrimSuffix(w, "es"), "s")]
	if !ok {
		k, ok = PartWords[w]
	}
	return k, ok && len(w) > 1
}

// LevelsOf reads what a citation names below its unit: "2.b)", "apartados 1 a 3", "letra k)
// del apartado primero", "párrafo segundo in fine". ok is false for what is not understood.
func LevelsOf(detail string) (out []Level, ok bool) {
	s := text.Fold(detail)
	toks := levelToken.FindAllStringIndex(s, -1)
	word := func(i int) string {
		if i >= len(toks) {
			return ""
		}
		return s[toks[i][0]:toks[i][1]]
	}
	kind, named, joined := NumberPart, false, false // of the word for a part before
	for i := 0; i < len(toks); i++ {
		w, k, v := word(i), NumberPart, ""
		var last *Level
		if len(out) > 0 {
			last = &out[len(out)-1]
		}
		next, isNext := kindOf(word(i + 1))
		closed := toks[i][1] < len(s) && s[toks[i][1]] == ')'
		if own, is := kindOf(w); is {
			kind, named, joined = own, true, false
			continue
		}
		switch {
		case w == "in" && word(i+1) == "fine":
			out = append(out, Level{Kind: ParagraphPart, Values: []string{"-1"}, End: true})
		case joining[w]:
			joined = false
		case last != nil && (w == "y" || w == "e" || w == "o" || w == "a") && !closed && i+1 < len(toks):
			if hi, err := strconv.Atoi(word(i + 1)); w == "a" && err == nil {
				lo, _ := strconv.Atoi(last.Values[len(last.Values)-1])
				for n := lo + 1; n <= min(hi, lo+100); n++ {
					last.Values = append(last.Values, strconv.Itoa(n))
				}
				i++
			}
			joined = true
		case unicode.IsDigit(rune(w[0])):
			if v = w; named && kind == ParagraphPart {
				k = kind
			}
			joined = joined || last != nil && strings.HasSuffix(s[:toks[i][0]], ", ") && last.Kind == k && !named
		case len(w) == 1 || w == "ñ":
			k, v = LetterPart, w
		case suffixed(w) && last != nil:
			last.Values[len(last.Values)-1] += w
		default:
			if v = ordinal(w, named); v == "" || !named && !isNext && last == nil {
				return nil, false
			}
			if k = kind; isNext && !named {
				k = next
				i++
			}
			if k == LetterPart {
				k = NumberPart
			}
		}
		if v == "" {
			continue
		}
		if joined && last != nil && last.Kind == k && !last.End {
			last.Values = append(last.Values, v)
		} else {
			out = append(out, Level{Kind: k, Values: []string{v}})
		}
		joined, named = false, false
	}
	return out, len(out) > 0
}

// ordinal reads the words by which parts are counted, and Roman numbers behind the word for a
// part; "-1" is the last one, "" none.
func ordinal(w string, named bool) string {
	switch {
	case strings.HasPrefix(w, "ultim") || w == "final":
		return "-1"
	case strings.HasPrefix(w, "penultim"):
		return "-2"
	case w == "unico" || w == "unica":
		return "1"
	}
	if v, is, n := text.Numeral([]string{w}); n == 1 && (is || v < 100) {
		return strconv.Itoa(v)
	}
	if r := RomanNumber(w); r > 0 && named {
		return strconv.Itoa(r)
	}
	return ""
}

func suffixed(w string) bool { return w == "bis" || w == "ter" || w == "quater" || w == "quinquies" }

// RomanNumber gives the value of a Roman numeral, 0 = it is none.
func RomanNumber(w string) int {
	v, prev := 0, 0
	for i := len(w) - 1; i >= 0; i-- {
		k := strings.IndexByte("ivxlcdm", w[i]|0x20)
		if k < 0 {
			return 0
		}
		n := []int{1, 5, 10, 50, 100, 500, 1000}[k]
		if n < prev {
			v -= n
		} else {
			v, prev = v+n, n
		}
	}
	return v
}
