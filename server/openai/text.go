package openai

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"digesto"
	"digesto/server/view"
	"digesto/text"
)

// foot separates the answer from its options, calculation, sources and notes.
const foot = "\n\n---\n\n"

// chatText writes an answer for a program that shows text alone: first the
// answer, unchanged; below it what other forms have in fields of their own.
func chatText(base string, a digesto.Answer) (string, []chatAnnotation) {
	var parts []string
	if a.Meta != nil {
		parts = append(parts, listed("Opciones:", a.Meta.Options), listed("Cálculo:", stepLines(a.Meta.Steps)))
	}
	parts = append(parts, listed("Fuentes:", sourceLines(base, a)))
	if a.Notes != nil && strings.TrimSpace(*a.Notes) != "" {
		parts = append(parts, "Notas: "+strings.TrimSpace(*a.Notes))
	}
	if a.Meta != nil {
		parts = append(parts, strings.TrimSpace(a.Meta.AINotice))
	}
	out, sep := a.Answer, foot
	for _, p := range parts {
		if p != "" {
			out, sep = out+sep+p, "\n\n"
		}
	}
	out = text.Inert(out)
	return out, annotations(base, out, a.Citations)
}

// listed is a Markdown list with a heading; "" without lines.
func listed(head string, lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	for i, l := range lines {
		head += "\n" + strconv.Itoa(i+1) + ". " + strings.ReplaceAll(l, "\n", " ")
		if i == 0 { // a list begins after an empty line
			head = strings.Replace(head, "\n", "\n\n", 1)
		}
	}
	return head
}

func stepLines(steps []digesto.Step) []string {
	var out []string
	for _, s := range steps {
		l := s.Text
		if s.Result != "" {
			l += " = " + strings.TrimSpace(s.Result+" "+s.Unit)
		}
		if s.Source != "" {
			l += " (" + s.Source + ")"
		}
		out = append(out, l)
	}
	return out
}

// sourceLines are the footnotes: mark, place, source, version, link.
func sourceLines(base string, a digesto.Answer) []string {
	var out []string
	for i, c := range a.Citations {
		l := mark(i, c) + " " + placeOf(c) + ". " + versionOf(c) + ". " + linkOf(base, c)
		if !strings.Contains(a.Answer, c.Quote) {
			l += " «" + c.Quote + "»"
		}
		out = append(out, l)
	}
	return out
}

// mark is what stands for a citation in the text.
func mark(i int, c digesto.Citation) string {
	if c.Ref != nil && c.Ref.Label != "" {
		return "[" + c.Ref.Label + "]"
	}
	return fmt.Sprintf("[C%d]", i+1)
}

func placeOf(c digesto.Citation) string {
	s := c.Source
	if c.Ref != nil && c.Ref.Place != "" {
		s = c.Ref.Place
		if c.Page != nil {
			s += " · " + c.Source
		}
	} else if c.Ref != nil && c.Ref.Title != "" {
		s = c.Ref.Title
		if !strings.Contains(s, c.Source) {
			s += " · " + c.Source
		}
	}
	if c.Page != nil {
		s += ", página " + strconv.Itoa(*c.Page)
	}
	return s
}

// versionOf says which text it is and when it holds.
func versionOf(c digesto.Citation) string {
	switch r := c.Ref; {
	case r == nil:
		return "Versión no indicada"
	case !r.Official && !r.Supplied:
		return "Ficha de Digesto: no es texto legal"
	case r.Supplied:
		return "Texto aportado. " + datesOf(r)
	}
	return datesOf(c.Ref)
}

func datesOf(r *digesto.Ref) string {
	switch {
	case r.ValidFrom != nil && r.ValidTo != nil:
		return "Versión " + r.Version + ", en vigor del " + string(*r.ValidFrom) + " al " + string(*r.ValidTo)
	case r.ValidFrom != nil:
		return "Versión " + r.Version + ", vigente desde el " + string(*r.ValidFrom)
	case r.ValidTo != nil:
		return "Versión " + r.Version + ", en vigor hasta el " + string(*r.ValidTo)
	default:
		return "Versión " + r.Version + ", no consta desde cuándo rige"
	}
}

// linkOf is the official address of a citation; without one, this server's page of the place.
func linkOf(base string, c digesto.Citation) string {
	switch {
	case c.Ref == nil:
		return base + "/leyes"
	case c.Ref.URL != "":
		return c.Ref.URL
	}
	return base + view.UnitURL(c.Ref.Document, c.Ref.Unit) + "?version=" + url.QueryEscape(c.Ref.Version) + "&" + view.QuoteParam(c.Quote) + "#cita"
}

// annotations give each citation with the place of its first mark.
func annotations(base, text string, list []digesto.Citation) []chatAnnotation {
	var out []chatAnnotation
	for i, c := range list {
		m := mark(i, c)
		a := chatAnnotation{Type: "url_citation", URL: chatURL{URL: linkOf(base, c), Title: placeOf(c)}, Citation: c}
		if at := strings.Index(text, m); at >= 0 {
			a.URL.Start = utf8.RuneCountInString(text[:at])
			a.URL.End = a.URL.Start + utf8.RuneCountInString(m)
		}
		out = append(out, a)
	}
	return out
}
