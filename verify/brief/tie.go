package brief

import (
	"regexp"
	"slices"
	"sort"
	"strings"
	"unicode"

	"digesto"
	"digesto/text/cite"
)

// tied is a citation with its quotation; either may be missing. With several
// mentions ("artículos 5 y 6") the words may be of any of them.
type tied struct {
	mentions []mention
	quote    *quotation
	context  string // norm named last before a citation that names none
	ruling   bool
	// near are the units cited last before a quotation without a citation: its words may
	// be theirs.
	near []mention
}

// mention is a citation in the text.
type mention struct {
	cite.Mention
	context string
	ruling  bool
	prior   *mention // the unit cited before it, for "el artículo siguiente"
}

// How far, in code points, a citation may stand from the quotation it belongs to.
const (
	reachAfter  = 60  // «…» (artículo 5)
	reachBefore = 400 // El artículo 5 dice: «…»
	reachBlock  = 800
)

// tie gives the citations of a text with their quotations, in the order of the
// text. A quotation belongs to the citation right behind it, in brackets or in
// the same sentence; else to the nearest before it in its paragraph, or for a
// block in the paragraph before; else to the next one in its paragraph.
func (j *judge) tie(s string, mentions []mention, quotes []quotation) ([]tied, error) {
	r := j.runes
	groups := lists(r, mentions)
	own := make([][]int, len(groups)) // quotations of each group
	var out []tied
	paired, err := j.respectively(s, mentions, quotes)
	if err != nil {
		return nil, err
	}
	lines := &lines{r: r}
	notes := findNotes(r, groups)
	spent := map[int]bool{} // places of the citations of those
	for k := range quotes {
		if m, ok := paired[k]; ok {
			spent[m.Start] = true
			out = append(out, tied{mentions: []mention{m}, quote: &quotes[k], context: m.context, ruling: m.ruling})
		} else if g := j.groupOf(groups, notes, lines, quotes, k, quotes[k]); g >= 0 {
			own[g] = append(own[g], k)
		} else {
			out = append(out, tied{quote: &quotes[k], near: lastUnits(r, groups, quotes[k])})
		}
	}
	chosen := map[int][]mention{} // what words before a quotation choose of a row
	for g, list := range groups {
		for _, k := range own[g] {
			if end := list[len(list)-1].End; end <= quotes[k].from {
				all := chain(r, groups, g)
				if one := singled(unquoted(r, quotes[:k], end, quotes[k].from), all); len(one) < len(all) {
					chosen[k], spent[one[0].Start] = one, true
				}
			}
		}
	}
	for g, list := range groups {
		if len(own[g]) == 0 {
			for _, m := range list {
				if !spent[m.Start] {
					out = append(out, tied{mentions: []mention{m}, context: m.context, ruling: m.ruling})
				}
			}
			continue
		}
		for _, k := range own[g] {
			some := list
			if one := chosen[k]; one != nil {
				some = one
			}
			out = append(out, tied{mentions: some, quote: &quotes[k], context: list[0].context, ruling: list[0].ruling})
		}
	}
	slices.SortStableFunc(out, func(a, b tied) int { return a.start() - b.start() })
	return out, nil
}

// lastUnits gives the units cited last before a quotation, in this section or so.
func lastUnits(r []rune, groups [][]mention, q quotation) []mention {
	for g, _ := next(groups, q); g >= 0; g-- {
		list := groups[g]
		last := list[len(list)-1]
		if last.End > q.from {
			continue
		}
		if q.from-last.End > 10*reachBlock {
			return nil
		}
		if last.Unit != "" && !last.ruling {
			if ofFacts(r, list, q) {
				return nil
			}
			return list
		}
	}
	return nil
}

// start is where the citation stands, or the quotation that has none.
func (t tied) start() int {
	if len(t.mentions) > 0 {
		return t.mentions[0].Start
	}
	return t.quote.from
}

// longestList is how many citations one list has at most.
const longestList = 64

// lists puts together the citations of one list: "artículos 5 y 6 de la ley".
func lists(r []rune, mentions []mention) [][]mention {
	var out [][]mention
	for _, m := range mentions {
		if n := len(out); n > 0 && !m.ruling {
			last := out[n-1][len(out[n-1])-1]
			if m.Unit != "" && last.Unit != "" && len(out[n-1]) < longestList && m.Norm == last.Norm && m.Start-last.End <= 4 && m.Start >= last.End && !has(r[last.End:m.Start], '.', ';', '\n', ')') {
				out[n-1] = append(out[n-1], m)
				continue
			}
		}
		out = append(out, []mention{m})
	}
	return out
}

// link is a quotation between the citations of a text.
type link struct {
	j             *judge
	groups        [][]mention
	notes         *notes
	lines         *lines
	quotes        []quotation
	k             int // the quotation
	q             quotation
	before, after int  // the groups next to it; -1 = none
	limit         int  // what comes after the next quotation belongs to that one
	right         bool // the group behind stands right behind it
}

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
	{"said within the words", 100, func(l *link) int {
		if l.q.asideEnd > 0 {
			return within(l.groups, l.q.aside, l.q.asideEnd)
		}
		return none
	}},
	{"announced by a colon", 95, func(l *link) int {
		if l.q.owner > 0 {
			return within(l.groups, l.q.owner-1, l.q.owner)
		}
		return none
	}},
	{"note that it calls", 90, func(l *link) int { return l.notes.of(l.j.runes, l.q) }},
	{"row of a table", 85, func(l *link) int { return inRow(l.j.runes, l.lines, l.groups, l.q) }},
	{"source in its last lines", 80, func(l *link) int { return sourceOf(l.groups, l.q) }},
	{"sentence behind that points back", 75, func(l *link) int {
		if l.after >= 0 && pointsBack(l.j.runes, l.groups[l.after], l.quotes, l.k, l.q) {
			return ownUnit(l.j.runes, l.groups, l.after)
		}
		return none
	}},
	{"right behind, as its source", 70, func(l *link) int {
		if r := l.j.runes; l.right && (l.before < 0 || ownSource(r, l.q, l.groups[l.after]) || namesPlace(r, l.q, l.groups[l.before], l.groups[l.after])) {
			return ownUnit(r, l.groups, l.after)
		}
		return none
	}},
	{"the first of two before", 65, func(l *link) int {
		if l.mayLead() && former(l.j.runes, l.groups, l.before, l.quotes, l.k) {
			return l.reached(l.before - 1)
		}
		return none
	}},
	{"the one that speaks", 60, func(l *link) int {
		if !l.mayLead() {
			return none
		}
		if g := speaker(l.j.runes, l.groups, l.before, l.q); g != l.before {
			return l.reached(g)
		}
		return none
	}},
	{"before it", 55, func(l *link) int {
		if l.mayLead() {
			return l.reached(l.before)
		}
		return none
	}},
	{"heading above", 45, func(l *link) int {
		if l.before >= 0 && !l.j.ofCourt(l.groups[l.before], l.q) && headsList(l.j.runes, l.lines, l.groups[l.before], l.q) {
			return l.before
		}
		return none
	}},
}

// mayLead says whether the citation before a quotation may be that of its words.
func (l *link) mayLead() bool {
	return l.before >= 0 && !l.j.ofCourt(l.groups[l.before], l.q) && !ofFacts(l.j.runes, l.groups[l.before], l.q)
}

// reached gives a group before a quotation when it is near enough.
func (l *link) reached(g int) int {
	r, q := l.j.runes, l.q
	gap := r[l.groups[g][len(l.groups[g])-1].End:q.from]
	if !q.block && len(gap) <= reachBefore && (!blank(gap) || announces(gap)) || q.block && len(gap) <= reachBlock && paragraphs(gap) <= 1 {
		return g
	}
	return none
}

// groupOf gives the group of citations of a quotation, and counts the rule that said so.
func (j *judge) groupOf(groups [][]mention, notes *notes, lines *lines, quotes []quotation, k int, q quotation) int {
	r := j.runes
	l := &link{j: j, groups: groups, notes: notes, lines: lines, quotes: quotes, k: k, q: q, limit: len(r)}
	l.before, l.after = next(groups, q)
	if k+1 < len(quotes) {
		l.limit = quotes[k+1].from
	}
	if l.after >= 0 {
		start := groups[l.after][0].Start
		gap := r[q.to:min(start, len(r))]
		l.right = start < l.limit && len(gap) <= reachAfter && !sentenceEnd(gap) && !newSentence(r, q, gap) && !newItem.MatchString(string(gap)) && (!blank(gap) || strings.Trim(string(gap), " \t\r\n(—–-") == "")
		if headedByAnother(q, groups[l.after]) {
			l.after, l.right = none, false
		}
	}
	for _, rule := range linkRules {
		if g := rule.of(l); g != none {
			j.fired[rule.name]++
			return g
		}
	}
	return none
}

// What stands between a quotation and the citation behind it when that says where the
// words are; and when it may, unless another citation announces them.
var (
	standsIn  = regexp.MustCompile(`(?i)^[,.]?\s(?:es|son|está|están|figura|figuran|aparece|consta)\s(?:en\s)?(?:del|de la|de los|el|la|los)\s$`)
	inOrOf    = regexp.MustCompile(`(?i)^(?:,\s|,?\s(?:en|de|del|` + accord + `)\s(?:(?:el|la|los|lo)\s)?|,\s(?:(?:últim[oa]|primer|segundo|tercer|cuarto) (?:párrafo|inciso)|párrafo \pL+|in fine),?\s(?:del|de la)\s(?:(?:citad[oa]|mism[oa]|propi[oa]|repetid[oa]|referid[oa])\s)?)$`)
	dashed    = regexp.MustCompile(`(?i)^[\s*_]*[—–-]\s(?:` + accord + `)\s(?:(?:el|la|los|lo)\s)?$`)
	saysIt    = regexp.MustCompile(`(?i)^,?\s(?:y\s)?(?:así\s)?(?:lo\s)?(?:dice|dispone|establece|prevé|ordena|manda|señala|exige)\s(?:el|la)\s$`)
	closes    = regexp.MustCompile(`^\)?\s*(?:[.;,)]|$|\n)`)
	theFormer = regexp.MustCompile(`(?i)\b(?:dice|señala|dispone|establece|según|exige|proclama|añade) (?:el primero|la primera|aquel|aquél|aquella)\b`)
)

// accord are words by which a source behind the words is brought in.
const accord = `según|conforme(?: a| al| con| surge de| surge del| lo dispone| lo establece| lo dispuesto por)?|conf\.|cf\.|cfr\.|arg\.|de conformidad con|en los términos de|en los términos del|tal como (?:dispone|establece)|como (?:dispone|establece)|así`

// ownSource says whether a citation behind a quotation says where that comes from: in
// brackets, behind a dash, or within the brackets in which the quotation stands.
func ownSource(r []rune, q quotation, list []mention) bool {
	gap := r[q.to:list[0].Start]
	end := min(len(r), list[len(list)-1].End+1)
	within := q.from > 0 && r[q.from-1] == '(' && has(r[end-1:end], ')', ',', ';')
	return open(gap) || within || dashed.MatchString(string(gap)) || standsIn.MatchString(string(gap)) || strings.Trim(string(gap), " *_") != "" && strings.Trim(string(gap), " *_—–->→") == ""
}

// unquoted gives the text from … to without the quotations in it.
func unquoted(r []rune, quotes []quotation, from, to int) (out []rune) {
	for _, q := range quotes[sort.Search(len(quotes), func(k int) bool { return quotes[k].from >= from }):] {
		if q.from >= from && q.to <= to {
			out, from = append(out, r[from:q.from]...), q.to
		}
	}
	return append(out, r[from:to]...)
}

// namesPlace says whether a citation right behind a quotation and at the end of its clause
// says where that stands: "…, dice el artículo 5", or "… en el 38.1 LXP" and "…, inciso 2
// del mismo artículo" when the citation before it is of another line or sentence.
func namesPlace(r []rune, q quotation, before, after []mention) bool {
	gap := r[max(before[len(before)-1].End-1, q.from-reachBefore):q.from]
	between, behind := string(r[q.to:after[0].Start]), r[min(after[len(after)-1].End, len(r)):]
	if !closes.MatchString(string(behind[:min(len(behind), 4)])) {
		return false
	}
	return saysIt.MatchString(between) || inOrOf.MatchString(between) && (has(gap, '\n') || sentenceEnd(gap))
}

// former says whether the words of quotation k are said to be of the first of the two
// units cited before it: "dice el primero, «…»; y el segundo, «…»".
func former(r []rune, groups [][]mention, before int, quotes []quotation, k int) bool {
	list := groups[before]
	from := max(list[len(list)-1].End, quotes[k].from-reachBefore)
	if k > 0 {
		from = max(from, quotes[k-1].to)
	}
	return before > 0 && from < quotes[k].from && theFormer.MatchString(string(r[from:quotes[k].from])) && list[0].Start-groups[before-1][0].End < reachBefore/2
}

// headedByAnother says whether a quotation begins with the heading of an article that is
// not the one cited behind it.
func headedByAnother(q quotation, list []mention) bool {
	m := ownHeading.FindStringSubmatch(q.words)
	return m != nil && list[0].Kind == digesto.KindArticle && !slices.ContainsFunc(list, func(o mention) bool { return o.Number == m[1] })
}

// rowOn is what stands between two citations of a row: no more than what the first is about.
var rowOn = regexp.MustCompile(`^[ ,]*(?:[ye] ?)?$|^[^«»“”"(),:;]{0,60},? [ye](?: (?:el|la|los))? ?$`)

// chain gives the citations of a group with those before it that only "," or "y" parts from
// it: "arts. 3 de la Ley A, 5 de la Ley B y 7 de la Ley C", of which words behind choose.
func chain(r []rune, groups [][]mention, g int) []mention {
	first := g
	for ; first > 0; first-- {
		list, prior := groups[first], groups[first-1]
		last := prior[len(prior)-1]
		if last.Unit == "" || last.ruling || last.End > list[0].Start || list[0].Start-last.End > reachBefore {
			break
		}
		if gap := r[last.End:list[0].Start]; sentenceEnd(gap) || blank(gap) || !rowOn.MatchString(string(gap)) {
			break
		}
	}
	return slices.Concat(groups[first : g+1]...)
}

// newSentence says whether the author begins a sentence between a quotation and what is
// cited behind it.
func newSentence(r []rune, q quotation, gap []rune) bool {
	rest := strings.TrimLeft(string(gap), ".?!*_»”\"'")
	ended := len(rest) < len(string(gap)) && strings.ContainsAny(string(gap)[:len(string(gap))-len(rest)], ".?!")
	for i := q.to - 2; i > q.from && !ended && strings.ContainsRune(".?!", r[i]); i-- {
		ended = true // "…»" with its own full stop
	}
	rest = strings.TrimLeft(rest, " \t\n")
	return ended && rest != "" && unicode.IsUpper([]rune(rest)[0])
}

// Words by which one citation speaks and another only stands in what it says, and those
// that tell by whom the wording was given.
var (
	speaks  = regexp.MustCompile(`^(?:,[^,.;:«“"]{0,60},|\s\([^()]{0,40}\))?\s(?:ya |también |además |sólo |solo |no |expresamente |textualmente )?(?:` + says + `|permite|obliga|determina|contempla|recoge)\b`)
	partOf  = regexp.MustCompile(`(?i)(?:\bdel|\bde los|\bde la|refieren? (?:el|la|los)|previst[oa]s? en (?:el|la|los)|regulad[oa]s? (?:en|por) (?:el|la|los)|al|con el) $`)
	reworks = regexp.MustCompile(`(?i)^\)?,?\s\(?(?:después|tras|desde|a partir|luego|según|conforme|en (?:la|su) (?:actual |nueva |vigente )?redacción|con la redacción|en la versión|texto|modificad|reformad|introducid|añadid|incorporad|sustituid|en virtud|por obra)[^.;:«“"]{0,60}$`)
)

// speaker goes back from the citation next before a quotation to the one of the same
// sentence whose words these are: "El artículo 14 dice que en los contratos del artículo
// 15 la prueba «…»", "El artículo 86, tras la Ley 32/2021, señala: «…»".
func speaker(r []rune, groups [][]mention, before int, q quotation) int {
	near := groups[before]
	start, end := near[0].Start, near[len(near)-1].End
	if before == 0 || near[0].ruling {
		return before
	}
	prior := groups[before-1]
	last := prior[len(prior)-1]
	if last.Unit == "" || last.ruling || start < last.End || start-last.End > reachBefore/2 {
		return before
	}
	gap := r[last.End:start]
	if sentenceEnd(gap) || blank(gap) || has(gap, '«', '“', '"') {
		return before
	}
	if near[0].Unit == "" && len(near) == 1 && (last.Norm != "" || len(last.Also) > 0) && reworks.MatchString(string(gap)) {
		return before - 1
	}
	if speaks.MatchString(string(gap)) && partOf.MatchString(string(r[max(0, start-20):start])) && !speaks.MatchString(string(r[end:q.from])) && q.from-end > 8 && !has(r[end:q.from], ':') {
		return before - 1
	}
	return before
}

// facts are what the author would have found: no law's words.
var facts = regexp.MustCompile(`(?i)\b(?:hechos? (?:declarados? )?probados?|ordinal fáctico)\b[^«“"]*$`)

// ofFacts says that a quotation is of the facts of the case, as its author would word them.
func ofFacts(r []rune, list []mention, q quotation) bool {
	return facts.MatchString(string(r[max(list[len(list)-1].End, q.from-reachBefore):q.from]))
}

// Marks of a heading, and of what may stand in a line before a quotation in a list.
var (
	headingLine = regexp.MustCompile(`^\s*(?:#{1,6}\s|\*\*.*\*\*\s*$)`)
	listMark    = regexp.MustCompile(`^\s*(?:[-*+•–—]|\d{1,2}[.)]|[a-z]\))?\s*$`)
)

// headsList says whether a unit is cited in a heading and a quotation stands below it
// as a line or item of its own.
func headsList(r []rune, lines *lines, list []mention, q quotation) bool {
	last := list[len(list)-1]
	if last.Unit == "" || q.from-last.End > 12*reachBlock {
		return false
	}
	to, _ := lines.of(q.from)
	if q.from-to > reachBefore || last.End >= to {
		return false
	}
	from, _ := lines.of(last.Start)
	_, end := lines.of(last.End)
	return end < to && to-end <= 10*reachBlock && last.Start-from <= reachBefore && (headingLine.MatchString(string(r[from:end])) || onlyCites(r[from:end], list, from)) && listMark.MatchString(string(r[to:q.from])) && !strings.Contains(string(r[end:to]), "\n#")
}

// onlyCites says whether a line has a citation and no more, as what heads a text.
func onlyCites(line []rune, list []mention, from int) bool {
	s := slices.Clone(line)
	for _, m := range list {
		for i := max(0, m.Start-from); i < min(len(s), m.End-from); i++ {
			s[i] = ' '
		}
	}
	return !slices.ContainsFunc(s, wordy)
}

// backward begins a sentence that says of the words before it whose they are: "Tal es
// el texto del artículo 5", "Así lo dice el artículo 5".
var backward = regexp.MustCompile(`^[\s.»”"')\]]*(?:Tal|Tales|Así|Este|Esta|Estos|Estas|Ese|Esa|Esos|Esas|Esto|Eso|Es|Son|Está|Están|Figura|Consta|Hasta aquí|Lo transcrito|Lo anterior|Lo dice|Lo dispone|Lo establece)(?:\s[^.:;«“"]{0,60})?\s$`)

// thus begins a sentence without a verb that does the same: "Así, el artículo 5."
var thus = regexp.MustCompile(`^[\s.»”"')\]]*Así,\s(?:[^.:;«“"]{0,30}\s)?$`)

// pointsBack says whether a citation behind a quotation says where that comes from, and
// does not bring in another.
func pointsBack(r []rune, list []mention, quotes []quotation, k int, q quotation) bool {
	start, end := list[0].Start, list[len(list)-1].End
	if start-q.to > reachAfter+20 {
		return false
	}
	between := string(r[q.to:start])
	if thus.MatchString(between) && closes.MatchString(string(r[min(end, len(r)):min(end+4, len(r))])) {
		return true
	}
	if !backward.MatchString(between) {
		return false
	}
	if k+1 == len(quotes) {
		return true
	}
	next := quotes[k+1]
	if next.from < end {
		return false
	}
	gap := r[end:min(next.from, end+reachBefore)]
	return next.from-end > reachBefore || sentenceEnd(gap) || blank(gap) && !announces(gap)
}

// ownUnit goes on from a norm alone to the unit of it that the next line names:
// "Norma: Código de Aguas / Artículo: 5".
func ownUnit(r []rune, groups [][]mention, g int) int {
	if g+1 >= len(groups) {
		return g
	}
	a, b := groups[g][len(groups[g])-1], groups[g+1][0]
	if gap := r[a.End:max(a.End, b.Start)]; a.Unit == "" && !a.ruling && b.Unit != "" && b.context == a.context && (len(gap) <= reachAfter/2 || len(gap) <= 2*reachAfter && nextLine.MatchString(string(gap))) && !sentenceEnd(gap) && !blank(gap) {
		return g + 1
	}
	return g
}

// inRow gives the citation in the row of a table in which a quotation stands; -1 for none.
// Of several the last one before the words with a unit, else the first behind them.
func inRow(r []rune, lines *lines, groups [][]mention, q quotation) int {
	from, _ := lines.of(q.from)
	first := from
	for first < q.from && (r[first] == ' ' || r[first] == '\t') {
		first++
	}
	if first == q.from || r[first] != '|' || has(r[q.from:q.to], '\n') {
		return -1
	}
	_, to := lines.of(q.to)
	behind := sort.Search(len(groups), func(g int) bool { return groups[g][0].Start >= q.from })
	for g := behind - 1; g >= 0 && groups[g][0].Start >= from; g-- {
		if groups[g][0].Unit != "" {
			return g
		}
	}
	for g := behind; g < len(groups) && groups[g][0].Start < to; g++ {
		if groups[g][0].Unit != "" {
			return g
		}
	}
	return -1
}

// lines gives the line of a place; places asked one after another in a line cost nothing.
type lines struct {
	r        []rune
	from, to int // of the line asked for last
	known    bool
}

// of gives where the line of code point i begins and where its end stands.
func (l *lines) of(i int) (from, to int) {
	if l.known && l.from <= i && i <= l.to {
		return l.from, l.to
	}
	for from = i; from > 0 && l.r[from-1] != '\n'; from-- {
	}
	l.from, l.to, l.known = from, lineEnd(l.r, i), true
	return l.from, l.to
}

// newItem is the end of a line and the beginning of another item or note: its number or
// letter, or a dash with words of its own, which is no source written below the words.
var newItem = regexp.MustCompile(`\n[ \t>]*(?:\[\^[\w-]{1,12}\]:|\d{1,2}[.)]\s|[a-zñ]\)\s|[-*+•]\s+[\p{L}\d])`)

// nextLine is the rest of a line and no more than a mark of the one below it.
var nextLine = regexp.MustCompile(`^[^\n]*\n[ \t]*(?:[-*•]\s)?$`)

// sourceOf gives the citation in the last lines of a block, which say where it comes
// from; -1 for none.
func sourceOf(groups [][]mention, q quotation) int {
	if q.source == 0 {
		return -1
	}
	return within(groups, q.source, q.to)
}

// within gives the first group of citations that begins in a stretch; -1 = there is none.
func within(groups [][]mention, from, to int) int {
	g := sort.Search(len(groups), func(g int) bool { return groups[g][0].Start >= from })
	if g == len(groups) || groups[g][0].Start >= to {
		return -1
	}
	return g
}

// announces says whether a stretch ends with a colon and the end of its paragraph:
// "El artículo 5 dice:" with what it says in a paragraph of its own.
func announces(gap []rune) bool {
	said := strings.TrimRight(string(gap), " \t\r\n")
	return paragraphs(gap) == 1 && strings.HasSuffix(said, ":") && !blank([]rune(said))
}

// sentenceEnd says whether a sentence ends in a stretch.
func sentenceEnd(r []rune) bool {
	brackets := 0
	for i := 0; i+1 < len(r); i++ {
		if (r[i] == '.' || r[i] == ';' || r[i] == '?') && (r[i+1] == ' ' || r[i+1] == '\n') && brackets == 0 && !shortened(r, i) {
			return i > 0 || r[i] != '.' // the full stop right behind the marks ends the quotation's own sentence
		}
		brackets = opened(brackets, r[i])
	}
	return false
}

// shortened says whether the stop at i ends an abbreviation within a sentence: "t.o. 2019",
// "S.A. y otros", "conf. art. 5".
func shortened(r []rune, i int) bool {
	if r[i] != '.' || i < 2 || !unicode.IsLetter(r[i-1]) || i+2 < len(r) && !unicode.IsLower(r[i+2]) && !unicode.IsDigit(r[i+2]) {
		return false
	}
	return i+2 < len(r) && r[i-2] == '.' || citing.MatchString(string(r[max(0, i-7):i]))
}

// citing ends with an abbreviation of those who cite.
var citing = regexp.MustCompile(`(?i)(?:^|[^\pL])(?:conf|cf|cfr|arg|arts?|incs?|párrs?|apdos?|núms?|lit|doctr)$`)

// open says whether a bracket opens in a stretch and does not close there.
func open(r []rune) bool {
	n := 0
	for _, x := range r {
		n = opened(n, x)
	}
	return n > 0
}

// opened counts the brackets that are open behind a character.
func opened(n int, x rune) int {
	switch x {
	case '(', '[':
		return n + 1
	case ')', ']':
		return max(0, n-1)
	}
	return n
}

// blank says whether a paragraph ends in a stretch.
func blank(r []rune) bool { return paragraphs(r) > 0 }

func paragraphs(r []rune) int {
	n := 0
	for i := 0; i+1 < len(r); i++ {
		if r[i] == '\n' {
			k := i + 1
			for k < len(r) && (r[k] == ' ' || r[k] == '\t' || r[k] == '\r') {
				k++
			}
			if k < len(r) && r[k] == '\n' {
				n++
				i = k
			}
		}
	}
	return n
}

func has(r []rune, any ...rune) bool {
	for _, x := range r {
		for _, y := range any {
			if x == y {
				return true
			}
		}
	}
	return false
}
