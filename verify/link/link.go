// Package link ties the quotations of a text to its citations, by a table of rules with
// weights: of those that apply to a quotation the one with the greatest weight decides.
package link

import (
	"slices"
	"sort"
	"strings"

	"digesto"
	"digesto/text"
	"digesto/text/lazyregexp"
	"digesto/verify/read"
)

// Tied is a citation with its quotation; either may be missing. With several
// Mentions ("artículos 5 y 6") the words may be of any of them.
type Tied struct {
	Mentions []read.Mention
	Quote    *read.Quotation
	// Near are the units cited last before a quotation without a citation: its words may
	// be theirs.
	Near []read.Mention
}

// Start is where the citation stands, or the quotation that has none.
func (t Tied) Start() int {
	if len(t.Mentions) > 0 {
		return t.Mentions[0].Start
	}
	return t.Quote.From
}

// How far, in code points, a citation may stand from the quotation it belongs to.
const (
	ReachAfter  = 60  // «…» (artículo 5)
	ReachBefore = 400 // El artículo 5 dice: «…»
	ReachBlock  = 800
)

// linker ties the quotations of a text to its citations.
type linker struct {
	r      []rune
	groups [][]read.Mention
	quotes []read.Quotation
	notes  map[string][]note
	court  Court
	fired  map[string]int // how often each rule decided
}

// Tie gives the citations of a text with their quotations, in the order of the
// text: each quotation with the citations that a rule gives it, see linkRules. It counts in
// fired how often each rule decided.
func Tie(m *read.Meter, s string, r []rune, mentions []read.Mention, quotes []read.Quotation, c Court, fired map[string]int) (out []Tied) {
	groups := read.Lists(r, mentions)
	t := &linker{r, groups, quotes, findNotes(r, groups), c, fired}
	paired := respectively(m, s, r, mentions, quotes)
	spent := map[int]bool{} // places of citations whose words were found
	add := func(list []read.Mention, k int, others ...read.Mention) {
		for _, m := range append(others, list...) {
			spent[m.Start] = true
		}
		out = append(out, Tied{Mentions: list, Quote: &quotes[k]})
	}
	for k := range quotes {
		l := t.link(k)
		if m, ok := paired[k]; ok {
			add([]read.Mention{m}, k)
		} else if g := l.decide(); g >= 0 {
			add(l.chosen(g), k, groups[g]...)
		} else {
			out = append(out, Tied{Quote: &quotes[k], Near: l.lastUnits()})
		}
	}
	for _, m := range mentions {
		if !spent[m.Start] {
			out = append(out, Tied{Mentions: []read.Mention{m}})
		}
	}
	slices.SortStableFunc(out, func(a, b Tied) int { return a.Start() - b.Start() })
	return out
}

// link is a quotation between the citations of a text.
type link struct {
	*linker
	k             int // the quotation
	q             read.Quotation
	before, after int  // the groups next to it; -1 = none
	right         bool // the group behind stands right behind it
}

// link puts a quotation between its citations.
func (t *linker) link(k int) *link {
	l := &link{linker: t, k: k, q: t.quotes[k]}
	l.before, l.after = read.Next(t.groups, l.q)
	if l.after < 0 {
		return l
	}
	list := t.groups[l.after]
	if m := read.OwnHeading.FindStringSubmatch(l.q.Words); m != nil && list[0].Kind == digesto.KindArticle && !slices.ContainsFunc(list, func(o read.Mention) bool { return o.Number == m[1] }) {
		l.after = none // the words begin with the heading of another article
		return l
	}
	gap := t.r[l.q.To:list[0].Start]
	l.right = (k+1 == len(t.quotes) || list[0].Start < t.quotes[k+1].From) && len(gap) <= ReachAfter && !read.SentenceEnd(gap) && !l.newSentence(string(gap)) && !newItem.MatchString(string(gap)) && (!read.Blank(gap) || strings.Trim(string(gap), " \t\r\n(—–-") == "")
	return l
}

func (t *linker) start(g int) int         { return t.groups[g][0].Start }
func (t *linker) end(g int) int           { return t.last(g).End }
func (t *linker) last(g int) read.Mention { return t.groups[g][len(t.groups[g])-1] }

// none is said by a rule that does not apply. What is less says that no citation of the text
// is that of the quotation.
const none = -1

// linkRule gives to a quotation the group of citations that it belongs to. Of the rules that
// apply the one with the greatest weight decides.
type linkRule struct {
	name   string
	weight int
	of     func(l *link) int
}

// linkRules are in the order of their weights.
var linkRules = []linkRule{
	{"said within the words", 100, func(l *link) int { return read.Within(l.groups, l.q.Aside, l.q.AsideEnd) }},
	{"announced by a colon", 95, func(l *link) int { return read.Within(l.groups, l.q.Owner-1, l.q.Owner) }},
	{"note that it calls", 90, (*link).note},
	{"row of a table", 85, (*link).row},
	{"source in its last lines", 80, func(l *link) int {
		if l.q.Source == 0 {
			return none
		}
		return read.Within(l.groups, l.q.Source, l.q.To)
	}},
	{"sentence behind that points back", 75, func(l *link) int { return l.ownUnit(l.after, l.after >= 0 && l.pointsBack()) }},
	{"right behind, as its source", 70, func(l *link) int {
		return l.ownUnit(l.after, l.right && (l.before < 0 || l.ownSource() || l.namesPlace()))
	}},
	{"the first of two before", 65, func(l *link) int { return l.reached(l.before-1, l.former()) }},
	{"the one that speaks", 60, func(l *link) int { return l.reached(l.before-1, l.otherSpeaks()) }},
	{"before it", 55, func(l *link) int { return l.reached(l.before, true) }},
	{"heading above", 45, func(l *link) int {
		if l.before >= 0 && !l.ofCourt() && l.headsList() {
			return l.before
		}
		return none
	}},
}

// RuleUsed is a rule that links quotations to citations, with its weight and how often it decided.
type RuleUsed struct {
	Rule   string `json:"rule"`
	Weight int    `json:"weight"`
	Fired  int    `json:"fired"`
}

// RulesUsed lists the rules by their weights, also those that never decided.
func RulesUsed(fired map[string]int) (out []RuleUsed) {
	for _, r := range linkRules {
		out = append(out, RuleUsed{r.name, r.weight, fired[r.name]})
	}
	return out
}

// decide gives the group of citations of a quotation, and counts the rule that said so.
func (l *link) decide() int {
	for _, rule := range linkRules {
		if g := rule.of(l); g != none {
			l.fired[rule.name]++
			return g
		}
	}
	return none
}

// reached gives a group before a quotation when it is near enough, and may be that of its words.
func (l *link) reached(g int, is bool) int {
	if g < 0 || !is || l.ofCourt() || l.ofFacts(l.before) {
		return none
	}
	gap := l.r[l.end(g):l.q.From]
	if !l.q.Block && len(gap) <= ReachBefore && (!read.Blank(gap) || read.Announces(gap)) || l.q.Block && len(gap) <= ReachBlock && read.Paragraphs(gap) <= 1 {
		return g
	}
	return none
}

// lastUnits gives the units cited last before a quotation, in this section or so.
func (l *link) lastUnits() []read.Mention {
	for g := l.before; g >= 0 && l.q.From-l.end(g) <= 10*ReachBlock; g-- {
		if m := l.last(g); m.Unit != "" && !m.Ruling {
			if l.ofFacts(g) {
				return nil
			}
			return l.groups[g]
		}
	}
	return nil
}

// chosen gives those of a group, or of the row that it ends, that the words before a quotation mean.
func (l *link) chosen(g int) []read.Mention {
	end := l.end(g)
	if end > l.q.From {
		return l.groups[g]
	}
	all := l.chain(g)
	if one := singled(unquoted(l.r, l.quotes[:l.k], end, l.q.From), all); len(one) < len(all) {
		return one
	}
	return l.groups[g]
}

// rowOn is what stands between two citations of a row: no more than what the first is about.
var rowOn = lazyregexp.New(`^[ ,]*(?:[ye] ?)?$|^[^«»“”"(),:;]{0,60},? [ye](?: (?:el|la|los))? ?$`)

// chain gives the citations of a group with those before it that only "," or "y" parts from
// it: "arts. 3 de la Ley A, 5 de la Ley B y 7 de la Ley C", of which words behind choose.
func (l *link) chain(g int) []read.Mention {
	first := g
	for ; first > 0; first-- {
		last, start := l.last(first-1), l.start(first)
		if last.Unit == "" || last.Ruling || last.End > start || start-last.End > ReachBefore {
			break
		}
		if gap := l.r[last.End:start]; read.SentenceEnd(gap) || read.Blank(gap) || !rowOn.MatchString(string(gap)) {
			break
		}
	}
	return slices.Concat(l.groups[first : g+1]...)
}

// unquoted gives the text from … to without the quotations in it.
func unquoted(r []rune, quotes []read.Quotation, from, to int) (out []rune) {
	for _, q := range quotes[sort.Search(len(quotes), func(k int) bool { return quotes[k].From >= from }):] {
		if q.To <= to {
			out, from = append(out, r[from:q.From]...), q.To
		}
	}
	return append(out, r[from:to]...)
}

// oneOf chooses one of the citations before a quotation: "el primero", "el segundo exige",
// "este último"; but "el segundo párrafo" is a part.
var oneOf = lazyregexp.New(`(?i)\b(?:este|esta|ese|esa|el|la|del|al) (primer[oa]|segund[oa]|tercer[oa]|cuart[oa]|últim[oa])(?:[\s,:](?:de (?:ellos|ellas|(?:l[oa]s|dich[oa]s) \pL+)\b)?|$)(\s?(?:párrafo|apartado|inciso|punto|supuesto|motivo|requisito|caso|plazo|año|inciso)\b)?`)

// singled gives those of a list that the words behind it mean, the last of such words.
func singled(gap []rune, list []read.Mention) []read.Mention {
	if len(list) < 2 {
		return list
	}
	said := oneOf.FindAllStringSubmatch(string(gap), -1)
	for k := len(said) - 1; k >= 0; k-- {
		if said[k][2] != "" {
			continue
		}
		n := len(list) - 1
		if v, ordinal, ok := text.Numeral([]string{text.Fold(said[k][1])}); ok == 1 && ordinal {
			n = v - 1
		}
		if n < len(list) {
			return list[n : n+1]
		}
	}
	return list
}

// ownUnit goes on from a norm alone to the unit of it that the next line names:
// "Norma: Código de Aguas / Artículo: 5".
func (l *link) ownUnit(g int, is bool) int {
	if !is {
		return none
	}
	if g+1 == len(l.groups) {
		return g
	}
	a, b := l.last(g), l.groups[g+1][0]
	if gap := l.r[a.End:max(a.End, b.Start)]; a.Unit == "" && !a.Ruling && b.Unit != "" && b.Context == a.Context && (len(gap) <= ReachAfter/2 || len(gap) <= 2*ReachAfter && nextLine.MatchString(string(gap))) && !read.SentenceEnd(gap) && !read.Blank(gap) {
		return g + 1
	}
	return g
}
