// Package sentence splits a legal text into sentences, each a slice of the
// source with its place, and reads how its paragraphs are numbered.
package sentence

import (
	"strings"
	"unicode"

	"digesto/text"
)

// Sentence is one sentence of a legal text, with its place in code points. Its
// text is the slice [Start, End) of the source, nothing added or taken.
type Sentence struct {
	Start, End int
	Text       string
	Para       int    // index of its paragraph
	First      bool   // begins its paragraph
	Last       bool   // ends its paragraph
	Marker     Marker // how its paragraph is numbered, when First
}

// Marker is the kind of numbering at the start of a paragraph.
type Marker int

// The kinds of numbering. Kinds of one list are equal; a nested list has another.
const (
	NoMarker      Marker = iota
	NumberMarker         // "1." "2.-" "14)"
	OrdinalMarker        // "1.º" "2.ª" "1°"
	LetterMarker         // "a)" "b." "ñ)"
	RomanMarker          // "i)" "iv." "III."
	DashMarker           // "–" "-" "•"
)

// Lead says whether the sentence announces what follows ("…los siguientes:"), also where each
// paragraph of a quoted text is closed ("…los siguientes:»").
func (s Sentence) Lead() bool { return strings.HasSuffix(strings.TrimRight(s.Text, ` "”’»`), ":") }

// Split splits a legal text. Paragraphs end at line ends, except where a
// line plainly goes on; sentences at a full stop, question or exclamation mark
// before a capital. Abbreviations, initials, numbers and the numbering of
// paragraphs do not end one.
func Split(text string) []Sentence {
	rs := []rune(text)
	var out []Sentence
	last := -1
	Walk(rs, func(start, end, para int) bool {
		s := Sentence{Start: start, End: end, Text: string(rs[start:end]), Para: para, First: para != last}
		if s.First {
			_, s.Marker = Mark(rs[start:end])
			if len(out) > 0 {
				out[len(out)-1].Last = true
			}
		}
		out, last = append(out, s), para
		return true
	})
	if len(out) > 0 {
		out[len(out)-1].Last = true
	}
	return out
}

// Walk gives the sentences of a text as [Split] does, by their place in code points and the
// index of their paragraph, until fn says false. It makes no list and no copy.
func Walk(rs []rune, fn func(start, end, para int) bool) {
	para := 0
	for at := 0; at < len(rs); {
		end := paragraphEnd(rs, at)
		some, more := splitParagraph(rs, at, end, func(start, end int) bool { return fn(start, end, para) })
		if !more {
			return
		}
		if some {
			para++
		}
		at = end + 1
	}
}

// paragraphEnd finds the line end that closes the paragraph that begins at at.
func paragraphEnd(rs []rune, at int) int {
	for i := at; i < len(rs); i++ {
		if rs[i] == '\n' && !goesOn(rs, at, i) {
			return i
		}
	}
	return len(rs)
}

// goesOn says that a line was cut in the middle of a sentence: it ends without
// any mark and the next begins in lower case without numbering.
func goesOn(rs []rune, from, at int) bool {
	prev := rune(0)
	for i := at - 1; i >= from; i-- {
		if !unicode.IsSpace(rs[i]) {
			prev = rs[i]
			break
		}
	}
	next := at + 1
	for next < len(rs) && rs[next] == ' ' {
		next++
	}
	if next < len(rs) && inWordsAndFigures(rs[next:]) {
		return unicode.IsLetter(prev)
	}
	if next >= len(rs) || prev == 0 || !unicode.IsLower(rs[next]) {
		return false
	}
	if _, m := Mark(rs[next:min(len(rs), next+12)]); m != NoMarker {
		return false
	}
	return unicode.IsLetter(prev) || unicode.IsDigit(prev) || prev == ','
}

// inWordsAndFigures says that a line begins with the figure of a number that
// the line before gives in words: "treinta⏎(30) días".
func inWordsAndFigures(rs []rune) bool {
	i := 1
	if rs[0] != '(' {
		return false
	}
	for i < len(rs) && (unicode.IsDigit(rs[i]) || i > 1 && strings.ContainsRune(".,%", rs[i])) {
		i++
	}
	if i == 1 || i+1 >= len(rs) || rs[i] != ')' {
		return false
	}
	next := skipSpace(rs, i+1, len(rs))
	return next < len(rs) && (unicode.IsLower(rs[next]) || strings.ContainsRune(".,;", rs[next]))
}

// splitParagraph gives the sentences of a paragraph; some says whether there is one, more
// whether more are wanted.
func splitParagraph(rs []rune, from, to int, fn func(start, end int) bool) (some, more bool) {
	from = skipSpace(rs, from, to)
	start := from
	i := from
	if n, m := Mark(rs[from:to]); m != NoMarker {
		i += n
	}
	more = true
	give := func(end int) {
		for end > start && unicode.IsSpace(rs[end-1]) {
			end--
		}
		if end > start {
			some, more = true, fn(start, end)
		}
	}
	for ; i < to && more; i++ {
		if !isStop(rs[i]) || !ends(rs, start, i, to) {
			continue
		}
		end := closers(rs, i+1, to)
		give(end)
		start = skipSpace(rs, end, to)
		i = start - 1
		if n, m := Mark(rs[start:to]); m != NoMarker {
			i += n
		}
	}
	if more {
		give(to)
	}
	return some, more
}

func skipSpace(rs []rune, i, to int) int {
	for i < to && unicode.IsSpace(rs[i]) {
		i++
	}
	return i
}

func isStop(r rune) bool { return r == '.' || r == '?' || r == '!' || r == '…' }

// closers takes the quotation marks and brackets that close with the sentence.
func closers(rs []rune, i, to int) int {
	for i < to && strings.ContainsRune(`»”")’]`, rs[i]) {
		i++
	}
	return i
}

// ends says whether the mark at i ends a sentence that began at start.
func ends(rs []rune, start, i, to int) bool {
	if i+1 < to && isStop(rs[i+1]) {
		return false // the last of a row of marks decides
	}
	next := closers(rs, i+1, to)
	if next >= to {
		return true
	}
	if !unicode.IsSpace(rs[next]) {
		return glued(rs, i, next)
	}
	after := skipSpace(rs, next, to)
	if after >= to {
		return true
	}
	if !opens(rs[after]) {
		return false
	}
	return rs[i] != '.' || !abbreviated(rs, start, i) && !label(rs[start:i])
}

// label says that the text before a full stop only names, by a word and a number, what is
// said behind it: "b) Grupo II. Barcos de vela: …".
func label(rs []rune) bool {
	if len(rs) > longestLabel {
		return false
	}
	n, _ := Mark(rs)
	word, number, _ := strings.Cut(strings.TrimSpace(string(rs[n:])), " ")
	return number != "" && onlyOf(word, unicode.IsLetter) && (onlyOf(number, unicode.IsDigit) || onlyOf(number, func(r rune) bool { return strings.ContainsRune("IVXLC", r) }))
}

// longestLabel bounds a label with its number, in code points.
const longestLabel = 30

func onlyOf(s string, is func(rune) bool) bool {
	return s != "" && strings.IndexFunc(s, func(r rune) bool { return !is(r) }) < 0
}

// glued finds a sentence stuck to the one before, as in "anterior.El": a word
// of two or more lower-case letters, a full stop, a capital and a lower-case letter.
func glued(rs []rune, i, next int) bool {
	return rs[i] == '.' && next == i+1 && i >= 3 && unicode.IsLower(rs[i-1]) && unicode.IsLower(rs[i-2]) && unicode.IsLower(rs[i-3]) &&
		next+1 < len(rs) && unicode.IsUpper(rs[next]) && unicode.IsLower(rs[next+1]) && !inAddress(rs, i)
}

// longestAddress bounds an address of the net, in code points.
const longestAddress = 2000

func inAddress(rs []rune, i int) bool {
	for k := i; k >= max(0, i-longestAddress) && !unicode.IsSpace(rs[k]); k-- {
		if rs[k] == '@' || rs[k] == '/' {
			return true
		}
	}
	return false
}

func opens(r rune) bool {
	return unicode.IsUpper(r) || unicode.IsDigit(r) || strings.ContainsRune(`¿¡«“"(‘[–—-•`, r)
}

// abbreviated says that the full stop at i belongs to an abbreviation, an
// initial or a number that names something ("art. 5", "núm. 3", "D. José").
func abbreviated(rs []rune, start, i int) bool {
	w := i
	for w > start && (unicode.IsLetter(rs[w-1]) || rs[w-1] == '.' || rs[w-1] == 'º' || rs[w-1] == 'ª' || rs[w-1] == '°') {
		w--
	}
	word := strings.ToLower(string(rs[w:i]))
	if word == "" {
		return false
	}
	if abbreviations[word] {
		return true
	}
	if n := len([]rune(word)); n == 1 {
		return !afterListWord(rs, start, w) // an initial; "la letra a." ends
	}
	return strings.Contains(word, ".") && len([]rune(word)) <= 7 // "s.a", "d.l", "ee.uu"
}

// afterListWord says that a single letter before the full stop at the end is
// the name of a letter or paragraph, not an initial.
func afterListWord(rs []rune, start, w int) bool {
	for w > start && rs[w-1] == ' ' {
		w--
	}
	b := w
	for b > start && unicode.IsLetter(rs[b-1]) {
		b--
	}
	switch strings.ToLower(string(rs[b:w])) {
	case "letra", "letras", "literal", "apartado", "inciso", "grupo", "anexo", "categoría", "clase", "y", "e", "o", "título", "capítulo", "libro":
		return true
	}
	return false
}

var abbreviations = text.WordSet(`art arts artº núm núms num nums nº n.º n.os no nro nros pág págs pag pags pp párr párrs parr inc incs ap aps apdo apdos ap.
	d dª dña sr sra sres sras srta dr dra drs lic ing excmo excma ilmo ilma exc mons prof av avda c/ ctra dpto depto prov cap caps tít tit
	disp const cfr cf vid vgr ej p.ej gr fs fj ss sgts sgtes sig sigs ed vol t conf cód res resol dec decr reg rgto of exp expte rad
	ud uds vd vds uu aprox máx mín tel telf cía ltda admón gral ppal doc docs mod rd rdl rdleg lo l.o d.l d.leg d.s r.d r.m`)

// Mark reads the numbering at the start of a paragraph, of a quoted text behind its quotation
// mark: how many code points it takes and its kind.
func Mark(rs []rune) (int, Marker) {
	from := 0
	if len(rs) > 0 && strings.ContainsRune(`"“«`, rs[0]) {
		if from++; len(rs) > 1 && rs[1] == ' ' {
			from++
		}
	}
	if n, kind := mark(rs[from:]); n > 0 {
		return from + n, kind
	}
	return 0, NoMarker
}

func mark(rs []rune) (int, Marker) {
	if len(rs) == 0 {
		return 0, NoMarker
	}
	if strings.ContainsRune("–—-•·▪*", rs[0]) {
		return 1, DashMarker
	}
	i := 0
	if rs[0] == '(' {
		i++
	}
	from := i
	for i < len(rs) && i-from < 4 && unicode.IsDigit(rs[i]) {
		i++
	}
	if i > from {
		return numberMarker(rs, i)
	}
	for i < len(rs) && i-from < 8 && unicode.IsLetter(rs[i]) {
		i++
	}
	if n := wordMarker(rs, from, i); n > 0 {
		return n, NumberMarker
	}
	return letterMarker(rs, from, min(i, from+5))
}

// numberMarker reads what follows the digits that end at i: "1." "1.º" "1)" "1.-" "1.1."
func numberMarker(rs []rune, i int) (int, Marker) {
	dotted := false
	for i+1 < len(rs) && rs[i] == '.' && unicode.IsDigit(rs[i+1]) { // "4.1."
		from := i
		for i++; i < len(rs) && unicode.IsDigit(rs[i]); i++ {
		}
		dotted = i-from < 4 // no "1.500"
	}
	if i >= len(rs) {
		return 0, NoMarker
	}
	if dotted && rs[i] == ' ' && i+1 < len(rs) && unicode.IsUpper(rs[i+1]) { // "218.2 El…"
		return i, NumberMarker
	}
	kind, n := NumberMarker, i
	if rs[n] == '.' || rs[n] == ')' {
		n++
	}
	if n < len(rs) && strings.ContainsRune("ºª°", rs[n]) {
		kind = OrdinalMarker
		n++
		if n < len(rs) && (rs[n] == '.' || rs[n] == ')') {
			n++
		}
	}
	if n == i {
		return 0, NoMarker
	}
	for n < len(rs) && strings.ContainsRune("-–—", rs[n]) {
		n++
	}
	return n, kind
}

// wordMarker reads a paragraph's number written out ("Uno.", "Dos.-"); 0 without one.
func wordMarker(rs []rune, from, i int) int {
	if i+1 >= len(rs) || rs[i] != '.' || !unicode.IsUpper(rs[from]) {
		return 0
	}
	switch strings.ToLower(string(rs[from:i])) {
	case "uno", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve", "diez", "once", "doce", "trece", "catorce", "quince":
	default:
		return 0
	}
	n := i + 1
	for n < len(rs) && strings.ContainsRune("-–—", rs[n]) {
		n++
	}
	return n
}

func letterMarker(rs []rune, from, i int) (int, Marker) {
	if i-from == 1 && i < len(rs) && rs[i] == ' ' {
		for _, more := range []string{" bis)", " ter)", " quater)"} {
			if strings.HasPrefix(string(rs[i:min(len(rs), i+8)]), more) { // "b bis)"
				return i + len(more), LetterMarker
			}
		}
	}
	if i == from || i >= len(rs) || rs[i] != ')' && rs[i] != '.' {
		return 0, NoMarker
	}
	word := strings.ToLower(string(rs[from:i]))
	n := i + 1
	for n < len(rs) && strings.ContainsRune("-–—", rs[n]) {
		n++
	}
	single := i-from == 1
	if rs[i] == '.' && single && n < len(rs) && rs[n] != ' ' && rs[n-1] == '.' {
		return 0, NoMarker // "S.A."
	}
	if !single && strings.Trim(word, "ivxlc") == "" {
		return n, RomanMarker
	}
	if single && rs[i] == ')' && (word == "i" || word == "v" || word == "x") {
		return n, LetterMarker
	}
	if single || (rs[i] == ')' && i-from == 2 && rs[from] == rs[from+1]) { // "a)" "aa)" "ll)"
		return n, LetterMarker
	}
	return 0, NoMarker
}
