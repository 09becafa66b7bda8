package cite

import (
	"slices"
	"strings"

	"digesto/text"
)

// title is what an official title says.
type title struct {
	rank    string   // class of rank, see rankClass
	numbers []string // "39/2015", "26994"
	rest    []string // words after rank, number and date, connectors left out
	names   []phrase // names to recognise the norm by
	enacted string   // day and month of the norm, as dayKey gives them; "" = not said
}

type phrase struct {
	words  []string
	origin origin
}

// parseTitle takes an official title apart: rank, number, date, and the names by
// which texts call the norm.
func parseTitle(s string) title {
	var out title
	var buf [64]tok
	toks := words(buf[:0], make([]text.Token, 0, 64), s)
	i := 0
	if class, n := rankAt(toks, 0); n > 0 {
		out.rank = class
		if num, m := numberAfterRank(toks, n, class); m > 0 {
			out.numbers, i = append(out.numbers, num), m
			out.enacted = dayKey(toks, i)
			i += dateAt(toks, i)
		} else if d := dateAt(toks, n); d > 0 {
			i = n + d
		}
	}
	for k := i; k < len(toks); k++ { // "Texto Único Ordenado de la Ley N.º 27444"
		if class, n := rankAt(toks, k); n > 0 {
			if num, m := numberAfterRank(toks, n, class); m > 0 && len(out.numbers) == 0 && unique(toks, i, k) {
				out.numbers = append(out.numbers, num)
			}
		}
	}
	out.names = names(toks, i, out.rank)
	out.rest = content(toks[i:])
	return out
}

// unique reports that the words before k name a consolidated text of what follows.
func unique(toks []tok, from, k int) bool {
	for _, t := range toks[from:k] {
		if t.w == "texto" {
			return true
		}
	}
	return k-from <= 1
}

// content gives the words without connectors (the first word stays).
func content(toks []tok) []string {
	words := make([]string, 0, len(toks))
	for _, t := range toks {
		if !connector(t.w) {
			words = append(words, t.w)
		}
	}
	return words
}

// document nouns name a text by themselves: a name that begins with one is no organ.
func documentNoun(w string) bool {
	switch w {
	case "ley", "codigo", "reglamento", "estatuto", "texto", "constitucion", "decreto", "norma", "normas", "regimen", "plan", "convenio",
		"tratado", "carta", "ordenanza", "bases", "estatutos", "acuerdo", "protocolo":
		return true
	}
	return false
}

// names makes the names that an official title gives: its end as a whole, up to the
// first comma, after "por el que se aprueba", after "texto refundido de".
func names(toks []tok, i int, rank string) []phrase {
	starts := []int{skipOpening(toks, i)}
	for k := i; k < len(toks) && len(starts) < 6; k++ {
		if w := toks[k].w; w == "refundido" || w == "ordenado" || w == "tuo" {
			starts = append(starts, skipConnectors(toks, k+1))
		}
		if toks[k].w == "ley" && k > i && k+1 < len(toks) && connector(toks[k+1].w) && toks[k-1].w != "reglamento" && !subject(toks, i, k) {
			starts = append(starts, skipConnectors(toks, k+1)) // "Ley del Estatuto …": the text's own name
		}
		if w := toks[k].w; w == "aprueba" || w == "aprueban" || w == "publica" && k > i && toks[k-1].w == "se" {
			starts = append(starts, skipConnectors(toks, k+1))
		}
	}
	var out []phrase
	for i, from := range starts {
		if slices.Contains(starts[:i], from) {
			continue
		}
		ends := []int{len(toks)}
		if k := commaAfter(toks, from); k > from {
			ends = append(ends, k)
			if len(toks)-from > 2*nameWords { // nobody names it by the whole
				ends = ends[1:]
			}
		}
		for _, to := range ends {
			of := from > 0 && (connector(toks[from-1].w) || toks[from-1].w == "reguladora" || toks[from-1].w == "sobre")
			out = append(out, nameOf(content(toks[from:to]), rank, of)...)
		}
	}
	return out
}

// skipOpening passes over "por la que se aprueba el", "de", "sobre", "reguladora de".
func skipOpening(toks []tok, i int) int {
	for i < len(toks) {
		switch toks[i].w {
		case "de", "del", "la", "el", "los", "las", "por", "que", "se", "sobre", "reguladora", "regulador", "relativa", "relativo", "a", "aprueba", "aprueban",
			"regula", "regulan", "establece", "establecen", "dictan", "dicta", "publica", "al", "y":
			i++
		default:
			return i
		}
	}
	return i
}

// subject reports that the law at k is what the text is about, not what it is: "Reglamento
// de la Ley", "se desarrolla la Ley", "se modifica la Ley".
func subject(toks []tok, i, k int) bool {
	for j := k - 1; j >= i && j >= k-8; j-- {
		switch w := toks[j].w; {
		case w == "refundido" || w == "ordenado" || w == "tuo" || w == "aprueba" || w == "publica":
			return false
		case !connector(w) && w != "que":
			return true
		}
	}
	return k > i
}

func skipConnectors(toks []tok, i int) int {
	for i < len(toks) && (connector(toks[i].w)) {
		i++
	}
	return i
}

// commaAfter gives the first word after a comma or bracket, at least two content words on; 0 if none.
func commaAfter(toks []tok, from int) int {
	for k := from + 1; k < len(toks); k++ {
		if toks[k].sep == ',' || toks[k].sep == '(' || toks[k].sep == ';' {
			return k
		}
	}
	return 0
}

// nameOf gives the forms of one name: alone, when it is a noun's complement (of: "del
// Procedimiento …", not "General Tributaria"), and with the word for its rank.
func nameOf(words []string, rank string, of bool) []phrase {
	if len(words) == 0 {
		return nil
	}
	var out []phrase
	switch {
	case words[0] == "regimen" && of: // "el régimen especial de…" is mostly the matter
		out = append(out, phrase{words, fromTail})
	case documentNoun(words[0]):
		if len(words) >= 2 {
			out = append(out, phrase{words, fromTitle})
			if words[0] == "ley" && len(words) >= 3 && words[1] == "organica" {
				out = append(out, phrase{append([]string{"ley"}, words[2:]...), fromTitle})
			}
		} else if words[0] == "constitucion" {
			out = append(out, phrase{words, fromTitle})
		}
	case len(words) >= 2 && of:
		out = append(out, phrase{words, fromTail})
	}
	if w := rankWords(rank); w != nil && !documentNoun(words[0]) {
		out = append(out, phrase{slices.Concat(w[:1], words), fromTitle})
		if len(w) > 1 {
			out = append(out, phrase{slices.Concat(w, words), fromTitle})
		}
	}
	return out
}

// rankWords gives the words with which texts name a law of that class before its subject.
func rankWords(class string) []string {
	switch class {
	case "ley":
		return []string{"ley"}
	case "ley organica":
		return []string{"ley", "organica"}
	case "reglamento", "decreto", "ordenanza", "directiva":
		return []string{class}
	}
	return nil
}

// numbersOfID gives the forms of the number in an identifier that begins with, or
// contains, a rank: "Ley 26.994", "LEY-27344-2000" (also "27344"), "DEC-1759-1972" ("1759/1972").
func numbersOfID(s string) (keys []string) {
	var buf [12]tok
	toks := words(buf[:0], nil, s)
	for i := range toks {
		class, n := rankAt(toks, i)
		if n == 0 {
			if len(toks[i].w) > 3 { // the name of a file, not of a norm: "copia-de-la-ley-27444"
				return nil
			}
			continue
		}
		key, next := numberAfterRank(toks, n, class)
		if next == 0 && n+1 == len(toks) && allDigits(toks[n].w) { // "LEY-48": in an identifier no mark is needed
			key, next = numberKey(toks[n].w), n+1
		}
		if next == 0 {
			continue
		}
		keys = append(keys, key)
		number, year, cut := strings.Cut(key, "-")
		if cut && allDigits(number) && len(year) == 4 && allDigits(year) {
			keys = append(keys, number+"/"+year)
			if len(number) >= 3 {
				keys = append(keys, number)
			}
		}
		return keys
	}
	return nil
}

// numberKey brings a norm's number to one form: "26.994" → "26994", "2/15" stays, "N.º 27444".
func numberKey(w string) string {
	if !strings.ContainsAny(w, "/-") {
		w = strings.ReplaceAll(strings.ReplaceAll(w, ".", ""), ",", "")
	}
	return strings.TrimLeft(strings.TrimRight(w, "."), "0")
}
