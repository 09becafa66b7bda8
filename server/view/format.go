package view

import (
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"digesto"
	"digesto/corpus"
)

var months = [...]string{"enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre", "octubre", "noviembre", "diciembre"}
var weekdays = [...]string{"domingo", "lunes", "martes", "miércoles", "jueves", "viernes", "sábado"}

// DateShort writes "21 nov 2026"; what is not a date stays as it is.
func DateShort(d digesto.Date) string {
	t, err := time.Parse(time.DateOnly, string(d))
	if err != nil {
		return string(d)
	}
	return strconv.Itoa(t.Day()) + " " + months[t.Month()-1][:3] + " " + strconv.Itoa(t.Year())
}

// DateLong writes "Sábado, 21 de noviembre de 2026".
func DateLong(t time.Time) string {
	day := weekdays[t.Weekday()]
	first := []rune(day)
	return strings.ToUpper(string(first[0])) + string(first[1:]) + ", " + strconv.Itoa(t.Day()) + " de " + months[t.Month()-1] + " de " + strconv.Itoa(t.Year())
}

// count writes a number with its noun: "1 norma", "2.310 artículos".
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return Thousands(n) + " " + many
}

// Thousands groups digits with points.
func Thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "." + s[i:]
	}
	return s
}

// decimal writes a decimal string with the marks of a locale.
func decimal(s string, mark byte) string {
	whole, frac, ok := strings.Cut(strings.TrimPrefix(s, "-"), ".")
	n, err := strconv.Atoi(whole)
	if err != nil {
		return s
	}
	group, point := ".", ","
	if mark == '.' {
		group, point = ",", "."
	}
	out := strings.ReplaceAll(Thousands(n), ".", group)
	if ok {
		out += point + frac
	}
	if strings.HasPrefix(s, "-") {
		return "-" + out
	}
	return out
}

// roman writes small numbers as titles of a law are numbered.
func roman(n int) string {
	var b strings.Builder
	for _, d := range []struct {
		v int
		s string
	}{{50, "L"}, {40, "XL"}, {10, "X"}, {9, "IX"}, {5, "V"}, {4, "IV"}, {1, "I"}} {
		for ; n >= d.v; n -= d.v {
			b.WriteString(d.s)
		}
	}
	return b.String()
}

// badge is a validity seal: a word and the class that draws its shape.
type badge struct{ Class, Word string }

// unitBadge says how far a version is proved to hold on a day.
func unitBadge(n digesto.Norm, v digesto.Version, at digesto.Date) badge {
	switch {
	case own(n):
		return badge{"is-note", "Ficha"}
	case !v.Current || n.Status == digesto.StatusRepealed || v.ValidTo != "" && v.ValidTo <= at:
		return badge{"is-bad", "Texto anterior"}
	case v.ValidFrom != "" && v.ValidFrom > at:
		return badge{"is-doubt", "Aún no rige"}
	case v.ValidFrom != "":
		return badge{"is-ok", "Vigente"}
	case n.Status == digesto.StatusInForce:
		// The source says so of the norm; since when this wording holds it does not say.
		return badge{"is-ok", "Norma en vigor"}
	}
	return badge{"is-doubt", "Vigencia no acreditada"}
}

func normBadge(n digesto.Norm) badge {
	switch {
	case own(n):
		return badge{"is-note", "Ficha"}
	case n.Status == digesto.StatusRepealed:
		return badge{"is-bad", "Derogada"}
	case n.Status == digesto.StatusPartial:
		return badge{"is-doubt", "Derogada en parte"}
	case n.Status == digesto.StatusInForce && n.RepealedFrom != "":
		return badge{"is-doubt", "Deja de regir el " + DateShort(n.RepealedFrom)}
	case n.Status == digesto.StatusInForce:
		return badge{"is-ok", "Vigente"}
	}
	return badge{"is-doubt", "Vigencia no acreditada"}
}

// versionDates says from when to when a text holds, as far as is known.
func versionDates(n digesto.Norm, v digesto.Version) string {
	switch {
	case own(n):
		return "Escrita por Digesto; no es texto legal"
	case v.Current && v.ValidTo != "":
		return "Deja de regir el " + DateShort(v.ValidTo)
	case v.ValidFrom != "" && v.ValidTo != "":
		return "Rigió del " + DateShort(v.ValidFrom) + " al " + DateShort(v.ValidTo) + " (excluido)"
	case v.ValidTo != "":
		return "Rigió hasta el " + DateShort(v.ValidTo)
	case v.ValidFrom != "":
		return "Versión vigente desde el " + DateShort(v.ValidFrom)
	case !v.Current:
		return "Texto anterior; no consta hasta cuándo rigió"
	case v.Published != "":
		return "Publicado el " + DateShort(v.Published) + "; no consta desde cuándo rige esta redacción"
	case n.TextAsOf != "":
		return "Texto con reformas hasta el " + DateShort(n.TextAsOf) + "; no consta desde cuándo rige esta redacción"
	}
	return "No consta desde cuándo rige"
}

// NormName is what people call a norm.
func NormName(n digesto.Norm) string {
	if own(n) {
		return or(n.Short == "", n.Title, n.Short)
	}
	return corpus.NameOf(n)
}

// own says that a norm is words of ours, not a text of law.
func own(n digesto.Norm) bool { return !n.Official && !n.Supplied }

// provenance says where a text came from, for people; "" = nothing to say of it.
func provenance(n digesto.Norm) string {
	switch {
	case n.Official:
		return "Texto oficial, descargado de su publicador"
	case n.Secondary:
		return "Texto aportado que dice de sí mismo que no es el oficial"
	case n.Supplied:
		return "Texto aportado: no consta que venga de su publicador oficial"
	}
	return ""
}

func shortHash(h string) string {
	if h == "" {
		return "solo fichas"
	}
	h = strings.TrimPrefix(h, "sha256:")
	return h[:min(len(h), 12)]
}

// UpperFirst writes a text at the beginning of a sentence.
func UpperFirst(s string) string {
	if s == "" {
		return ""
	}
	r, n := utf8.DecodeRuneInString(s)
	return strings.ToUpper(string(r)) + s[n:]
}

// lowerFirst writes a label inside a sentence, capitals of acronyms apart.
func lowerFirst(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	if next, _ := utf8.DecodeRuneInString(s[n:]); strings.ToUpper(string(next)) == string(next) {
		return s
	}
	return strings.ToLower(string(r)) + s[n:]
}

func or[T any](cond bool, a, b T) T {
	if cond {
		return a
	}
	return b
}
