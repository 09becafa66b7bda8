package text

import (
	"maps"
	"strings"
)

// numeral is the share of a word in a number written out.
type numeral struct {
	value   int
	ordinal bool
}

// numerals holds the number words, folded. Ordinals are entered in the masculine
// and completed with the feminine.
var numerals = func() map[string]numeral {
	m := map[string]numeral{}
	add := func(ordinal bool, from, step int, words ...string) {
		for i, w := range words {
			m[w] = numeral{from + i*step, ordinal}
		}
	}
	add(false, 1, 1, "uno", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve", "diez", "once", "doce",
		"trece", "catorce", "quince", "dieciseis", "diecisiete", "dieciocho", "diecinueve", "veinte", "veintiuno",
		"veintidos", "veintitres", "veinticuatro", "veinticinco", "veintiseis", "veintisiete", "veintiocho", "veintinueve")
	add(false, 20, 10, "veinte", "treinta", "cuarenta", "cincuenta", "sesenta", "setenta", "ochenta", "noventa", "cien")
	add(false, 100, 100, "ciento", "doscientos", "trescientos", "cuatrocientos", "quinientos", "seiscientos",
		"setecientos", "ochocientos", "novecientos", "mil")
	add(false, 200, 100, "doscientas", "trescientas", "cuatrocientas", "quinientas", "seiscientas", "setecientas",
		"ochocientas", "novecientas")
	m["un"], m["una"], m["veintiun"], m["veintiuna"] = numeral{1, false}, numeral{1, false}, numeral{21, false}, numeral{21, false}
	m["millon"], m["millones"] = numeral{1e6, false}, numeral{1e6, false}
	add(true, 1, 1, "primero", "segundo", "tercero", "cuarto", "quinto", "sexto", "septimo", "octavo", "noveno", "decimo",
		"undecimo", "duodecimo", "decimotercero", "decimocuarto", "decimoquinto", "decimosexto", "decimoseptimo",
		"decimoctavo", "decimonoveno", "vigesimo")
	add(true, 11, 1, "decimoprimero", "decimosegundo", "decimotercero")
	add(true, 20, 10, "vigesimo", "trigesimo", "cuadragesimo", "quincuagesimo", "sexagesimo", "septuagesimo",
		"octogesimo", "nonagesimo", "centesimo")
	add(true, 21, 1, "vigesimoprimero", "vigesimosegundo", "vigesimotercero", "vigesimocuarto", "vigesimoquinto",
		"vigesimosexto", "vigesimoseptimo", "vigesimoctavo", "vigesimonoveno")
	add(true, 31, 1, "trigesimoprimero", "trigesimosegundo", "trigesimotercero", "trigesimocuarto", "trigesimoquinto",
		"trigesimosexto", "trigesimoseptimo", "trigesimoctavo", "trigesimonoveno")
	m["decimooctavo"], m["setimo"], m["decimosetimo"] = numeral{18, true}, numeral{7, true}, numeral{17, true}
	m["nono"], m["primer"], m["tercer"], m["onceavo"], m["doceavo"] = numeral{9, true}, numeral{1, true}, numeral{3, true}, numeral{11, true}, numeral{12, true}
	m["ducentesimo"], m["tricentesimo"] = numeral{200, true}, numeral{300, true}
	feminine := map[string]numeral{}
	for w, n := range m {
		if n.ordinal && w[len(w)-1] == 'o' {
			feminine[w[:len(w)-1]+"a"] = n
		}
	}
	maps.Copy(m, feminine)
	return m
}()

// numeralOf looks a folded word up.
func numeralOf(word string) (numeral, bool) {
	n, ok := numerals[word]
	return n, ok
}

// Numeral reads the number written out in words (folded, without punctuation) at
// the start of words: cardinal ("treinta y ocho", "dos mil quince") or ordinal
// ("trigésimo octavo"). n is how many words it takes, 0 if there is none.
func Numeral(words []string) (value int, ordinal bool, n int) {
	if len(words) == 0 {
		return 0, false, 0
	}
	first, ok := numeralOf(words[0])
	if !ok {
		return 0, false, 0
	}
	if first.ordinal {
		return ordinalAt(words, first.value)
	}
	return cardinalAt(words)
}

// ordinalAt adds a unit after tens and tens after hundreds: "centésimo trigésimo octavo".
func ordinalAt(words []string, value int) (int, bool, int) {
	n, last := 1, value
	for n < len(words) {
		next, ok := numeralOf(words[n])
		if !ok || !next.ordinal || magnitude(next.value) >= magnitude(last) || last%10 != 0 {
			break
		}
		value += next.value
		last = next.value
		n++
	}
	return value, true, n
}

func magnitude(v int) int {
	switch {
	case v < 10:
		return 1
	case v < 100:
		return 2
	case v < 1000:
		return 3
	}
	return 4
}

// cardinalAt reads thousands and millions with the group before each. "y" joins
// tens and units only, so that "veinte y tres meses" of two things stays two.
func cardinalAt(words []string) (int, bool, int) {
	total, group, n := 0, 0, 0
	lastSmall := 0 // magnitude of the last part of the group; 0 = none yet
	for n < len(words) {
		w, skip := words[n], 0
		if w == "y" && lastSmall == 2 && n+1 < len(words) && group%10 == 0 && group%100 >= 30 {
			w, skip = words[n+1], 1
		}
		part, ok := numeralOf(w)
		if !ok || part.ordinal || skip == 1 && part.value > 9 {
			break
		}
		if part.value == 1000 || part.value == 1e6 {
			if skip == 1 || total > 0 && part.value >= 1e6 && group == 0 && total%1e6 == 0 {
				break
			}
			if part.value == 1e6 {
				total = (total + max(group, boolInt(total == 0))) * 1e6
			} else {
				if total%1e6 != 0 {
					break
				}
				total += max(group, 1) * 1000
			}
			group, lastSmall = 0, 0
			n++
			continue
		}
		m := magnitude(part.value)
		if lastSmall != 0 && (m >= lastSmall || skip == 0 && m == 1 && group%100 != 0) {
			break
		}
		group += part.value
		lastSmall = m
		n += 1 + skip
	}
	return total + group, false, n
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// canonicalDigits brings the written forms of one number together: "1.000" and
// "1,000" become "1000". part is the number without what hangs from it: "62" of
// "62-a", "48" of "48.4"; empty if nothing does.
func canonicalDigits(folded string) (full, part string) {
	if g := groups(folded); g != "" {
		return g, ""
	}
	i := 0
	for i < len(folded) && isDigit(folded[i]) {
		i++
	}
	rest := folded[i:]
	if rest == "" || i > 4 || rest[0] == '/' || strings.Count(rest, "-") > 1 {
		return folded, ""
	}
	return folded, folded[:i]
}

// groups joins digits in groups of three behind one kind of separator; "" if s is not so written.
func groups(s string) string {
	if len(s) < 5 {
		return ""
	}
	sep, out, run := byte(0), make([]byte, 0, len(s)), 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case isDigit(c):
			run++
			out = append(out, c)
		case (c == '.' || c == ',') && (sep == 0 || c == sep) && run > 0 && run <= 3 && (sep == 0 || run == 3):
			sep, run = c, 0
		default:
			return ""
		}
	}
	if sep == 0 || run != 3 || out[0] == '0' {
		return ""
	}
	return string(out)
}
