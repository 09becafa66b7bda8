package brief

import (
	"regexp"
	"slices"
	"sort"
	"strings"
	"unicode"

	"digesto/text"
	"digesto/verify"
)

// What looks like a citation and is not understood leaves a quotation beside it unresolved:
// nothing stands in for the place that its author named.
var (
	// unitWord is the word for a unit with what may be its number, as readers of bad copies
	// find it: "art. l4", "artículo correspondiente: sesenta".
	unitWord = regexp.MustCompile(`(?i)(?:^|[^\pL])(?:arts?[.,º°]{1,2}\s*|arts?\s+|art[íi]culos?\s*|cláusulas?\s+|preceptos?\s+|disposici[óo]n(?:es)?\s+|§{1,2}\s*)(?:\pL+\s){0,2}(?:\pL+:\s)?(\S{1,12})`)
	// partWord is the word for a part with its number, or an end.
	partWord = regexp.MustCompile(`(?i)(?:^|[^\pL])(?:(?:apartados?|apdos?\.?|párrafos?|párrs?\.?|incisos?|incs?\.?|numeral(?:es)?|letras?|lit(?:eral(?:es)?|\.)|ordinal(?:es)?)\s+(?:\d{1,3}\b|[a-zñ]\)|[a-zñ]\b|[IVX]+\b|\pL+(?:ero|undo|ercero|arto|into|exto|ptimo|avo|eno|imo)\b)|(?:primer|segundo|tercer|cuarto|quinto|último|penúltimo)\s(?:párrafo|apartado|inciso|punto)|in fine\b)`)
	// bareNumber is a number that no word counts.
	bareNumber = regexp.MustCompile(`\b\d{1,4}(?:[./]\d{1,4})*\b`)
	countedBy  = regexp.MustCompile(`(?i)^[\s.,º°]*(?:(?:de|/|-)\s?(?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|sep?tiembre|octubre|noviembre|diciembre)|%|por ciento|euros|€|pesos|soles|\$|horas?|días?|meses|mes|años?|puntos?|trabajador|personas?|empleados?|veces|folios?|págs?|páginas?|hojas?|\pL{3,}s\b)`)
	countsOf   = regexp.MustCompile(`(?i)(?:\b(?:nota|folio|fs?\.|pág\.|página|hecho|punto|año|de|fecha|día|autos|expte\.|expediente|rollo|recurso|sentencia|sts|stsj)\s?)$`)
	// sourceName is a name: a word with a capital that begins no sentence, or initials.
	sourceName = regexp.MustCompile(`[^\s.:;¿¡(«“"*_#>|-][\s]+(?:\(?)(\p{Lu}\pL+|\p{Lu}{2,})`)
	// sourceNoun is a text that is no law of those installed, or is not said which.
	sourceNoun = regexp.MustCompile(`(?i)\b(?:sentencias?|resoluci[óo]n|dictamen|informe|circular|instrucci[óo]n|manual|doctrina|jurisprudencia|tribunal|juzgado|sala|carta|reglamento|código|convenio|directiva|tratado|pacto|estatutos?|pliego|laudo|póliza|protocolo|guía|demanda|escrito|auto)\b`)
	// speaking are verbs by which a source is brought in.
	speaking = regexp.MustCompile(`(?i)\b(?:` + says + `|razona|sostiene|sostuvo|afirma|afirmó|proclama|decía|dijo|escribe|escribió|explica|explicó|recoge|recogía|concluye|entiende|recuerda|según|conforme a|a tenor de)\b`)
	// ofLawItself are the words for law that name no source.
	ofLawItself = map[string]bool{"ley": true, "leyes": true, "norma": true, "normas": true, "normativa": true, "legislacion": true, "legislador": true, "derecho": true, "precepto": true, "articulo": true, "texto": true, "regla": true, "disposicion": true, "parrafo": true, "apartado": true, "inciso": true, "ordenamiento": true}
)

// around of a quotation, or of its citation: the sentence or line, and what heads it.
const (
	reachAround = 240
	reachBehind = 90
)

// strip gives a stretch of the text with the citations and quotations in it blanked, those
// of read too.
func (j *judge) strip(from, to int, read []mention) string {
	from, to = max(0, from), min(len(j.runes), to)
	if from >= to {
		return ""
	}
	out := slices.Clone(j.runes[from:to])
	blank := func(a, b int) {
		for i := max(a, from); i < min(b, to); i++ {
			out[i-from] = '·'
		}
	}
	for _, m := range read {
		blank(m.Start, m.End)
	}
	for k := sort.Search(len(j.mentions), func(i int) bool { return j.mentions[i].Start >= to }) - 1; k >= 0 && j.ends[k] > from; k-- {
		blank(j.mentions[k].Start, j.mentions[k].End)
	}
	for k := sort.Search(len(j.quotes), func(i int) bool { return j.quotes[i].to > from }); k < len(j.quotes) && j.quotes[k].from < to; k++ {
		if q := j.quotes[k]; q.source > 0 {
			blank(q.from, q.source)
		} else {
			blank(q.from, q.to)
		}
	}
	return string(out)
}

// beforeIt gives what the author writes in the sentence or line before a place; what heads a
// quotation that is a paragraph of its own is in the one before.
func (j *judge) beforeIt(at int, read []mention) string {
	from := at
	lines := 0
	for from > 0 && at-from < reachAround {
		if k := sort.Search(len(j.quotes), func(i int) bool { return j.quotes[i].to >= from }); k < len(j.quotes) && j.quotes[k].to == from && from < at {
			break
		}
		if j.runes[from-1] == '\n' {
			if strings.TrimSpace(string(j.runes[from:at])) != "" {
				lines++
			}
			if lines > 0 {
				break
			}
		}
		if from < at && sentenceStop(j.runes, from-1) {
			break
		}
		from--
	}
	return j.strip(from, at, read)
}

// sentenceStop says whether a sentence of the author ends at i.
func sentenceStop(r []rune, i int) bool {
	return (r[i] == '.' || r[i] == ';' || r[i] == '?') && stops(r, i)
}

// behindIt gives what the author writes behind a place in the sentence.
func (j *judge) behindIt(at int, read []mention) string {
	to := at
	for to < len(j.runes) && to-at < reachBehind {
		if j.runes[to] == '\n' && to+1 < len(j.runes) && strings.TrimSpace(string(j.runes[at:to])) != "" {
			break
		}
		if to > at && sentenceStop(j.runes, to) {
			break
		}
		to++
	}
	return j.strip(at, to, read)
}

// unread names what beside a quotation and its citation looks like a citation and is not
// understood; "" = nothing does. whole says that no unit is cited.
func (j *judge) unread(t tied, whole bool) string {
	q := t.quote
	near := []string{j.beforeIt(q.from, t.mentions), j.behindIt(q.to, t.mentions)}
	if len(t.mentions) > 0 {
		first, last := t.mentions[0], t.mentions[len(t.mentions)-1]
		near = append(near, j.beforeIt(first.Start, t.mentions), j.behindIt(last.End, t.mentions))
	}
	for _, s := range near {
		if m := unitWord.FindStringSubmatch(s); m != nil && looksNumbered(m[1]) {
			return strings.TrimSpace(m[0])
		}
	}
	if !whole {
		return ""
	}
	for _, s := range append(near, j.paragraphs(*q, t.mentions)...) {
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
// quotations next to it, and what heads it in the one before.
func (j *judge) paragraphs(q quotation, read []mention) []string {
	from, to := q.from, q.to
	k := sort.Search(len(j.quotes), func(i int) bool { return j.quotes[i].from >= q.from })
	least, most := max(0, q.from-reachBefore), min(len(j.runes), q.to+reachBefore)
	if k > 0 {
		least = max(least, j.quotes[k-1].to)
	}
	if k+1 < len(j.quotes) {
		most = min(most, j.quotes[k+1].from)
	}
	for from > least && !(j.runes[from-1] == '\n' && from > 1 && j.runes[from-2] == '\n') {
		from--
	}
	if head := from; head > least { // a line or two that end no sentence
		for head > least && unicode.IsSpace(j.runes[head-1]) {
			head--
		}
		end := head
		for head > least && end-head < reachAfter && !(j.runes[head-1] == '\n' && head > 1 && j.runes[head-2] == '\n') {
			head--
		}
		if end > head && !strings.ContainsRune(".;?!»”\"", j.runes[end-1]) {
			from = head
		}
	}
	for to < most && !(j.runes[to] == '\n' && to+1 < len(j.runes) && j.runes[to+1] == '\n') {
		to++
	}
	return []string{j.strip(from, q.from, read), j.strip(q.to, to, read)}
}

// namesPart says whether what stands between a unit and its norm has a number or a letter.
func namesPart(gap string) bool {
	return slices.ContainsFunc(text.Tokens(nil, gap), func(t text.Token) bool {
		_, part := partWords[t.Text]
		return part || unicode.IsDigit([]rune(t.Text)[0]) || numeral(t.Text) || len(t.Text) == 1 && !strings.Contains("yeoua", t.Text) || strings.Contains(t.Text, ".")
	}) || partWord.MatchString(gap)
}

// besideUnit names a unit other than the one given that is cited in the sentence of a
// quotation, or of its citation; "" = there is none.
func (j *judge) besideUnit(t tied, unit string) string {
	from, to := t.quote.from, t.quote.to
	for _, m := range t.mentions {
		from, to = min(from, m.Start), max(to, m.End)
	}
	for from > 0 && t.quote.from-from < reachBefore && !(j.runes[from-1] == '\n' && from > 1 && j.runes[from-2] == '\n') && !sentenceStop(j.runes, from-1) {
		from--
	}
	for to < len(j.runes) && to-t.quote.to < reachBehind && j.runes[to] != '\n' && !sentenceStop(j.runes, to) {
		to++
	}
	for k := sort.Search(len(j.mentions), func(i int) bool { return j.mentions[i].Start >= from }); k < len(j.mentions) && j.mentions[k].End <= to; k++ {
		m := j.mentions[k]
		own := slices.ContainsFunc(t.mentions, func(o mention) bool { return o.Start == m.Start })
		if m.Unit == unit && !own && len(t.mentions) > 0 && m.End <= t.mentions[0].Start {
			if gap := string(j.runes[m.End:t.mentions[0].Start]); namesPart(gap) {
				return m.Text + gap
			}
		}
		if m.Unit != "" && m.Unit != unit && !own && !m.ruling && !overlaps(m.Start, m.End, []quotation{*t.quote}) {
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
func (j *judge) otherSource(q quotation) string {
	before, behind := j.beforeIt(q.from, nil), j.behindIt(q.to, nil)
	for _, s := range []string{before, behind} {
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
			if len(t.Text) > 4 && !linking[t.Text] {
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
func (j *judge) objectless(t tied, g verify.Ground, want []stretch) bool {
	q := t.quote
	toks := text.Tokens(nil, partMark.ReplaceAllString(q.words, ""))
	if q.block || len(toks) > shortWords || !slices.ContainsFunc(toks, func(t text.Token) bool { return numeral(t.Text) || unicode.IsDigit([]rune(t.Text)[0]) }) {
		return false
	}
	about := map[string]bool{}
	for _, s := range []string{j.beforeIt(q.from, t.mentions), j.behindIt(q.to, t.mentions)} {
		for _, t := range text.Tokens(nil, strings.ReplaceAll(s, "·", " ")) {
			if len(t.Text) > 3 && !linking[t.Text] && !saying[t.Text] && !ofLawItself[t.Text] {
				about[stem(t.Text)] = true
			}
		}
	}
	if len(about) == 0 {
		return true // of what, nobody says
	}
	p := newPage(g.Unit, g.Version)
	best := 0.0
	for _, m := range p.places(want[0].needles()) {
		from, to := m.Start, m.End
		for from > 0 && !stops(p.body, from-1) {
			from--
		}
		for to < len(p.body) && !stops(p.body, to) {
			to++
		}
		n := 0
		seen := map[string]bool{}
		for _, t := range text.Tokens(nil, string(p.body[from:to])+" "+g.Unit.Rubric) {
			if s := stem(t.Text); about[s] && !seen[s] {
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
	for _, w := range strings.Split(says, "|") {
		out[text.Fold(w)] = true
	}
	return out
}()
