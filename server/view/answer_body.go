package view

import (
	"strings"
	"time"

	"digesto"
	"digesto/corpus"
	"digesto/text/lazyregexp"
	"digesto/text/sentence"
)

// body deals the lines of an answer out: lines that name the source or a datum, or a
// warning that the notes repeat, are no part of what is read first.
func (p *Answer) body(a digesto.Answer, m *digesto.Meta, place func(string) (int, string)) {
	var said []string
	var cautions [][]span
	for _, l := range whole(lines(a.Answer)) {
		datum := factPattern.FindStringSubmatch(l)
		warning, isWarning := strings.CutPrefix(l, "Aviso: ")
		switch {
		case strings.HasPrefix(l, cautionLead):
			for _, c := range strings.Split(l, cautionLead)[1:] {
				cautions = append(cautions, spans(UpperFirst(strings.TrimSpace(c)), place))
			}
		case strings.HasPrefix(l, "Fuente: ") || strings.HasPrefix(l, "Fuentes: "):
		case isWarning && a.Notes != nil && strings.Contains(*a.Notes, warning):
		case isWarning, strings.HasPrefix(l, "Falta un dato: "):
			p.Notes = append(p.Notes, spans(forForm.ReplaceAllString(or(isWarning, warning, l), ""), place))
		case len(said) > 0 && datum != nil && !markPattern.MatchString(l):
			p.Facts = append(p.Facts, fact{datum[1], datum[2]})
		default:
			said = append(said, l)
		}
	}
	asked := p.Question
	for _, u := range m.Understood {
		if u.Kind == "subject" {
			asked += " " + u.Text
		}
	}
	own := func(c digesto.Citation) bool { return c.Ref != nil && !c.Ref.Official && !c.Ref.Supplied }
	p.Ladder = ladderOf(said, a, asked, place, own)
	p.Ladder.Cautions = cautions
	if p.Ladder.Heading = "Respuesta"; m.Outcome == digesto.OutcomeAnswer && m.Mode != "calculator" && a.Confidence < answers {
		p.Ladder.Heading = "Lo más cercano"
	}
}

// cautionLead opens what is said of a text that may not be the law in force.
const cautionLead = "Atención: "

// forForm is how a calculation tells a program what to send; a person has the words before it.
var forForm = lazyregexp.New(`(?:[:;,]| ?\()? ?d[ií]ga(?:lo|la|los|las) con «[^»]+»(?:(?:,| y| o) «[^»]+»)*\)?`)

var (
	// datedNote and weakNote are what the two signals of an answer say already; asideNote
	// is of use to who checks, not to who asks; commandNote is for who runs the server.
	datedNote   = lazyregexp.New(`^(?:Texto (?:publicado el|con reformas hasta)|La fuente no dice la fecha)`)
	weakNote    = lazyregexp.New(`^La evidencia es limitada`)
	asideNote   = lazyregexp.New(`^(?:Se ha buscado también|El texto sigue|Lo citado remite a)`)
	commandNote = lazyregexp.New(`\bdigesto [a-z]+ `)
)

// sortNotes keeps in sight the notes that change what an answer says; what the answer or
// its signals say is not said again.
func (p *Answer) sortNotes(a digesto.Answer) {
	if a.Notes == nil {
		return
	}
	rest := *a.Notes
	for _, l := range lines(a.Answer) {
		if l = strings.TrimPrefix(l, "Aviso: "); len(l) > 40 {
			rest = strings.ReplaceAll(rest, l, "")
		}
	}
	var said []string
	for _, n := range sentence.Split(rest) {
		said = append(said, strings.TrimSpace(n.Text))
	}
	for _, t := range whole(said) {
		switch {
		case t == "", t == "Aviso sobre el texto citado.", len(a.Citations) > 0 && (datedNote.MatchString(t) || weakNote.MatchString(t)):
		case commandNote.MatchString(t):
			p.Orders = append(p.Orders, linked(t))
		case asideNote.MatchString(t):
			p.Minor = append(p.Minor, linked(t))
		default:
			p.Notes = append(p.Notes, linked(t))
		}
	}
}

// given says what law an answer was given from, and what of it has changed since.
func (p *Answer) given(a digesto.Answer, at time.Time, law *corpus.Snapshot) {
	m := a.Meta
	if m == nil || len(p.Sources) == 0 || m.Mode == "calculator" {
		return
	}
	// Who asked for the law of another day got it: it is no older than what was asked.
	if past := !at.IsZero() && string(m.AsOf) != at.Format(time.DateOnly); !past {
		for _, s := range p.Sources {
			if s.Changed != "" {
				p.Changed = append(p.Changed, s)
			}
		}
	}
	p.Given = "Contestada con la ley instalada"
	if !at.IsZero() {
		p.Given += " el " + DateShort(digesto.Date(at.Format(time.DateOnly)))
	}
	answered := p.Given
	switch {
	case len(p.Changed) > 0:
		p.Given += "."
	case m.Corpus == law.Hash() || m.Corpus == CorpusName(law.Hash()):
		p.Given += ", que es la de ahora."
	default:
		p.Given += ". Desde entonces se han instalado otros textos; lo citado sigue igual."
	}
	for _, s := range p.Sources {
		if !s.Literal && !s.Own && len(p.Changed) == 0 {
			p.Given = answered + "; el texto citado ya no es el que hay instalado: vuelva a preguntar."
		}
	}
}

var factPattern = lazyregexp.New(`^(\p{Ll}[\p{L} ]{2,24}): (.+)$`)

// whole joins lines while a quotation is open: one of several paragraphs is one claim.
func whole(in []string) []string {
	var out []string
	depth := 0
	for _, l := range in {
		if depth > 0 {
			out[len(out)-1] += " " + l
		} else {
			out = append(out, l)
		}
		depth = max(0, depth+strings.Count(l, "«")-strings.Count(l, "»"))
	}
	return out
}
