package cite

import (
	"slices"
	"strconv"
	"strings"

	"digesto"
	"digesto/text"
)

// unitRef is one unit cited in a row of words.
type unitRef struct {
	kind     digesto.UnitKind
	number   string
	to       string
	detail   string
	from     int // words
	end      int
	relative bool // number is "anterior", "siguiente" or "presente"
}

// head recognises the word for a kind of unit at i. next is the first word after it, 0 if there is none.
func head(toks []tok, i int) (kind digesto.UnitKind, plural bool, next int) {
	t := toks[i]
	switch t.w {
	case "articulo", "art", "artic", "arto", "arti":
		return digesto.KindArticle, false, i + 1
	case "articulos", "arts":
		return digesto.KindArticle, true, i + 1
	case "disposicion", "disposiciones", "disp":
		k, n := dispositionKind(toks, i+1)
		return k, t.w == "disposiciones", n
	case "norma", "normas":
		return digesto.KindPreliminary, t.w == "normas", i + 1
	case "anexo", "anexos":
		return digesto.KindAnnex, t.w == "anexos", i + 1
	}
	if t.caps && t.w == "d" && i+2 < len(toks) && toks[i+1].sep == '.' && toks[i+1].caps && isDigits(toks[i+2].w) { // "D. T. 13.ª"
		switch toks[i+1].w {
		case "a":
			return digesto.KindAdditional, false, i + 2
		case "t":
			return digesto.KindTransitional, false, i + 2
		case "f":
			return digesto.KindFinal, false, i + 2
		}
	}
	if t.caps {
		switch t.w {
		case "da":
			return digesto.KindAdditional, false, i + 1
		case "dt":
			return digesto.KindTransitional, false, i + 1
		case "df":
			return digesto.KindFinal, false, i + 1
		case "dd":
			return digesto.KindRepealing, false, i + 1
		}
	}
	return "", false, 0
}

// dispositionKind reads "adicional", "complementaria transitoria", "final y transitoria"…
func dispositionKind(toks []tok, i int) (kind digesto.UnitKind, next int) {
	k := i
	for ; k < len(toks) && k < i+4; k++ {
		w := strings.TrimSuffix(strings.TrimSuffix(toks[k].w, "s"), "e")
		switch {
		case strings.HasPrefix(w, "adic"):
			kind = digesto.KindAdditional
		case strings.HasPrefix(w, "transit") || toks[k].w == "trans" || toks[k].w == "transt":
			kind = digesto.KindTransitional
		case strings.HasPrefix(w, "derogatori") || w == "derog":
			kind = digesto.KindRepealing
		case strings.HasPrefix(w, "final"):
			if kind == "" || kind == digesto.KindOther {
				kind = digesto.KindFinal
			}
		case strings.HasPrefix(w, "complementari") || strings.HasPrefix(w, "modificatori") || strings.HasPrefix(w, "modificativ"):
			if kind == "" {
				kind = digesto.KindOther
			}
		case w == "y" && kind != "" && k+1 < len(toks) && (strings.HasPrefix(toks[k+1].w, "transitori") || strings.HasPrefix(toks[k+1].w, "final") || strings.HasPrefix(toks[k+1].w, "complementari")):
		default:
			if kind == "" {
				return "", 0
			}
			return kind, k
		}
	}
	if kind == "" {
		return "", 0
	}
	return kind, k
}

// unitsAt reads the units cited at word i: "artículos 148 y 149", "art. 48.4",
// "primera disposición transitoria", "artículo anterior". next is 0 if there are none.
func unitsAt(toks []tok, i int, s string) (units []unitRef, next int) {
	if u, n := ordinalFirst(toks, i); n > 0 {
		return []unitRef{u}, n
	}
	if u, n := relativeUnit(toks, i); n > 0 {
		return []unitRef{u}, n
	}
	kind, plural, k := head(toks, i)
	if k == 0 {
		return nil, 0
	}
	if k < len(toks) && broken(toks[k-1].w, s[toks[k-1].end:toks[k].start]) {
		return nil, 0
	}
	if k < len(toks) && (toks[k].w == "n" || toks[k].w == "nro" || toks[k].w == "num" || toks[k].w == "numero" || toks[k].w == "nº") {
		k++
	}
	if k < len(toks) && toks[k].sep == ',' && !isDigits(toks[k].w) { // "tres artículos, tres disposiciones": a count
		return nil, 0
	}
	u, k := itemAt(toks, k, kind, s)
	if k == 0 {
		return nil, 0
	}
	u.from = i
	units = append(units, u)
	for k < len(toks) && len(units) < 64 {
		n := listSeparator(toks, k, plural)
		if n < 0 {
			break
		}
		w := toks[k].w
		if w == "a" || w == "al" {
			last, m := itemAt(toks, n, kind, s)
			if m == 0 || last.detail != "" {
				break
			}
			units[len(units)-1].to, units[len(units)-1].end, k = last.number, m, m
			continue
		}
		if w == "y" && n < len(toks) && (toks[n].w == "siguientes" || toks[n].w == "ss" || toks[n].w == "sgtes" || toks[n].w == "sig" || toks[n].w == "sigs" || toks[n].w == "siguiente") {
			units[len(units)-1].to, units[len(units)-1].end, k = "ss", n+1, n+1
			continue
		}
		if w == "ss" || w == "siguientes" {
			units[len(units)-1].to, units[len(units)-1].end, k = "ss", k+1, k+1
			continue
		}
		more, m := itemAt(toks, n, kind, s)
		if m == 0 || m < len(toks) && measure(toks[m].w) && toks[m].sep == 0 {
			break
		}
		more.from = n
		if prev := &units[len(units)-1]; prev.detail != "" && len(more.detail) < 2 && smaller(more.number, prev.number) {
			prev.detail, prev.end, k = prev.detail+" y "+more.number, m, m // "99.1 y 3": paragraphs of one article
			continue
		}
		units, k = append(units, more), m
	}
	return units, k
}

// smaller reports that number a is less than b: lists of units rise.
func smaller(a, b string) bool {
	x, err := strconv.Atoi(a)
	y, err2 := strconv.Atoi(b)
	return err == nil && err2 == nil && x < y
}

// broken reports that the gap after the word for a unit ends a sentence or paragraph.
func broken(word, gap string) bool {
	if strings.Contains(gap, "\n\n") {
		return true
	}
	return len(word) > 5 && strings.Contains(gap, ".")
}

// listSeparator gives the word where the next item of a list begins, -1 if the list ends at k.
func listSeparator(toks []tok, k int, plural bool) int {
	sep := toks[k].sep
	if sep == ';' || sep == '(' || sep == ':' || sep == '.' && !isDigits(toks[k].w) {
		return -1
	}
	switch toks[k].w {
	case "y", "e", "o", "u", "ni":
		return k + 1
	case "a", "al":
		return k + 1
	case "ss", "siguientes":
		return k
	}
	if sep == ',' && plural {
		return k
	}
	return -1
}

// measure reports a word that makes the number before it an amount, no unit's number.
func measure(w string) bool {
	switch w {
	case "dia", "dias", "mes", "meses", "ano", "anos", "hora", "horas", "semana", "semanas", "euros", "pesos", "soles", "veces", "personas", "por", "trabajadores":
		return true
	}
	return false
}

// itemAt reads one number with what hangs from it: "48.4", "14 bis", "3, apartado 2", "XV". next is 0 if there is none.
func itemAt(toks []tok, i int, kind digesto.UnitKind, s string) (u unitRef, next int) {
	if i >= len(toks) || toks[i].sep == ';' || toks[i].sep == '(' || toks[i].sep == ',' && i == 0 || toks[i].sep == ':' && kind == digesto.KindPreliminary {
		return u, 0 // "Norma: CC" names one
	}
	u.kind, u.from = kind, i
	w := toks[i].w
	if num, detail, to, ok := dotted(w); ok {
		u.number, u.detail, u.to, next = num, detail, to, i+1
		if detail == "" && to == "" && next < len(toks) && toks[next].sep == 0 && Suffix(toks[next].w) { // "1.204 bis"
			if full, ok := Number(num + " " + toks[next].w); ok {
				u.number, next = full, next+1
			}
		}
		if detail != "" && next < len(toks) && toks[next].sep == 0 && Suffix(toks[next].w) { // "4.2 bis"
			u.detail, next = detail+" "+toks[next].w, next+1
		}
	} else {
		num, n := numberAt(wordsFrom(toks, i))
		if n == 0 || !plausible(toks, i, n, kind, num) {
			return u, 0
		}
		u.number, next = num, i+n
	}
	u.end = next
	if d, n := detailAfter(toks, next, s); n > 0 {
		if u.detail != "" {
			u.detail += " "
		}
		u.detail, u.end, next = u.detail+d, n, n
	}
	return u, next
}

// plausible keeps words and capitals that only look like numbers from being units.
func plausible(toks []tok, i, n int, kind digesto.UnitKind, num string) bool {
	w := toks[i].w
	if isDigits(w) {
		return true
	}
	if num[0] >= 'A' && num[0] <= 'Z' { // Roman
		next := i + n
		return toks[i].caps || len(w) > 1 || next == len(toks) || toks[next].sep != 0 || toks[next].w == "del" || toks[next].w == "de"
	}
	if kind == digesto.KindPreliminary { // "norma primera" only before "del título preliminar"
		return i+n+2 < len(toks) && toks[i+n+1].w == "titulo" || i+n+1 < len(toks) && toks[i+n].w == "titulo"
	}
	switch w {
	case "un", "una", "uno", "cien", "mil":
		return false
	}
	return i+n >= len(toks) || toks[i+n].w != "parte" // "artículos 214 y 215, segunda parte"
}

// dotted reads "48.4" and "48.1.2" (number and detail), "1.902" (one number), "148-150" (a range).
func dotted(w string) (number, detail, to string, ok bool) {
	if !isDigits(w) {
		return "", "", "", false
	}
	if a, b, cut := strings.Cut(w, "-"); cut && allDigits(a) && allDigits(b) {
		x, _ := strconv.Atoi(a)
		y, _ := strconv.Atoi(b)
		if x < y && y < 10000 {
			return bare(a), "", bare(b), true
		}
		if y > 0 && y < x && x < 100 { // "55-6" is paragraph 6 of article 55
			return bare(a), b, "", true
		}
	}
	if a, b, cut := strings.Cut(w, ","); cut && allDigits(a) && allDigits(b) && len(b) < 3 {
		x, _ := strconv.Atoi(a)
		y, _ := strconv.Atoi(b)
		switch {
		case y > 0 && y < x: // "55,6" too
			return bare(a), b, "", true
		case y == x+1: // "55,56"
			return bare(a), "", bare(b), true
		}
	}
	a, b, cut := strings.Cut(w, ".")
	if !cut || !allDigits(a) || b == "" {
		return "", "", "", false
	}
	if len(b) == 3 && allDigits(b) && len(a) == 1 {
		return a + b, "", "", true
	}
	if !isDigits(b) || strings.ContainsAny(b, "/,-") || len(a) > 4 {
		return "", "", "", false
	}
	return bare(a), b, "", true
}

// bare drops leading zeros, all but the last.
func bare(digits string) string {
	if d := strings.TrimLeft(digits, "0"); d != "" {
		return d
	}
	return "0"
}

func allDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// wordsFrom gives up to six words from i that a number may take.
func wordsFrom(toks []tok, i int) []string {
	var out [6]string
	n := 0
	for k := i; k < len(toks) && n < len(out); k++ {
		if k > i && toks[k].sep != 0 && toks[k].sep != '-' && toks[k].sep != '\n' {
			break
		}
		w := toks[k].w
		if k > i && toks[k].sep == '-' && len(w) == 1 { // "62 -A"
			w = "-" + w
		}
		out[n] = w
		n++
	}
	return out[:n]
}

// ordinalFirst reads "primera disposición complementaria transitoria".
func ordinalFirst(toks []tok, i int) (u unitRef, next int) {
	if !slices.ContainsFunc(toks[i+1:min(len(toks), i+7)], func(t tok) bool { return t.w == "disposicion" }) {
		return u, 0
	}
	if one := [1]string{toks[i].w}; one[0] != "unica" {
		if _, ordinal, _ := text.Numeral(one[:]); !ordinal {
			return u, 0
		}
	}
	v, ordinal, n := text.Numeral(wordsFrom(toks, i))
	num := strconv.Itoa(v)
	if toks[i].w == "unica" {
		n, ordinal, num = 1, true, "unica"
	}
	if n == 0 || !ordinal || i+n >= len(toks) || toks[i+n].w != "disposicion" {
		return u, 0
	}
	kind, next := dispositionKind(toks, i+n+1)
	if next == 0 {
		return u, 0
	}
	return unitRef{kind: kind, number: num, from: i, end: next}, next
}

// relativeUnit reads "el artículo anterior", "la disposición siguiente", "este artículo".
func relativeUnit(toks []tok, i int) (u unitRef, next int) {
	before := relativeWord(toks[i].w)
	k := i
	if before != "" {
		k++
	}
	if k >= len(toks) || k > i && toks[k].sep != 0 { // "los siguientes: artículo único"
		return u, 0
	}
	kind, _, n := head(toks, k)
	if n == 0 || kind == digesto.KindPreliminary || kind == digesto.KindAnnex {
		return u, 0
	}
	if before == "" {
		if n >= len(toks) || toks[n].sep != 0 {
			return u, 0
		}
		switch after := relativeWord(toks[n].w); after {
		case "anterior", "siguiente", "presente":
			before, n = after, n+1
		default:
			return u, 0
		}
	} else if n < len(toks) && isDigits(toks[n].w) && toks[n].sep == 0 {
		return u, 0 // "el citado artículo 5", "este artículo 5"
	}
	return unitRef{kind: kind, number: before, from: i, end: n, relative: true}, n
}

func relativeWord(w string) string {
	switch w {
	case "anterior", "anteriores", "precedente", "precedentes":
		return "anterior"
	case "siguiente", "siguientes", "subsiguiente":
		return "siguiente"
	case "presente", "este", "esta", "mismo", "misma":
		return "presente"
	}
	return ""
}
