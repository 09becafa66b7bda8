// Package judge says whether words stand in the text of a unit of law as it is cited: all of
// them, in the part that is named, with nothing left out, put in or cut off on which what stays
// depends. It knows one text at a time, and no norms.
package judge

import (
	"slices"
	"strings"
	"unicode"

	"digesto"
	"digesto/text"
	"digesto/text/lazyregexp"
	"digesto/text/quote"
	"digesto/verify/read"
)

// Page is a version of a unit made ready for quotations: its heading, which
// people quote with the text, and the text.
type Page struct {
	whole *quote.Text
	loud  *quote.Text // in capitals, made when a quotation is
	Body  []rune      // heading and text
	head  int         // code points of the heading
	notes []part      // what editors put in, once that was asked for
	noted bool
	stems map[string]bool
	marks []marker // of its parts, once they were asked for
}

// Heading is that of a unit.
func Heading(u digesto.Unit) string {
	if u.Label == "" {
		return ""
	}
	head := u.Label + ". "
	if u.Rubric != "" {
		head += strings.TrimSuffix(u.Rubric, ".") + ".\n"
	}
	return head
}

func NewPage(u digesto.Unit, v digesto.Version) *Page {
	head := Heading(u)
	s := head + v.Text
	return &Page{whole: quote.Prepare(s), Body: []rune(s), head: len([]rune(head))}
}

// tries bounds the places of stretches that are tried together.
const tries = 200

// found is a place of the stretches of a quotation; altered says why, though they stand
// there, the law says something else; "" = it does not.
type found struct {
	quote.Match
	Altered string
	Outside bool // of the part that is cited
}

// finder looks for the stretches of a quotation in their order.
type finder struct {
	p     *Page
	parts []read.Stretch
	where *zone
	all   [][]quote.Match // places of each stretch
	best  *found
	left  int
}

// Find looks for stretches in their order, in the parts of the page that are cited; the best
// place is one in them where nothing turns their sense.
func (p *Page) Find(parts []read.Stretch, where *zone) (found, bool) {
	f := finder{p: p, parts: parts, where: where, all: make([][]quote.Match, len(parts)), left: tries}
	for k := range parts {
		if parts[k].Words == "" {
			continue
		}
		if f.all[k] = p.Places(parts[k].Needles()); len(f.all[k]) == 0 {
			return found{}, false
		}
	}
	f.from(0, found{})
	if f.best == nil {
		return found{}, false
	}
	f.best.Start, f.best.End = p.own(f.best.Match)
	return *f.best, true
}

// rank orders what is found: as cited and unaltered first.
func (f found) rank() int {
	n := 0
	if f.Outside {
		n++
	}
	if f.Altered != "" {
		n += 2
	}
	return n
}

// from tries the stretches from the k-th on behind those that were placed.
func (f *finder) from(k int, so found) {
	for k < len(f.parts) && f.parts[k].Words == "" { // put in at the end
		if turns(f.parts[k].Put, "") {
			so.Altered = putAs
		}
		k++
	}
	if k == len(f.parts) {
		if so.Outside = so.Outside || f.where != nil && !f.within(so); f.best == nil || so.rank() < f.best.rank() {
			f.best = &so
		}
		return
	}
	for _, m := range f.all[k] {
		if k > 0 && m.Start < so.End {
			continue
		}
		if f.left--; f.left < 0 || f.best != nil && f.best.rank() == 0 {
			return
		}
		now := so
		if k == 0 {
			now.Start = m.Start
		}
		if f.where != nil && !f.where.has(f.p.own(m)) && !f.where.shared(f.p.own(m)) {
			now.Outside = true
		}
		if why := f.p.turned(f.parts, k, so, m); why != "" && now.Altered == "" {
			now.Altered = why
		}
		now.End = m.End
		f.from(k+1, now)
	}
}

// within says whether the words end in the part cited, or before all of them.
func (f *finder) within(so found) bool {
	from, to := f.p.own(so.Match)
	return f.where.has(max(from, to-1), to) || f.where.shared(from, to)
}

// own gives a place of the page in its text.
func (p *Page) own(m quote.Match) (from, to int) { return max(0, m.Start-p.head), max(0, m.End-p.head) }

// turned says why the k-th stretch at m, behind those placed before, is not what the law says.
func (p *Page) turned(parts []read.Stretch, k int, so found, m quote.Match) string {
	s, at := &parts[k], so.End
	if !p.noted {
		p.notes, p.noted = notesOf(string(p.Body)), true
	}
	for _, n := range p.notes {
		if m.Start < n.To && n.From < m.End {
			return noteOfText
		}
	}
	if k == 0 {
		at = 0
	}
	left := string(p.Body[at:m.Start])
	if k == 0 {
		left = ""
	}
	if s.Put != "" && k > 0 && p.crosses(at, m.Start) {
		return joins
	}
	switch denied := k > 0 && anyNegation(text.Tokens(nil, s.Put)) && anyNegation(text.Tokens(nil, left)) && len(text.Tokens(nil, left)) <= maxReplaced; {
	case turns(s.Put, left), loses(s.Put, left), s.Put != "" && (swaps(s.Put, left, string(p.Body))):
		return putAs
	case s.Put != "" && p.strange(s.Put):
		return Adds
	case k == 0 && p.denied(m, at, false) && !p.splits(m, at):
		return Undenied
	case p.cut(m, at, k > 0) && !denied:
		return cutOff
	case k == 0 && p.led(m.Start, s.Words):
		return unled
	case k > 0 && !denied && !(s.Put != "" && sameWords(s.Put, left)):
		return p.omits(so.Start, so.End, m, s.Ended)
	}
	return ""
}

// maxReplaced is how many words of the law those that an author puts in their place may mean.
const maxReplaced = 8

// crosses says whether a sentence ends in a stretch of the page.
func (p *Page) crosses(from, to int) bool {
	for i := from; i < to; i++ {
		if read.Stops(p.Body, i) {
			return true
		}
	}
	return false
}

// sameWords says whether words put in are those left out.
func sameWords(put, left string) bool { return read.Folded(put) == read.Folded(left) }

// strange says whether words put in speak of what the unit does not, or add to what it lists.
func (p *Page) strange(put string) bool {
	toks := text.Tokens(nil, put)
	if len(toks) > 0 && (toks[0].Text == "y" || toks[0].Text == "o" || toks[0].Text == "e" || toks[0].Text == "ni") {
		return true
	}
	if p.stems == nil {
		p.stems = map[string]bool{}
		for _, t := range text.Tokens(nil, string(p.Body)) {
			p.stems[read.Stem(t.Text)] = true
		}
	}
	return slices.ContainsFunc(toks, func(t text.Token) bool { return len(t.Text) > 3 && !Linking[t.Text] && !p.stems[read.Stem(t.Text)] })
}

// Linking words say nothing of their own.
var Linking = map[string]bool{"sobre": true, "para": true, "entre": true, "ante": true, "desde": true, "este": true, "esta": true, "esto": true, "dicho": true, "dicha": true, "estos": true, "estas": true, "cual": true, "como": true, "según": true, "segun": true}

// Places gives every place of a stretch. The case of its first letter is free: quoting from
// the middle of a sentence changes it.
func (p *Page) Places(s *read.Needles) (out []quote.Match) {
	where := p.whole
	if s.Shouted {
		if p.loud == nil {
			p.loud = quote.Prepare(strings.Map(unicode.ToUpper, string(p.Body)))
		}
		where = p.loud
	}
	for _, form := range s.Forms {
		out = append(out, where.All(form)...)
	}
	slices.SortFunc(out, func(a, b quote.Match) int { return a.Start - b.Start })
	return out
}

// clitics stand between a negation and the verb that it denies.
var clitics = map[string]bool{"se": true, "le": true, "les": true, "lo": true, "la": true, "los": true, "las": true, "ha": true, "han": true, "haya": true, "hayan": true, "hubiera": true, "hubiese": true}

// cut says whether a match begins behind a negation that governs it or inside a number,
// or ends inside a number. inner: words were left out between it and from.
func (p *Page) cut(m quote.Match, from int, inner bool) bool {
	return p.denied(m, from, inner) || p.splits(m, from)
}

// before gives the words of the law before a match, of its own sentence.
func (p *Page) before(m quote.Match, from, reach int) string {
	return clause(string(p.Body[max(from, m.Start-reach):m.Start]))
}

// denied says whether a negation right before a match, or at the head of its sentence,
// governs it.
func (p *Page) denied(m quote.Match, from int, inner bool) bool {
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
	return len(at) > 0 && !verbal(head[at[len(at)-1][1]:]) && verbal(firstClause(string(p.Body[m.Start:m.End])))
}

// inNoCase denies a whole sentence from its head: "En ningún caso, …, la prueba excederá".
var inNoCase = lazyregexp.New(`(?i)\b(?:en ningún (?:caso|supuesto|momento)|en modo alguno|de ningún modo|de ninguna (?:manera|forma)|bajo ningún concepto|en ninguna circunstancia)\b`)

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
func (p *Page) splits(m quote.Match, from int) bool {
	before := text.Tokens(nil, p.before(m, from, 40))
	in := text.Tokens(nil, string(p.Body[m.Start:m.End]))
	after := text.Tokens(nil, string(p.Body[m.End:min(len(p.Body), m.End+30)]))
	if len(in) == 0 {
		return false
	}
	if n := len(before); n > 0 && Numeral(in[0].Text) {
		if last := before[n-1].Text; Numeral(last) || last == "y" && n > 1 && Numeral(before[n-2].Text) {
			return true
		}
	}
	if Numeral(in[len(in)-1].Text) && len(after) > 0 && p.Body[min(m.End, len(p.Body)-1)] == ' ' {
		return Numeral(after[0].Text) || after[0].Text == "y" && len(after) > 1 && Numeral(after[1].Text)
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
