package cite

import (
	"slices"
	"strconv"
	"strings"

	"digesto"
	"digesto/text"
)

// suffixes are the Latin multiplicatives that follow the number of a unit put in later.
var suffixes = map[string]bool{"bis": true, "ter": true, "quater": true, "quinquies": true, "quinques": true,
	"sexies": true, "sexties": true, "septies": true, "octies": true, "octis": true, "nonies": true, "novies": true, "decies": true,
	"undecies": true, "duodecies": true, "terdecies": true, "quaterdecies": true, "quindecies": true}

// Suffix says that a folded word is a Latin multiplicative ("bis", "ter").
func Suffix(w string) bool { return suffixes[w] }

// maxNumber bounds a normalised number, in bytes: "duodecies" twice and more fits.
const maxNumber = 40

// Number normalises the number of a unit as laws write it, in digits, words or
// Roman numerals: "primero" and "1.º" are "1", "3 BIS" is "3bis", "62°-A" is
// "62-A", "trigésimo octavo" is "38", "xv" is "XV", "ÚNICA" is "unica". ok is false
// when s is no such number as a whole.
func Number(s string) (norm string, ok bool) {
	words := strings.Fields(strings.Map(dashes, text.Fold(strings.TrimSpace(s))))
	if len(words) == 0 || len(s) > 80 {
		return "", false
	}
	words = parts(words)
	norm, n := numberAt(words)
	return norm, n == len(words) && len(norm) <= maxNumber
}

// parts separates the multiplicatives and letters at the end of each word
// ("12-abis", "xvbis"), where normalised numbers have them.
func parts(words []string) (out []string) {
	for _, w := range words {
		at := len(out)
		for i := 1; i < len(w) && !suffixes[w]; i++ {
			if tail := w[i:]; suffixes[tail] || len(tail) == 2 && tail[0] == '-' {
				out = slices.Insert(out, at, tail)
				w, i = w[:i], 0
			}
		}
		out = slices.Insert(out, at, w)
	}
	return out
}

func dashes(r rune) rune {
	if r == '.' || r == '(' || r == ')' || r == ',' || r == ':' {
		return ' '
	}
	return r
}

// numberAt reads the number at the start of folded words; n is how many words it takes.
func numberAt(words []string) (norm string, n int) {
	base, n := baseNumber(words)
	if n == 0 {
		return "", 0
	}
	for n < len(words) && len(base) < maxNumber { // "3 bis", "62 - A"
		w := words[n]
		switch {
		case suffixes[w]:
			base += w
		case w == "-" && n+1 < len(words) && len(words[n+1]) == 1 && words[n+1] >= "a" && words[n+1] <= "z":
			base += "-" + strings.ToUpper(words[n+1])
			n++
		case w[0] == '-' && len(w) == 2 && w[1] >= 'a' && w[1] <= 'z':
			base += "-" + strings.ToUpper(w[1:])
		default:
			return base, n
		}
		n++
	}
	return base, n
}

func baseNumber(words []string) (string, int) {
	w := words[0]
	switch w {
	case "unico", "unica":
		return "unica", 1
	case "preliminar":
		return "preliminar", 1
	}
	if w[0] >= '0' && w[0] <= '9' {
		return digitsNumber(w)
	}
	if v, _, n := text.Numeral(words); n > 0 && v > 0 {
		return strconv.Itoa(v), n
	}
	if i := strings.IndexByte(w, '-'); i > 0 && len(w)-i == 2 && isRoman(w[:i]) { // "xv-a"
		return strings.ToUpper(w), 1
	}
	if isRoman(w) {
		return strings.ToUpper(w), 1
	}
	return "", 0
}

// digitsNumber reads "62", "62-a", "3bis", "1o", "1er".
func digitsNumber(w string) (string, int) {
	i := 0
	for i < len(w) && w[i] >= '0' && w[i] <= '9' {
		i++
	}
	digits, rest := strings.TrimLeft(w[:i], "0"), w[i:]
	if digits == "" {
		digits = "0"
	}
	if len(digits) > 6 { // a million articles of one norm
		return "", 0
	}
	rest = strings.TrimPrefix(rest, "-")
	switch {
	case rest == "" || rest == "o" && w[i] != '-' || rest == "er" || rest == "ero" || rest == "ra":
		return digits, 1
	case suffixes[rest]:
		return digits + rest, 1
	case len(rest) == 1 && rest[0] >= 'a' && rest[0] <= 'z':
		return digits + "-" + strings.ToUpper(rest), 1
	}
	return "", 0
}

// romanValue gives the value of a Roman numeral in lower case, 0 if it is none.
// Only the canonical spelling counts: "iiii" and "ic" are none.
func romanValue(s string) int {
	if s == "" || len(s) > 10 {
		return 0
	}
	v, prev := 0, 0
	for i := len(s) - 1; i >= 0; i-- {
		d := strings.IndexByte("ivxlcdm", s[i])
		if d < 0 {
			return 0
		}
		n := []int{1, 5, 10, 50, 100, 500, 1000}[d]
		if n < prev {
			v -= n
		} else {
			v, prev = v+n, n
		}
	}
	if strings.ToLower(roman(v)) != s {
		return 0
	}
	return v
}

func isRoman(s string) bool {
	return romanValue(s) > 0 && s != "d" && s != "c" && s != "m" && s != "l" && s != "mi" && s != "di"
}

// roman writes v (1–3999) in Roman numerals.
func roman(v int) string {
	if v <= 0 || v > 3999 {
		return ""
	}
	var b strings.Builder
	for _, p := range []struct {
		n int
		s string
	}{{1000, "M"}, {900, "CM"}, {500, "D"}, {400, "CD"}, {100, "C"}, {90, "XC"}, {50, "L"}, {40, "XL"},
		{10, "X"}, {9, "IX"}, {5, "V"}, {4, "IV"}, {1, "I"}} {
		for v >= p.n {
			b.WriteString(p.s)
			v -= p.n
		}
	}
	return b.String()
}

// UnitID gives the id of a unit within its norm: the prefix of its kind and its
// normalised number: "a38", "a3bis", "a62-A", "dt5", "nXV", "daunica". The number may be written in
// any form that [Number] reads. Dispositions and annexes count in digits however
// they are written, norms of a preliminary title in Roman numerals; articles keep
// the two apart, because one law may have an article I and an article 1. A number
// that cannot be read becomes a slug, so that every unit gets an id.
func UnitID(kind digesto.UnitKind, number string) string {
	n, ok := Number(number)
	if !ok {
		return string(kind) + slug(number)
	}
	switch kind {
	case digesto.KindPreliminary:
		if v, err := strconv.Atoi(n); err == nil {
			n = roman(v)
		}
	case digesto.KindArticle:
	default:
		i := 0
		for i < len(n) && n[i] >= 'A' && n[i] <= 'Z' {
			i++
		}
		if v := romanValue(strings.ToLower(n[:i])); v > 0 {
			n = strconv.Itoa(v) + n[i:]
		}
	}
	return string(kind) + n
}

// slug keeps the folded letters and digits of s, words joined by "-", at most 48 bytes.
func slug(s string) string {
	var b strings.Builder
	for _, t := range text.Tokens(nil, s) {
		if b.Len() > 0 {
			b.WriteByte('-')
		}
		b.WriteString(t.Text)
		if b.Len() > 48 {
			return strings.ToValidUTF8(b.String()[:48], "")
		}
	}
	return b.String()
}
