package ingest

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"digesto/text"
)

// partKind is a level of division above units.
type partKind uint8

const (
	partNone partKind = iota
	partRoot          // annex, TEXTO REFUNDIDO…: starts a hierarchy of its own
	partParte
	partLibro
	partTitulo
	partCapitulo
	partSeccion
	partSubseccion
	partFree // heading without a word of division
)

var partKinds = map[string]partKind{"parte": partParte, "libro": partLibro, "titulo": partTitulo, "capitulo": partCapitulo,
	"seccion": partSeccion, "subseccion": partSubseccion, "apendice": partRoot}

// readPart reads "TÍTULO I. De la relación…", "Sección 2.ª Derechos…",
// "CAPITULO UNICO", "Título Preliminar"; not "Título IX de la Constitución".
func readPart(f, w, rest string, l Line) head {
	k := spaces(rest)
	if k == 0 && strings.TrimSpace(rest) != "" {
		return head{}
	}
	body := rest[k:]
	h := head{kind: headPart, part: partKinds[f], upper: isUpper(w)}
	n, size, ok := parseNumber(body)
	if !ok {
		word := leadingWord(body)
		switch text.Fold(word) {
		case "preliminar", "adicional", "final", "general", "especial", "transitorio", "complementario":
			size, ok = len(word), true
		}
	}
	if !ok {
		if l.Level > 0 && body != "" {
			return head{kind: headTitle, rest: w + rest}
		}
		return head{}
	}
	h.num = n
	after := body[size:]
	i := 0
	for i < len(after) {
		r, sz := utf8.DecodeRuneInString(after[i:])
		if !unicode.IsSpace(r) && !strings.ContainsRune(".:-–—―−º°ª*_)", r) {
			break
		}
		i += sz
	}
	h.sep, h.rest = after[:i], strings.TrimSpace(strings.TrimRight(after[i:], "*_ "))
	if h.rest == "" {
		return h
	}
	r, _ := utf8.DecodeRuneInString(h.rest)
	strong := l.Level > 0 || l.Bold || isUpper(l.Text)
	switch {
	case unicode.IsLower(r) || r == ',' || r == ';':
		if !strong || !strings.ContainsAny(h.sep, ".:-–—") {
			return head{}
		}
	case !strong && utf8.RuneCountInString(l.Text) > 160:
		return head{}
	case !strong && !strings.ContainsAny(h.sep, ".:-–—ªº") && strings.HasSuffix(l.Text, ".") && len(l.Text) > 100:
		return head{}
	}
	return h
}

// titleWords begin headings that open a text of their own.
var titleWords = map[string]bool{"texto": true, "reglamento": true, "codigo": true, "estatuto": true, "estatutos": true, "constitucion": true, "nuevo": true,
	"preambulo": true, "exposicion": true, "dispongo": true, "decreta": true, "resuelve": true, "considerando": true, "ley": true, "ordenanza": true, "convenio": true, "acuerdo": true, "instrumento": true, "tuo": true}

// isTitleLine recognises a free-standing heading in capitals by its first word.
func isTitleLine(folded, s string) bool {
	return titleWords[folded] && isUpper(s) && utf8.RuneCountInString(s) <= 220 && (folded != "constitucion" || constitution.MatchString(text.Fold(s)))
}

// constitution tells the text from the noun ("CONSTITUCIÓN DE DOMICILIO").
var constitution = regexp.MustCompile(`^constitucion (?:nacional|politica|provincial|de la|del|de los)\b`)

// opensText says whether a title starts another series of articles (the text
// that an approving norm approves), not a preamble or a formula.
func opensText(title string) bool {
	f := strings.Fields(text.Fold(title))
	if len(f) == 0 {
		return false
	}
	switch f[0] {
	case "texto", "reglamento", "codigo", "estatuto", "estatutos", "constitucion", "nuevo", "ley", "ordenanza", "tuo", "anexo", "apendice":
		return true
	}
	return false
}

// outline is the path of headings above a unit.
type outline struct {
	stack        []outlineEntry
	sectionAbove bool // this norm puts its secciones above its capítulos
}

type outlineEntry struct {
	kind partKind
	text string
}

func (o *outline) rank(k partKind) int {
	if o.sectionAbove {
		switch k {
		case partSeccion:
			return int(partCapitulo)
		case partCapitulo:
			return int(partSeccion)
		}
	}
	return int(k)
}

// open enters a heading: it closes those of its rank and below.
func (o *outline) open(k partKind, s string) {
	n := len(o.stack)
	for n > 0 && o.rank(o.stack[n-1].kind) >= o.rank(k) {
		n--
	}
	o.stack = append(o.stack[:n:n], outlineEntry{k, s})
}

// title completes the last heading with the title on the following line.
func (o *outline) title(s string) {
	if n := len(o.stack); n > 0 {
		e := o.stack[n-1]
		o.stack[n-1] = outlineEntry{e.kind, joinHeading(e.text, s)}
	}
}

func (o *outline) closeTo(k partKind) {
	n := len(o.stack)
	for n > 0 && o.rank(o.stack[n-1].kind) >= o.rank(k) {
		n--
	}
	o.stack = o.stack[:n]
}

func (o *outline) path() []string {
	if len(o.stack) == 0 {
		return nil
	}
	p := make([]string, len(o.stack))
	for i, e := range o.stack {
		p[i] = e.text
	}
	return p
}

func joinHeading(a, b string) string {
	a = strings.TrimRight(a, " .:-–—")
	b = strings.TrimSpace(b)
	if a == "" {
		return b
	}
	if b == "" {
		return a
	}
	if endsHanging(strings.ToLower(a)) {
		return a + " " + b // a heading over two lines
	}
	return a + ". " + b
}
