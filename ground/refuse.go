package ground

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"digesto"
	"digesto/corpus"
	"digesto/query"
)

// Refusal says what was not found, what is installed, and where to ask.
func (g *Grounds) Refusal() *query.Ending {
	end := &query.Ending{Outcome: digesto.OutcomeRefusal, Classes: g.Classes, Notes: g.Notes}
	switch {
	case Lacks(g.Hits):
		var names []string
		for _, a := range g.Absent {
			names = append(names, g.absentName(a))
			end.Missing = append(end.Missing, cmp.Or(a.Norm, a.Name))
			end.Notes = append(end.Notes, g.absentText(a))
		}
		end.Text = "No puedo responder: no está instalado el texto que la pregunta nombra (" + strings.Join(names, "; ") + ")."
		if g.Hurt.Told() != "" { // it is, and cannot be read
			end.Text = "No puedo responder: no se puede leer el texto que la pregunta nombra (" + strings.Join(names, "; ") + ")."
		}
	case g.unheld() != "":
		end.Text = g.unheld()
	case g.Verdict.Reason == ReasonElsewhere:
		var names []string
		for _, a := range elsewhereLaw(g.Hits) {
			if !slices.Contains(names, a.Name) {
				names = append(names, a.Name)
				end.Missing = append(end.Missing, cmp.Or(a.Norm, a.Name))
			}
		}
		end.Text = "No puedo responder: lo que se pregunta lo regula una norma que no está instalada (" + strings.Join(names, "; ") + ")."
		if c := g.Pack.Install.Add; c != "" {
			end.Notes = append(end.Notes, "Cuando tenga su texto, se añade con: "+c)
		}
	case (g.Verdict.Reason == ReasonThin || g.Verdict.Reason == ReasonKind) && g.nearest() != "":
		end.Text = "No encontré en los textos disponibles una regla que responda a esta pregunta."
		end.Notes = append(end.Notes, g.unheardNote())
		end.Notes = append(end.Notes, "Lo más cercano, que no es una respuesta: "+g.nearest()+".")
	default:
		end.Text = "No encontré en los textos disponibles nada sobre lo que se pregunta."
	}
	end.Notes = slices.DeleteFunc(end.Notes, func(s string) bool { return s == "" })
	if g.Pack.HasGuides() {
		end.Text = Unverified + " " + end.Text
	}
	end.Notes = append(end.Notes, g.installedText())
	if b, ok := g.Pack.BodyFor(g.Q.Text); ok {
		end.Notes = append(end.Notes, BodyText(b.Name, b.For, b.URL))
	}
	end.Notes = append(end.Notes, g.InstallNote()...)
	return end
}

func BodyText(name, about, url string) string {
	s := "Dónde preguntar: " + name
	if about != "" {
		s += " (" + about + ")"
	}
	if url != "" {
		s += ": " + url
	}
	return strings.TrimSuffix(s, ".") + "."
}

// nearest names the unit that came closest.
func (g *Grounds) nearest() string {
	if len(g.List) == 0 || g.List[0].Pick.Cover < .15 {
		return ""
	}
	x := g.List[0]
	s := x.Title()
	if page := cmp.Or(x.Norm.URL, x.Norm.Page); page != "" {
		s += " (" + page + ")"
	}
	return s
}

func (g *Grounds) absentName(a query.Absent) string {
	for _, s := range g.Pack.Sources {
		if s.ID == a.Norm {
			return cmp.Or(s.Short, s.Title)
		}
	}
	if n, ok := g.Installed(a.Norm); ok {
		return a.Name + ", " + corpus.NameOf(n)
	}
	return a.Name
}

// absentText says what is missing and, when other law is there, the command that
// installs it; without any law the command ends the notes.
func (g *Grounds) absentText(a query.Absent) string {
	if n, ok := g.Installed(a.Norm); ok && a.Unit != "" {
		if g.Unreadable(n, a.Unit) {
			return fmt.Sprintf("«%s» no se puede leer: el texto guardado de «%s» está dañado.", a.Name, corpus.NameOf(n))
		}
		return fmt.Sprintf("«%s» no existe en el texto instalado de «%s».", a.Name, corpus.NameOf(n))
	}
	s := "No está instalado el texto de «" + g.absentName(a) + "»"
	if c := g.Pack.Install.Command(); c != "" && g.LawCount() > 0 {
		s += "; se instala con: " + c
	}
	return s + "."
}

// installedText says what there is.
func (g *Grounds) installedText() string {
	switch n := g.LawCount(); {
	case n == 1:
		return "En «" + g.Pack.Title + "» hay una norma instalada."
	case n > 1:
		return fmt.Sprintf("En «%s» hay %d normas instaladas.", g.Pack.Title, n)
	}
	return "En «" + g.Pack.Title + "» no hay ninguna norma instalada: solo las fichas del programa."
}

func (g Grounds) installHint() string {
	if c := g.Pack.Install.Command(); c != "" {
		return " Para instalar el texto oficial: " + c
	}
	return ""
}

// Unverified is what an answer from guides says when none of them holds it.
const Unverified = "No tengo esa información verificada."

// InstallNote gives the command that installs the law, when the pack has none:
// the last words of such an answer.
func (g Grounds) InstallNote() []string {
	if g.LawCount() > 0 {
		return nil
	}
	return []string{strings.TrimSpace(g.installHint())}
}
