package corpus

import (
	"fmt"
	"slices"
	"strings"

	"digesto"
	"digesto/text"
)

// Form is a convention of citing law.
type Form string

// The forms of a formal citation.
const (
	FormES  Form = "es"  // article, norm with its date, journal identifier, wording, address and day of consultation
	FormAR  Form = "ar"  // "Art. 14, Ley 20.744, …"
	FormPE  Form = "pe"  // "Artículo 62 del Decreto Supremo N.º …, publicado el …"
	FormAPA Form = "apa" // APA, 7th ed., legal references: name of the norm, year and day of publication, place, address
)

// Forms are all of them, in the order they are offered.
var Forms = []Form{FormES, FormAR, FormPE, FormAPA}

// Formal cites a version of a unit, or with an empty unit the norm, in a form.
// What is not known is left out, never guessed. day is that of the consultation.
func Formal(n digesto.Norm, u digesto.Unit, v digesto.Version, form Form, day digesto.Date) (string, error) {
	switch form {
	case FormES:
		return formalES(n, u, v, day), nil
	case FormAR:
		return formalAR(n, u, v), nil
	case FormPE:
		return formalPE(n, u, v), nil
	case FormAPA:
		return formalAPA(n, u), nil
	}
	return "", &digesto.Error{Code: digesto.CodeInvalid, Message: "No hay ninguna forma de cita «" + string(form) + "»", Hint: "Las que hay: es, ar, pe, apa."}
}

func formalES(n digesto.Norm, u digesto.Unit, v digesto.Version, day digesto.Date) string {
	s := titleOf(n)
	if u.Label != "" {
		s = u.Label + of(n) + s
	}
	if n.ID != "" {
		s += " (" + n.ID + ")"
	}
	s += saidOf(v)
	if n.URL != "" {
		s += ". Disponible en: " + n.URL
		if day != "" {
			s += " [consulta: " + longDay(day) + "]"
		}
	}
	return s + "."
}

func formalAR(n digesto.Norm, u digesto.Unit, v digesto.Version) string {
	var parts []string
	if u.Label != "" {
		parts = append(parts, strings.Replace(u.Label, "Artículo", "Art.", 1))
	}
	parts = append(parts, titleOf(n))
	if n.Published != "" {
		parts = append(parts, "B.O. "+shortDay(n.Published))
	}
	return strings.Join(parts, ", ") + saidOf(v) + "."
}

func formalPE(n digesto.Norm, u digesto.Unit, v digesto.Version) string {
	s := titleOf(n)
	if u.Label != "" {
		s = u.Label + of(n) + s
	}
	if n.Published != "" {
		s += ", publicado el " + longDay(n.Published)
	}
	return s + saidOf(v) + "."
}

func formalAPA(n digesto.Norm, u digesto.Unit) string {
	s := titleOf(n)
	if len(n.Published) == 10 {
		s += fmt.Sprintf(" (%s, %s)", n.Published[:4], dayMonth(n.Published))
	} else {
		s += " (s. f.)"
	}
	if u.Label != "" {
		s += ". " + strings.Replace(u.Label, "Artículo", "Art.", 1)
	}
	if n.URL != "" {
		return s + ". " + n.URL
	}
	return s + "."
}

// titleOf is the official title without its last point; one that shouts, as a sentence.
func titleOf(n digesto.Norm) string {
	if n.Title == "" || n.Title == n.ID {
		return n.ID
	}
	return calm(strings.TrimRight(strings.TrimSpace(n.Title), ". "))
}

// articles are the words that a norm's title begins with, by how a unit of it is joined to them.
var articles = map[string][]string{
	" de la ": {"ley", "orden", "resolución", "constitución", "instrucción", "circular", "directiva", "disposición"},
	" del ":   {"real", "decreto", "código", "estatuto", "reglamento", "texto", "acuerdo", "convenio", "tratado", "protocolo"},
}

// of joins a unit to its norm by the gender of the norm's rank.
func of(n digesto.Norm) string {
	first, _, _ := strings.Cut(strings.ToLower(titleOf(n)), " ")
	for joined, words := range articles {
		if slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(first, w) }) {
			return joined
		}
	}
	return " de "
}

// saidOf says which text of several is meant.
func saidOf(v digesto.Version) string {
	switch {
	case v.Text == "":
		return ""
	case v.ValidFrom != "" && v.ValidTo != "":
		return ", redacción vigente del " + longDay(v.ValidFrom) + " al " + longDay(v.ValidTo) + " (excluido)"
	case v.ValidFrom != "":
		return ", redacción vigente desde el " + longDay(v.ValidFrom)
	case v.Published != "":
		return ", redacción publicada el " + longDay(v.Published)
	}
	return ""
}

func dayMonth(d digesto.Date) string {
	var y, m, day int
	if n, err := fmt.Sscanf(string(d), "%d-%d-%d", &y, &m, &day); n != 3 || err != nil || m < 1 || m > 12 {
		return string(d)
	}
	return fmt.Sprintf("%d de %s", day, text.MonthNames[m-1])
}

func longDay(d digesto.Date) string {
	s := dayMonth(d)
	if s == string(d) {
		return s
	}
	return s + " de " + string(d[:4])
}

func shortDay(d digesto.Date) string {
	if len(d) != 10 {
		return string(d)
	}
	return string(d[8:] + "/" + d[5:7] + "/" + d[:4])
}
