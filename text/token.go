package text

import (
	"math/bits"
	"unicode"
	"unicode/utf8"
)

// Token is a word or number of a text: byte offsets in the source, and its folded form.
type Token struct {
	Start, End int
	Text       string
}

// Tokens appends the words and numbers of s to dst. A number keeps what belongs to
// it: "48.4", "39/2015", "1.000,50" and "62-A" ("62-a") are one token each;
// ordinal marks are dropped ("137°" is "137", "3ª" is "3"). "3 bis" is two tokens.
func Tokens(dst []Token, s string) []Token {
	for i := 0; i < len(s); {
		start, end := nextSpan(s, i)
		if start < 0 {
			break
		}
		if t := Fold(s[start:end]); t != "" {
			dst = append(dst, Token{start, end, t})
		}
		i = end
	}
	return dst
}

// nextSpan gives the bytes of the next word or number at or after i; start is -1 at the end.
func nextSpan(s string, i int) (start, end int) {
	for i < len(s) {
		if c := s[i]; c < utf8.RuneSelf {
			switch {
			case !inWord[c]:
				i++
				continue
			case isDigit(c):
				return i, numberEnd(s, i)
			}
			return i, wordEnd(s, i)
		}
		if latinLetter(s, i) {
			return i, wordEnd(s, i)
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if isLetter(r) {
			return i, wordEnd(s, i)
		}
		i += n
	}
	return -1, i
}

func runeAt(s string, i int) (rune, int) {
	if c := s[i]; c < utf8.RuneSelf {
		return rune(c), 1
	}
	return utf8.DecodeRuneInString(s[i:])
}

func isLetter(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || r == '_'
	}
	if isOrdinalMark(r) {
		return false
	}
	return unicode.IsLetter(r) || unicode.IsNumber(r)
}

// latinLetter reports the two bytes of a letter of U+00C0–U+00FF at i: nearly every
// letter of Spanish beyond ASCII, told without decoding.
func latinLetter(s string, i int) bool {
	return s[i] == 0xC3 && i+1 < len(s) && s[i+1]&0xC0 == 0x80 && s[i+1] != 0x97 && s[i+1] != 0xB7 // × and ÷
}

// inWord tells the ASCII bytes of words.
var inWord = func() (t [utf8.RuneSelf]bool) {
	for c := range rune(utf8.RuneSelf) {
		t[c] = isLetter(c) || c >= '0' && c <= '9'
	}
	return t
}()

// wordEnd ends a word: letters, digits, combining and invisible marks.
func wordEnd(s string, i int) int {
	for i < len(s) {
		if i+8 <= len(s) {
			if others := notInWord(eightBytes(s, i)); others == 0 {
				i += 8
				continue
			} else if i += bits.TrailingZeros64(others) / 8; s[i] < utf8.RuneSelf {
				break
			}
		} else if c := s[i]; c < utf8.RuneSelf {
			if !inWord[c] {
				break
			}
			i++
			continue
		}
		if latinLetter(s, i) {
			i += 2
			continue
		}
		r, n := runeAt(s, i)
		if !isLetter(r) && (r < '0' || r > '9') && (r < utf8.RuneSelf || !unicode.Is(unicode.Mn, r) && !Invisible(r)) {
			break
		}
		i += n
	}
	return i
}

// eightBytes reads as binary.LittleEndian.Uint64 does of a slice: one load.
func eightBytes(s string, i int) uint64 {
	b := s[i : i+8]
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 | uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
}

// notInWord marks, in their highest bit, the bytes that inWord has not: those beyond
// ASCII and of ASCII all but letters, digits and "_". No sum carries into the next byte.
func notInWord(v uint64) uint64 {
	const ones, low, high = 0x0101010101010101, 0x7F7F7F7F7F7F7F7F, 0x8080808080808080
	b := v & low
	lower := b | 0x20*ones
	letter := (lower + (0x80-'a')*ones) &^ (lower + (0x7F-'z')*ones)
	digit := (b + (0x80-'0')*ones) &^ (b + (0x7F-'9')*ones)
	under := ^((b ^ '_'*ones) + low)
	return (^(letter | digit | under) | v) & high
}

// numberEnd ends a number: digits, separators between digits, an ordinal mark,
// one letter after a hyphen ("62-A", "133-2013-EF").
func numberEnd(s string, i int) int {
	for i < len(s) {
		c := s[i]
		if isDigit(c) {
			i++
			continue
		}
		if (c == '.' || c == ',' || c == '/' || c == '-') && i+1 < len(s) && isDigit(s[i+1]) {
			i += 2
			continue
		}
		break
	}
	j := i
	if j < len(s) && s[j] == '.' {
		j++ // "1.º"
	}
	if j < len(s) {
		if r, n := runeAt(s, j); isOrdinalMark(r) {
			i = j + n
		}
	}
	if i+1 < len(s) && s[i] == '-' && isASCIILetter(s[i+1]) {
		if j := i + 1 + asciiLetters(s[i+1:]); j-i <= 5 && upper(s[i+1:j]) && (j == len(s) || s[j] < utf8.RuneSelf) {
			return j
		}
	}
	if n := asciiLetters(s[i:]); n > 0 && n <= 4 { // "3bis", "20h", "1o"
		return wordEnd(s, i)
	}
	return i
}

func isASCIILetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

func upper(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= 'a' {
			return len(s) == 1
		}
	}
	return true
}

func asciiLetters(s string) (n int) {
	for n < len(s) && isASCIILetter(s[n]) {
		n++
	}
	return n
}

// First gives the first n words and numbers of s, folded, at most.
func First(s string, n int) []Token {
	out := make([]Token, 0, n)
	for i := 0; i < len(s) && len(out) < n; {
		start, end := nextSpan(s, i)
		if start < 0 {
			break
		}
		if t := Fold(s[start:end]); t != "" {
			out = append(out, Token{start, end, t})
		}
		i = end
	}
	return out
}
