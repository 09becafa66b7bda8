package ingest

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"digesto"
)

// joiner makes paragraphs out of the lines of a document, in reading order.
//
// The rule is the typesetter's own: a line breaks where the next word would not
// have fitted. A line that had room for it ends its paragraph. After a full
// line the eye decides: space above, a first-line indent, another size or
// weight, the head of a list item after a full stop.
type joiner struct {
	out  []Line
	body float32 // size of the body of the text
	prev textLine
	lead float32 // usual distance between base lines, in heights
}

// pdfParagraphs joins lines to paragraphs.
func pdfParagraphs(pages [][]textLine) []Line {
	j := joiner{body: bodySize(pages)}
	for _, ls := range pages {
		setRegions(ls)
		for _, l := range ls {
			j.add(l)
		}
	}
	return j.out
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
	type edge struct{ left, right float32 }
	cols := map[int]edge{}
	inFrame := map[box][]float32{}
	for _, l := range ls {
		if l.history {
			inFrame[l.region] = append(inFrame[l.region], l.right)
			continue
		}
		e, ok := cols[l.column]
		if !ok {
			e = edge{l.left, l.right}
		}
		cols[l.column] = edge{min(e.left, l.left), max(e.right, l.right)}
	}
	for i, l := range ls {
		e := cols[l.column]
		if r := inFrame[l.region]; l.history && len(r) > 2 {
			ls[i].wide = slices.Max(r)
		} else if l.history {
			ls[i].wide = l.region.right - 0.5*l.size
		} else {
			ls[i].wide = e.right
		}
	}
}

func (j *joiner) add(l textLine) {
	gap := j.gap(l)
	if len(j.out) > 0 && j.continues(l, gap) {
		j.extend(l)
	} else {
		j.out = append(j.out, Line{
			Text: l.text, Page: l.page, Bold: l.bold, Small: l.size < 0.9*j.body,
			History: l.history, Gap: gap,
		})
	}
	j.prev = l
}

// gap says whether there is clear vertical space above l.
func (j *joiner) gap(l textLine) bool {
	if len(j.out) == 0 || l.page != j.prev.page || l.column != j.prev.column {
		return len(j.out) == 0
	}
	return j.prev.y-l.y > 1.55*max(l.size, j.prev.size)*j.leading()
}

// leading is the usual line distance as a share of the character height. Loose
// boxes of some fonts are higher than their lines are apart.
func (j *joiner) leading() float32 {
	if j.lead == 0 {
		return 1
	}
	return j.lead
}

// continues says whether l goes on with the paragraph of the line before.
func (j *joiner) continues(l textLine, gap bool) bool {
	p := j.prev
	if p.history != l.history || historyLabel(p.text) || historyLabel(l.text) {
		return false
	}
	if p.hyphen {
		return true
	}
	if p.history && p.region != l.region && p.page == l.page {
		return false
	}
	if gap || p.bold != l.bold && p.size != l.size || differ(p.size, l.size) {
		return false
	}
	lower := startsLower(l.text)
	if !full(p, l) {
		return false
	}
	if p.bold != l.bold {
		return lower && !endsParagraph(p.text)
	}
	ended := endsParagraph(p.text)
	if l.page == p.page && l.column == p.column {
		indent := l.left - p.left
		if indent > 0.6*l.size && ended && !j.hanging() {
			return false
		}
		if indent < -0.6*l.size && ended && listHead(l.text) {
			return false
		}
	} else if ended && !lower {
		return false
	}
	return !(ended && listHead(l.text))
}

// hanging says whether the paragraph that is open begins with the head of a
// list item on the line before: then the next line stands further in.
func (j *joiner) hanging() bool {
	return j.out[len(j.out)-1].Text == j.prev.text && listHead(j.prev.text)
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

var paragraphEnd = regexp.MustCompile(`[.:;?!…][»”")\]]*$|[;,] (?:y|e|o|u)[,;]?$`)

func endsParagraph(s string) bool { return paragraphEnd.MatchString(s) }

// itemHead is what an item of a list begins with: "a)", "1.", "1.2.", "1.º", "–", "ii)".
var itemHead = regexp.MustCompile(`^(?:[\p{L}\d]{1,3}(?:\.\d{1,2})*[.ºª]*[.)\-]|[–—•·\-*]|\(\p{L}{1,2}\)) *\S`)

func listHead(s string) bool { return itemHead.MatchString(s) }

// extend puts l at the end of the open paragraph.
func (j *joiner) extend(l textLine) {
	o := &j.out[len(j.out)-1]
	if !j.prev.hyphen {
		o.Text += " "
	}
	if l.page != j.prev.page {
		o.Marks = append(o.Marks, digesto.PageMark{Start: utf8.RuneCountInString(o.Text), Page: l.page})
	}
	o.Text += l.text
	o.Bold = o.Bold && l.bold
}
