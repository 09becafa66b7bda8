package pdf

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"

	"digesto/internal/pdfium"
)

// textLine is one physical line (or the part of it in one cell or column).
type textLine struct {
	text                        string
	page                        int
	left, right, bottom, top, y float32 // y is the base line
	size                        float32 // height of the loose box of most of its characters
	bold                        bool
	hyphen                      bool // ends inside a word: the hyphen is already gone
	history, note, table, boxed bool
	column                      int        // order of its column on the page; set by setColumns
	region                      pdfium.Box // frame of former wording it stands in
	wide                        float32    // where the lines of its frame or column break
}

// linesOf makes the lines of a page out of its characters, in the order of the
// content stream. PDFium has put in the spaces between words and the line ends.
func linesOf(p pdfium.Page, vertical []ruled) []textLine {
	p.Glyphs = upright(p.Glyphs)
	var out []textLine
	start := 0
	flush := func(end int, hyphen bool) {
		if l, ok := lineOf(p.Glyphs[start:end], p.Number, hyphen, vertical); ok {
			out = append(out, l...)
		}
	}
	for i, g := range p.Glyphs {
		switch {
		case g.R == '\n' || g.R == '\r':
			flush(i, false)
			start = i + 1
		case g.R == hyphenMark || g.Hyphen && i+1 < len(p.Glyphs) && otherLine(g, p.Glyphs[i+1]):
			flush(i, true)
			start = i + 1
		}
	}
	flush(len(p.Glyphs), false)
	return out
}

// upright leaves out text that runs up or down the margin, unless it is most
// of the page: then the page lies on its side and its order is PDFium's.
func upright(gs []pdfium.Glyph) []pdfium.Glyph {
	turned := 0
	for _, g := range gs {
		if g.Turned() {
			turned++
		}
	}
	if turned == 0 || turned*2 > len(gs) {
		return gs
	}
	return slices.DeleteFunc(slices.Clone(gs), pdfium.Glyph.Turned)
}

// turnedText is the text of the margins, in the order of the content stream.
func turnedText(p pdfium.Page) string {
	var b strings.Builder
	for _, g := range p.Glyphs {
		if g.Turned() {
			b.WriteRune(clean(g.R))
		}
	}
	return b.String()
}

// hyphenMark is what PDFium gives for a hyphen at a line end.
const hyphenMark = '\ufffe'

// otherLine says whether b stands on another line than a.
func otherLine(a, b pdfium.Glyph) bool {
	return math.Abs(float64(a.Y-b.Y)) > 0.5*float64(max(a.Top-a.Bottom, 1)) || b.X < a.X
}

// lineOf makes one line, or several when a wide space parts cells or columns.
func lineOf(gs []pdfium.Glyph, page int, hyphen bool, vertical []ruled) ([]textLine, bool) {
	var out []textLine
	for len(gs) > 0 {
		n := cellEnd(gs, vertical)
		if l := newLine(gs[:n], page); l.text != "" {
			out = append(out, l)
		}
		gs = gs[n:]
	}
	if len(out) > 0 {
		out[len(out)-1].hyphen = hyphen
	}
	return out, len(out) > 0
}

// cellEnd gives the index where a rule, a space wider than three ems or a step
// back to the left ends the cell that begins at gs[0].
func cellEnd(gs []pdfium.Glyph, vertical []ruled) int {
	last := -1
	for i, g := range gs {
		if blank(g) {
			continue
		}
		if last >= 0 {
			gap, em := g.Left-gs[last].Right, g.Top-g.Bottom
			if gap > 3*em || gap < -3*em || otherLine(gs[last], g) && gap < -em {
				return i
			}
			if gap > 0 && parted(vertical, gs[last].Right, g.Left, g.Y+0.2*em) {
				return i
			}
		}
		last = i
	}
	return len(gs)
}

// parted says whether a vertical rule stands between two places of a line.
func parted(vertical []ruled, left, right, y float32) bool {
	for _, v := range vertical {
		if v.at > left-1 && v.at < right+1 && v.from <= y && v.to >= y {
			return true
		}
	}
	return false
}

func blank(g pdfium.Glyph) bool { return g.Generated || unicode.IsSpace(g.R) || g.R == 0 }

// newLine measures the characters of a line and writes its text, without the
// calls of footnotes.
func newLine(gs []pdfium.Glyph, page int) textLine {
	l := textLine{page: page, left: math.MaxFloat32, bottom: math.MaxFloat32, top: -math.MaxFloat32, right: -math.MaxFloat32}
	l.size, l.y = mainSize(gs)
	if l.size == 0 {
		return l
	}
	var b strings.Builder
	calls := footnoteCalls(gs, l.size, l.y)
	bold, letters := 0, 0
	for i, g := range gs {
		if g.R == 0 || calls[i] {
			continue
		}
		b.WriteRune(clean(g.R))
		if blank(g) {
			continue
		}
		l.left, l.right = min(l.left, g.Left), max(l.right, g.Right)
		l.bottom, l.top = min(l.bottom, g.Bottom), max(l.top, g.Top)
		letters++
		if g.Bold {
			bold++
		}
	}
	l.bold = letters > 0 && bold*10 >= letters*9
	l.text = strings.Join(strings.Fields(b.String()), " ")
	return l
}

// clean maps the characters that are spaces in disguise.
func clean(r rune) rune {
	switch {
	case r == '\u00a0' || r == '\u2007' || r == '\u202f' || unicode.IsControl(r):
		return ' '
	case r == '\u00ad' || r == hyphenMark:
		return '-'
	}
	return r
}

// mainSize gives the height and base line of most characters of a line.
func mainSize(gs []pdfium.Glyph) (size, y float32) {
	count := map[float32]int{}
	base := map[float32]float32{}
	for _, g := range gs {
		if blank(g) {
			continue
		}
		s := round(g.Top - g.Bottom)
		count[s]++
		if count[s] == 1 {
			base[s] = g.Y
		}
	}
	best := 0
	for s, n := range count {
		if n > best || n == best && s > size {
			best, size = n, s
		}
	}
	return size, base[size]
}

func round(f float32) float32 { return float32(math.Round(float64(f)*10) / 10) }

// footnoteCalls marks the characters that call a footnote: a run of smaller
// characters made of digits, asterisks and parentheses, raised or in
// parentheses. The "2" of "m2" and the "o" of "1o" are none.
func footnoteCalls(gs []pdfium.Glyph, size, y float32) map[int]bool {
	var out map[int]bool
	for i := 0; i < len(gs); {
		j := i
		for j < len(gs) && (gs[j].Top-gs[j].Bottom < 0.9*size || blank(gs[j]) && j > i) {
			j++
		}
		if j == i {
			i++
			continue
		}
		j = closeCall(gs, i, j)
		if isCall(gs[i:j], gs[:i], size, y) {
			if out == nil {
				out = map[int]bool{}
			}
			for k := i; k < j; k++ {
				out[k] = !blank(gs[k])
			}
		}
		i = j
	}
	return out
}

// closeCall moves the end of a run on to the parenthesis that closes it, where
// the digits inside are not as small as the one that opens.
func closeCall(gs []pdfium.Glyph, i, j int) int {
	if gs[i].R != '(' || slices.ContainsFunc(gs[i:j], func(g pdfium.Glyph) bool { return g.R == ')' }) {
		return j
	}
	for k := j; k < len(gs) && k < j+5; k++ {
		if gs[k].R == ')' {
			return k + 1
		}
		if !unicode.IsDigit(gs[k].R) {
			break
		}
	}
	return j
}

func isCall(run, before []pdfium.Glyph, size, y float32) bool {
	digits, marks, raised := 0, 0, false
	for _, g := range run {
		switch {
		case blank(g):
		case unicode.IsDigit(g.R):
			digits++
			raised = raised || g.Y > y+0.15*size
		case g.R == '(' || g.R == ')' || g.R == '*' || g.R == '[' || g.R == ']':
			marks++
		default:
			return false
		}
	}
	unit := len(before) > 0 && unicode.IsLetter(before[len(before)-1].R)
	return digits+marks > 0 && digits <= 3 && (marks > 0 || raised && !unit)
}

// setColumns finds out whether a page is set in two columns: a gutter that no
// line crosses, with many lines on either side at the same heights. Lines above
// and below that run over both columns keep their place.
func setColumns(ls []textLine) {
	if len(ls) < 16 {
		return
	}
	left, right := ls[0].left, ls[0].right
	for _, l := range ls {
		left, right = min(left, l.left), max(right, l.right)
	}
	for x := left + 0.35*(right-left); x < left+0.65*(right-left); x += 2 {
		if columnsAt(ls, x) {
			return
		}
	}
}

// columnsAt numbers the columns if x runs through a gutter: 3k for what runs
// over both columns, then 3k+1 for the left column and 3k+2 for the right one.
func columnsAt(ls []textLine, x float32) bool {
	nl, nr, across := 0, 0, 0
	for _, l := range ls {
		switch {
		case l.right < x:
			nl++
		case l.left > x:
			nr++
		default:
			across++
		}
	}
	if nl < 8 || nr < 8 || across*5 > nl+nr || nl > 3*nr || nr > 3*nl {
		return false
	}
	slices.SortStableFunc(ls, func(a, b textLine) int { return cmp.Compare(b.y, a.y) })
	band := 0
	for i, l := range ls {
		switch {
		case l.right < x:
			ls[i].column = 3*band + 1
		case l.left > x:
			ls[i].column = 3*band + 2
		default:
			if i > 0 && ls[i-1].column != 3*band {
				band++
			}
			ls[i].column = 3 * band
		}
	}
	return true
}

// sortLines puts the lines of a page in reading order: by column, then from top
// to bottom, then from left to right. Lines whose base lines differ by less
// than half their height stand side by side.
func sortLines(ls []textLine) {
	slices.SortStableFunc(ls, func(a, b textLine) int {
		switch {
		case a.column != b.column:
			return a.column - b.column
		case a.y != b.y:
			if a.y > b.y {
				return -1
			}
			return 1
		case a.left < b.left:
			return -1
		case a.left > b.left:
			return 1
		}
		return 0
	})
}
