package brief

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"digesto"
	"digesto/text"
	"digesto/text/quote"
)

// page is a version of a unit made ready for quotations: its heading, which
// people quote with the text, and the text.
type page struct {
	whole *quote.Text
	loud  *quote.Text // in capitals, made when a quotation is
	body  []rune      // heading and text
	head  int         // code points of the heading
}

// heading is that of a unit.
func heading(u digesto.Unit) string {
	if u.Label == "" {
		return ""
	}
	head := u.Label + ". "
	if u.Rubric != "" {
		head += strings.TrimSuffix(u.Rubric, ".") + ".\n"
	}
	return head
}

func newPage(u digesto.Unit, v digesto.Version) *page {
	head := heading(u)
	s := head + v.Text
	return &page{whole: quote.Prepare(s), body: []rune(s), head: len([]rune(head))}
}

// Why a quotation whose words all stand in the law is not what the law says.
const (
	cutOff = "La cita deja fuera una negación, un «salvo» o parte de una cifra que está junto a las palabras citadas: el texto dice otra cosa."
	// undenied is cutOff of no more than a negation before the first words: the author may
	// have written it before the mark, 'no «se aplicará»'.
	undenied = cutOff + " La negación está antes de ellas."
	putAs    = "La cita pone entre corchetes una negación, una cifra, un «podrá», un «deberá» u otra palabra que cambia el sentido y que la ley no trae ahí: el texto dice otra cosa."
)

// find looks for stretches in their order. altered says why, though they are there,
// their sense is turned by what was left out before, between or after them (a
// negation, or the rest of a number) or by what was put in; "" = it is not.
func (p *page) find(parts []stretch) (m quote.Match, ok bool, altered string) {
	at := 0
	for k := range parts {
		s := &parts[k]
		if s.words == "" { // put in at the end
			if turns(s.put, "") {
				altered = putAs
			}
			continue
		}
		got, found := p.after(s.needles(), at)
		if !found {
			return m, false, ""
		}
		if k == 0 {
			m.Start = got.Start
		}
		left := string(p.body[at:got.Start])
		if k == 0 {
			left = ""
		}
		switch denied := k > 0 && anyNegation(text.Tokens(nil, s.put)) && anyNegation(text.Tokens(nil, left)); {
		case turns(s.put, left), loses(s.put, left), s.put != "" && swaps(s.put, left, string(p.body)):
			altered = putAs
		case k == 0 && p.denied(got, at, false) && !p.splits(got, at):
			altered = undenied
		case p.cut(got, at, k > 0) && !denied:
			altered = cutOff
		}
		at, m.End = got.End, got.End
	}
	return quote.Match{Start: max(0, m.Start-p.head), End: max(0, m.End-p.head)}, true, altered
}

// after gives the first place of a stretch from code point at on. The case of its
// first letter is free: quoting from the middle of a sentence changes it.
func (p *page) after(s *needles, at int) (quote.Match, bool) {
	where := p.whole
	if s.shouted {
		if p.loud == nil {
			p.loud = quote.Prepare(strings.Map(unicode.ToUpper, string(p.body)))
		}
		where = p.loud
	}
	for _, form := range s.forms {
		all := where.All(form)
		best := -1
		for i, m := range all {
			if m.Start < at {
				continue
			}
			if best < 0 {
				best = i
			}
			if !p.cut(m, at, false) { // rather a place where the words have their sense
				return m, true
			}
		}
		if best >= 0 {
			return all[best], true
		}
	}
	return quote.Match{}, false
}

// shouted says whether a stretch is all in capitals, as some set what they quote.
func shouted(s string) bool {
	return len(strings.Fields(s)) >= minWords && s == strings.ToUpper(s) && s != strings.ToLower(s)
}

func flip(s string) string {
	r := []rune(s)
	if len(r) == 0 {
		return s
	}
	if unicode.IsUpper(r[0]) {
		r[0] = unicode.ToLower(r[0])
	} else {
		r[0] = unicode.ToUpper(r[0])
	}
	return string(r)
}

// Words whose loss turns a sentence round.
var negations = map[string]bool{"no": true, "ni": true, "nunca": true, "tampoco": true, "sin": true, "jamas": true, "nadie": true, "ningun": true, "ninguna": true, "ninguno": true}

// clitics stand between a negation and the verb that it denies.
var clitics = map[string]bool{"se": true, "le": true, "les": true, "lo": true, "la": true, "los": true, "las": true, "ha": true, "han": true, "haya": true, "hayan": true, "hubiera": true, "hubiese": true}

// numeral says whether a word is, or is a part of, a number written out.
func numeral(word string) bool {
	_, ordinal, n := text.Numeral([]string{word})
	return n > 0 && !ordinal
}

// cut says whether a match begins behind a negation that governs it or inside a number,
// or ends inside a number. inner: words were left out between it and from.
func (p *page) cut(m quote.Match, from int, inner bool) bool {
	return p.denied(m, from, inner) || p.splits(m, from)
}

// before gives the words of the law before a match, of its own sentence.
func (p *page) before(m quote.Match, from, reach int) string {
	return clause(string(p.body[max(from, m.Start-reach):m.Start]))
}

// denied says whether a negation right before a match, or at the head of its sentence,
// governs it.
func (p *page) denied(m quote.Match, from int, inner bool) bool {
	before := text.Tokens(nil, p.before(m, from, 40))
	for n := len(before); n > 1 && clitics[before[n-1].Text]; n-- {
		if negations[before[n-2].Text] { // "no se | aplicará"
			return true
		}
	}
	if n := len(before); n > 0 {
		last := before[n-1].Text
		if negations[last] || inner && (last == "si" || last == "cuando" || turnedBy[last] == "solo") || inner && n <= 3 && (anyNegation(before) || anyException(before)) {
			return true
		}
	}
	head := p.before(m, from, maxClause)
	at := inNoCase.FindAllStringIndex(head, -1)
	return len(at) > 0 && !verbal(head[at[len(at)-1][1]:]) && verbal(firstClause(string(p.body[m.Start:m.End])))
}

// inNoCase denies a whole sentence from its head: "En ningún caso, …, la prueba excederá".
var inNoCase = regexp.MustCompile(`(?i)\b(?:en ningún (?:caso|supuesto|momento)|en modo alguno|de ningún modo|de ninguna (?:manera|forma)|bajo ningún concepto|en ninguna circunstancia)\b`)

const maxClause = 300 // code points

// verbal says whether a stretch has a verb by which the law commands: in the future, or
// one of the usual ones in the present.
func verbal(s string) bool {
	return slices.ContainsFunc(strings.Fields(strings.ToLower(s)), func(w string) bool {
		w = strings.TrimFunc(w, func(r rune) bool { return !unicode.IsLetter(r) })
		return strings.HasSuffix(w, "rá") || strings.HasSuffix(w, "rán") || commands[w]
	})
}

var commands = map[string]bool{"puede": true, "pueden": true, "pueda": true, "puedan": true, "debe": true, "deben": true, "deba": true, "deban": true, "es": true, "son": true, "sea": true, "sean": true,
	"cabe": true, "caben": true, "quepa": true, "procede": true, "proceden": true, "proceda": true, "procedan": true, "exceda": true, "excedan": true}

// firstClause gives what stands before the first full stop, colon or semicolon.
func firstClause(s string) string {
	if i := strings.IndexAny(s, ".;:\n"); i >= 0 {
		return s[:i]
	}
	return s
}

// splits says whether a match begins or ends inside a number written out.
func (p *page) splits(m quote.Match, from int) bool {
	before := text.Tokens(nil, p.before(m, from, 40))
	in := text.Tokens(nil, string(p.body[m.Start:m.End]))
	after := text.Tokens(nil, string(p.body[m.End:min(len(p.body), m.End+30)]))
	if len(in) == 0 {
		return false
	}
	if n := len(before); n > 0 && numeral(in[0].Text) {
		if last := before[n-1].Text; numeral(last) || last == "y" && n > 1 && numeral(before[n-2].Text) {
			return true
		}
	}
	if numeral(in[len(in)-1].Text) && len(after) > 0 && p.body[min(m.End, len(p.body)-1)] == ' ' {
		return numeral(after[0].Text) || after[0].Text == "y" && len(after) > 1 && numeral(after[1].Text)
	}
	return false
}

func anyNegation(list []text.Token) bool {
	for _, t := range list {
		if negations[t.Text] {
			return true
		}
	}
	return false
}

// anyException finds a word that makes what follows it an exception.
func anyException(list []text.Token) bool {
	for i, t := range list {
		if t.Text == "salvo" || t.Text == "excepto" || t.Text == "menos" && i > 0 && list[i-1].Text == "a" {
			return true
		}
	}
	return false
}

// clause gives what of a stretch belongs to the sentence that goes on behind it.
func clause(s string) string {
	if i := strings.LastIndexAny(s, ".;:\n)"); i >= 0 {
		return s[i+1:]
	}
	return s
}
