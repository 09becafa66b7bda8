package view

import (
	"regexp"
	"slices"
	"strings"

	"digesto"
	"digesto/text"
	"digesto/text/lazyregexp"
	"digesto/text/sentence"
)

// rung is a line of an answer as its page shows it: words of the law to the letter,
// words of ours that restate it, or plain text.
type rung struct {
	Label    string // what it is to the line above: an exception…
	Law, Own bool
	Spans    []span
	words    int
}

// ladder is an answer in the order in which it is read: one line that answers, the
// clause that decides, its exception; what else it says is folded.
type ladder struct {
	Heading  string
	Gist     rung
	Shown    []rung
	More     []rung
	Listed   bool     // the gist opens the list that follows it
	Back     []span   // what it asks back at its end
	Conflict []span   // two norms say different things: told once, never folded
	Cautions [][]span // why the text cited may not be the law in force: before it, never folded
	cites    []digesto.Citation
	place    func(string) (int, string)
	ownText  func(digesto.Citation) bool
}

// shownWords is about how many words stand above the fold, the gist apart.
const shownWords = 60

// listWords is how many words a list may have to be shown whole.
const listWords = 120

var (
	// quoteLine is a line of the extractive writers that is a quotation and its mark.
	quoteLine = lazyregexp.New(`^(?:- )?«(.+)»\s*((?:\s*\[C\d+\])+)\.?$`)
	// plainLead opens a line of ours that restates what is quoted with the same mark.
	plainLead = lazyregexp.New(`^En pocas palabras(?: \([^)]*\))?: `)
	labelOf   = lazyregexp.New(`\[(C\d+)\]`)
	// limits opens a sentence that takes something out of what stands before it.
	limits = lazyregexp.New(`(?i)^(?:\d+[.ºª)]*\s*|[a-zñ]\)\s*)?(?:salvo|excepto|no obstante|sin embargo|con excepción|a excepción|en ningún caso|quedan? exceptuad|se exceptúan?|no será de aplicación|no se aplicará)\b`)
)

// ladderOf orders the lines of an answer. What it was asked as, in words, helps to find
// the clause that decides where no line of ours says it.
func ladderOf(lines []string, a digesto.Answer, asked string, place func(string) (int, string), own func(digesto.Citation) bool) ladder {
	l := ladder{cites: a.Citations, place: place, ownText: own}
	var quotes, texts []rung
	var plain []rung
	extracted := a.Meta == nil || a.Meta.Mode == "" || a.Meta.Mode == "extractive"
	for i, s := range lines {
		m := quoteLine.FindStringSubmatch(s)
		switch {
		case strings.HasPrefix(s, "Conflicto entre normas: "):
			l.Conflict = spans(s, place)
		case m != nil && extracted:
			quotes = append(quotes, l.quoted(m[1], m[2]))
		case extracted && (plainLead.MatchString(s) || restates(s, lines[i+1:])):
			for _, one := range perMark(plainLead.ReplaceAllString(s, "")) {
				plain = append(plain, l.rung(one, false, true))
			}
		default:
			texts = append(texts, l.rung(l.marked(strings.TrimPrefix(s, "- ")), false, false))
		}
	}
	switch {
	case len(plain) > 0:
		at, most := 0, 0.0
		for i, r := range plain { // of several, the one that says what was asked
			if x := likeness(stemsOf(textOf(r)), stemsOf(asked)); x > most+.05 {
				at, most = i, x
			}
		}
		l.Gist = plain[at]
		plain = slices.Delete(plain, at, at+1)
		l.decide(textOf(l.Gist), &quotes)
	case len(texts) > 0:
		l.Gist, texts = texts[0], texts[1:]
		l.Listed = strings.HasSuffix(textOf(l.Gist), ":")
		if k := len(texts) - 1; k >= 0 && strings.HasPrefix(textOf(texts[k]), "¿") && strings.HasSuffix(textOf(texts[k]), "?") {
			l.Back, texts = texts[k].Spans, texts[:k]
		}
	case len(quotes) > 0 && a.Meta != nil && a.Meta.Evidence["asked"] == "text": // the article itself is asked for: all that is quoted, in its order
		l.Gist, l.Shown, quotes = quotes[0], quotes[1:], nil
	default:
		l.decide(asked, &quotes)
		if len(l.Shown) > 0 {
			l.Gist, l.Shown = l.Shown[0], l.Shown[1:]
		}
	}
	l.fit(slices.Concat(plain, texts), a.Meta != nil && a.Meta.Mode == "calculator")
	l.More = append(l.More, quotes...)
	return l
}

// marked gives a line that names a cited article in words the mark of its citation.
func (l *ladder) marked(line string) string {
	if labelOf.MatchString(line) {
		return line
	}
	out := line
	for _, c := range l.cites {
		if c.Ref == nil {
			continue
		}
		place, norm, _ := strings.Cut(c.Ref.Title, " — ")
		place, _, _ = strings.Cut(place, ". ")
		at := regexp.MustCompile(`(?i)` + regexp.QuoteMeta(place) + `(?:\D|$)`)
		if place == "" || !at.MatchString(line) || !slices.ContainsFunc(numbers.FindAllString(norm, -1), func(n string) bool { return strings.Contains(line, n) }) || strings.Contains(out, c.Ref.Label) {
			continue
		}
		out += " [" + c.Ref.Label + "]"
	}
	return out
}

// numbers are those that tell norms apart.
var numbers = lazyregexp.New(`\d[\d.]{2,}`)

// perMark cuts a line after each of its marks.
func perMark(s string) (out []string) {
	at := 0
	for _, m := range labelOf.FindAllStringIndex(s, -1) {
		if strings.HasPrefix(strings.TrimSpace(s[m[1]:]), "[") { // two marks of one sentence
			continue
		}
		out, at = append(out, strings.TrimSpace(s[at:m[1]])), m[1]
	}
	if rest := strings.TrimSpace(s[at:]); rest != "" && rest != "." || len(out) == 0 {
		out = append(out, rest)
	}
	return out
}

// restates says whether a line of ours stands before the quotation that proves it: the
// same mark closes both.
func restates(s string, next []string) bool {
	marks := labelOf.FindAllString(s, -1)
	if len(marks) == 0 || len(next) == 0 {
		return false
	}
	m := quoteLine.FindStringSubmatch(next[0])
	return m != nil && strings.Contains(m[2], marks[0])
}

func (l *ladder) rung(s string, law, own bool) rung {
	if !law { // an amount stays with its currency
		s = strings.NewReplacer(" €", "\u00a0€", "$ ", "$\u00a0").Replace(s)
	}
	return rung{Law: law, Own: own, Spans: once(spans(s, l.place)), words: len(strings.Fields(s))}
}

// quoted is a quotation; that of a text of ours is none of the law.
func (l *ladder) quoted(words, marks string) rung {
	r := l.rung(words+" "+marks, true, false)
	for _, c := range l.cites {
		if c.Ref != nil && strings.Contains(marks, "["+c.Ref.Label+"]") && l.ownText(c) {
			r.Law, r.Own = false, true
		}
	}
	return r
}

// without leaves out the lines that give an example which stands beside them as a link,
// and the words that announce them.
func (l *ladder) without(examples []exampleView) {
	given := func(r rung) bool {
		return slices.ContainsFunc(examples, func(e exampleView) bool { return strings.Contains(textOf(r), e.Text) })
	}
	if !slices.ContainsFunc(l.Shown, given) && !slices.ContainsFunc(l.More, given) {
		return
	}
	l.Shown, l.More, l.Listed = slices.DeleteFunc(l.Shown, given), slices.DeleteFunc(l.More, given), false
	if all := sentence.Split(textOf(l.Gist)); len(all) > 1 && strings.HasSuffix(all[len(all)-1].Text, ":") {
		last := all[len(all)-1].Text
		l.Gist.Spans = []span{{Text: strings.TrimSpace(strings.TrimSuffix(textOf(l.Gist), last))}}
	}
}

// Quotes says whether words of the law stand under the line.
func (l ladder) Quotes() bool {
	return slices.ContainsFunc(l.Shown, func(r rung) bool { return r.Law })
}

// textOf is a rung without its marks.
func textOf(r rung) string {
	var b strings.Builder
	for _, s := range r.Spans {
		if s.N == 0 {
			b.WriteString(s.Text)
		}
	}
	return strings.TrimSpace(b.String())
}

// place of a sentence among the quotations.
type quotedSentence struct {
	sentence.Sentence
	cite  int
	stems map[string]bool
}

// decide shows the clause that bears out a line, what supports the rest of the line, and
// the exception that is quoted with them; a quotation shown whole is not told again.
func (l *ladder) decide(line string, quotes *[]rung) {
	all := l.sentences()
	wanted := stemsOf(line)
	most := 0.0
	for _, s := range all {
		most = max(most, likeness(s.stems, wanted))
	}
	// Of those that are about as near the first: what is said of a case follows the rule.
	best := slices.IndexFunc(all, func(s quotedSentence) bool { return most > 0 && likeness(s.stems, wanted) >= .75*most })
	if best < 0 {
		if len(*quotes) > 0 {
			l.Shown, *quotes = append(l.Shown, (*quotes)[0]), (*quotes)[1:]
		}
		return
	}
	shown, labels, size := map[int]bool{}, map[int]string{}, 0
	show := func(i int, label string) {
		shown[i], labels[i] = true, label
		size += len(strings.Fields(all[i].Text))
		for k := range all[i].stems {
			delete(wanted, k)
		}
	}
	block, cut := l.block(all, best)
	for _, i := range block {
		show(i, "")
	}
	for i, s := range all {
		if shown[i] || cut && s.Marker != sentence.NoMarker || s.cite != all[best].cite && all[i].place(l) != all[best].place(l) {
			continue
		}
		n := 0
		for k := range s.stems {
			if wanted[k] {
				n++
			}
		}
		near := s.cite == all[best].cite && s.Para-all[best].Para <= 1 && all[best].Para-s.Para <= 1
		except, more := near && limits.MatchString(s.Text), len(strings.Fields(s.Text))
		supports := n >= 2 && 4*n >= len(wanted) || n > 0 && i > 0 && shown[i-1] && all[i-1].Para == s.Para && more <= 20
		if (except || supports) && !s.Lead() && size+more <= shownWords {
			show(i, or(except && !supports, "Con esta salvedad", ""))
		}
	}
	l.put(all, shown, labels)
	*quotes = slices.DeleteFunc(*quotes, func(q rung) bool { return l.told(q, all, shown) })
}

// place names the text that a sentence is quoted from.
func (s quotedSentence) place(l *ladder) string {
	if r := l.cites[s.cite].Ref; r != nil {
		return r.Document + "/" + r.Unit
	}
	return l.cites[s.cite].Source
}

// told says whether all sentences of a quotation stand above.
func (l *ladder) told(q rung, all []quotedSentence, shown map[int]bool) bool {
	for i, s := range all {
		if !shown[i] && slices.ContainsFunc(q.Spans, func(x span) bool { return x.N != 0 && x.Mark == l.label(s.cite) }) {
			return false
		}
	}
	return true
}

func (l *ladder) label(cite int) string {
	if r := l.cites[cite].Ref; r != nil {
		return r.Label
	}
	return ""
}

func (l *ladder) words() (n int) {
	for _, r := range l.Shown {
		n += r.words
	}
	return n
}

// put adds the sentences shown, in their order; those that stand together in the text are
// one quotation.
func (l *ladder) put(all []quotedSentence, shown map[int]bool, labels map[int]string) {
	for i := 0; i < len(all); i++ {
		if !shown[i] {
			continue
		}
		parts := []string{all[i].Text}
		for i+1 < len(all) && shown[i+1] && all[i+1].cite == all[i].cite && labels[i+1] == labels[i] {
			i++
			parts = append(parts, all[i].Text)
		}
		r := l.quoted(strings.Join(parts, " "), "["+l.label(all[i].cite)+"]")
		r.Label = labels[i]
		l.Shown = append(l.Shown, r)
	}
}

// block is a sentence with what it cannot stand without: the lead-in that announces it
// and, where all of it is short, the rest of its list; cut says that rows are left out.
func (l *ladder) block(all []quotedSentence, i int) (out []int, cut bool) {
	lead, here := i, all[i].place(l)
	if !all[i].Lead() {
		if all[i].Marker == sentence.NoMarker {
			return []int{i}, false
		}
		for lead--; lead >= 0 && !all[lead].Lead(); lead-- {
			if all[lead+1].Marker == sentence.NoMarker || all[lead].place(l) != here {
				return []int{i}, false
			}
		}
		if lead < 0 || all[lead].place(l) != here {
			return []int{i}, false
		}
	}
	n := len(strings.Fields(all[lead].Text))
	out = []int{lead}
	for k := lead + 1; k < len(all) && all[k].place(l) == here && (all[k].Marker != sentence.NoMarker || k == lead+1); k++ {
		n += len(strings.Fields(all[k].Text))
		out = append(out, k)
	}
	if n > listWords { // the lead-in and the row alone
		return slices.Compact([]int{lead, max(i, min(lead+1, len(all)-1))}), true
	}
	return out, false
}

// sentences are those of the quotations of law, in their order.
func (l *ladder) sentences() (out []quotedSentence) {
	for i, c := range l.cites {
		for _, s := range sentence.Split(c.Quote) {
			out = append(out, quotedSentence{s, i, stemsOf(s.Text)})
		}
	}
	return out
}

// fit shows texts while there is room; a calculation is shown whole.
func (l *ladder) fit(texts []rung, whole bool) {
	n := l.words()
	for _, r := range texts {
		if n += r.words; whole || l.Listed || n <= shownWords {
			l.Shown = append(l.Shown, r)
		} else {
			l.More = append(l.More, r)
		}
	}
}

func stemsOf(s string) map[string]bool {
	out := map[string]bool{}
	for _, t := range text.Tokens(nil, s) {
		if !text.IsStop(t.Text) {
			out[text.Stem(t.Text)] = true
		}
	}
	return out
}

// likeness is how much of b a set of words has, 0–1; what it has besides counts less.
func likeness(a, b map[string]bool) float64 {
	n := 0
	for k := range a {
		if b[k] {
			n++
		}
	}
	if n == 0 {
		return 0
	}
	return float64(n) / (.3*float64(len(a)) + .7*float64(len(b)))
}

// signal is one thing that is known of an answer.
type signal struct {
	Asked string
	Badge badge
	Why   string
}

// answers is the least confidence at which an answer is said to be one.
const answers = .7

// signals say apart whether it is in the law and whether it answers what was asked.
func signals(a digesto.Answer, m *digesto.Meta, sources []sourceView, cautioned bool) []signal {
	in := signal{"¿Está en la ley?", badge{"is-none", "Sin cita"}, ""}
	if len(sources) > 0 {
		s := sources[0]
		in.Badge, in.Why = badge{"is-ok", "Sí, al pie de la letra"}, s.Since
		switch {
		case s.Own:
			in.Badge, in.Why = badge{"is-note", "Es un resumen nuestro"}, "La ley que lo dice se nombra en la fuente."
		case !s.Literal:
			in.Badge, in.Why = badge{"is-doubt", "Ya no se puede comprobar"}, "El texto citado no es el que hay instalado."
		}
	}
	if m.Mode == "calculator" {
		return []signal{{"¿De dónde sale?", badge{"is-ok", "Calculado"}, "Cuentas exactas con los datos citados."}}
	}
	sure := a.Confidence
	if cautioned && in.Badge.Class == "is-ok" { // what is doubted is the text, not that it is the one asked for
		in.Badge, in.Why = badge{"is-doubt", "Con reservas"}, "Lea el aviso."
		if found, ok := m.Evidence["confidence"].(float64); ok {
			sure = max(sure, found)
		}
	}
	fits := signal{"¿Responde a su pregunta?", badge{"is-ok", "Probablemente sí"}, ""}
	if sure < answers {
		fits.Badge, fits.Why = badge{"is-doubt", "Puede que no"}, doubts(m)
	}
	return []signal{in, fits}
}

// doubts says why an answer may not be one.
func doubts(m *digesto.Meta) string {
	num := func(k string) (float64, bool) { f, ok := m.Evidence[k].(float64); return f, ok }
	var out []string
	for _, u := range m.Understood {
		if u.Kind == "subject" {
			out = append(out, "lo más parecido que hay contesta a «"+u.Text+"»")
		}
	}
	if x, ok := num("unheard"); ok && x > 0 {
		out = append(out, "parte de lo que cuenta no sale en ese artículo")
	}
	if x, ok := num("margin"); ok && x < .3 {
		out = append(out, "otros artículos se le parecen casi lo mismo")
	}
	if len(out) == 0 {
		out = []string{"trata de lo mismo, pero quizá no de su caso"}
	}
	s := strings.Join(out, "; ") + "."
	return strings.ToUpper(s[:1]) + s[1:]
}
