package figure

import (
	"strings"

	"digesto/text"
)

// unitName is a unit that a figure may have.
type unitName struct {
	kind Kind
	name string
}

type unitWords struct {
	words []string
	unit  unitName
}

// builtin are units of the common language; those of a domain come with the Locale.
var builtin = func() map[string][]unitWords {
	m := map[string][]unitWords{}
	for name, forms := range map[string]string{
		"día": "dia|dias", "día hábil": "dia habil|dias habiles|dia laborable|dias laborables|dia habil administrativo|dias habiles administrativos",
		"día natural": "dia natural|dias naturales|dia corrido|dias corridos|dia calendario|dias calendario|dias calendarios",
		"semana":      "semana|semanas", "mes": "mes|meses", "año": "ano|anos", "hora": "hora|horas", "minuto": "minuto|minutos",
		"semestre": "semestre|semestres", "trimestre": "trimestre|trimestres", "bienio": "bienio|bienios", "jornada": "jornada|jornadas",
	} {
		enter(m, forms, unitName{Duration, name})
	}
	for name, forms := range map[string]string{
		"persona": "persona|personas", "trabajador": "trabajador|trabajadores", "habitante": "habitante|habitantes", "miembro": "miembro|miembros",
		"metro": "metro|metros|m", "metro cuadrado": "metro cuadrado|metros cuadrados|m2", "kilómetro": "kilometro|kilometros|km", "hectárea": "hectarea|hectareas|ha",
		"vez": "vez|veces", "salario": "salario|salarios", "mensualidad": "mensualidad|mensualidades", "cuota": "cuota|cuotas", "punto": "punto|puntos",
	} {
		enter(m, forms, unitName{Quantity, name})
	}
	for name, forms := range map[string]string{"EUR": "euro|euros|eur", "USD": "dolares|dolar|usd|dolares estadounidenses", "ARS": "ars", "PEN": "pen", "$": "peso|pesos|sol|soles|nuevos soles"} {
		enter(m, forms, unitName{Money, name})
	}
	enter(m, "por ciento|por cien|por 100", unitName{Percent, "%"})
	return m
}()

func enter(m map[string][]unitWords, forms string, u unitName) {
	for f := range strings.SplitSeq(forms, "|") {
		if w := strings.Fields(f); len(w) > 0 {
			m[w[0]] = append(m[w[0]], unitWords{w, u})
		}
	}
}

// unitIndex gives the units of a locale by first word.
func unitIndex(loc Locale) map[string][]unitWords {
	if len(loc.Units) == 0 {
		return nil
	}
	m := map[string][]unitWords{}
	for _, u := range loc.Units {
		for _, w := range u.Words {
			enter(m, text.Fold(w), unitName{Quantity, u.Name})
		}
	}
	return m
}

// unitOfRange gives the number at tokens i…next the unit that is written once, after
// the other end of its range: "treinta (30) a cincuenta (50) Jus", "entre 3 y 5 días".
// "y" joins a range only after "entre", and what is counted by a word before it
// ("artículo 3 o 5 días") is in none.
func (r *reader) unitOfRange(i, next int) (unitName, bool) {
	switch r.word(next) {
	case "a", "al", "o", "u", "hasta":
	case "y", "e":
		if r.word(i-1) != "entre" {
			return unitName{}, false
		}
	default:
		return unitName{}, false
	}
	switch r.word(i - 1) {
	case "articulo", "articulos", "art", "arts", "apartado", "apartados", "numeral", "inciso", "punto", "ley", "decreto", "pagina":
		return unitName{}, false
	}
	if next+1 >= len(r.toks) || !r.adjacent(next-1, next+2) {
		return unitName{}, false
	}
	_, end, _ := r.number(next + 1)
	if end == 0 {
		return unitName{}, false
	}
	u, n, _ := r.unitAfter(end)
	return u, n >= 0
}

// unitAfter reads the unit at token i, or the sign right after the number. n is how many
// tokens it takes (0 for a sign), -1 if there is none; end is the byte after it.
func (r *reader) unitAfter(i int) (u unitName, n, end int) {
	prev := r.toks[i-1].End
	if u, size := signAt(r.s[prev:]); size > 0 {
		return r.currency(u), 0, prev + size
	}
	k := i
	if r.word(k) == "de" && (strings.HasSuffix(r.word(k-1), "millones") || r.word(k-1) == "millon") {
		k++ // "dos millones de euros"
	}
	if k >= len(r.toks) || !r.adjacent(i-1, k+1) {
		return u, -1, 0
	}
	best := 0
	for _, index := range []map[string][]unitWords{r.units, builtin} {
		for _, w := range index[r.toks[k].Text] {
			if len(w.words) > best && r.follows(k, w.words) {
				u, best = w.unit, len(w.words)
			}
		}
	}
	if best == 0 {
		return u, -1, 0
	}
	last := k + best - 1
	return r.currency(u), last + 1 - i, r.toks[last].End
}

// follows reports that the words stand from token k on with white space between them.
func (r *reader) follows(k int, words []string) bool {
	for j, w := range words {
		if r.word(k+j) != w {
			return false
		}
	}
	return r.adjacent(k, k+len(words))
}

// signs stand beside the digits.
var signs = []struct {
	sign string
	unit unitName
}{{"%", unitName{Percent, "%"}}, {"‰", unitName{Percent, "‰"}}, {"€", unitName{Money, "EUR"}}, {"US$", unitName{Money, "USD"}}, {"U$S", unitName{Money, "USD"}},
	{"S/.", unitName{Money, "PEN"}}, {"S/", unitName{Money, "PEN"}}, {"$", unitName{Money, "$"}}}

// signAt reads a sign at the start of s, after at most one space. size counts both.
func signAt(s string) (u unitName, size int) {
	skip := 0
	for _, sp := range []string{" ", "\u00a0", "\u202f"} {
		if strings.HasPrefix(s, sp) {
			skip = len(sp)
		}
	}
	for _, x := range signs[:3] {
		if strings.HasPrefix(s[skip:], x.sign) {
			return x.unit, skip + len(x.sign)
		}
	}
	return u, 0
}

// signBefore reads a sign of money before byte b: "$ 1.000", "S/ 5,150". from is -1 if there is none.
func (r *reader) signBefore(b int) (unit string, from int) {
	free := r.s[r.end:b] // the sign of the figure before is its own
	head := strings.TrimRight(free, " \u00a0")
	if len(free)-len(head) > 4 {
		return "", -1
	}
	for _, x := range signs {
		if x.unit.kind == Money && strings.HasSuffix(head, x.sign) {
			return r.currency(x.unit).name, r.end + len(head) - len(x.sign)
		}
	}
	return "", -1
}

// currency names a bare "$", "pesos" or "soles" after the locale.
func (r *reader) currency(u unitName) unitName {
	if u.name == "$" && r.loc.Currency != "" {
		u.name = r.loc.Currency
	}
	return u
}
