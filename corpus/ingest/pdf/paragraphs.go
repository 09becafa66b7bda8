package pdf

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"digesto"
	"digesto/corpus/ingest/line"
	"digesto/corpus/ingest/publisher"
	"digesto/internal/pdfium"
	"digesto/text/lazyregexp"
)

// joiner makes paragraphs out of the lines of a document, in reading order.
//
// The rule is the typesetter's own: a line breaks where the next word would not
// have fitted. A line that had room for it ends its paragraph. After a full
// line the eye decides: space above, a first-line indent, another size or
// weight, the head of a list item after a full stop.
type joiner struct {
	out  []line.Line
	body float32 // size of the body of the text
	prev textLine
	// text is the paragraph that is open, runes its length: a paragraph may run over thousands of pages.
	text  []byte
	runes int
	grown bool // beyond its first line
	// lead is the usual distance between base lines; above and below say which
	// paragraphs have more space than that over and under them.
	lead         float32
	above, below []bool
	// compounds are the words with a hyphen inside that stand whole somewhere in the document.
	compounds map[string]bool
}

// paragraphsOf joins lines to paragraphs, and lets go of the lines.
func paragraphsOf(pages [][]textLine) []line.Line {
	j := joiner{body: bodySize(pages), compounds: compounds(pages), lead: leading(pages)}
	for i, ls := range pages {
		ls = dropContents(ls)
		setRegions(ls)
		for _, l := range ls {
			j.add(l)
		}
		pages[i] = nil // thousands of pages are not kept twice
	}
	j.close()
	j.headings()
	for i, l := range j.out {
		if l.Small && strings.HasPrefix(l.Text, "(") && reformNote(l.Text) || editorial.MatchString(l.Text) {
			j.out[i].Note = true
		}
	}
	dropCalls(j.out)
	return slices.DeleteFunc(j.out, func(l line.Line) bool { return leader.MatchString(l.Text) })
}

// headings marks the heads of articles and dispositions that stand by
// themselves between spaces, in documents whose paragraphs do not.
func (j *joiner) headings() {
	spaced, plain := 0, 0
	for i, l := range j.out {
		if i == 0 || l.Page != j.out[i-1].Page || unitHead.MatchString(l.Text) || unitHead.MatchString(j.out[i-1].Text) {
			continue
		}
		if plain++; j.above[i] {
			spaced++
		}
	}
	if spaced*5 > 2*plain {
		return
	}
	for i, l := range j.out {
		if j.above[i] && j.below[i] && !l.Table && !l.History && !l.Note && len(l.Text) < 500 && unitHead.MatchString(l.Text) {
			j.out[i].Level = 5
		}
	}
}

var unitHead = lazyregexp.New(`^(?:Art[íi]culo|ART[ÍI]CULO|Art\.|Disposici[óo]n|DISPOSICI[ÓO]N)\s+\S+`)

var openingCall = lazyregexp.New(`^\((\d{1,3})\)\s*`)

// dropCalls takes the call of a footnote off the head of a paragraph where it is
// no smaller than the text: a note of the same number stands on this page or
// one of the next.
func dropCalls(ls []line.Line) {
	notes := map[string][]int{}
	for _, l := range ls {
		if f := openingCall.FindStringSubmatch(l.Text); f != nil && l.Note {
			notes[f[1]] = append(notes[f[1]], l.Page)
		}
	}
	for i, l := range ls {
		f := openingCall.FindStringSubmatch(l.Text)
		if f == nil || l.Note || l.Small {
			continue
		}
		if !slices.ContainsFunc(notes[f[1]], func(page int) bool { return page >= l.Page && page <= l.Page+4 }) {
			continue
		}
		ls[i].Text = l.Text[len(f[0]):]
		for k := range l.Marks {
			ls[i].Marks[k].Start -= utf8.RuneCountInString(f[0])
		}
	}
}

// leading is the usual distance between base lines.
func leading(pages [][]textLine) (lead float32) {
	count := map[float32]int{}
	best := 0
	for _, ls := range pages {
		for i := 1; i < len(ls); i++ {
			d := round(ls[i-1].y - ls[i].y)
			if d <= 0 || ls[i].table {
				continue
			}
			if count[d]++; count[d] > best {
				best, lead = count[d], d
			}
		}
	}
	return lead
}

// dropContents takes the entries of a contents table off a page: where there
// are several lines that end in dots and a page number, those of their size.
func dropContents(ls []textLine) []textLine {
	n, size := 0, float32(0)
	for _, l := range ls {
		if leader.MatchString(l.text) {
			n, size = n+1, l.size
		}
	}
	if n < 5 {
		return ls
	}
	return slices.DeleteFunc(slices.Clone(ls), func(l textLine) bool { return !differ(l.size, size) && l.size < size+0.1 })
}

// bodySize is the height in which most of the text is set.
func bodySize(pages [][]textLine) (size float32) {
	count := map[float32]int{}
	best := 0
	for _, ls := range pages {
		for _, l := range ls {
			count[l.size] += len(l.text)
			if n := count[l.size]; n > best {
				best, size = n, l.size
			}
		}
	}
	return size
}

// setRegions gives every line the width it runs in: its frame's, or its column's.
func setRegions(ls []textLine) {
	cols := map[int][]float32{}
	inFrame := map[pdfium.Box][]float32{}
	for _, l := range ls {
		if l.table {
			continue
		}
		if l.region != (pdfium.Box{}) {
			inFrame[l.region] = append(inFrame[l.region], l.right)
			continue
		}
		cols[l.column] = append(cols[l.column], l.right)
	}
	for i, l := range ls {
		if r := inFrame[l.region]; l.region != (pdfium.Box{}) && len(r) > 2 {
			ls[i].wide = slices.Max(r)
		} else if l.region != (pdfium.Box{}) {
			ls[i].wide = l.region.Right - 0.5*l.size
		} else if r := cols[l.column]; len(r) > 0 {
			ls[i].wide = margin(r)
		}
	}
}

// margin is the right edge of a column: the furthest that a share of its lines
// reach. A single line beyond it (a page number, a table) does not move it.
func margin(rights []float32) float32 {
	slices.Sort(rights)
	n := len(rights)
	for i := n - 1; i > 0; i-- {
		near := 0
		for k := i; k >= 0 && rights[i]-rights[k] < 6; k-- {
			near++
		}
		if near >= 2 && near*12 >= n {
			return rights[i]
		}
	}
	return rights[n-1]
}

func (j *joiner) add(l textLine) {
	gap := j.gap(l)
	if l.boxed && l.size < 0.93*j.body {
		l.note = true // small print in a box of its own
	}
	if len(j.out) > 0 && j.continues(l, gap) {
		j.extend(l)
	} else {
		space := len(j.out) == 0 || l.page != j.prev.page || j.prev.y-l.y > 1.25*j.lead
		if len(j.below) > 0 {
			j.below[len(j.below)-1] = space
		}
		j.above, j.below = append(j.above, space), append(j.below, false)
		j.close()
		j.text, j.runes = append(j.text[:0], l.text...), utf8.RuneCountInString(l.text)
		j.out = append(j.out, line.Line{
			Text: l.text, Page: l.page, Bold: l.bold, Small: l.size < 0.9*j.body,
			History: l.history, Table: l.table && !l.note && strings.Contains(l.text, " | "), Note: l.note, Gap: true,
		})
	}
	j.prev = l
}

// gap says whether there is clear vertical space above l.
func (j *joiner) gap(l textLine) bool {
	if len(j.out) == 0 || l.page != j.prev.page || l.column != j.prev.column {
		return len(j.out) == 0
	}
	return j.prev.y-l.y > 1.55*max(l.size, j.prev.size)
}

// continues says whether l goes on with the paragraph of the line before.
func (j *joiner) continues(l textLine, gap bool) bool {
	p := j.prev
	lower := startsLower(l.text)
	switch {
	case parts(p, l):
		return false
	case p.hyphen, brokenWord.MatchString(p.text) && lower:
		return true
	case p.region != l.region && p.page == l.page, gap, p.bold != l.bold && p.size != l.size, differ(p.size, l.size), leader.MatchString(p.text):
		return false
	case l.page == 1 && l.size > 1.2*j.body && p.page == 1 && openEnd.MatchString(p.text) && !strings.Contains(p.text, "ÍNDICE"):
		return true // the lines of a title
	case !full(p, l):
		// Centred headings break early; a sentence that has not ended goes on.
		return lower && !listHead(l.text) && openEnd.MatchString(p.text) && l.page == p.page && p.bold == l.bold
	case p.bold != l.bold:
		return lower && !endsParagraph(p.text)
	case !endsParagraph(p.text):
		return true
	case listHead(l.text):
		return false
	case l.page != p.page || l.column != p.column:
		return lower
	}
	return l.left-p.left <= 0.6*l.size || j.hanging() // no first-line indent
}

// parts says whether two lines can't be of one paragraph, whatever they say.
func parts(p, l textLine) bool {
	if p.history != l.history || p.table || l.table || p.note != l.note || p.boxed != l.boxed || isLabel(p) || isLabel(l) {
		return true
	}
	// From a column to what runs over both, or back.
	return p.page == l.page && p.column != l.column && (p.column%3 == 0 || l.column%3 == 0)
}

func isLabel(l textLine) bool {
	rest, ok := publisher.FormerLabel(l.text)
	return ok && rest == "" && l.history
}

// hanging says whether the paragraph that is open begins with the head of a
// list item on the line before: then the next line stands further in.
func (j *joiner) hanging() bool {
	return !j.grown && listHead(j.prev.text)
}

func differ(a, b float32) bool { return a < 0.9*b || b < 0.9*a }

// full says whether the first word of next would not have fitted on p.
func full(p, next textLine) bool {
	word := next.text
	if i := strings.IndexByte(word, ' '); i >= 0 {
		word = word[:i]
	}
	n := utf8.RuneCountInString(next.text)
	wide := (next.right - next.left) * float32(utf8.RuneCountInString(word)+1) / float32(max(n, 1))
	return p.right+0.8*wide > p.wide
}

func startsLower(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsLower(r)
}

var (
	// reformed are the words with which small print tells of a reform.
	reformWords = lazyregexp.New(`(?i)\b(?:sustituid|modificad|incorporad|derogad|agregad|incluid|suprimid|adicionad|de conformidad)`)
	// editorial is a line that only an editor writes: a few words in square brackets.
	editorial = lazyregexp.New(`^\[\p{L}[^\]]{2,60}\]$`)
	// leader is the end of an entry of a contents table: dots and a page number.
	leader = lazyregexp.New(`(?:\.\s?){5,}\s*\d+$`)
	// brokenWord is the end of a line inside a word.
	brokenWord = lazyregexp.New(`\p{L}-$`)
	// openEnd is an end at which no paragraph ends.
	openEnd = lazyregexp.New(`[\p{L}\d,]$`)
)

var paragraphEnd = lazyregexp.New(`[.:;?!…][»”")\]]*$|[;,] (?:y|e|o|u)[,;]?$`)

func reformNote(s string) bool {
	return reformWords.MatchString(s) && strings.Contains(strings.ToLower(s), "publicad")
}

func endsParagraph(s string) bool { return paragraphEnd.MatchString(s) }

// itemHead is what an item of a list begins with: "a)", "1.", "1.2.", "1.º", "–", "ii)", "(3)".
var itemHead = lazyregexp.New(`^(?:[\p{L}\d]{1,3}(?:\.\d{1,2})*[.ºª]*[.)\-]|[–—•·\-*]|\((?:\p{L}{1,2}|\d{1,3})\)) *\S`)

func listHead(s string) bool { return itemHead.MatchString(s) }

// extend puts l at the end of the open paragraph.
func (j *joiner) extend(l textLine) {
	o := &j.out[len(j.out)-1]
	broken, last := j.prev.hyphen, lastWord(j.text)
	if !broken && brokenWord.MatchString(last) && startsLower(l.text) { // the last line of a page, that PDFium sees alone
		j.text, broken = j.text[:len(j.text)-1], true
		last, j.runes = strings.TrimSuffix(last, "-"), j.runes-1
	}
	switch {
	case !broken:
		j.push(" ")
	case j.keepsHyphen(last, l.text):
		j.push("-")
	}
	if l.page != j.prev.page {
		o.Marks = append(o.Marks, digesto.PageMark{Start: j.runes, Page: l.page})
	}
	j.push(l.text)
	o.Bold = o.Bold && l.bold
	j.grown = true
}

func (j *joiner) push(s string) {
	j.text = append(j.text, s...)
	j.runes += utf8.RuneCountInString(s)
}

// close writes the open paragraph down.
func (j *joiner) close() {
	if j.grown {
		j.out[len(j.out)-1].Text = string(j.text)
	}
	j.grown = false
}

// lastWord is the end of a text from its last space on, with that.
func lastWord(text []byte) string { return string(text[max(0, bytes.LastIndexByte(text, ' ')):]) }

// compounds collects the words with a hyphen inside.
func compounds(pages [][]textLine) map[string]bool {
	out := map[string]bool{}
	for _, ls := range pages {
		for _, l := range ls {
			if !strings.Contains(l.text, "-") {
				continue
			}
			for _, w := range strings.Fields(l.text) {
				w = strings.ToLower(strings.Trim(w, `.,;:()«»"“”`))
				if i := strings.IndexByte(w, '-'); i > 0 && i < len(w)-1 {
					out[w] = true
				}
			}
		}
	}
	return out
}

// keepsHyphen says whether the hyphen between two halves of a word belongs to
// it: before a capital or a number, or where the document writes it elsewhere.
func (j *joiner) keepsHyphen(before, after string) bool {
	a := strings.Trim(before[strings.LastIndexByte(before, ' ')+1:], `.,;:()«»"“”`)
	b, _, _ := strings.Cut(after, " ")
	if r, _ := utf8.DecodeRuneInString(b); !unicode.IsLower(r) {
		return true
	}
	return j.compounds[strings.ToLower(a+"-"+strings.Trim(b, `.,;:()«»"“”`))]
}
