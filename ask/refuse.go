package ask

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"digesto"
	"digesto/corpus"
)

// refusal says what was not found, what is installed, and where to ask.
func (g *grounds) refusal() *ending {
	end := &ending{outcome: digesto.OutcomeRefusal, classes: g.classes, notes: g.notes}
	switch {
	case g.lacks():
		var names []string
		for _, a := range g.absent {
			names = append(names, g.absentName(a))
			end.missing = append(end.missing, nonEmpty(a.norm, a.name))
			end.notes = append(end.notes, g.absentText(a))
		}
		end.text = "No puedo responder: no está instalado el texto que la pregunta nombra (" + strings.Join(names, "; ") + ")."
		if g.hurt.told() != "" { // it is, and cannot be read
			end.text = "No puedo responder: no se puede leer el texto que la pregunta nombra (" + strings.Join(names, "; ") + ")."
		}
	case g.unheld() != "":
		end.text = g.unheld()
	case g.verdict.Reason == ReasonElsewhere:
		var names []string
		for _, a := range g.elsewhereLaw() {
			if !slices.Contains(names, a.name) {
				names = append(names, a.name)
				end.missing = append(end.missing, nonEmpty(a.norm, a.name))
			}
		}
		end.text = "No puedo responder: lo que se pregunta lo regula una norma que no está instalada (" + strings.Join(names, "; ") + ")."
		if c := g.pack.Install.Add; c != "" {
			end.notes = append(end.notes, "Cuando tenga su texto, se añade con: "+c)
		}
	case (g.verdict.Reason == ReasonThin || g.verdict.Reason == ReasonKind) && g.nearest() != "":
		end.text = "No encontré en los textos disponibles una regla que responda a esta pregunta."
		end.notes = append(end.notes, g.unheardNote())
		end.notes = append(end.notes, "Lo más cercano, que no es una respuesta: "+g.nearest()+".")
	default:
		end.text = "No encontré en los textos disponibles nada sobre lo que se pregunta."
	}
	end.notes = slices.DeleteFunc(end.notes, func(s string) bool { return s == "" })
	if g.pack.HasGuides() {
		end.text = Unverified + " " + end.text
	}
	end.notes = append(end.notes, g.installedText())
	if b, ok := g.pack.BodyFor(g.q.Text); ok {
		end.notes = append(end.notes, bodyText(b.Name, b.For, b.URL))
	}
	end.notes = append(end.notes, g.installNote()...)
	return end
}

func bodyText(name, about, url string) string {
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
func (g *grounds) nearest() string {
	if len(g.list) == 0 || g.list[0].pick.Cover < .15 {
		return ""
	}
	x := g.list[0]
	s := x.Title()
	if page := cmp.Or(x.Norm.URL, x.Norm.Page); page != "" {
		s += " (" + page + ")"
	}
	return s
}

func (g *grounds) absentName(a absent) string {
	for _, s := range g.pack.Sources {
		if s.ID == a.norm {
			return nonEmpty(s.Short, s.Title)
		}
	}
	if n, ok := g.installed(a.norm); ok {
		return a.name + ", " + corpus.NameOf(n)
	}
	return a.name
}

// absentText says what is missing and, when other law is there, the command that
// installs it; without any law the command ends the notes.
func (g *grounds) absentText(a absent) string {
	if n, ok := g.installed(a.norm); ok && a.unit != "" {
		if g.unreadable(n, a.unit) {
			return fmt.Sprintf("«%s» no se puede leer: el texto guardado de «%s» está dañado.", a.name, corpus.NameOf(n))
		}
		return fmt.Sprintf("«%s» no existe en el texto instalado de «%s».", a.name, corpus.NameOf(n))
	}
	s := "No está instalado el texto de «" + g.absentName(a) + "»"
	if c := g.pack.Install.Command(); c != "" && g.lawCount() > 0 {
		s += "; se instala con: " + c
	}
	return s + "."
}

// installedText says what there is.
func (g *grounds) installedText() string {
	switch n := g.lawCount(); {
	case n == 1:
		return "En «" + g.pack.Title + "» hay una norma instalada."
	case n > 1:
		return fmt.Sprintf("En «%s» hay %d normas instaladas.", g.pack.Title, n)
	}
	return "En «" + g.pack.Title + "» no hay ninguna norma instalada: solo las fichas del programa."
}

// lawCount counts the installed norms that the pack looks at.
func (g intent) lawCount() int {
	n := 0
	if g.law.Snapshot != nil {
		for x := range g.law.Snapshot.Each() {
			if g.pack.Sees(x) {
				n++
			}
		}
	}
	return n
}

func (g grounds) installHint() string {
	if c := g.pack.Install.Command(); c != "" {
		return " Para instalar el texto oficial: " + c
	}
	return ""
}
