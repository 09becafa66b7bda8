package judge

import (
	"slices"
	"strings"
	"unicode"

	"digesto/text"
)

// Words whose loss turns a sentence round.
var negations = map[string]bool{"no": true, "ni": true, "nunca": true, "tampoco": true, "sin": true, "jamas": true, "nadie": true, "ningun": true, "ninguna": true, "ninguno": true}

// Numeral says whether a word is, or is a part of, a number written out.
func Numeral(word string) bool {
	_, ordinal, n := text.Numeral([]string{word})
	return n > 0 && !ordinal
}

// turning gives what of a text decides its sense — denial, leave and duty, bounds,
// exceptions, figures — each in one form.
func turning(s string) (out []string) {
	list := text.Tokens(nil, s)
	for i, t := range list {
		switch w := t.Text; {
		case negations[w]:
			out = append(out, "no")
		case strings.HasPrefix(w, "podr") || strings.HasPrefix(w, "pued"):
			out = append(out, "poder")
		case strings.HasPrefix(w, "deb") || strings.HasPrefix(w, "habra") && i+1 < len(list) && list[i+1].Text == "de":
			out = append(out, "deber")
		case turnedBy[w] != "":
			out = append(out, turnedBy[w])
		case unicode.IsDigit(rune(w[0])) || Numeral(w) && w != "un" && w != "una" && w != "uno":
			out = append(out, w)
		}
	}
	return out
}

var turnedBy = map[string]string{
	"salvo": "salvo", "excepto": "salvo", "solo": "solo", "solamente": "solo", "unicamente": "solo", "exclusivamente": "solo", "siempre": "siempre",
	"todo": "todo", "toda": "todo", "todos": "todo", "todas": "todo", "minimo": "minimo", "minima": "minimo", "maximo": "maximo", "maxima": "maximo",
	"mensual": "mensual", "mensuales": "mensual", "anual": "anual", "anuales": "anual", "diario": "diario", "semanal": "semanal",
	"dia": "dia", "dias": "dia", "mes": "mes", "meses": "mes", "año": "año", "años": "año", "habiles": "habiles", "naturales": "naturales", "corridos": "naturales",
	"antes": "antes", "despues": "despues", "desde": "desde", "hasta": "hasta", "inferior": "inferior", "superior": "superior", "menor": "inferior", "mayor": "superior",
}

// loses says whether words put in the place of a few left out lack the leave, the duty
// or the bound that those had.
func loses(put, left string) bool {
	return put != "" && len(strings.Fields(left)) <= 2 && len(turning(left)) > 0 && turns(left, put)
}

// swaps says whether one word stands for another that the same text uses too, as
// "acreedor" for "deudor". A pronoun may be replaced by what it means.
func swaps(put, left, body string) bool {
	a, b := text.Tokens(nil, put), text.Tokens(nil, left)
	if len(a) != 1 || len(b) != 1 || len(b[0].Text) < 5 || pronouns[b[0].Text] || strings.HasPrefix(a[0].Text, b[0].Text[:4]) {
		return false
	}
	return slices.ContainsFunc(text.Tokens(nil, body), func(t text.Token) bool { return t.Text == a[0].Text })
}

var pronouns = map[string]bool{"estos": true, "estas": true, "aquel": true, "aquella": true, "aquellos": true, "aquellas": true, "mismo": true, "misma": true, "dicho": true, "dicha": true}

// turns says whether words put in have a sense that what was left out had not.
func turns(put, left string) bool {
	had := turning(left)
	return slices.ContainsFunc(turning(put), func(w string) bool { return !slices.Contains(had, w) })
}
