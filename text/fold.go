package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Fold gives s in lower case, without accents (ñ becomes n) and with
// compatibility forms folded: ligatures apart, full-width letters narrow, the
// ordinal marks º and ª as the letters o and a (but dropped after a digit, so that
// "137º" and "137.º" are "137"). Soft hyphens and other invisible marks disappear.
func Fold(s string) string {
	if plain(s) {
		return s
	}
	return string(AppendFold(make([]byte, 0, len(s)), s))
}

// plain reports that s is folded already: ASCII without capitals.
func plain(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c >= utf8.RuneSelf || 'A' <= c && c <= 'Z' {
			return false
		}
	}
	return true
}

// AppendFold appends Fold(s) to dst.
func AppendFold(dst []byte, s string) []byte {
	start := len(dst)
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			if 'A' <= c && c <= 'Z' {
				c += 'a' - 'A'
			}
			dst = append(dst, c)
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		i += n
		if isOrdinalMark(r) {
			if k := len(dst) - 1; k > start && dst[k] == '.' && isDigit(dst[k-1]) {
				dst = dst[:k] // "1.º"
			}
			if k := len(dst) - 1; k >= start && isDigit(dst[k]) {
				continue
			}
		}
		dst = appendFoldRune(dst, r)
	}
	return dst
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// isOrdinalMark tells the masculine and feminine ordinal marks and the degree
// sign that takes their place in many documents.
func isOrdinalMark(r rune) bool { return r == 'º' || r == 'ª' || r == '°' || r == '˚' }

// latin folds U+00C0–U+017F, nearly all that Spanish law contains beyond ASCII.
var latin = func() (t [0x180]string) {
	for r := rune(0xC0); r < 0x180; r++ {
		t[r] = string(appendDecomposed(nil, r))
	}
	t['ß'], t['æ'], t['Æ'], t['œ'], t['Œ'] = "ss", "ae", "ae", "oe", "oe"
	t['ø'], t['Ø'], t['đ'], t['Đ'], t['ł'], t['Ł'] = "o", "o", "d", "d", "l", "l"
	return t
}()

func appendFoldRune(dst []byte, r rune) []byte {
	if r < 0x180 && r >= 0xC0 {
		return append(dst, latin[r]...)
	}
	switch {
	case r == 'º' || r == '°' || r == '˚':
		return append(dst, 'o')
	case r == 'ª':
		return append(dst, 'a')
	case r == 0xA0 || r >= 0x2000 && r <= 0x200A || r == 0x202F || r == 0x3000:
		return append(dst, ' ')
	case r >= 0x2010 && r <= 0x2015 || r == 0x2212:
		return append(dst, '-')
	case Invisible(r) || unicode.Is(unicode.Mn, r):
		return dst
	}
	return appendDecomposed(dst, r)
}

// appendDecomposed appends the compatibility decomposition of r in lower case, without marks.
func appendDecomposed(dst []byte, r rune) []byte {
	var in [utf8.UTFMax]byte
	of := in[:utf8.EncodeRune(in[:], r)]
	if d := norm.NFKD.Properties(of).Decomposition(); d != nil {
		of = d
	} else if unicode.Is(unicode.Hangul, r) { // decomposed by rule, not by table
		of = norm.NFKD.Bytes(of)
	}
	for len(of) > 0 {
		c, n := utf8.DecodeRune(of)
		if of = of[n:]; !unicode.Is(unicode.Mn, c) {
			dst = utf8.AppendRune(dst, unicode.ToLower(c))
		}
	}
	return dst
}

// Invisible reports marks that no reader sees and that extraction leaves behind:
// the soft hyphen, zero-width characters, the byte order mark, and the
// noncharacter U+FFFE with which PDF extraction marks a hyphen at a line's end.
func Invisible(r rune) bool {
	return r == 0xAD || r >= 0x200B && r <= 0x200F || r >= 0x2060 && r <= 0x2064 || r == 0xFEFF || r == 0xFFFE
}

// Letters are the letters and digits of a text in lower case: what editions of one
// wording have in common.
func Letters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}
