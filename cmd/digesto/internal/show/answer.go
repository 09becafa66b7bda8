package show

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	"digesto"
	"digesto/cmd/digesto/internal/terminal"
	"digesto/corpus"
	"digesto/text/figure"
	"digesto/text/lazyregexp"
)

// printer lays an answer out for people: the answer, its numbered sources,
// notes, and how sure it is.
type printer struct {
	to    terminal.Screen
	width int
	AnswerOptions
	err error
}

// AnswerOptions say where an answer is read.
type AnswerOptions struct {
	Links    bool              // terminal: addresses as hyperlinks
	Asks     bool              // what is offered is chosen by its number
	Streamed bool              // the text of the answer has been shown already
	Packs    map[string]string // titles by name
}

// Answer prints an answer.
func Answer(to terminal.Screen, a digesto.Answer, o AnswerOptions) error {
	p := &printer{to: to, width: to.Columns(), AnswerOptions: o}
	p.answer(a)
	return p.err
}

// Next prints what a question was taken as, and what may be asked next.
func Next(to terminal.Screen, m *digesto.Meta) {
	p := &printer{to: to}
	if told := m.Told(); told != "" {
		p.line("\nEntendí: " + terminal.Clean(told))
	}
	if len(m.Next) > 0 {
		p.line(p.to.Bold("Puede seguir con"))
		for i, n := range m.Next {
			p.line(fmt.Sprintf("  %s %s", p.to.Num(strconv.Itoa(i+1)+")"), terminal.Clean(n)))
		}
	}
}

func (p *printer) line(s string) {
	if p.err == nil {
		_, p.err = fmt.Fprintln(p.to, s)
	}
}

func (p *printer) answer(a digesto.Answer) {
	if !a.Refusal && len(a.Citations) > 0 && bandWord(a.Confidence) == "baja" {
		p.line(p.to.Bold("Poco segura: es lo más cercano que hay en los textos y puede no responder a la pregunta.") + "\n")
	}
	if a.Meta != nil && len(a.Meta.Readings) > 0 {
		p.readings(a)
		p.footer(a)
		return
	}
	if !p.Streamed {
		for para := range strings.SplitSeq(strings.TrimSpace(p.told(a)), "\n") {
			p.line(p.marks(strings.Join(terminal.Wrap(para, p.width), "\n")))
		}
	}
	if a.Meta != nil {
		for i, o := range a.Meta.Options {
			p.line(fmt.Sprintf("  %s %s", p.to.Num(strconv.Itoa(i+1)+")"), terminal.Clean(cmp.Or(p.Packs[o], o))))
		}
		if len(a.Meta.Options) > 0 && !p.Asks {
			p.line("Vuelva a preguntar diciendo cuál.")
		}
		p.steps(a.Meta.Steps)
	}
	if len(a.Citations) > 0 {
		p.line("\n" + p.to.Bold("Fuentes"))
		p.citations(a)
	}
	if a.Notes != nil && strings.TrimSpace(*a.Notes) != "" {
		p.line("\n" + p.to.Bold("Notas"))
		// A command stands at the start of a line, so that it can be copied whole.
		notes := strings.ReplaceAll(strings.TrimSpace(terminal.Clean(*a.Notes)), ": digesto ", ":\ndigesto ")
		for para := range strings.SplitSeq(notes, "\n") {
			p.line(terminal.Indent(para, p.width, 2))
		}
	}
	p.footer(a)
}

// sourceLine is how an answer names its sources; below it they are listed.
var sourceLine = lazyregexp.New(`(?m)^Fuentes?: .*$`)

// told is the text of an answer, without what is listed below it.
func (p *printer) told(a digesto.Answer) string {
	if len(a.Citations) == 0 {
		return terminal.Clean(a.Answer)
	}
	return sourceLine.ReplaceAllString(terminal.Clean(a.Answer), "")
}

// citations prints the sources: several quotations of one place that stand in the answer
// already share its lines.
func (p *printer) citations(a digesto.Answer) {
	for i := 0; i < len(a.Citations); i++ {
		c, also := a.Citations[i], ""
		told := stands(a.Answer, c.Quote)
		for told && i+1 < len(a.Citations) && a.Citations[i+1].Ref != nil && placeOf(a.Citations[i+1]) == placeOf(c) && stands(a.Answer, a.Citations[i+1].Quote) {
			i++
			also += "[" + a.Citations[i].Ref.Label + "] "
		}
		p.citation(i, c, told, also)
	}
}

// readings prints what a question may mean, each with its answer and its proof.
func (p *printer) readings(a digesto.Answer) {
	if head, _, _ := strings.Cut(terminal.Clean(a.Answer), "\n"); !p.Streamed {
		p.line(p.to.Bold(strings.Join(terminal.Wrap(head, p.width), "\n")))
	}
	for i, r := range a.Meta.Readings {
		p.line(fmt.Sprintf("\n%s %s", p.to.Num(strconv.Itoa(i+1)+")"), p.to.Bold(terminal.Clean(r.Question()))))
		p.line(terminal.Indent(terminal.Clean(r.Answer), p.width, 3))
		for k, c := range r.Citations {
			p.quote("", c)
			// Of several of one place the place is told once, below them.
			if k+1 == len(r.Citations) || placeOf(r.Citations[k+1]) != placeOf(c) {
				p.source("     ", c, "")
			}
		}
	}
	if p.Asks {
		return
	}
	p.line("\nSiga con una de ellas: pregúntela, o conteste su número en la misma conversación (digesto ask -i, o --conversation).")
}

// marks paints the marks of sources.
func (p *printer) marks(s string) string {
	if !p.to.On {
		return s
	}
	for i := 1; strings.Contains(s, "[C"+strconv.Itoa(i)+"]"); i++ {
		m := "[C" + strconv.Itoa(i) + "]"
		s = strings.ReplaceAll(s, m, p.to.Num(m))
	}
	return s
}

func (p *printer) steps(steps []digesto.Step) {
	if len(steps) == 0 {
		return
	}
	p.line("\n" + p.to.Bold("Cálculo"))
	for _, s := range steps {
		p.line(terminal.Indent(stepLine(s), p.width, 2))
	}
}

// stepLine is a step of a calculation: figures as people write them, and where it stands
// in the law; the identifier of a row of ours says nothing to anybody.
func stepLine(s digesto.Step) string {
	l := s.Text
	unit := cmp.Or(map[string]string{"EUR": "€", "ARS": "pesos", "fecha": " "}[s.Unit], s.Unit)
	result := asWritten(digesto.Date(s.Result))
	if result == s.Result {
		result = figure.Spanish(s.Result)
	}
	if s.Result != "" {
		l += " = " + strings.TrimSpace(result+" "+unit)
	}
	if s.Source != "" && (strings.Contains(s.Source, " ") || !strings.ContainsAny(s.Source, "0123456789")) {
		l += " (" + s.Source + ")"
	}
	return terminal.Clean(l)
}

// stands says that a quotation can be read in the answer already.
func stands(answer, quote string) bool {
	flat := func(s string) string { return strings.Join(strings.Fields(s), " ") }
	return strings.Contains(flat(answer), flat(quote))
}

// citation prints the quotation, unless it was told, its place, its date, its link; also are
// the marks of others of the same place.
func (p *printer) citation(i int, c digesto.Citation, told bool, also string) {
	label := "[C" + strconv.Itoa(i+1) + "]"
	if c.Ref != nil && c.Ref.Label != "" {
		label = "[" + c.Ref.Label + "]"
	}
	head := p.to.Num(label) + strings.Repeat(" ", max(5-len(label), 1))
	if !told {
		p.quote(head, c)
		head = "     "
	}
	p.source(head, c, also)
}

// source prints where a quotation stands, after a mark and those of others of the same place.
func (p *printer) source(head string, c digesto.Citation, also string) {
	if place := placeOf(c); place != "" {
		p.line(head + p.marks(strings.TrimLeft(terminal.Indent(also+place, p.width, 5), " ")))
	}
	if when := whenOf(c); when != "" {
		p.line(p.to.Dim(terminal.Indent(when, p.width, 5)))
	}
	switch {
	case c.Ref == nil:
	case c.Ref.URL != "":
		p.line("     " + p.link(terminal.Clean(c.Ref.URL)))
	case c.Ref.CheckURL != "":
		p.line("     compruébelo en " + p.link(terminal.Clean(c.Ref.CheckURL)))
	}
}

// quote prints the words of a quotation, after its mark.
func (p *printer) quote(head string, c digesto.Citation) {
	for _, l := range terminal.Wrap("«"+terminal.Clean(c.Quote)+"»", p.width-6) {
		p.line(cmp.Or(head, "     ") + p.to.Mark(l))
		head = ""
	}
}

// placeOf is "Ley 20.744 de Contrato de Trabajo, art. 245 · Título XII > Capítulo IV", and
// of a document with pages its name and page; of our own words their name.
func placeOf(c digesto.Citation) string {
	if c.Ref != nil && c.Ref.Place != "" {
		s := c.Ref.Place
		if c.Page != nil {
			s += ", página " + strconv.Itoa(*c.Page) + " de " + c.Source
		}
		if len(c.Ref.Path) > 0 {
			s += " · " + strings.Join(c.Ref.Path, " > ")
		}
		return terminal.Clean(s)
	}
	var parts []string
	if c.Ref != nil {
		parts = append(parts, c.Ref.Path...)
		if c.Ref.Title != "" {
			parts = append(parts, c.Ref.Title)
		}
	}
	s := terminal.Clean(strings.Join(parts, " > "))
	if c.Source != "" && !strings.Contains(s, c.Source) {
		s += " · " + terminal.Clean(c.Source)
	}
	if c.Page != nil {
		s += ", página " + strconv.Itoa(*c.Page)
	}
	return strings.TrimPrefix(s, " · ")
}

// whenOf says which version it is and since when it holds.
func whenOf(c digesto.Citation) string {
	if c.Ref == nil {
		return ""
	}
	if !c.Ref.Official && !c.Ref.Supplied {
		return "ficha de Digesto: no es texto legal"
	}
	s := "versión " + asWritten(digesto.Date(c.Ref.Version))
	if c.Ref.Supplied {
		s = corpus.SuppliedMark + ": no consta que venga de su publicador · " + s
	}
	switch {
	case c.Ref.ValidFrom != nil && c.Ref.ValidTo != nil:
		s += ", en vigor del " + asWritten(*c.Ref.ValidFrom) + " al " + asWritten(*c.Ref.ValidTo)
	case c.Ref.ValidFrom != nil:
		s += ", vigente desde el " + asWritten(*c.Ref.ValidFrom)
	case c.Ref.ValidTo != nil:
		s += ", en vigor hasta el " + asWritten(*c.Ref.ValidTo)
	default:
		s += ", no consta desde cuándo rige"
	}
	return terminal.Clean(s)
}

// asWritten is a date as people write it; what is none stays as it is.
func asWritten(d digesto.Date) string {
	if day, err := time.Parse(time.DateOnly, string(d)); err == nil {
		return day.Format("02/01/2006")
	}
	return string(d)
}

// link writes an address as a hyperlink where terminals know how (OSC 8).
func (p *printer) link(url string) string {
	if !p.Links || !p.to.On {
		return url
	}
	return "\x1b]8;;" + url + "\x1b\\" + url + "\x1b]8;;\x1b\\"
}

// footer says how sure the answer is, of which day, from which corpus.
func (p *printer) footer(a digesto.Answer) {
	if a.Meta == nil {
		return
	}
	var parts []string
	if a.Refusal {
		parts = append(parts, "sin respuesta")
	} else if len(a.Citations) > 0 {
		parts = append(parts, "confianza "+bandWord(a.Confidence)+" ("+strings.Replace(strconv.FormatFloat(a.Confidence, 'f', 2, 64), ".", ",", 1)+")")
	}
	if a.Meta.Pack != "" {
		parts = append(parts, "paquete "+a.Meta.Pack)
	}
	parts = append(parts, "a fecha de "+asWritten(a.Meta.AsOf), fmt.Sprintf("%d ms", a.Meta.ElapsedMS))
	if len(a.Meta.Degraded) > 0 {
		parts = append(parts, "con menos medios: "+strings.Join(a.Meta.Degraded, ", "))
	}
	p.line("\n" + p.to.Dim(strings.Join(parts, " · ")))
	if a.Meta.AINotice != "" {
		p.line(p.to.Dim(strings.Join(terminal.Wrap(a.Meta.AINotice, p.width), "\n")))
	}
}

// bandWord names the band of a confidence; the limits are those of the contract.
func bandWord(c float64) string {
	switch {
	case c >= .7:
		return "alta"
	case c >= .3:
		return "moderada"
	}
	return "baja"
}
