package ingest

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"digesto"
	"digesto/text"
)

// headKind is what a line may open.
type headKind uint8

const (
	headNone    headKind = iota
	headArticle          // Artículo 12. …
	headDisp             // Disposición transitoria quinta. …
	headItem             // PRIMERA.- … (a disposition under its group's heading, or a section)
	headNorm             // NORMA XV: …
	headAnnex            // ANEXO I
	headGroup            // DISPOSICIONES FINALES
	headPart             // Libro, Título, Capítulo, Sección
	headTitle            // any other heading: TEXTO REFUNDIDO…, PREÁMBULO
)

// head is what the recogniser reads off the beginning of a line.
type head struct {
	kind   headKind
	unit   digesto.UnitKind
	num    number
	rest   string // what follows number and separator
	sep    string // the separator: tells the style of a norm
	quoted bool   // begins with a quotation mark: it speaks of another norm
	part   partKind
	dash   bool   // number followed by blank and capital only: weak
	style  string // how label and separator are written
	upper  bool   // label in capitals
}

// readHead classifies the beginning of one line. It looks at that line alone;
// sequence and context decide later.
func readHead(l Line) head {
	s, marks := trimLead(l.Text)
	quoted := false
	if q := openQuote(s); q > 0 {
		quoted = true
		s, _ = trimLead(s[q:])
	}
	if s == "" || l.Table {
		return head{}
	}
	h := readHeadWord(s, l)
	h.quoted = quoted
	if h.kind == headNone && marks {
		h.quoted = false
	}
	return h
}

// trimLead drops indentation and the note marks that stand before a label:
// "(*) ", "(154)", "(1)". It says whether a mark was dropped.
func trimLead(s string) (string, bool) {
	marks := false
	for {
		s = strings.TrimLeftFunc(s, func(r rune) bool {
			return unicode.IsSpace(r) || r == '*' || r == '_' || r == '•' || r == '\u200b' || r == '\ufeff'
		})
		k := noteMark(s)
		if k == 0 {
			return s, marks
		}
		s, marks = s[k:], true
	}
}

// noteMark gives the length of "(*)", "(**)", "(12)" at the start of s.
func noteMark(s string) int {
	if len(s) < 3 || s[0] != '(' {
		return 0
	}
	i := 1
	for i < len(s) && (s[i] == '*' || s[i] == ' ') {
		i++
	}
	j := i
	for j < len(s) && s[j] >= '0' && s[j] <= '9' {
		j++
	}
	if j-i > 3 || (j == i && i == 1) || j >= len(s) || s[j] != ')' {
		return 0
	}
	return j + 1
}

func openQuote(s string) int {
	for _, q := range []string{"«", "“", "\"", "‘", "''", "„", "'"} {
		if strings.HasPrefix(s, q) {
			return len(q)
		}
	}
	return 0
}

func readHeadWord(s string, l Line) head {
	w := leadingWord(s)
	if w == "" {
		return readOrdinalDigits(s)
	}
	first, _ := utf8.DecodeRuneInString(w)
	if unicode.IsLower(first) {
		return readSmallLabel(w, s[len(w):])
	}
	f := text.Fold(w)
	rest := s[len(w):]
	switch f {
	case "articulo", "art", "articulol", "articuio", "articuto", "aarticulo":
		return readArticle(f, w, rest)
	case "articulos", "arts":
		return readArticle(f, w, rest)
	case "disposicion", "disposiciones", "disposicones", "clausula", "clausulas":
		return readDisposition(f, w, rest, l)
	case "norma":
		return readNorm(w, rest)
	case "anexo", "anexos", "annex":
		return readAnnex(w, rest, l)
	case "libro", "parte", "titulo", "capitulo", "seccion", "subseccion", "apendice":
		return readPart(f, w, rest, l)
	}
	if strings.HasPrefix(w, "ANEXO") && romanValue(w[5:]) > 0 { // "ANEXOI": the blank was lost
		return readAnnex(w[:5], " "+w[5:]+rest, l)
	}
	if _, ok := wordValue(f); ok || f == "unica" || f == "unico" {
		return readOrdinal(s, l)
	}
	if l.Level > 0 || isTitleLine(f, s) {
		return head{kind: headTitle, rest: s}
	}
	return head{}
}

// readSmallLabel takes "artículo 719.- El curador…", a slip for a capital, if
// the whole separator is there: what begins a line inside a sentence has none.
func readSmallLabel(w, rest string) head {
	if w != "artículo" && w != "articulo" {
		return head{}
	}
	h := readArticle("articulo", w, rest)
	r, _ := utf8.DecodeRuneInString(h.rest)
	if h.kind != headArticle || !strings.HasPrefix(h.sep, ".-") && !strings.HasPrefix(h.sep, ".—") || !unicode.IsUpper(r) {
		return head{}
	}
	h.dash = true
	return h
}

func readArticle(f, w, rest string) head {
	if strings.HasPrefix(f, "art") && len(f) <= 4 { // "Art." and "Arts." need their point or a blank
		rest = strings.TrimPrefix(rest, ".")
	}
	k := spaces(rest)
	if k == 0 && !strings.HasPrefix(rest, ":") && (rest == "" || rest[0] < '0' || rest[0] > '9') {
		return head{}
	}
	rest = strings.TrimLeft(rest[k:], "*_: \u00a0")
	n, size, ok := parseNumber(rest)
	if !ok {
		return head{}
	}
	after := rest[size:]
	if to, k := rangeEnd(after, n); k > 0 {
		n.To = to
		after = after[k:]
	} else if f == "arts" || f == "articulos" {
		return head{}
	}
	h := head{kind: headArticle, unit: digesto.KindArticle, num: n, upper: isUpper(w), style: w}
	return h.separated(after, n.Roman || (size > 0 && !isDigits(rest[:1])))
}

// rangeEnd reads " a 10", " al 10" after the first number of a range.
func rangeEnd(s string, from number) (to, size int) {
	for _, sep := range []string{" a ", " al ", "\u00a0a\u00a0", " y "} {
		if !strings.HasPrefix(s, sep) {
			continue
		}
		n, k, ok := parseNumber(s[len(sep):])
		if ok && n.Main >= from.Main && n.Main-from.Main < 400 {
			return n.Main, len(sep) + k
		}
	}
	return 0, 0
}

// separated reads the separator between number and text and refuses what is a
// mention in a sentence ("Artículo 9 de la Ley…", "Artículo 48.4…").
func (h head) separated(after string, word bool) head {
	i := 0
	for i < len(after) {
		r, w := utf8.DecodeRuneInString(after[i:])
		if !unicode.IsSpace(r) && !strings.ContainsRune(".:-–—―−‑_*)º°;·•", r) && !(r == ',' && (strings.HasPrefix(after[i:], ",-") || strings.HasPrefix(after[i:], ".-"))) {
			break
		}
		i += w
	}
	sep := strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || r == '*' || r == '_' {
			return -1
		}
		return r
	}, after[:i])
	h.sep, h.rest = sep, strings.TrimSpace(after[i:])
	h.style += lastRune(strings.TrimRight(sep, "º°)"))
	if h.rest == "" {
		return h
	}
	r, _ := utf8.DecodeRuneInString(h.rest)
	punct := strings.ContainsAny(sep, ".:-–—―−‑")
	switch {
	case !punct && i == 0: // "12bis", "12,": not a heading
		return head{}
	case r == ',' || r == ';' || r == '/':
		return head{}
	case unicode.IsDigit(r) && strings.HasSuffix(sep, ".") && !strings.HasSuffix(strings.TrimRight(after[:i], "*_"), " ") && !strings.Contains(after[:i], " ") && !strings.Contains(after[:i], "\u00a0"):
		return head{} // 48.4
	case !punct && (unicode.IsLower(r) || unicode.IsDigit(r)):
		return head{}
	case unicode.IsLower(r) && sep == "-" && !strings.HasPrefix(after[:i], ".") && !strings.Contains(after[:i], " "):
		return head{}
	}
	h.dash = !punct
	return h
}

// dispositionWords give the kind of a disposition; the first of these that its
// name holds decides, so that "complementaria final" is a final one.
var dispositionWords = []struct {
	stem string
	kind digesto.UnitKind
}{
	{"adicional", digesto.KindAdditional}, {"transitori", digesto.KindTransitional}, {"derogatori", digesto.KindRepealing},
	{"final", digesto.KindFinal}, {"complementari", digesto.KindOther}, {"complementati", digesto.KindOther}, {"modificatori", digesto.KindOther},
	{"especial", digesto.KindOther}, {"comun", digesto.KindOther}, {"general", digesto.KindOther}, {"unica", digesto.KindOther},
}

func dispositionKind(folded string) (digesto.UnitKind, bool) {
	best, kind := len(folded), digesto.UnitKind("")
	for _, d := range dispositionWords[:4] {
		if i := strings.Index(folded, d.stem); i >= 0 && i < best {
			best, kind = i, d.kind
		}
	}
	if kind != "" {
		return kind, true
	}
	for _, d := range dispositionWords[4:7] {
		if strings.Contains(folded, d.stem) {
			return d.kind, true
		}
	}
	return "", false
}

// qualifiers are the words that may stand between "Disposición" and its number.
func qualifiers(s string) (names string, size int) {
	for {
		k := spaces(s[size:])
		w := leadingWord(s[size+k:])
		f := text.Fold(w)
		switch {
		case w == "":
			return names, size
		case f == "y" || f == "e" || f == "o":
		default:
			known := false
			for _, d := range dispositionWords[:9] {
				known = known || strings.HasPrefix(f, d.stem)
			}
			if !known {
				return names, size
			}
			names += " " + f
		}
		size += k + len(w)
		if strings.HasPrefix(s[size:], ",") {
			size++
		}
	}
}

func readDisposition(f, w, rest string, l Line) head {
	names, size := qualifiers(rest)
	kind, ok := dispositionKind(names)
	plural := strings.HasSuffix(f, "es") || strings.HasSuffix(f, "as")
	if !ok {
		if plural && text.Fold(strings.TrimSpace(strings.Trim(rest, ".:*"))) == "" {
			return head{kind: headGroup, unit: digesto.KindOther, rest: w}
		}
		if l.Level > 0 || isUpper(l.Text) {
			return head{kind: headTitle, rest: w + rest}
		}
		return head{}
	}
	after := rest[size:]
	if plural {
		tail := strings.TrimSpace(strings.Trim(strings.TrimSpace(after), ".:*()_-—123456789"))
		if tail == "" || (isUpper(w) && isUpper(tail)) || l.Level > 0 && len(tail) < 60 {
			return head{kind: headGroup, unit: kind, rest: strings.TrimSpace(w + rest)}
		}
		return head{}
	}
	h := head{kind: headDisp, unit: kind, upper: isUpper(w)}
	k := spaces(after)
	n, nsize, ok := parseNumber(after[k:])
	if ok {
		h.num = n
		return h.separated(after[k+nsize:], true)
	}
	if t := strings.TrimSpace(after); t == "" || strings.ContainsAny(t[:1], ".:-") || strings.HasPrefix(t, "–") || strings.HasPrefix(t, "—") {
		return h.separated(after, true)
	}
	if h.upper && isUpper(after) {
		return head{kind: headGroup, unit: kind, rest: w + rest}
	}
	return head{}
}

func readNorm(w, rest string) head {
	k := spaces(rest)
	if k == 0 {
		return head{}
	}
	n, size, ok := parseNumber(rest[k:])
	if !ok || (!n.Roman && !isUpper(w)) {
		return head{}
	}
	h := head{kind: headNorm, unit: digesto.KindPreliminary, num: n, upper: isUpper(w)}
	return h.separated(rest[k+size:], true)
}

func readAnnex(w, rest string, l Line) head {
	h := head{kind: headAnnex, unit: digesto.KindAnnex, upper: isUpper(w)}
	t := strings.TrimSpace(rest)
	if strings.Trim(t, ".*:_") == "" {
		return h
	}
	k := spaces(rest)
	n, size, ok := parseNumber(rest[k:])
	if !ok && k > 0 { // "ANEXO A", "Anexo II-B"
		if lw := leadingWord(rest[k:]); len(lw) == 1 && lw[0] >= 'A' && lw[0] <= 'Z' {
			n, size, ok = number{Suffix: lw}, 1, true
		}
	}
	if ok && k > 0 {
		h.num = n
		g := h.separated(rest[k+size:], true)
		if g.kind == headNone || g.dash && l.Level == 0 && !isUpper(g.rest) && len(l.Text) > 120 {
			return head{}
		}
		return g
	}
	if strings.HasPrefix(t, ".") || strings.HasPrefix(t, ":") || strings.HasPrefix(t, "-") || strings.HasPrefix(t, "–") || strings.HasPrefix(t, "—") {
		return h.separated(rest, true)
	}
	if l.Level > 0 || isUpper(l.Text) {
		h.rest = t
		return h
	}
	return head{}
}

// readOrdinal reads "PRIMERA.- …", "Segunda Disposición Transitoria.- …", "Única.- …",
// "PRIMERA PARTE", and headings such as "Primero. Objeto."
func readOrdinal(s string, l Line) head {
	n, size, ok := parseNumber(s)
	if !ok {
		return head{}
	}
	first, last := leadingWord(s), strings.TrimSpace(s[:size])
	after := s[size:]
	k := spaces(after)
	next := leadingWord(after[k:])
	switch f := text.Fold(next); f {
	case "parte", "libro", "seccion", "titulo", "capitulo":
		if isUpper(l.Text) || l.Level > 0 {
			p := partKinds[f]
			return head{kind: headPart, part: p, num: n, rest: ""}
		}
	case "disposicion":
		names, qs := qualifiers(after[k+len(next):])
		if kind, ok := dispositionKind(names); ok {
			h := head{kind: headDisp, unit: kind, num: n, upper: isUpper(first)}
			return h.separated(after[k+len(next)+qs:], true)
		}
	}
	if !ordinalWord(last) && !n.Only {
		return head{}
	}
	h := head{kind: headItem, num: n, upper: isUpper(first)}
	t := strings.TrimSpace(after)
	if strings.HasPrefix(t, "[") {
		h.rest = t
		return h
	}
	h = h.separated(after, true)
	if h.dash {
		return head{}
	}
	return h
}

// ordinalWord says whether the words of a number are ordinals ("primera",
// "vigésimo segundo"), not cardinals, which begin sentences ("Dos. …" is a list).
func ordinalWord(s string) bool {
	fields := strings.Fields(text.Fold(s))
	if len(fields) == 0 {
		return false
	}
	last := fields[len(fields)-1]
	v, ok := wordValue(last)
	if !ok {
		return isLatin(last)
	}
	switch last {
	case "uno", "una", "un", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve", "diez", "once", "doce", "trece", "catorce", "quince", "cien", "ciento":
		return false
	}
	return v > 0 && !strings.HasPrefix(last, "veint") && !strings.HasPrefix(last, "dieci") && !strings.HasSuffix(last, "enta")
}

func isLatin(w string) bool {
	for _, l := range latin {
		if w == l {
			return true
		}
	}
	return false
}

// readOrdinalDigits reads "1.ª …", "2ª. …", the items of old disposition lists.
func readOrdinalDigits(s string) head {
	if s == "" || s[0] < '0' || s[0] > '9' {
		return head{}
	}
	i := 0
	for i < len(s) && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	rest, ok := strings.CutPrefix(s[i:], ".ª")
	if !ok {
		if rest, ok = strings.CutPrefix(s[i:], "ª"); !ok {
			return head{}
		}
	}
	n, _, ok := parseArabic(s[:i])
	if !ok {
		return head{}
	}
	h := head{kind: headItem, num: n}
	h.rest = strings.TrimLeft(rest, " .-–—\u00a0")
	h.sep = "ª"
	return h
}

// isUpper says whether every letter of s is a capital (and there is one).
func isUpper(s string) bool {
	letter := false
	for _, r := range s {
		if unicode.IsLower(r) && r != 'ª' && r != 'º' {
			return false
		}
		letter = letter || unicode.IsUpper(r)
	}
	return letter
}

func lastRune(s string) string {
	_, w := utf8.DecodeLastRuneInString(s)
	return s[len(s)-w:]
}
