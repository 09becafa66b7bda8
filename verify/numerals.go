package verify

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"digesto/text"
	"digesto/text/figure"
	"digesto/text/lazyregexp"
)

// leastWritten is the least number that counts without a unit when it is written out:
// "dos de ellos" is no figure, "noventa y nueve" is.
const leastWritten = 13

// evened writes figures as package figure reads them: hard spaces plain, a unit glued
// to its number set apart ("99días").
func evened(s string) string {
	return glued.ReplaceAllString(hard.Replace(s), "$1 $2")
}

var (
	hard  = strings.NewReplacer("\u00a0", " ", "\u202f", " ", "\u2007", " ", "\u2009", " ")
	glued = lazyregexp.New(`(?i)\b(\d[\d.,]*)(d[ií]as?|mes(?:es)?|años?|horas?|semanas?|euros?|eur|pesos|soles|usd)\b`)
)

// written gives the numbers that are written out and have no unit.
func written(s string) []figure.Figure {
	var out []figure.Figure
	toks := text.Tokens(nil, s)
	list := make([]string, len(toks))
	for i, t := range toks {
		list[i] = t.Text
	}
	for i := 0; i < len(list); {
		v, ordinal, n := text.Numeral(list[i:])
		if n == 0 || '0' <= list[i][0] && list[i][0] <= '9' {
			i++
			continue
		}
		if !ordinal && v >= leastWritten {
			out = append(out, figureAt(s, figure.Number, strconv.Itoa(v), "", toks[i].Start, toks[i+n-1].End))
		}
		i += n
	}
	return out
}

// amounts finds figures that are said without a number, and numbers in Roman letters
// with a unit.
var amounts = lazyregexp.New(`(?i)\b(?:centenar(?:es)?|centenas?|docenas?|decenas?|millar(?:es)?|quincenas?|d[eé]cadas?|lustros?|siglos?|mitad|tercios?|doble|triple|cu[aá]druple|medi[oa] (?:año|mes|d[ií]a|hora|semana|siglo|jornada))\b|\b[IVXLCDM]{2,} (?:d[ií]as?|mes(?:es)?|años?|horas?|semanas?|euros?|pesos|soles)\b`)

// worded gives those figures; the value is the word itself.
func worded(s string) []figure.Figure {
	var out []figure.Figure
	for _, at := range amounts.FindAllStringIndex(s, -1) {
		word := strings.TrimSuffix(text.Fold(s[at[0]:at[1]]), "s")
		out = append(out, figureAt(s, figure.Quantity, word, "", at[0], at[1]))
	}
	return out
}

func figureAt(s string, k figure.Kind, value, unit string, from, to int) figure.Figure {
	start := utf8.RuneCountInString(s[:from])
	return figure.Figure{Kind: k, Value: value, Unit: unit, Start: start, End: start + utf8.RuneCountInString(s[from:to]), Text: s[from:to]}
}

// figures gives all that a text says of numbers, with a unit or without.
func figures(s string, loc figure.Locale) []figure.Figure {
	list := figure.FindAll(s, loc)
	for _, f := range append(written(s), worded(s)...) {
		inside := false
		for _, g := range list {
			inside = inside || f.Start < g.End && g.Start < f.End
		}
		if !inside {
			list = append(list, f)
		}
	}
	return list
}
