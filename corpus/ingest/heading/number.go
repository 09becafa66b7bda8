package heading

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"digesto/text"
)

// Number is the number of a unit as its heading gives it. Arabic numbers,
// ordinal and cardinal words meet in Main; Suffix orders "bis", "ter", "-A".
type Number struct {
	Main   int
	Suffix string // "", "bis", "ter", "A", "bis A"
	Roman  bool   // written in Roman numerals
	Only   bool   // único / única
	To     int    // last of a range ("Arts. 7 a 10"); 0 = none
}

// String is the normalised form: "38", "3 bis", "62-A", "XV", "única".
func (n Number) String() string {
	switch {
	case n.Only:
		return "único"
	case n.Main == 0:
		return ""
	case n.Roman:
		return roman(n.Main) + n.suffixed()
	}
	return strconv.Itoa(n.Main) + n.suffixed()
}

func (n Number) suffixed() string {
	switch {
	case n.Suffix == "":
		return ""
	case len(n.Suffix) == 1 || (len(n.Suffix) > 1 && n.Suffix[0] <= 'Z'):
		return "-" + n.Suffix
	}
	return " " + n.Suffix
}

// Rank orders numbers of one series: the main number, then its suffixes.
func (n Number) Rank() int { return n.Main*10000 + suffixRank(n.Suffix) }

// latin are the suffixes of inserted articles, in their order.
var latin = []string{"bis", "ter", "quater", "quinquies", "sexies", "septies", "octies", "nonies", "decies",
	"undecies", "duodecies", "terdecies", "quaterdecies", "quindecies", "sexdecies", "septdecies", "octodecies", "novodecies", "vicies"}

// latinAlias are other spellings found in laws.
var latinAlias = map[string]string{"cuater": "quater", "quinques": "quinquies", "quinquis": "quinquies", "quinquie": "quinquies", "sexties": "sexies",
	"septiens": "septies", "octiens": "octies", "novies": "nonies", "noniens": "nonies", "undecimo": "undecies", "duocecies": "duodecies", "tercies": "terdecies",
	"quinquedecies": "quindecies", "sedecies": "sexdecies", "septendecies": "septdecies"}

func suffixRank(s string) int {
	if s == "" {
		return 0
	}
	word, rest, _ := strings.Cut(s, " ")
	for i, l := range latin {
		if word == l {
			return (i+1)*100 + suffixRank(rest)%100
		}
	}
	if v, err := strconv.Atoi(word); err == nil {
		return v % 100
	}
	return int(unicode.ToUpper(rune(word[0]))) - 'A' + 1
}

// units of number words; ordinals and cardinals give the same value.
var numberWords = map[string]int{
	"primer": 1, "primero": 1, "primera": 1, "segundo": 2, "segunda": 2, "tercer": 3, "tercero": 3, "tercera": 3,
	"cuarto": 4, "cuarta": 4, "quinto": 5, "quinta": 5, "sexto": 6, "sexta": 6, "septimo": 7, "septima": 7, "setimo": 7, "setima": 7,
	"octavo": 8, "octava": 8, "noveno": 9, "novena": 9, "nono": 9, "decimo": 10, "decima": 10,
	"undecimo": 11, "undecima": 11, "duodecimo": 12, "duodecima": 12, "decimoprimero": 11, "decimoprimera": 11, "decimosegundo": 12, "decimosegunda": 12,
	"decimotercero": 13, "decimotercera": 13, "decimocuarto": 14, "decimocuarta": 14, "decimoquinto": 15, "decimoquinta": 15, "decimosexto": 16, "decimosexta": 16,
	"decimoseptimo": 17, "decimoseptima": 17, "decimosetima": 17, "decimosetimo": 17, "decimoctavo": 18, "decimoctava": 18, "decimooctavo": 18, "decimooctava": 18, "decimonoveno": 19, "decimonovena": 19,
	"vigesimo": 20, "vigesima": 20, "trigesimo": 30, "trigesima": 30, "cuadragesimo": 40, "cuadragesima": 40,
	"quincuagesimo": 50, "quincuagesima": 50, "sexagesimo": 60, "sexagesima": 60, "septuagesimo": 70, "septuagesima": 70,
	"octogesimo": 80, "octogesima": 80, "nonagesimo": 90, "nonagesima": 90, "centesimo": 100, "centesima": 100,
	"uno": 1, "una": 1, "un": 1, "dos": 2, "tres": 3, "cuatro": 4, "cinco": 5, "seis": 6, "siete": 7, "ocho": 8, "nueve": 9, "diez": 10,
	"once": 11, "doce": 12, "trece": 13, "catorce": 14, "quince": 15, "dieciseis": 16, "diecisiete": 17, "dieciocho": 18, "diecinueve": 19,
	"veinte": 20, "veintiuno": 21, "veintiun": 21, "veintidos": 22, "veintitres": 23, "veintres": 23, "veinticuatro": 24, "veinticinco": 25, "veintiseis": 26,
	"veintisiete": 27, "veintiocho": 28, "veintinueve": 29, "treinta": 30, "cuarenta": 40, "cincuenta": 50, "sesenta": 60, "setenta": 70, "ochenta": 80, "noventa": 90,
	"cien": 100, "ciento": 100,
}

// compound ordinals are written in one word too: "vigesimoprimera".
var compoundHeads = []struct {
	word  string
	value int
}{{"vigesimo", 20}, {"vigesima", 20}, {"trigesimo", 30}, {"trigesima", 30}, {"cuadragesimo", 40}, {"cuadragesima", 40},
	{"quincuagesimo", 50}, {"quincuagesima", 50}, {"sexagesimo", 60}, {"sexagesima", 60}, {"septuagesimo", 70}, {"septuagesima", 70}}

// wordValue gives the value of one folded number word.
func wordValue(w string) (int, bool) {
	if v, ok := numberWords[w]; ok {
		return v, true
	}
	for _, h := range compoundHeads {
		if rest, ok := strings.CutPrefix(w, h.word); ok && rest != "" {
			if v, ok := numberWords[rest]; ok && v < 10 {
				return h.value + v, true
			}
		}
	}
	return 0, false
}

// ParseNumber reads a unit's number at the start of s and returns how many
// bytes it took, ordinal marks and suffix included. It takes no separator that
// belongs to the heading ("12.-" takes "12").
func ParseNumber(s string) (n Number, size int, ok bool) {
	if s == "" {
		return n, 0, false
	}
	if s[0] >= '0' && s[0] <= '9' {
		n, size, ok = parseArabic(s)
	} else if n, size, ok = parseRoman(s); !ok {
		n, size, ok = parseWords(s)
	}
	if !ok {
		return Number{}, 0, false
	}
	if sfx, k := parseSuffix(s[size:]); k > 0 {
		n.Suffix = sfx
		size += k
	}
	return n, size, true
}

func parseArabic(s string) (n Number, size int, ok bool) {
	i := 0
	for i < len(s) && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	digits := s[:i]
	// "1.234" with exactly three digits after the point is a thousands mark
	if i <= 2 && i+4 <= len(s) && s[i] == '.' && IsDigits(s[i+1:i+4]) && (i+4 == len(s) || s[i+4] < '0' || s[i+4] > '9') {
		digits += s[i+1 : i+4]
		i += 4
	}
	if len(digits) > maxDigits {
		return n, 0, false
	}
	n.Main, _ = strconv.Atoi(digits)
	return n, i + ordinalMark(s[i:]), n.Main > 0
}

// IsDigits says whether a text is digits and nothing else.
func IsDigits(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return len(s) > 0
}

// ordinalMark gives the bytes of "º", "°", ".º", "ª", "ro", "do", "to" and what
// optical recognition makes of them ("%", "?") after a number.
func ordinalMark(s string) int {
	for _, m := range []string{".º", ".°", ".ª", " º", " °", "º", "°", "ª", "˚", "%", "?"} {
		if strings.HasPrefix(s, m) {
			return len(m)
		}
	}
	for _, m := range []string{"”", "’", "\"", "'", "*"} { // what recognition makes of "°", only before a separator
		if rest, ok := strings.CutPrefix(s, m); ok && rest != "" && strings.IndexByte(".,-;", rest[0]) >= 0 {
			return len(m)
		}
	}
	for _, m := range []string{"ro", "do", "to", "er", "vo", "mo", "no", "ra", "da", "ta", "va", "a", "o"} {
		if strings.HasPrefix(s, m) {
			r, _ := utf8.DecodeRuneInString(s[len(m):])
			if r == '.' || r == '-' || r == ':' || r == '—' || r == '–' || unicode.IsSpace(r) || len(s) == len(m) {
				return len(m)
			}
		}
	}
	return 0
}

func parseRoman(s string) (n Number, size int, ok bool) {
	i := 0
	for i < len(s) && strings.IndexByte("IVXLC", s[i]) >= 0 {
		i++
	}
	if i == 0 || i > 9 {
		return n, 0, false
	}
	if r, _ := utf8.DecodeRuneInString(s[i:]); unicode.IsLetter(r) || unicode.IsDigit(r) {
		return n, 0, false
	}
	v := RomanValue(s[:i])
	if v == 0 || roman(v) != s[:i] {
		return n, 0, false
	}
	return Number{Main: v, Roman: true}, i + ordinalMark(s[i:]), true
}

var romanDigits = []struct {
	s string
	v int
}{{"C", 100}, {"XC", 90}, {"L", 50}, {"XL", 40}, {"X", 10}, {"IX", 9}, {"V", 5}, {"IV", 4}, {"I", 1}}

func roman(v int) string {
	var b strings.Builder
	for _, d := range romanDigits {
		for v >= d.v {
			b.WriteString(d.s)
			v -= d.v
		}
	}
	return b.String()
}

// RomanValue reads a Roman numeral; 0 = it is none.
func RomanValue(s string) int {
	v := 0
	for _, d := range romanDigits {
		for strings.HasPrefix(s, d.s) {
			v += d.v
			s = s[len(d.s):]
		}
	}
	if s != "" {
		return 0
	}
	return v
}

// parseWords reads "primero", "vigésima primera", "treinta y dos", "único".
func parseWords(s string) (n Number, size int, ok bool) {
	pos, end := 0, 0
	for k := 0; k < 6; k++ {
		w := leadingWord(s[pos:])
		if w == "" {
			break
		}
		folded := text.Fold(w)
		switch {
		case folded == "unico" || folded == "unica":
			if k > 0 {
				return n, end, ok
			}
			return Number{Only: true, Main: 1}, len(w), true
		case folded == "y" && ok:
			pos += len(w) + spaces(s[pos+len(w):])
			continue
		}
		v, known := wordValue(folded)
		if !known || (ok && v >= lastMagnitude(n.Main)) {
			break
		}
		n.Main += v
		ok = true
		pos += len(w)
		end = pos
		pos += spaces(s[pos:])
	}
	return n, end, ok
}

// lastMagnitude is what the next word of a compound must be below: after
// "ciento" anything under 100, after "veinte" under 10, after "cinco" nothing.
func lastMagnitude(v int) int {
	switch {
	case v%100 == 0 && v > 0:
		return 100
	case v%10 == 0 && v > 0:
		return 10
	}
	return 0
}

func leadingWord(s string) string {
	for i, r := range s {
		if !unicode.IsLetter(r) {
			return s[:i]
		}
	}
	return s
}

func spaces(s string) int {
	for i, r := range s {
		if !unicode.IsSpace(r) {
			return i
		}
	}
	return len(s)
}

// parseSuffix reads " bis", "-A", "A", " bis 1", ".bis" after a number.
func parseSuffix(s string) (suffix string, size int) {
	i := 0
	for i < len(s) {
		r, w := utf8.DecodeRuneInString(s[i:])
		if !unicode.IsSpace(r) && r != '-' && r != '.' && r != '–' && r != '°' && r != 'º' {
			break
		}
		i += w
		if i > 6 {
			return "", 0
		}
	}
	sep := s[:i]
	if i < len(s) && (s[i] == '"' || s[i] == '\'') {
		i++
	}
	w := leadingWord(s[i:])
	folded := text.Fold(w)
	if a, ok := latinAlias[folded]; ok {
		folded = a
	}
	for _, l := range latin {
		if folded != l {
			continue
		}
		size = i + len(w)
		// "bis 1", "bis A": rare second level
		rest := s[size:]
		if k := spaces(rest); k > 0 && k < len(rest) {
			tail := rest[k:]
			if next := secondSuffix(tail); next != "" {
				return l + " " + next, size + k + len(next)
			}
		}
		return l, size
	}
	letter := len(w) == 1 && w[0] >= 'A' && w[0] <= 'Z'
	if letter && sep == "" || letter && strings.Trim(sep, "°º") == "-" {
		end := i + 1
		if end < len(s) && (s[end] == '"' || s[end] == '\'') {
			end++
		}
		// "16-A.-" is a number; "5-A los efectos" is a dash and a sentence
		r, _ := utf8.DecodeRuneInString(strings.TrimLeft(s[end:], " "))
		if len(s) > end && unicode.IsLower(r) {
			return "", 0
		}
		return w, end
	}
	return "", 0
}

func secondSuffix(s string) string {
	i := 0
	for i < len(s) && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	if i == 0 && s != "" && s[0] >= 'A' && s[0] <= 'Z' {
		i = 1
	}
	if i == 0 || i > 2 {
		return ""
	}
	if r, _ := utf8.DecodeRuneInString(s[i:]); r == '.' || r == ':' || len(s) == i {
		return s[:i]
	}
	return ""
}

// maxDigits is how many digits the number of an article may have: collections that put
// many norms into one file count on.
const maxDigits = 6

// IsZero says that there is no number.
func (n Number) IsZero() bool { return n.Main == 0 && n.Suffix == "" }
