package brief

import (
	"cmp"
	"slices"
	"sort"
	"strings"
	"unicode"

	"digesto/text"
	"digesto/text/lazyregexp"
	"digesto/verify"
	"digesto/verify/judge"
	"digesto/verify/link"
	"digesto/verify/read"
)

// What looks like a citation and is not understood leaves a quotation beside it unresolved:
// nothing stands in for the place that its author named.
var (
	// unitWord is the word for a unit with what may be its number, as readers of bad copies
	// find it: "art. l4", "artículo correspondiente: sesenta".
	unitWord = lazyregexp.New(`(?i)(?:^|[^\pL])(?:arts?[.,º°]{1,2}\s*|arts?\s+|art[íi]culos?\s*|cláusulas?\s+|preceptos?\s+|disposici[óo]n(?:es)?\s+|§{1,2}\s*)(?:\pL+\s){0,2}(?:\pL+:\s)?(\S{1,12})`)
	// partWord is the word for a part with its number, or an end.
	partWord = lazyregexp.New(`(?i)(?:^|[^\pL])(?:(?:apartados?|apdos?\.?|párrafos?|párrs?\.?|incisos?|incs?\.?|numeral(?:es)?|letras?|lit(?:eral(?:es)?|\.)|ordinal(?:es)?)\s+(?:\d{1,3}\b|[a-zñ]\)|[a-zñ]\b|[IVX]+\b|\pL+(?:ero|undo|ercero|arto|into|exto|ptimo|avo|eno|imo)\b)|(?:primer|segundo|tercer|cuarto|quinto|último|penúltimo)\s(?:párrafo|apartado|inciso|punto)|in fine\b)`)
	// bareNumber is a number that no word counts.
	bareNumber = lazyregexp.New(`\b\d{1,4}(?:[./]\d{1,4})*\b`)
	countedBy  = lazyregexp.New(`(?i)^[\s.,º°]*(?:(?:de|/|-)\s?(?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|sep?tiembre|octubre|noviembre|diciembre)|%|por ciento|euros|€|pesos|soles|\$|horas?|días?|meses|mes|años?|puntos?|trabajador|personas?|empleados?|veces|folios?|págs?|páginas?|hojas?|\pL{3,}s\b)`)
	countsOf   = lazyregexp.New(`(?i)(?:\b(?:nota|folio|fs?\.|pág\.|página|hecho|punto|año|de|fecha|día|autos|expte\.|expediente|rollo|recurso|sentencia|sts|stsj)\s?)$`)
	// sourceName is a name: a word with a capital that begins no sentence, or initials.
	sourceName = lazyregexp.New(`[^\s.:;¿¡(«“"*_#>|-][\s]+(?:\(?)(\p{Lu}\pL+|\p{Lu}{2,})`)
	// sourceNoun is a text that is no law of those installed, or is not said which.
	sourceNoun = lazyregexp.New(`(?i)\b(?:sentencias?|resoluci[óo]n|dictamen|informe|circular|instrucci[óo]n|manual|doctrina|jurisprudencia|tribunal|juzgado|sala|carta|reglamento|código|convenio|directiva|tratado|pacto|estatutos?|pliego|laudo|póliza|protocolo|guía|demanda|escrito|auto)\b`)
	// speaking are verbs by which a source is brought in.
	speaking = lazyregexp.New(`(?i)\b(?:` + read.Says + `|razona|sostiene|sostuvo|afirma|afirmó|proclama|decía|dijo|escribe|escribió|explica|explicó|recoge|recogía|concluye|entiende|recuerda|según|conforme a|a tenor de)\b`)
	// ofLawItself are the words for law that name no source.
	ofLawItself = map[string]bool{"ley": true, "leyes": true, "norma": true, "normas": true, "normativa": true, "legislacion": true, "legislador": true, "derecho": true, "precepto": true, "articulo": true, "texto": true, "regla": true, "disposicion": true, "parrafo": true, "apartado": true, "inciso": true, "ordenamiento": true}
)

// around of a quotation, or of its citation: the sentence or line, and what heads it.
const (
	reachAround = 240
	reachBehind = 90
)

// strip gives a stretch of the text with the citations and quotations in it blanked, those
// of cited too.
func (j *checker) strip(from, to int, cited []read.Mention) string {
	if from >= to {
		return ""
	}
	out := slices.Clone(j.runes[from:to])
	blank := func(a, b int) {
		for i := max(a, from); i < min(b, to); i++ {
			out[i-from] = '·'
		}
	}
	for _, m := range cited {
		blank(m.Start, m.End)
	}
	for k := sort.Search(len(j.mentions), func(i int) bool { return j.mentions[i].Start >= to }) - 1; k >= 0 && j.ends[k] > from; k-- {
		blank(j.mentions[k].Start, j.mentions[k].End)
	}
	for k := sort.Search(len(j.quotes), func(i int) bool { return j.quotes[i].To > from }); k < len(j.quotes) && j.quotes[k].From < to; k++ {
		q := j.quotes[k]
		blank(q.From, cmp.Or(q.Source, q.To))
	}
	return string(out)
}

// beforeIt gives where the sentence or line begins in which the author writes before a place;
// what heads a quotation that is a paragraph of its own is in the one before.
func (j *checker) beforeIt(at int) int {
	from := at
	k := sort.Search(len(j.quotes), func(i int) bool { return j.quotes[i].To >= at }) - 1
	for said := false; from > 0 && at-from < reachAround; from-- {
		c := j.runes[from-1]
		if c == '\n' && said || from < at && (read.SentenceStop(j.runes, from-1) || k >= 0 && j.quotes[k].To == from) {
			break
		}
		said = said || !unicode.IsSpace(c)
	}
	return from
}

// behindIt gives where the sentence or line ends in which the author writes behind a place.
func (j *checker) behindIt(at int) int {
	to := at
	for said := false; to < len(j.runes) && to-at < reachBehind; to++ {
		c := j.runes[to]
		if c == '\n' && said || to > at && read.SentenceStop(j.runes, to) {
			break
		}
		said = said || !unicode.IsSpace(c)
	}
	return to
}

// around gives what the author writes in the sentence or line around a stretch.
func (j *checker) around(from, to int, cited []read.Mention) []string {
	return []string{j.strip(j.beforeIt(from), from, cited), j.strip(to, j.behindIt(to), cited)}
}

// unread names what beside a quotation and its citation looks like a citation and is not
// understood; "" = nothing does. whole says that no unit is cited.
func (j *checker) unread(t link.Tied, whole bool) string {
	q := t.Quote
	near := j.around(q.From, q.To, t.Mentions)
	if len(t.Mentions) > 0 {
		near = append(near, j.around(t.Mentions[0].Start, t.Mentions[len(t.Mentions)-1].End, t.Mentions)...)
	}
	for _, s := range near {
		if m := unitWord.FindStringSubmatch(s); m != nil && looksNumbered(m[1]) {
			return strings.TrimSpace(m[0])
		}
	}
	if !whole {
		return ""
	}
	for _, s := range append(near, j.paragraphs(*q, t.Mentions)...) {
		if m := unitWord.FindStringSubmatch(s); m != nil && looksNumbered(m[1]) {
			return strings.TrimSpace(m[0])
		}
		if m := partWord.FindString(s); m != "" {
			return strings.TrimSpace(m)
		}
		for _, m := range bareNumber.FindAllStringIndex(s, -1) {
			if !countedBy.MatchString(s[m[1]:]) && !countsOf.MatchString(s[:m[0]]) && !noteCallAt(s, m[0], m[1]) {
				return s[m[0]:m[1]]
			}
		}
	}
	return ""
}

// paragraphs gives what the author writes in the paragraph of a quotation up to the
// quotations next to it.
func (j *checker) paragraphs(q read.Quotation, cited []read.Mention) []string {
	from, to := q.From, q.To
	k := sort.Search(len(j.quotes), func(i int) bool { return j.quotes[i].From >= q.From })
	least, most := max(0, q.From-link.ReachBefore), min(len(j.runes), q.To+link.ReachBefore)
	if k > 0 {
		least = max(least, j.quotes[k-1].To)
	}
	if k+1 < len(j.quotes) {
		most = min(most, j.quotes[k+1].From)
	}
	for from > least && !read.BlankAt(j.runes, from-2) {
		from--
	}
	for to < most && !read.BlankAt(j.runes, to) {
		to++
	}
	return []string{j.strip(from, q.From, cited), j.strip(q.To, to, cited)}
}

// namesPart says whether what stands between a unit and its norm has a number or a letter.
func namesPart(gap string) bool {
	return slices.ContainsFunc(text.Tokens(nil, gap), func(t text.Token) bool {
		_, part := read.PartWords[t.Text]
		return part || unicode.IsDigit([]rune(t.Text)[0]) || judge.Numeral(t.Text) || len(t.Text) == 1 && !strings.Contains("yeoua", t.Text) || strings.Contains(t.Text, ".")
	}) || partWord.MatchString(gap)
}

// besideUnit names a unit other than the one given that is cited in the sentence of a
// quotation, or of its citation; "" = there is none.
func (j *checker) besideUnit(t link.Tied, unit string) string {
	from, to := t.Quote.From, t.Quote.To
	for _, m := range t.Mentions {
		from, to = min(from, m.Start), max(to, m.End)
	}
	if from = j.beforeIt(from); to < len(j.runes) && !read.SentenceStop(j.runes, to) {
		_, line := read.LineAt(j.runes, to)
		to = min(j.behindIt(to), line)
	}
	for k := sort.Search(len(j.mentions), func(i int) bool { return j.mentions[i].Start >= from }); k < len(j.mentions) && j.mentions[k].End <= to; k++ {
		m := j.mentions[k]
		own := slices.ContainsFunc(t.Mentions, func(o read.Mention) bool { return o.Start == m.Start })
		if m.Unit == unit && !own && len(t.Mentions) > 0 && m.End <= t.Mentions[0].Start {
			if gap := string(j.runes[m.End:t.Mentions[0].Start]); namesPart(gap) {
				return m.Text + gap
			}
		}
		if m.Unit != "" && m.Unit != unit && !own && !m.Ruling && !read.Overlaps(m.Start, m.End, []read.Quotation{*t.Quote}) {
			return m.Text
		}
	}
	return ""
}

// noteCallAt says whether a number stands alone between brackets, as the call of a note does.
func noteCallAt(s string, from, to int) bool {
	return from > 0 && to < len(s) && (s[from-1] == '(' && s[to] == ')' || s[from-1] == '[' && s[to] == ']' || s[from-1] == '^')
}

// looksNumbered says whether a word behind that for a unit may be its number.
func looksNumbered(w string) bool {
	w = strings.Trim(w, " .,;:()[]«»·*_")
	if w == "" {
		return false
	}
	if strings.ContainsFunc(w, unicode.IsDigit) || roman.MatchString(w) {
		return true
	}
	if len([]rune(w)) == 1 {
		return strings.ContainsAny(w, "lIOxX§?")
	}
	_, _, n := text.Numeral([]string{text.Fold(w)})
	return n > 0 && text.Fold(w) != "un" && text.Fold(w) != "una" && text.Fold(w) != "uno"
}

// otherSource names who is said to speak before a quotation that cites nothing that was
// understood; "" = nobody, or the law.
func (j *checker) otherSource(q read.Quotation) string {
	for _, s := range j.around(q.From, q.To, nil) {
		for _, m := range sourceName.FindAllStringSubmatch(s, -1) {
			if !ofLawItself[text.Fold(m[1])] {
				return m[1]
			}
		}
		if m := sourceNoun.FindString(s); m != "" {
			return m
		}
		if !speaking.MatchString(s) {
			continue
		}
		words := text.Tokens(nil, strings.ReplaceAll(s, "·", " "))
		law := slices.ContainsFunc(words, func(t text.Token) bool { return ofLawItself[t.Text] })
		said := 0
		for _, t := range words {
			if len(t.Text) > 4 && !judge.Linking[t.Text] {
				said++
			}
		}
		if !law && said > 1 {
			return strings.TrimSpace(strings.ReplaceAll(s, "·", ""))
		}
	}
	return ""
}

// Short quotations of a figure.
const (
	shortWords  = 5
	leastObject = .34
)

// objectless says whether a few words with a figure are quoted of something else than the law
// says it of: the sentence of the author shares too little with that of the law.
func (j *checker) objectless(t link.Tied, g verify.Ground, want []read.Stretch) bool {
	q := t.Quote
	toks := text.Tokens(nil, judge.PartMark.ReplaceAllString(q.Words, ""))
	if q.Block || len(toks) > shortWords || !slices.ContainsFunc(toks, func(t text.Token) bool { return judge.Numeral(t.Text) || unicode.IsDigit([]rune(t.Text)[0]) }) {
		return false
	}
	about := map[string]bool{}
	for _, s := range j.around(q.From, q.To, t.Mentions) {
		for _, t := range text.Tokens(nil, strings.ReplaceAll(s, "·", " ")) {
			if len(t.Text) > 3 && !judge.Linking[t.Text] && !saying[t.Text] && !ofLawItself[t.Text] {
				about[read.Stem(t.Text)] = true
			}
		}
	}
	if len(about) == 0 {
		return true // of what, nobody says
	}
	p := judge.NewPage(g.Unit, g.Version)
	best := 0.0
	for _, m := range p.Places(want[0].Needles()) {
		from, to := read.SentenceFrom(p.Body, m.Start), m.End
		for to < len(p.Body) && !read.Stops(p.Body, to) {
			to++
		}
		n := 0
		seen := map[string]bool{}
		for _, t := range text.Tokens(nil, string(p.Body[from:to])+" "+g.Unit.Rubric) {
			if s := read.Stem(t.Text); about[s] && !seen[s] {
				seen[s] = true
				n++
			}
		}
		best = max(best, float64(n)/float64(len(about)))
	}
	return best < leastObject
}

// saying are the verbs of citing, folded, which say nothing of the matter.
var saying = func() map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Split(read.Says, "|") {
		out[text.Fold(w)] = true
	}
	return out
}()
