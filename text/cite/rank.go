package cite

import (
	"strings"

	"digesto/text"
)

// rankPhrases are the words and abbreviations for the rank of a norm, as sequences
// of folded words, with their class. They are words of legal language, not names of
// norms. A class with "|" is an abbreviation of several.
var rankPhrases = func() map[string][]rankPhrase {
	m := map[string][]rankPhrase{}
	for phrase, class := range map[string]string{
		"ley": "ley", "leyes": "ley", "ley foral": "ley", "leyes forales": "ley", "decreto foral": "decreto", "decretos forales": "decreto", "decreto foral legislativo": "decreto legislativo", "decreto ley foral": "decreto ley", "ley organica": "ley organica", "leyes organicas": "ley organica", "lo": "ley organica", "l o": "ley organica",
		"real decreto legislativo": "decreto legislativo", "reales decretos legislativos": "decreto legislativo", "rdleg": "decreto legislativo", "rdlg": "decreto legislativo", "rdlegislativo": "decreto legislativo",
		"rd leg": "decreto legislativo", "rd legislativo": "decreto legislativo", "r d leg": "decreto legislativo", "rdlvo": "decreto legislativo",
		"real decreto ley": "decreto ley", "reales decretos leyes": "decreto ley", "reales decretos ley": "decreto ley", "rd ley": "decreto ley", "rdley": "decreto ley", "decreto ley": "decreto ley",
		"decretos leyes": "decreto ley", "rdl": "decreto legislativo|decreto ley", "rdll": "decreto ley", "dl": "decreto legislativo|decreto ley", "d l": "decreto legislativo|decreto ley",
		"real decreto": "decreto", "reales decretos": "decreto", "rd": "decreto", "decreto": "decreto", "decretos": "decreto", "dto": "decreto", "dec": "decreto", "d": "",
		"decreto legislativo": "decreto legislativo", "decretos legislativos": "decreto legislativo", "d leg": "decreto legislativo", "dleg": "decreto legislativo", "d lgs": "decreto legislativo", "dlgs": "decreto legislativo",
		"royal decree": "decreto", "royal legislative decree": "decreto legislativo", "royal decree law": "decreto ley", "organic law": "ley organica", "law": "ley",
		"decreto supremo": "decreto supremo", "decretos supremos": "decreto supremo", "ds": "decreto supremo", "d s": "decreto supremo", "dsn": "decreto supremo",
		"decreto de urgencia": "decreto de urgencia", "du": "decreto de urgencia",
		"decreto de necesidad y urgencia": "decreto", "dnu": "decreto", "decreto reglamentario": "decreto", "decreto nacional": "decreto",
		"orden": "orden", "ordenes": "orden", "orden ministerial": "orden", "om": "orden", "resolucion": "resolucion", "resoluciones": "resolucion", "resolucion general": "resolucion",
		"resolucion ministerial": "resolucion", "rm": "resolucion", "resolucion suprema": "resolucion", "resolucion de superintendencia": "resolucion", "resolucion directoral": "resolucion",
		"resolucion administrativa": "resolucion", "resolucion conjunta": "resolucion", "res": "resolucion", "rg": "resolucion",
		"reglamento": "reglamento", "reglamento ue": "reglamento", "reglamento ce": "reglamento", "reglamento cee": "reglamento", "reglamento delegado": "reglamento", "reglamento de ejecucion": "reglamento",
		"reglamento de ejecucion ue": "reglamento", "reglamento delegado ue": "reglamento", "rgto": "reglamento",
		"directiva": "directiva", "directivas": "directiva", "directiva ue": "directiva", "decision": "decision", "decision marco": "decision", "recomendacion": "recomendacion",
		"ordenanza": "ordenanza", "circular": "circular", "instruccion": "instruccion", "acordada": "acordada", "disposicion": "disposicion administrativa", "codigo": "codigo", "constitucion": "constitucion", "estatuto": "estatuto",
	} {
		if class == "" {
			continue
		}
		words := strings.Fields(phrase)
		m[words[0]] = append(m[words[0]], rankPhrase{words, class})
	}
	return m
}()

type rankPhrase struct {
	words []string
	class string
}

// rankAt gives the class of the rank named at i and the index after it (0: none); the longest wins.
func rankAt(toks []tok, i int) (class string, next int) {
	if i >= len(toks) {
		return "", 0
	}
	if toks[i].w == "r" && i+1 < len(toks) && marksNumber(toks[i+1].w) { // "R. N° 5-2001-SUNAT"
		return "resolucion", i + 1
	}
	for _, p := range toks[i].ranks {
		if i+len(p.words) <= next || !wordsAt(toks, i, p.words) {
			continue
		}
		class, next = p.class, i+len(p.words)
	}
	return class, next
}

func wordsAt(toks []tok, i int, words []string) bool {
	if i+len(words) > len(toks) {
		return false
	}
	for k, w := range words {
		if toks[i+k].w != w || k > 0 && (toks[i+k].sep == ';' || toks[i+k].sep == ',') {
			return false
		}
	}
	return true
}

// rankClass gives the class of a rank as a source writes it ("Real Decreto-ley", "decreto_supremo").
func rankClass(s string) string {
	var buf [8]tok
	toks := words(buf[:0], nil, strings.NewReplacer("_", " ", "-", " ").Replace(s))
	class, _ := rankAt(toks, 0)
	return class
}

// compatible reports that a norm of class have may be cited as class want.
func compatible(want, have string) bool {
	if want == have || want == "" || have == "" {
		return true
	}
	for w := range strings.SplitSeq(want, "|") {
		for h := range strings.SplitSeq(have, "|") {
			if w == h || strings.HasPrefix(h, w+" ") || strings.HasPrefix(w, h+" ") {
				return true
			}
		}
	}
	return false
}

// numberAfterRank reads the number of a norm at i, after its rank: "39/2015",
// "N.º 27444", "(UE) 2016/679", "2014/24/UE", "26.994". next is the index after it, 0 if there is none.
func numberAfterRank(toks []tok, i int, class string) (key string, next int) {
	marked := false
	if class == "resolucion" && i+2 < len(toks) && toks[i].caps && len(toks[i].w) > 2 && marksNumber(toks[i+1].w) {
		i++ // the organ that gave it: "Resolución CNV N° 5"
	}
	if class == "decreto" && i+1 < len(toks) && toks[i].caps && len(toks[i].w) == 3 && isDigits(toks[i+1].w) && strings.Contains(toks[i+1].w, "/") {
		i++ // "Decreto PEN 1759/72"
	}
	if key := departmental(toks, i, class); key != "" {
		return key, i + 2
	}
	for n := 0; n < 2 && i < len(toks); n++ {
		switch toks[i].w {
		case "s": // "N° s."
			if marked {
				i++
			}
		case "n", "no", "nro", "num", "numero", "nº", "ue", "ce", "cee", "euratom", "nos", "nums", "nros", "numeros":
			if toks[i].sep == ';' {
				return "", 0
			}
			marked = true
			i++
		}
	}
	if i >= len(toks) || toks[i].w[0] < '0' || toks[i].w[0] > '9' || toks[i].sep == ';' || toks[i].sep == ',' || toks[i].sep == '\n' && !marked ||
		toks[i].sep == '.' && !marked && i > 0 && len(toks[i-1].w) == 3 && toks[i-1].w == "ley" {
		return "", 0
	}
	if toks[i].sep == '(' && !marked && len(toks[i].w) == 4 && (class == "constitucion" || class == "codigo" || class == "estatuto") {
		return "", 0 // "Constitución (1993)": its year
	}
	key = numberKey(toks[i].w)
	bare := !strings.ContainsAny(key, "/-") && (i+1 >= len(toks) || toks[i+1].sep != '/')
	if bare && len(key) < 3 && !marked || len(key) > 24 || bare && class == "disposicion administrativa" {
		return "", 0
	}
	i++
	if i < len(toks) && toks[i].sep == '/' { // "2014/24/UE", "000123-2020/ABC"
		if w := toks[i].w; w != "ue" && w != "ce" && w != "cee" && w != "euratom" && w != "jai" {
			key += "/" + w
		}
		i++
	}
	return expandYear(key), i
}

// departmental gives the number of an order with the letters of the department that
// gave it, "ESS/1187/2015": each counts its own, so they are part of it; "" = none.
func departmental(toks []tok, i int, class string) string {
	if class != "orden" || i+1 >= len(toks) || toks[i].sep == ',' || toks[i].sep == ';' || len(toks[i].w) < 2 || len(toks[i].w) > 5 || isDigits(toks[i].w) || toks[i+1].sep != '/' {
		return ""
	}
	number, year, ok := strings.Cut(toks[i+1].w, "/")
	if !ok || !allDigits(number) || !allDigits(year) || len(year) != 4 {
		return ""
	}
	return toks[i].w + "/" + number + "/" + year
}

// expandYear writes the two-figure year of older citations in full: "30/92" is
// "30/1992", "50/17" is "50/2017". Numbers of directives ("93/104") have their year first and stay.
func expandYear(key string) string {
	slash := strings.IndexByte(key, '/')
	if slash < 0 || len(key)-slash != 3 || strings.Count(key, "/") > 1 {
		return key
	}
	yy := key[slash+1:]
	if yy[0] < '0' || yy[0] > '9' {
		return key
	}
	if yy >= "40" {
		return key[:slash+1] + "19" + yy
	}
	return key[:slash+1] + "20" + yy
}

// dateAt gives how many words the date at i takes: "de 2 de abril", "de 5 de mayo de 2012", 0 if none.
func dateAt(toks []tok, i int) int {
	k := i
	if k < len(toks) && toks[k].w == "de" {
		k++
	}
	if k+2 >= len(toks) || !dayNumber(toks[k].w) || toks[k+1].w != "de" || text.Months[toks[k+2].w] == 0 {
		return 0
	}
	k += 3
	if k+1 < len(toks) && (toks[k].w == "de" || toks[k].w == "del") && len(toks[k+1].w) == 4 && toks[k+1].w[0] >= '1' && toks[k+1].w[0] <= '2' {
		k += 2
	}
	return k - i
}

// fullDateAt gives how many words a date with its year takes, in figures or in words
// ("de veintiuno de abril de mil novecientos sesenta y seis"); 0 if there is none.
func fullDateAt(toks []tok, i int) int {
	if d := dateAt(toks, i); d > 0 {
		if last := toks[i+d-1].w; len(last) == 4 && allDigits(last) {
			return d
		}
		return 0
	}
	if i >= len(toks) || toks[i].w != "de" {
		return 0
	}
	_, _, day := text.Numeral(wordsFrom(toks, i+1))
	k := i + 1 + day
	if day == 0 || k+3 >= len(toks) || toks[k].w != "de" || text.Months[toks[k+1].w] == 0 || toks[k+2].w != "de" {
		return 0
	}
	year, _, n := text.Numeral(wordsFrom(toks, k+3))
	if year < 1000 || year > 2999 {
		return 0
	}
	return k + 3 + n - i
}

// dayKey gives the day and month of the date at i in one form; "" if there is none.
func dayKey(toks []tok, i int) string {
	if dateAt(toks, i) == 0 {
		return ""
	}
	if toks[i].w == "de" {
		i++
	}
	return strings.TrimLeft(toks[i].w, "0") + " " + toks[i+2].w
}

// dayNumber also lets through the misreadings of optical recognition ("II" for 11, "l" for 1).
func dayNumber(w string) bool {
	return len(w) <= 2 && strings.Trim(w, "0123456789ilo") == "" || w == "primero"
}
