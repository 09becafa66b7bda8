package judge

import (
	"slices"
	"strings"
	"unicode"

	"digesto/text"
	"digesto/text/lazyregexp"
	"digesto/text/quote"
	"digesto/verify/read"
)

// Why a quotation whose words all stand in the law is not what the law says.
const (
	cutOff = "La cita deja fuera una negación, un «salvo» o parte de una cifra que está junto a las palabras citadas: el texto dice otra cosa."
	// Undenied is cutOff of no more than a negation before the first words: the author may
	// have written it before the mark, 'no «se aplicará»'.
	Undenied   = cutOff + " La negación está antes de ellas."
	putAs      = "La cita pone entre corchetes una negación, una cifra, un «podrá», un «deberá» u otra palabra que cambia el sentido y que la ley no trae ahí: el texto dice otra cosa."
	joins      = "Los puntos suspensivos unen trozos de frases o de apartados distintos, que en la ley no van juntos: el texto dice otra cosa."
	governs    = "Los puntos suspensivos dejan fuera una negación, una excepción, una condición, una cifra o un verbo de los que depende lo que queda: el texto dice otra cosa."
	Adds       = "La cita pone entre corchetes palabras que ese lugar de la ley no usa: no se puede comprobar que no cambien lo que dice."
	unled      = "La cita empieza como una frase entera y deja fuera la condición o la excepción con que la ley la empieza: el texto dice otra cosa."
	noteOfText = "Las palabras son de una nota de quien editó el texto, no de la ley."
)

// Words that decide what stays of a sentence, folded.
var (
	// conditions begin a clause on which the rest depends.
	conditions = map[string]bool{"si": true, "cuando": true, "salvo": true, "excepto": true, "siempre": true, "mientras": true, "solo": true, "solamente": true, "unicamente": true, "exclusivamente": true,
		"excepcion": true, "excepcionalmente": true, "excluidos": true, "excluidas": true, "excluido": true, "excluida": true, "previa": true, "previo": true, "previamente": true, "condicion": true, "caso": true, "casos": true, "supuesto": true, "supuestos": true,
		"menos": true, "hasta": true, "maximo": true, "maxima": true, "minimo": true, "minima": true, "apenas": true, "aunque": true, "perjuicio": true, "contrario": true, "podra": true, "podran": true, "debera": true, "deberan": true, "puede": true, "pueden": true, "debe": true, "deben": true}
	// dangling words cannot end what is quoted: what follows them in the law belongs to them.
	dangling = map[string]bool{"a": true, "al": true, "ante": true, "con": true, "de": true, "del": true, "desde": true, "en": true, "entre": true, "hasta": true, "para": true, "por": true, "segun": true, "sin": true, "sobre": true,
		"el": true, "la": true, "los": true, "las": true, "un": true, "una": true, "lo": true, "su": true, "sus": true, "que": true, "y": true, "o": true, "e": true, "ni": true, "no": true, "se": true,
		"sera": true, "seran": true, "es": true, "son": true, "sea": true, "sean": true, "prescribe": true, "caduca": true, "queda": true, "quedan": true, "quedara": true, "mayor": true, "menor": true, "superior": true, "inferior": true}
	// anaphors begin a sentence that speaks of the one before it.
	anaphors = map[string]bool{"este": true, "esta": true, "estos": true, "estas": true, "ese": true, "esa": true, "esos": true, "esas": true, "aquel": true, "aquella": true, "aquellos": true, "aquellas": true,
		"dicho": true, "dicha": true, "dichos": true, "dichas": true, "tal": true, "tales": true, "su": true, "sus": true, "ello": true, "lo": true, "se": true, "tambien": true, "asimismo": true, "igualmente": true, "tampoco": true,
		"mismo": true, "misma": true, "ambos": true, "ambas": true, "otro": true, "otra": true, "y": true, "o": true, "pero": true}
)

// inItsCase is what is said in passing and no condition; reference is what names other places.
var (
	inItsCase = lazyregexp.New(`\ben (?:su|todo) caso\b`)
	Reference = lazyregexp.New(`\b(?:articulos?|arts?\.?|apartados?|parrafos?|letras?|numerales?|incisos?|ley(?:es)?(?: organica)?|real decreto(?: legislativo|-ley)?|decretos?(?: legislativo| supremo|-ley)?|disposicion(?:es)?(?: \pL+)?|titulos?|capitulos?|seccion|libro|anexo|reglamento)(?: n[.º°]*)?(?: (?:anterior|siguiente|primer[oa]?|segund[oa]|tercer[oa]?|cuart[oa]|quint[oa]|\d[\d./ºª°]*|[a-z]\)|[ivxlc]+\b|y|e|o|a|al|bis|ter|(?:de|del) (?:la|el|este|esta|presente)?|n[.º°]+))+`)
)

// verbs of the present by which the law disposes, folded, beside commands.
var disposes = map[string]bool{"tiene": true, "tienen": true, "corresponde": true, "corresponden": true, "queda": true, "quedan": true, "prescribe": true, "prescriben": true, "caduca": true, "caducan": true, "vence": true, "vencen": true,
	"gozara": true, "goza": true, "gozan": true, "hay": true, "rige": true, "rigen": true, "comprende": true, "comprenden": true, "presume": true, "presumen": true, "considera": true, "consideran": true, "aplica": true, "aplican": true, "está": true, "estan": true, "esta obligado": true}

// decides says whether words left out of a sentence decide what stays. Figures do not when
// what follows is a clause of its own.
func decides(left string, figures bool) bool {
	plain := Reference.ReplaceAllString(inItsCase.ReplaceAllString(text.Fold(left), " "), " ")
	toks := text.Tokens(nil, plain)
	aside := setOff.MatchString(strings.TrimSpace(left)) && !slices.ContainsFunc(toks, func(t text.Token) bool { return t.Text == "y" || t.Text == "o" || t.Text == "ni" || t.Text == "que" })
	if n := len(toks); n > 0 && (toks[n-1].Text == "o" || toks[n-1].Text == "u") {
		return true // the other of two
	}
	for i, t := range toks {
		w := t.Text
		switch {
		case negations[w] && !aside || conditions[w]:
			return true
		case figures && (unicode.IsDigit([]rune(w)[0]) || Numeral(w) && w != "un" && w != "una" && w != "uno"):
			return true
		case disposes[w] && !(i > 0 && toks[i-1].Text == "que"):
			return true
		}
	}
	return verbal(left) && !passing.MatchString(strings.TrimSpace(left))
}

// complement begins with what says of which thing the words before it are; coordinates, a row or
// a chain of such words that ends right before it.
var (
	complement  = lazyregexp.New(`^del? `)
	coordinates = lazyregexp.New(`(?:^ ?del? .* del?|,| [yeou]) [^.;:]*[^.;:, ] ?$`)
)

// ofNoun begins with a word in the plural that is no verb, which says something of the noun before
// it; nounLast ends with such a noun.
var (
	ofNoun   = lazyregexp.New(`^\p{Ll}{4,}[aoe]s(?:,| [yeo]|$| (?:de|a|en|con|por|que)\b)`)
	nounLast = lazyregexp.New(`\p{Ll}{4,}[aoe]s $`)
)

// setOff is what two commas set off whole, and denies of the words before it: ", no sustituible
// en dinero,". It has no clause of its own.
var setOff = lazyregexp.New(`^,\sno\s\pL+bles?\b[^,;:.]*,$`)

// passing is what commas set off: what it says is said of the words before.
var passing = lazyregexp.New(`^(?:,?\s*(?:que|el cual|la cual|los cuales|las cuales|quien|quienes|cuy[oa]s?)|,\s*(?:(?:ya |bien )?sean?|según|conforme|incluid[oa]s?|incluso|esto es|es decir))\s[^,]*,?$`)

// ownClause says whether words begin a clause with a verb of its own behind another such clause.
func ownClause(before, words string) bool {
	toks := text.Tokens(nil, words)
	return len(toks) > 1 && verbal(before) && !Numeral(toks[1].Text) && !unicode.IsDigit([]rune(toks[1].Text)[0]) && (toks[0].Text == "y" || toks[0].Text == "pero") && verbal(firstClause(words))
}

// openCondition says whether words end within a clause that is a condition or an exception.
func openCondition(words string) bool {
	k := strings.LastIndexAny(words, ",;:.(")
	toks := text.Tokens(nil, words[k+1:])
	for i, t := range toks[:min(len(toks), 4)] {
		if i == 0 && (t.Text == "y" || t.Text == "o") {
			continue
		}
		switch t.Text {
		case "si", "cuando", "salvo", "excepto", "mientras", "siempre":
			return true
		case "para":
			return i == 0 && len(toks) < 6
		}
	}
	return false
}

// omits says why words of the law that were left out between two stretches of a quotation
// make it another text; "" = they do not. The stretches are from … to code points of the page,
// the second begins at next; ended says that the quotation shows the end of a sentence there.
func (p *Page) omits(from, to int, next quote.Match, ended bool) string {
	left := p.Body[to:next.Start]
	words := string(p.Body[next.Start:next.End])
	if first := text.First(words, 2); len(first) < 2 {
		return joins // a word alone is picked, not quoted
	}
	first, last := -1, -1
	for i := range left {
		if read.Stops(p.Body, to+i) {
			if first < 0 {
				first = i
			}
			last = i
		}
	}
	before := string(p.Body[from:to])
	if first < 0 {
		last := text.Tokens(nil, before)
		tail := string(left)
		switch {
		case len(text.Tokens(nil, tail)) == 0:
			return ""
		case decides(tail, !ownClause(before, words) || len(last) > 0 && dangling[last[len(last)-1].Text]), openCondition(before) && !strings.HasPrefix(strings.TrimSpace(tail), ","):
			return governs
		case complement.MatchString(words) && coordinates.MatchString(tail), ofNoun.MatchString(words) && nounLast.MatchString(tail): // of another than what it stands behind now
			return governs
		case endsDangling(tail), len(last) > 0 && verbal(last[len(last)-1].Text) && (strings.HasPrefix(words, "de ") || strings.HasPrefix(words, "del ")):
			return governs
		case len(last) > 0 && dangling[last[len(last)-1].Text] && !ended && !strings.HasSuffix(strings.TrimSpace(tail), ","):
			return governs
		}
		return ""
	}
	tail, head := string(left[:first]), string(left[last+1:])
	if strings.TrimSpace(PartMark.ReplaceAllString(strings.TrimSpace(head)+" ", "")) != "" {
		return joins
	}
	cut := len(text.Tokens(nil, tail)) > 0
	if left[first] == ':' && !cut { // a lead-in and one of its items
		if p.itemOf(to+first, next.Start) {
			return ""
		}
		return joins
	}
	switch {
	case cut && (!ended || decides(tail, true)):
		return joins
	case !cut && (left[first] == ';' || left[first] == ':') && !ended:
		return joins
	}
	begins := text.Tokens(nil, words)
	if len(begins) > 0 && (anaphors[begins[0].Text] || verbal(begins[0].Text) || disposes[begins[0].Text]) {
		return joins
	}
	return ""
}

// endsDangling says whether words left out end within a phrase of which the rest stays.
func endsDangling(left string) bool {
	toks := text.Tokens(nil, left)
	return len(toks) > 0 && dangling[toks[len(toks)-1].Text] && strings.TrimRight(left, " ,;") == strings.TrimRight(left, " ")
}

// itemOf says whether what begins at next is an item of the list that a colon leads in.
func (p *Page) itemOf(colon, next int) bool {
	if p.marks == nil {
		p.marks = markersOf(string(p.Body))
	}
	marks, own := p.marks, -1
	for i, m := range marks {
		if m.at > colon && m.at <= next {
			own = i
		}
	}
	first := slices.IndexFunc(marks, func(m marker) bool { return m.at > colon && m.at <= next })
	if own < 0 {
		return false
	}
	if strings.TrimSpace(PartMark.ReplaceAllString(strings.TrimSpace(string(p.Body[colon+1:marks[first].at])), "")) != "" {
		return false // the list does not begin here
	}
	for _, m := range marks[first+1 : own+1] {
		if m.kind == marks[first].kind && m.n <= marks[first].n {
			return false // another list
		}
		if marks[first].kind == read.LetterPart && m.kind == read.NumberPart && !m.inner && m.n > 1 && len(m.label) > 0 && numberedBefore(marks[:first], m) {
			return false // behind it
		}
	}
	between := string(p.Body[marks[own].at:next])
	return len(text.Tokens(nil, between)) <= 1
}

// numberedBefore says whether the number before that of a marker stands before a list.
func numberedBefore(before []marker, m marker) bool {
	return slices.ContainsFunc(before, func(o marker) bool { return o.kind == m.kind && o.n == m.n-1 })
}

// led says whether the law begins the sentence of a match with a condition or an exception
// that the match leaves out, though it begins as a sentence does.
func (p *Page) led(start int, words string) bool {
	r := []rune(words)
	if len(r) == 0 || !unicode.IsUpper(r[0]) || start >= len(p.Body) || unicode.IsUpper(p.Body[start]) {
		return false
	}
	toks := text.Tokens(nil, PartMark.ReplaceAllString(string(p.Body[read.SentenceFrom(p.Body, start):start]), ""))
	if len(toks) == 0 {
		return false
	}
	switch toks[0].Text {
	case "si", "cuando", "salvo", "excepto", "siempre", "solo", "solamente", "unicamente", "mientras", "excepcionalmente":
		return true
	case "en":
		return len(toks) > 1 && (strings.HasPrefix(toks[1].Text, "caso") || toks[1].Text == "defecto") || len(toks) > 2 && (strings.HasPrefix(toks[2].Text, "caso") || strings.HasPrefix(toks[2].Text, "supuesto"))
	}
	return false
}

// Editors say in a text who gave it its words, and when: in brackets up to the end of a line,
// or in lines of their own.
var (
	gaveWords = read.Compile(`(?:sustituid|incorporad|modificad|derogad|agregad|suprimid|restablecid|observad)[oa]s? (?:por|según|mediante) `)
	noteShut  = lazyregexp.New(`[)\]][ \t]*(?:\n|$)`)
	noteLine  = lazyregexp.New(`\bfue(?:ron)? $`)
	noteNext  = lazyregexp.New(`\b(?:publicad[oa]|vigente desde)\b`)
)

// longestNote bounds a note, in bytes; openedBefore, how far before its verb it begins.
const (
	longestNote  = 800
	openedBefore = 80
)

// notesOf finds the notes of editors in a text of law.
func notesOf(s string) (out []part) {
	count := read.CodePoints(s)
	for m := range gaveWords.In(nil, s) {
		before := s[max(0, m[0]-openedBefore):m[0]]
		line := strings.LastIndexByte(before, '\n') + 1
		rest := s[m[1]:min(len(s), m[1]+longestNote)]
		if k := strings.LastIndexAny(before[line:], "(["); k >= 0 {
			from := m[0] - len(before) + line + k
			if first := strings.IndexAny(before[line:], "(["); first >= 0 && k-first < openedBefore/2 {
				from = m[0] - len(before) + line + first
			}
			if end := noteShut.FindStringIndex(rest); end != nil {
				out = append(out, part{"", count(from), count(m[1] + end[1])})
			}
			continue
		}
		if !noteLine.MatchString(before) {
			continue
		}
		from, to := m[0]-len(before)+line, read.EndOfLine(s, m[1])
		for next := read.EndOfLine(s, to+1); to+1 < len(s) && noteNext.MatchString(s[to+1:next]); next = read.EndOfLine(s, to+1) {
			to = next
		}
		out = append(out, part{"", count(from), count(to)})
	}
	return out
}
