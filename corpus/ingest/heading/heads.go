// Package heading reads single lines as the headings of laws: articles, dispositions,
// divisions, annexes, with their numbers; and the words by which a unit shows that it
// only changes other norms.
package heading

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"digesto"
	"digesto/corpus/ingest/line"
	"digesto/text"
)

// Kind is what a line may open.
type Kind uint8

const (
	None        Kind = iota // text
	Article                 // Artículo 12. …
	Disposition             // Disposición transitoria quinta. …
	Item                    // PRIMERA.- … (a disposition under its group's heading, or a section)
	Norm                    // NORMA XV: …
	Annex                   // ANEXO I
	Group                   // DISPOSICIONES FINALES
	Division                // Libro, Título, Capítulo, Sección
	Title                   // any other heading: TEXTO REFUNDIDO…, PREÁMBULO
)

// Head is what the recogniser reads off the beginning of a line.
type Head struct {
	Kind   Kind
	Unit   digesto.UnitKind
	Num    Number
	Rest   string // what follows number and separator
	Sep    string // the separator: tells the style of a norm
	Quoted bool   // begins with a quotation mark: it speaks of another norm
	Part   PartKind
	Dash   bool   // number followed by blank and capital only: weak
	Style  string // how label and separator are written
	Upper  bool   // label in capitals
}

// Read classifies the beginning of one line. It looks at that line alone;
// sequence and context decide later.
func Read(l line.Line) Head {
	s, marks := TrimLead(l.Text)
	quoted := false
	if q := OpenQuote(s); q > 0 {
		quoted = true
		s, _ = TrimLead(s[q:])
	}
	if s == "" || l.Table {
		return Head{}
	}
	h := ReadWord(s, l)
	h.Quoted = quoted
	if h.Kind == None && marks {
		h.Quoted = false
	}
	return h
}

// TrimLead drops indentation and the note marks that stand before a label:
// "(*) ", "(154)", "(1)". It says whether a mark was dropped.
func TrimLead(s string) (string, bool) {
	marks := false
	for {
		s = strings.TrimLeftFunc(s, func(r rune) bool {
			return unicode.IsSpace(r) || r == '*' || r == '_' || r == '•' || r == '\u200b' || r == '\ufeff'
		})
		k := NoteMark(s)
		if k == 0 {
			return s, marks
		}
		s, marks = s[k:], true
	}
}

// NoteMark gives the length of "(*)", "(**)", "(12)" at the start of s.
func NoteMark(s string) int {
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

// OpenQuote gives the size of the quotation mark that a text opens with; 0 = none.
func OpenQuote(s string) int {
	for _, q := range []string{"«", "“", "\"", "‘", "''", "„", "'"} {
		if strings.HasPrefix(s, q) {
			return len(q)
		}
	}
	return 0
}

// ReadWord reads a line whose marks are off by its first word.
func ReadWord(s string, l line.Line) Head {
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
	if strings.HasPrefix(w, "ANEXO") && RomanValue(w[5:]) > 0 { // "ANEXOI": the blank was lost
		return readAnnex(w[:5], " "+w[5:]+rest, l)
	}
	if _, ok := wordValue(f); ok || f == "unica" || f == "unico" {
		return readOrdinal(s, l)
	}
	if l.Level > 0 || isTitleLine(f, s) {
		return Head{Kind: Title, Rest: s}
	}
	return Head{}
}

// readSmallLabel takes "artículo 719.- El curador…", a slip for a capital, if
// the whole separator is there: what begins a line inside a sentence has none.
func readSmallLabel(w, rest string) Head {
	if w != "artículo" && w != "articulo" {
		return Head{}
	}
	h := readArticle("articulo", w, rest)
	r, _ := utf8.DecodeRuneInString(h.Rest)
	if h.Kind != Article || !strings.HasPrefix(h.Sep, ".-") && !strings.HasPrefix(h.Sep, ".—") || !unicode.IsUpper(r) {
		return Head{}
	}
	h.Dash = true
	return h
}

func readArticle(f, w, rest string) Head {
	if strings.HasPrefix(f, "art") && len(f) <= 4 { // "Art." and "Arts." need their point or a blank
		rest = strings.TrimPrefix(rest, ".")
	}
	k := spaces(rest)
	if k == 0 && !strings.HasPrefix(rest, ":") && (rest == "" || rest[0] < '0' || rest[0] > '9') {
		return Head{}
	}
	rest = strings.TrimLeft(rest[k:], "*_: \u00a0")
	n, size, ok := ParseNumber(rest)
	if !ok {
		return Head{}
	}
	after := rest[size:]
	if to, k := rangeEnd(after, n); k > 0 {
		n.To = to
		after = after[k:]
	} else if f == "arts" || f == "articulos" {
		return Head{}
	}
	h := Head{Kind: Article, Unit: digesto.KindArticle, Num: n, Upper: IsUpper(w), Style: w}
	return h.separated(after, n.Roman || (size > 0 && !IsDigits(rest[:1])))
}

// rangeEnd reads " a 10", " al 10" after the first number of a range.
func rangeEnd(s string, from Number) (to, size int) {
	for _, sep := range []string{" a ", " al ", "\u00a0a\u00a0", " y "} {
		if !strings.HasPrefix(s, sep) {
			continue
		}
		n, k, ok := ParseNumber(s[len(sep):])
		if ok && n.Main >= from.Main && n.Main-from.Main < 400 {
			return n.Main, len(sep) + k
		}
	}
	return 0, 0
}

// separated reads the separator between number and text and refuses what is a
// mention in a sentence ("Artículo 9 de la Ley…", "Artículo 48.4…").
func (h Head) separated(after string, word bool) Head {
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
	h.Sep, h.Rest = sep, strings.TrimSpace(after[i:])
	h.Style += lastRune(strings.TrimRight(sep, "º°)"))
	if h.Rest == "" {
		return h
	}
	r, _ := utf8.DecodeRuneInString(h.Rest)
	punct := strings.ContainsAny(sep, ".:-–—―−‑")
	switch {
	case !punct && i == 0: // "12bis", "12,": not a heading
		return Head{}
	case r == ',' || r == ';' || r == '/':
		return Head{}
	case unicode.IsDigit(r) && strings.HasSuffix(sep, ".") && !strings.HasSuffix(strings.TrimRight(after[:i], "*_"), " ") && !strings.Contains(after[:i], " ") && !strings.Contains(after[:i], "\u00a0"):
		return Head{} // 48.4
	case !punct && (unicode.IsLower(r) || unicode.IsDigit(r)):
		return Head{}
	case unicode.IsLower(r) && sep == "-" && !strings.HasPrefix(after[:i], ".") && !strings.Contains(after[:i], " "):
		return Head{}
	}
	h.Dash = !punct
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

func readDisposition(f, w, rest string, l line.Line) Head {
	names, size := qualifiers(rest)
	kind, ok := dispositionKind(names)
	plural := strings.HasSuffix(f, "es") || strings.HasSuffix(f, "as")
	if !ok {
		if plural && text.Fold(strings.TrimSpace(strings.Trim(rest, ".:*"))) == "" {
			return Head{Kind: Group, Unit: digesto.KindOther, Rest: w}
		}
		if l.Level > 0 || IsUpper(l.Text) {
			return Head{Kind: Title, Rest: w + rest}
		}
		return Head{}
	}
	after := rest[size:]
	if plural {
		tail := strings.TrimSpace(strings.Trim(strings.TrimSpace(after), ".:*()_-—123456789"))
		if tail == "" || (IsUpper(w) && IsUpper(tail)) || l.Level > 0 && len(tail) < 60 {
			return Head{Kind: Group, Unit: kind, Rest: strings.TrimSpace(w + rest)}
		}
		return Head{}
	}
	h := Head{Kind: Disposition, Unit: kind, Upper: IsUpper(w)}
	k := spaces(after)
	n, nsize, ok := ParseNumber(after[k:])
	if ok {
		h.Num = n
		return h.separated(after[k+nsize:], true)
	}
	if t := strings.TrimSpace(after); t == "" || strings.ContainsAny(t[:1], ".:-") || strings.HasPrefix(t, "–") || strings.HasPrefix(t, "—") {
		return h.separated(after, true)
	}
	if h.Upper && IsUpper(after) {
		return Head{Kind: Group, Unit: kind, Rest: w + rest}
	}
	return Head{}
}

func readNorm(w, rest string) Head {
	k := spaces(rest)
	if k == 0 {
		return Head{}
	}
	n, size, ok := ParseNumber(rest[k:])
	if !ok || (!n.Roman && !IsUpper(w)) {
		return Head{}
	}
	h := Head{Kind: Norm, Unit: digesto.KindPreliminary, Num: n, Upper: IsUpper(w)}
	return h.separated(rest[k+size:], true)
}

func readAnnex(w, rest string, l line.Line) Head {
	h := Head{Kind: Annex, Unit: digesto.KindAnnex, Upper: IsUpper(w)}
	t := strings.TrimSpace(rest)
	if strings.Trim(t, ".*:_") == "" {
		return h
	}
	k := spaces(rest)
	n, size, ok := ParseNumber(rest[k:])
	if !ok && k > 0 { // "ANEXO A", "Anexo II-B"
		if lw := leadingWord(rest[k:]); len(lw) == 1 && lw[0] >= 'A' && lw[0] <= 'Z' {
			n, size, ok = Number{Suffix: lw}, 1, true
		}
	}
	if ok && k > 0 {
		h.Num = n
		g := h.separated(rest[k+size:], true)
		if g.Kind == None || g.Dash && l.Level == 0 && !IsUpper(g.Rest) && len(l.Text) > 120 {
			return Head{}
		}
		return g
	}
	if strings.HasPrefix(t, ".") || strings.HasPrefix(t, ":") || strings.HasPrefix(t, "-") || strings.HasPrefix(t, "–") || strings.HasPrefix(t, "—") {
		return h.separated(rest, true)
	}
	if l.Level > 0 || IsUpper(l.Text) {
		h.Rest = t
		return h
	}
	return Head{}
}

// readOrdinal reads "PRIMERA.- …", "Segunda Disposición Transitoria.- …", "Única.- …",
// "PRIMERA PARTE", and headings such as "Primero. Objeto."
func readOrdinal(s string, l line.Line) Head {
	n, size, ok := ParseNumber(s)
	if !ok {
		return Head{}
	}
	first, last := leadingWord(s), strings.TrimSpace(s[:size])
	after := s[size:]
	k := spaces(after)
	next := leadingWord(after[k:])
	switch f := text.Fold(next); f {
	case "parte", "libro", "seccion", "titulo", "capitulo":
		if IsUpper(l.Text) || l.Level > 0 {
			p := partKinds[f]
			return Head{Kind: Division, Part: p, Num: n, Rest: ""}
		}
	case "disposicion":
		names, qs := qualifiers(after[k+len(next):])
		if kind, ok := dispositionKind(names); ok {
			h := Head{Kind: Disposition, Unit: kind, Num: n, Upper: IsUpper(first)}
			return h.separated(after[k+len(next)+qs:], true)
		}
	}
	if !ordinalWord(last) && !n.Only {
		return Head{}
	}
	h := Head{Kind: Item, Num: n, Upper: IsUpper(first)}
	t := strings.TrimSpace(after)
	if strings.HasPrefix(t, "[") {
		h.Rest = t
		return h
	}
	h = h.separated(after, true)
	if h.Dash {
		return Head{}
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
func readOrdinalDigits(s string) Head {
	if s == "" || s[0] < '0' || s[0] > '9' {
		return Head{}
	}
	i := 0
	for i < len(s) && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	rest, ok := strings.CutPrefix(s[i:], ".ª")
	if !ok {
		if rest, ok = strings.CutPrefix(s[i:], "ª"); !ok {
			return Head{}
		}
	}
	n, _, ok := parseArabic(s[:i])
	if !ok {
		return Head{}
	}
	h := Head{Kind: Item, Num: n}
	h.Rest = strings.TrimLeft(rest, " .-–—\u00a0")
	h.Sep = "ª"
	return h
}

// IsUpper says whether every letter of s is a capital (and there is one).
func IsUpper(s string) bool {
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

// hanging are words after which a sentence cannot end, and whether they stand only before what they go
// with: "la presente ley" may end a paragraph that lacks its full stop, "a)…, y" comes before an item,
// "ante el" does neither.
var hanging = map[string]bool{
	"de": true, "del": true, "el": true, "la": true, "los": true, "las": true, "al": true, "en": true, "por": true, "con": true, "que": true, "su": true, "sus": true, "un": true, "una": true, "para": true,
	"a": false, "y": false, "e": false, "o": false, "u": false, "articulo": false, "articulos": false, "art": false, "ley": false, "presente": false,
	"segun": false, "como": false, "se": false, "no": false, "n°": false, "nº": false, "lo": false, "sin": false, "sobre": false, "entre": false,
	"este": false, "esta": false, "dicho": false, "dicha": false,
}

// EndsBinding says whether a text ends in the midst of a phrase.
func EndsBinding(s string) bool {
	w := s[strings.LastIndexByte(s, ' ')+1:]
	return !IsUpper(w) && hanging[w]
}

// EndsHanging says whether a text ends on a word that another must follow.
func EndsHanging(s string) bool {
	if strings.HasSuffix(s, ",") {
		return true
	}
	i := strings.LastIndexByte(s, ' ')
	w := s[i+1:]
	if len(w) > 12 || IsUpper(w) && len(w) < 3 {
		return false
	}
	_, ok := hanging[text.Fold(w)]
	return ok
}
