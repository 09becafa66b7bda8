package heading

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"digesto/corpus/ingest/line"
	"digesto/text"
	"digesto/text/lazyregexp"
)

// PartKind is a level of division above units.
type PartKind uint8

const (
	PartNone PartKind = iota // no division
	PartRoot                 // annex, TEXTO REFUNDIDO…: starts a hierarchy of its own
	PartParte
	PartLibro
	PartTitulo
	PartCapitulo
	PartSeccion
	PartSubseccion
	PartFree // heading without a word of division
)

var partKinds = map[string]PartKind{"parte": PartParte, "libro": PartLibro, "titulo": PartTitulo, "capitulo": PartCapitulo,
	"seccion": PartSeccion, "subseccion": PartSubseccion, "apendice": PartRoot}

// readPart reads "TÍTULO I. De la relación…", "Sección 2.ª Derechos…",
// "CAPITULO UNICO", "Título Preliminar"; not "Título IX de la Constitución".
func readPart(f, w, rest string, l line.Line) Head {
	k := spaces(rest)
	if k == 0 && strings.TrimSpace(rest) != "" {
		return Head{}
	}
	body := rest[k:]
	h := Head{Kind: Division, Part: partKinds[f], Upper: IsUpper(w)}
	n, size, ok := ParseNumber(body)
	if !ok {
		word := leadingWord(body)
		switch text.Fold(word) {
		case "preliminar", "adicional", "final", "general", "especial", "transitorio", "complementario":
			size, ok = len(word), true
		}
	}
	if !ok {
		if l.Level > 0 && body != "" {
			return Head{Kind: Title, Rest: w + rest}
		}
		return Head{}
	}
	h.Num = n
	after := body[size:]
	i := 0
	for i < len(after) {
		r, sz := utf8.DecodeRuneInString(after[i:])
		if !unicode.IsSpace(r) && !strings.ContainsRune(".:-–—―−º°ª*_)", r) {
			break
		}
		i += sz
	}
	h.Sep, h.Rest = after[:i], strings.TrimSpace(strings.TrimRight(after[i:], "*_ "))
	if h.Rest == "" {
		return h
	}
	r, _ := utf8.DecodeRuneInString(h.Rest)
	strong := l.Level > 0 || l.Bold || IsUpper(l.Text)
	switch {
	case unicode.IsLower(r) || r == ',' || r == ';':
		if !strong || !strings.ContainsAny(h.Sep, ".:-–—") {
			return Head{}
		}
	case !strong && utf8.RuneCountInString(l.Text) > 160:
		return Head{}
	case !strong && !strings.ContainsAny(h.Sep, ".:-–—ªº") && strings.HasSuffix(l.Text, ".") && len(l.Text) > 100:
		return Head{}
	}
	return h
}

// titleWords begin headings that open a text of their own.
var titleWords = map[string]bool{"texto": true, "reglamento": true, "codigo": true, "estatuto": true, "estatutos": true, "constitucion": true, "nuevo": true,
	"preambulo": true, "exposicion": true, "dispongo": true, "decreta": true, "resuelve": true, "considerando": true, "ley": true, "ordenanza": true, "convenio": true, "acuerdo": true, "instrumento": true, "tuo": true}

// isTitleLine recognises a free-standing heading in capitals by its first word.
func isTitleLine(folded, s string) bool {
	return titleWords[folded] && IsUpper(s) && utf8.RuneCountInString(s) <= 220 && (folded != "constitucion" || constitution.MatchString(text.Fold(s)))
}

// constitution tells the text from the noun ("CONSTITUCIÓN DE DOMICILIO").
var constitution = lazyregexp.New(`^constitucion (?:nacional|politica|provincial|de la|del|de los)\b`)

// OpensText says whether a title starts another series of articles (the text
// that an approving norm approves), not a preamble or a formula.
func OpensText(title string) bool {
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

// Outline is the path of headings above a unit.
type Outline struct {
	Stack        []outlineEntry
	SectionAbove bool // this norm puts its secciones above its capítulos
}

type outlineEntry struct {
	kind PartKind
	text string
}

func (o *Outline) rank(k PartKind) int {
	if o.SectionAbove {
		switch k {
		case PartSeccion:
			return int(PartCapitulo)
		case PartCapitulo:
			return int(PartSeccion)
		}
	}
	return int(k)
}

// Open enters a heading: it closes those of its rank and below.
func (o *Outline) Open(k PartKind, s string) {
	n := len(o.Stack)
	for n > 0 && o.rank(o.Stack[n-1].kind) >= o.rank(k) {
		n--
	}
	o.Stack = append(o.Stack[:n:n], outlineEntry{k, s})
}

// Title completes the last heading with the title on the following line.
func (o *Outline) Title(s string) {
	if n := len(o.Stack); n > 0 {
		e := o.Stack[n-1]
		o.Stack[n-1] = outlineEntry{e.kind, JoinHeading(e.text, s)}
	}
}

// CloseTo ends the divisions of a level and below it.
func (o *Outline) CloseTo(k PartKind) {
	n := len(o.Stack)
	for n > 0 && o.rank(o.Stack[n-1].kind) >= o.rank(k) {
		n--
	}
	o.Stack = o.Stack[:n]
}

// Path gives the open divisions, from the outermost.
func (o *Outline) Path() []string {
	if len(o.Stack) == 0 {
		return nil
	}
	p := make([]string, len(o.Stack))
	for i, e := range o.Stack {
		p[i] = e.text
	}
	return p
}

// JoinHeading joins the two lines of a heading.
func JoinHeading(a, b string) string {
	a = strings.TrimRight(a, " .:-–—")
	b = strings.TrimSpace(b)
	if a == "" {
		return b
	}
	if b == "" {
		return a
	}
	if EndsHanging(strings.ToLower(a)) {
		return a + " " + b // a heading over two lines
	}
	return a + ". " + b
}
