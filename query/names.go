package query

import (
	"strconv"
	"strings"

	"digesto"
	"digesto/corpus"
	"digesto/text"
	"digesto/text/lazyregexp"
)

// formalName is the rank and number at the beginning of an official title.
var formalName = lazyregexp.New(`^[^,]*\d+/\d{4}`)

// ShortName is what people call a norm: its name in the pack's list of sources,
// the source's own short name, or rank and number.
func (h Scope) ShortName(n digesto.Norm) string {
	for _, s := range h.Pack.Sources {
		if s.ID == n.ID && s.Short != "" {
			return s.Short
		}
	}
	if n.Name != "" {
		return n.Name
	}
	if n.Short != "" && len(n.Short) < 80 {
		return n.Short
	}
	if m := formalName.FindString(n.Title); m != "" {
		return m
	}
	return corpus.NameOf(n)
}

// Plural counts: "1 mes", "2 meses".
func Plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// Of joins a norm's name to what is part of it: "del Estatuto", "de la Ley".
func Of(name string) string {
	first, _, _ := strings.Cut(text.Fold(name), " ")
	switch first {
	case "ley", "orden", "constitucion", "lo", "directiva", "resolucion":
		return "de la " + name
	}
	return "del " + name
}

// Lowered begins with a small letter: "artículo 48".
func Lowered(s string) string {
	if s == "" {
		return s
	}
	return strings.ToLower(s[:1]) + s[1:]
}
