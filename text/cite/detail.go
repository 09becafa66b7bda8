package cite

import "strings"

// detailWord reports a word for a part below the unit.
func detailWord(w string) bool {
	switch w {
	case "apartado", "apartados", "ap", "aps", "apdo", "apdos", "apto", "inciso", "incisos", "inc", "incs", "numeral", "numerales",
		"letra", "letras", "let", "lit", "literal", "literales", "parrafo", "parrafos", "parr", "par", "punto", "puntos", "regla", "reglas", "num", "ord", "ordinal", "numero", "numeros":
		return true
	}
	return false
}

// detailAfter reads what is cited below the unit just before word i: "inc. b", ", apartado 2, letra a)",
// ".a)", "primer párrafo". It gives the words as written and the index after them, 0 if there is nothing.
func detailAfter(toks []tok, i int, s string) (string, int) {
	start, k := -1, i
	for k < len(toks) && k < i+16 {
		n := detailPart(toks, k, s)
		if n == 0 {
			break
		}
		if start < 0 {
			start = k
		}
		k = n
	}
	if start < 0 {
		return "", 0
	}
	return written(toks, start, k, s), k
}

// written gives the source of words from … to, with a closing bracket that belongs to it.
func written(toks []tok, from, to int, s string) string {
	end := toks[to-1].end
	if end < len(s) && s[end] == ')' && !strings.Contains(s[toks[from].start:end], "(") {
		end++
	}
	return s[toks[from].start:end]
}

// detailPart reads one part at k and gives the index after it, 0 if there is none.
func detailPart(toks []tok, k int, s string) int {
	t := toks[k]
	if t.sep == ';' || t.sep == '?' {
		return 0
	}
	letter := len(t.w) == 1 && t.w >= "a" && t.w <= "z"
	closed := t.end < len(s) && s[t.end] == ')'
	if letter && closed && (t.sep == '.' || t.sep == 0 || t.sep == ',') || letter && t.sep == '.' && t.start > 0 && s[t.start-1] == '.' {
		return k + 1 + suffixed(toks, k, s) // "21.a)", "21 a)", "48.1.b", "37.3.b bis"
	}
	if t.caps && isRoman(t.w) && len(t.w) < 4 && k > 0 && isDigits(toks[k-1].w) && s[toks[k-1].end:t.start] == "." {
		return k + 1 // "55.1.II"
	}
	if t.sep == '(' && closed && isDigits(t.w) && len(t.w) < 3 && k > 0 && isDigits(toks[k-1].w) && s[toks[k-1].end:t.start] == " (" {
		return k + 1 // "268 (2)"
	}
	if detailWord(t.w) {
		return detailValues(toks, k+1, s)
	}
	if _, ordinal, n := ordinalWord(toks, k); ordinal && k+n < len(toks) && (toks[k+n].w == "parrafo" || toks[k+n].w == "inciso" || toks[k+n].w == "apartado" || toks[k+n].w == "punto") {
		return k + n + 1
	}
	if t.w == "in" && k+1 < len(toks) && toks[k+1].w == "fine" {
		return k + 2
	}
	return 0
}

// suffixed is 1 when a Latin suffix belongs to the letter at k: "b bis", "b) bis".
func suffixed(toks []tok, k int, s string) int {
	if k+1 < len(toks) && Suffix(toks[k+1].w) {
		if gap := s[toks[k].end:toks[k+1].start]; gap == " " || gap == ") " {
			return 1
		}
	}
	return 0
}

func ordinalWord(toks []tok, k int) (string, bool, int) {
	switch toks[k].w {
	case "primer", "primero", "primera", "segundo", "segunda", "tercer", "tercero", "tercera", "cuarto", "cuarta", "quinto", "quinta", "sexto", "septimo", "octavo", "noveno", "decimo", "ultimo", "ultima", "penultimo":
		return toks[k].w, true, 1
	}
	return "", false, 0
}

// detailValues reads the values after a detail word: "2", "b)", "a) y c)", "1.c", "segundo"; 0 if there is none.
func detailValues(toks []tok, k int, s string) int {
	next, joined := 0, false
	for k < len(toks) {
		if !detailValue(toks, k, s, next > 0) {
			break
		}
		k++
		next = k
		for k < len(toks) && toks[k].sep == '.' && (len(toks[k].w) == 1 || Suffix(toks[k].w)) && s[toks[k-1].end:toks[k].start] == "." { // "1.c"
			k++
			next = k
		}
		if k+1 >= len(toks) {
			break
		}
		switch w := toks[k].w; {
		case joined && toks[k].sep == ',' && (w == "y" || w == "e"):
			return next // "artículos 55, apartados 1 y 2, y 56"
		case w == "y" || w == "o" || w == "e" || w == "a" && toks[k].end < len(s) && s[toks[k].end] != ')':
			joined = true
			k++
		case toks[k].sep == ',' && len(w) == 1:
		default:
			return next
		}
	}
	return next
}

func detailValue(toks []tok, k int, s string, more bool) bool {
	t := toks[k]
	if t.sep == ';' || t.sep == '?' {
		return false
	}
	if isDigits(t.w) {
		return !more || k+1 >= len(toks) || !measure(toks[k+1].w)
	}
	if len(t.w) == 1 {
		closed := t.end < len(s) && s[t.end] == ')'
		return closed || t.w != "y" && t.w != "o" && t.w != "e" && (t.w != "a" || !more)
	}
	if _, ok, _ := ordinalWord(toks, k); ok || t.w == "unico" || t.w == "uno" || t.w == "dos" || t.w == "tres" || t.w == "cuatro" || t.w == "cinco" {
		return true
	}
	return isRoman(t.w) && len(t.w) <= 4 && t.w != "di"
}

// detailBefore reads "apartado 4 del", "inciso b) de la", "párrafo segundo del", which stand
// before the unit they belong to. It gives the index of the unit's head and the index after the detail, 0 if there is none.
func detailBefore(toks []tok, i int, s string) (head, end int) {
	k := i
	for k < len(toks) && k < i+12 {
		n := detailPart(toks, k, s)
		if n == 0 {
			break
		}
		k, end = n, n
		if k < len(toks) && toks[k].capital && strings.ContainsAny(s[toks[k-1].end:toks[k].start], ".\n") {
			return 0, 0 // "(letra b). Los artículos 5 y 6": another sentence
		}
		for k < len(toks) && (toks[k].w == "del" || toks[k].w == "de" || toks[k].w == "la" || toks[k].w == "los" || toks[k].w == "las") {
			k++
		}
		if k > end && k+2 < len(toks) && (toks[k].w == "mismo" || toks[k].w == "propio") && toks[k+1].sep == 0 && toks[k+2].sep == 0 && isDigits(toks[k+2].w) { // "6.2 del mismo artículo 6"
			k++
		}
	}
	if end == 0 || k == end || k >= len(toks) {
		return 0, 0
	}
	return k, end
}
