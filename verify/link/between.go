package link

import (
	"regexp"
	"slices"
	"sort"
	"strings"
	"unicode"

	"digesto/text/lazyregexp"
	"digesto/verify/read"
)

// What stands between a quotation and the citation behind it when that says where the
// words are; and when it may, unless another citation announces them.
var (
	standsIn  = lazyregexp.New(`(?i)^[,.]?\s(?:es|son|está|están|figura|figuran|aparece|consta)\s(?:en\s)?(?:del|de la|de los|el|la|los)\s$`)
	inOrOf    = lazyregexp.New(`(?i)^(?:,\s|,?\s(?:en|de|del|` + accord + `)\s(?:(?:el|la|los|lo)\s)?|,\s(?:(?:últim[oa]|primer|segundo|tercer|cuarto) (?:párrafo|inciso)|párrafo \pL+|in fine),?\s(?:del|de la)\s(?:(?:citad[oa]|mism[oa]|propi[oa]|repetid[oa]|referid[oa])\s)?)$`)
	dashed    = lazyregexp.New(`(?i)^[\s*_]*[—–-]\s(?:` + accord + `)\s(?:(?:el|la|los|lo)\s)?$`)
	saysIt    = lazyregexp.New(`(?i)^,?\s(?:y\s)?(?:así\s)?(?:lo\s)?(?:dice|dispone|establece|prevé|ordena|manda|señala|exige)\s(?:el|la)\s$`)
	closes    = lazyregexp.New(`^\)?\s*(?:[.;,)]|$|\n)`)
	theFormer = lazyregexp.New(`(?i)\b(?:dice|señala|dispone|establece|según|exige|proclama|añade) (?:el primero|la primera|aquel|aquél|aquella)\b`)
)

// accord are words by which a source behind the words is brought in.
const accord = `según|conforme(?: a| al| con| surge de| surge del| lo dispone| lo establece| lo dispuesto por)?|conf\.|cf\.|cfr\.|arg\.|de conformidad con|en los términos de|en los términos del|tal como (?:dispone|establece)|como (?:dispone|establece)|así`

// ownSource says whether the citation behind a quotation says where that comes from: in
// brackets, behind a dash, or within the brackets in which the quotation stands.
func (l *link) ownSource() bool {
	gap := l.r[l.q.To:l.start(l.after)]
	end := min(len(l.r), l.end(l.after)+1)
	within := l.q.From > 0 && l.r[l.q.From-1] == '(' && read.Has(l.r[end-1:end], ')', ',', ';')
	plain := strings.Trim(string(gap), " *_")
	return read.Open(gap) || within || dashed.MatchString(string(gap)) || standsIn.MatchString(string(gap)) || plain != "" && strings.Trim(plain, " *_—–->→") == ""
}

// namesPlace says whether a citation right behind a quotation and at the end of its clause
// says where that stands: "…, dice el artículo 5", or "… en el 38.1 LXP" and "…, inciso 2
// del mismo artículo" when the citation before it is of another line or sentence.
func (l *link) namesPlace() bool {
	between := string(l.r[l.q.To:l.start(l.after)])
	if !l.shut() {
		return false
	}
	gap := l.r[max(l.end(l.before)-1, l.q.From-ReachBefore):l.q.From]
	return saysIt.MatchString(between) || inOrOf.MatchString(between) && (read.Has(gap, '\n') || read.SentenceEnd(gap))
}

// shut says whether the citation behind a quotation ends its clause.
func (l *link) shut() bool {
	end := min(l.end(l.after), len(l.r))
	return closes.MatchString(string(l.r[end:min(end+4, len(l.r))]))
}

// former says whether the words are said to be of the first of the two units cited before
// them: "dice el primero, «…»; y el segundo, «…»".
func (l *link) former() bool {
	if l.before <= 0 {
		return false
	}
	from := max(l.end(l.before), l.q.From-ReachBefore)
	if l.k > 0 {
		from = max(from, l.quotes[l.k-1].To)
	}
	return from < l.q.From && theFormer.MatchString(string(l.r[from:l.q.From])) && l.start(l.before)-l.groups[l.before-1][0].End < ReachBefore/2
}

// newSentence says whether the author begins a sentence between a quotation and what is
// cited behind it.
func (l *link) newSentence(gap string) bool {
	rest := strings.TrimLeft(gap, ".?!*_»”\"'")
	ended := strings.ContainsAny(gap[:len(gap)-len(rest)], ".?!") || l.q.To-2 > l.q.From && strings.ContainsRune(".?!", l.r[l.q.To-2]) // "…»" with its own full stop
	return ended && unicode.IsUpper(read.FirstLetter([]rune(rest)))
}

// Words by which one citation speaks and another only stands in what it says, and those
// that tell by whom the wording was given.
var (
	speaks  = lazyregexp.New(`^(?:,[^,.;:«“"]{0,60},|\s\([^()]{0,40}\))?\s(?:ya |también |además |sólo |solo |no |expresamente |textualmente )?(?:` + read.Says + `|permite|obliga|determina|contempla|recoge)\b`)
	partOf  = lazyregexp.New(`(?i)(?:\bdel|\bde los|\bde la|refieren? (?:el|la|los)|previst[oa]s? en (?:el|la|los)|regulad[oa]s? (?:en|por) (?:el|la|los)|al|con el) $`)
	reworks = lazyregexp.New(`(?i)^\)?,?\s\(?(?:después|tras|desde|a partir|luego|según|conforme|en (?:la|su) (?:actual |nueva |vigente )?redacción|con la redacción|en la versión|texto|modificad|reformad|introducid|añadid|incorporad|sustituid|en virtud|por obra)[^.;:«“"]{0,60}$`)
)

// otherSpeaks says whether of the two citations before a quotation the first is the one of the
// same sentence whose words these are: "El artículo 14 dice que en los contratos del artículo
// 15 la prueba «…»", "El artículo 86, tras la Ley 32/2021, señala: «…»".
func (l *link) otherSpeaks() bool {
	if l.before <= 0 || l.groups[l.before][0].Ruling {
		return false
	}
	near, last := l.groups[l.before], l.last(l.before-1)
	start, end := near[0].Start, l.end(l.before)
	if last.Unit == "" || last.Ruling || l.q.From-end > ReachBlock || start < last.End || start-last.End > ReachBefore/2 {
		return false
	}
	gap := l.r[last.End:start]
	if read.SentenceEnd(gap) || read.Blank(gap) || read.Has(gap, '«', '“', '"') {
		return false
	}
	if near[0].Unit == "" && len(near) == 1 && (last.Norm != "" || len(last.Also) > 0) && reworks.MatchString(string(gap)) {
		return true
	}
	behind := string(l.r[end:l.q.From])
	return speaks.MatchString(string(gap)) && partOf.MatchString(string(l.r[max(0, start-20):start])) && !speaks.MatchString(behind) && l.q.From-end > 8 && !strings.Contains(behind, ":")
}

// facts are what the author would have found: no law's words.
var facts = lazyregexp.New(`(?i)\b(?:hechos? (?:declarados? )?probados?|ordinal fáctico)\b[^«“"]*$`)

// ofFacts says that a quotation is of the facts of the case, as its author would word them.
func (l *link) ofFacts(g int) bool {
	return facts.MatchString(string(l.r[max(l.end(g), l.q.From-ReachBefore):l.q.From]))
}

// Marks of a heading, and of what may stand in a line before a quotation in a list.
var (
	headingLine = lazyregexp.New(`^\s*(?:#{1,6}\s|\*\*.*\*\*\s*$)`)
	listMark    = lazyregexp.New(`^\s*(?:[-*+•–—]|\d{1,2}[.)]|[a-z]\))?\s*$`)
)

// headsList says whether the unit before a quotation is cited in a heading, or alone in its
// line, and the quotation stands below it as a line or item of its own.
func (l *link) headsList() bool {
	list, last := l.groups[l.before], l.last(l.before)
	if last.Unit == "" || l.q.From-last.End > 12*ReachBlock {
		return false
	}
	to, _ := read.LineAt(l.r, l.q.From)
	if l.q.From-to > ReachBefore || last.End >= to {
		return false
	}
	from, _ := read.LineAt(l.r, list[0].Start)
	_, end := read.LineAt(l.r, last.End)
	if end >= to || to-end > 10*ReachBlock || last.Start-from > ReachBefore {
		return false
	}
	said := slices.Clone(l.r[from:end]) // beside the citations
	for _, m := range list {
		for i := m.Start - from; i < min(len(said), m.End-from); i++ {
			said[i] = ' '
		}
	}
	heads := headingLine.MatchString(string(l.r[from:end])) || !slices.ContainsFunc(said, read.Wordy)
	return heads && listMark.MatchString(string(l.r[to:l.q.From])) && !strings.Contains(string(l.r[end:to]), "\n#")
}

// backward begins a sentence that says of the words before it whose they are: "Tal es
// el texto del artículo 5", "Así lo dice el artículo 5".
var backward = lazyregexp.New(`^[\s.»”"')\]]*(?:Tal|Tales|Así|Este|Esta|Estos|Estas|Ese|Esa|Esos|Esas|Esto|Eso|Es|Son|Está|Están|Figura|Consta|Hasta aquí|Lo transcrito|Lo anterior|Lo dice|Lo dispone|Lo establece)(?:\s[^.:;«“"]{0,60})?\s$`)

// thus begins a sentence without a verb that does the same: "Así, el artículo 5."
var thus = lazyregexp.New(`^[\s.»”"')\]]*Así,\s(?:[^.:;«“"]{0,30}\s)?$`)

// pointsBack says whether the citation behind a quotation says where that comes from, and
// does not bring in another.
func (l *link) pointsBack() bool {
	start, end := l.start(l.after), l.end(l.after)
	if start-l.q.To > ReachAfter+20 {
		return false
	}
	between := string(l.r[l.q.To:start])
	if thus.MatchString(between) && l.shut() {
		return true
	}
	if !backward.MatchString(between) || l.k+1 == len(l.quotes) {
		return backward.MatchString(between)
	}
	next := l.quotes[l.k+1].From
	if next < end {
		return false
	}
	gap := l.r[end:min(next, end+ReachBefore)]
	return next-end > ReachBefore || read.SentenceEnd(gap) || read.Blank(gap) && !read.Announces(gap)
}

// row gives the citation in the row of a table in which a quotation stands: of several the
// last one before the words with a unit, else the first behind them.
func (l *link) row() int {
	from, _ := read.LineAt(l.r, l.q.From)
	if !strings.HasPrefix(strings.TrimLeft(string(l.r[from:l.q.From]), " \t"), "|") || read.Has(l.r[l.q.From:l.q.To], '\n') {
		return none
	}
	_, to := read.LineAt(l.r, l.q.To)
	behind := sort.Search(len(l.groups), func(g int) bool { return l.start(g) >= l.q.From })
	for g := behind - 1; g >= 0 && l.start(g) >= from; g-- {
		if l.groups[g][0].Unit != "" {
			return g
		}
	}
	for g := behind; g < len(l.groups) && l.start(g) < to; g++ {
		if l.groups[g][0].Unit != "" {
			return g
		}
	}
	return none
}

// newItem is the end of a line and the beginning of another item or note: its number or
// letter, or a dash with words of its own, which is no source written below the words.
var newItem = lazyregexp.New(`\n[ \t>]*(?:\[\^[\w-]{1,12}\]:|\d{1,2}[.)]\s|[a-zñ]\)\s|[-*+•]\s+[\p{L}\d])`)

// nextLine is the rest of a line and no more than a mark of the one below it.
var nextLine = lazyregexp.New(`^[^\n]*\n[ \t]*(?:[-*•]\s)?$`)

// Court are the patterns of a court that speaks of a unit, whose words are then not the
// law's: "Sobre el artículo 5 ha dicho la Sala que «…»", "La sentencia señala respecto
// del artículo 5 que «…»".
type Court struct {
	says *regexp.Regexp // between the unit and the quotation
	head *regexp.Regexp // before the unit
}

// CourtOf makes the patterns with the initials of courts beside the common nouns.
func CourtOf(initials []string) Court {
	words := `\b(?:[Tt]ribunal|[Ss]ala|[Ss]entencia|[Jj]uzgado|[Jj]urisprudencia|[Dd]octrina`
	for _, c := range initials {
		words += "|" + regexp.QuoteMeta(strings.TrimSpace(c))
	}
	words += `)\b`
	return Court{regexp.MustCompile(words + `[^.;:«“"]{0,80}\sque[\s,]*$`), regexp.MustCompile(words + `(?:\s?\([^()]{0,60}\))?[^.;«“"]{0,100}$`)}
}

var (
	speaksOf  = lazyregexp.New(`(?i)(?:sobre|respecto (?:de|a)|al interpretar|interpretando|en relación (?:con|a)|a propósito de|en torno a|al aplicar|aplicando|al hilo de)(?:l| (?:el|la|los))?\s?$`)
	courtThat = lazyregexp.New(`^[^.;:«“"]{0,20}\sque[\s,]*$`)
)

// ofCourt says that a quotation is what a court says of the unit cited before it.
func (l *link) ofCourt() bool {
	list := l.groups[l.before]
	start, end := list[0].Start, l.end(l.before)
	if list[0].Ruling || l.q.From-end > ReachBefore || !speaksOf.MatchString(string(l.r[max(0, start-40):start])) {
		return false
	}
	gap := string(l.r[end:l.q.From])
	return l.court.says.MatchString(gap) || courtThat.MatchString(gap) && l.court.head.MatchString(string(l.r[max(0, start-180):start]))
}
