package pdf

import (
	"cmp"
	"slices"
	"strings"

	"digesto/corpus/ingest/publisher"
	"digesto/internal/pdfium"
)

// layout puts the lines of a page in reading order: boxes and tables stand as
// wholes at the height of their upper edge, whatever the order in which the
// file draws them. The rows of tables become one line each. open holds the
// boxes that the page before left open; the ones that this page leaves open are
// given back.
func layout(p pdfium.Page, open []openBox) ([]textLine, []openBox) {
	vertical, horizontal := rulesOf(p)
	lay := page{blocks: findBlocks(vertical, horizontal)}
	for _, l := range linesOf(p, vertical) {
		if i := slices.IndexFunc(lay.blocks, func(b block) bool { return holds(b.Box, l) }); i >= 0 {
			lay.blocks[i].lines = append(lay.blocks[i].lines, l)
		} else {
			lay.free = append(lay.free, l)
		}
	}
	lay.kinds(open)
	lay.emit(-1, lay.free)
	unframed(lay.out)
	return lay.out, lay.open()
}

// page is one page under construction.
type page struct {
	blocks []block
	free   []textLine // in no block
	out    []textLine
}

// openBox is a box that reaches the end of its page.
type openBox struct {
	pdfium.Box
	kind blockKind
}

// kinds finds out which blocks hold a former wording or a note: those whose
// first words say so, those inside one, and those that go on from the page before.
func (p *page) kinds(open []openBox) {
	for i := len(p.blocks) - 1; i >= 0; i-- { // the widest first: parents before what they hold
		b := &p.blocks[i]
		words := firstWords(b.lines)
		if _, ok := publisher.FormerLabel(words); ok {
			b.kind = historyBlock
		} else if strings.HasPrefix(words, "(*") && b.columns() < 2 {
			b.kind = noteBlock
		}
		if b.parent >= 0 && p.blocks[b.parent].kind != plainBlock {
			b.kind = p.blocks[b.parent].kind
		}
		for _, o := range open {
			if b.kind == plainBlock && near(o.Left, b.Left) && near(o.Right, b.Right) && !p.textBeside(i, func(l textLine) bool { return l.y > b.Top }) {
				b.kind = o.kind
			}
		}
	}
}

// open gives the boxes that hold no text in force and below which nothing else stands.
func (p *page) open() []openBox {
	var out []openBox
	for i, b := range p.blocks {
		if b.kind != plainBlock && !p.textBeside(i, func(l textLine) bool { return l.y < b.Bottom }) {
			out = append(out, openBox{b.Box, b.kind})
		}
	}
	return out
}

// textBeside says whether a line outside of block i, in the same breadth of the
// page, fulfils f. Page numbers and other furniture at the very edge don't count.
func (p *page) textBeside(i int, f func(textLine) bool) bool {
	b := p.blocks[i]
	beside := func(l textLine) bool {
		return f(l) && l.left < b.Right && l.right > b.Left && len(strings.Fields(l.text)) > 2
	}
	if slices.ContainsFunc(p.free, beside) {
		return true
	}
	for k, o := range p.blocks {
		if k != i && !b.Mostly(o.Box) && slices.ContainsFunc(o.lines, beside) {
			return true
		}
	}
	return false
}

// firstWords is the text of the first lines of a block, enough for a label.
func firstWords(ls []textLine) string {
	if len(ls) == 0 {
		return ""
	}
	ls = slices.Clone(ls)
	sortLines(ls)
	s := ls[0].text
	for _, l := range ls[1:min(len(ls), 3)] {
		if l.left < ls[0].right && l.right > ls[0].left {
			s += " " + l.text
		}
	}
	return s
}

// emit writes the lines and the blocks directly in block parent, by height.
func (p *page) emit(parent int, ls []textLine) {
	type item struct {
		y     float32
		block int
		line  textLine
	}
	var items []item
	setColumns(ls)
	sortLines(ls)
	for _, l := range ls {
		items = append(items, item{l.y + 0.7*l.size, -1, l})
	}
	for i, b := range p.blocks {
		if b.parent == parent {
			items = append(items, item{b.Top, i, textLine{}})
		}
	}
	if ls == nil || len(ls) > 0 && ls[len(ls)-1].column == 0 || parent >= 0 {
		slices.SortStableFunc(items, func(a, b item) int { return cmp.Compare(b.y, a.y) })
	}
	for _, it := range items {
		switch {
		case it.block < 0:
			p.out = append(p.out, it.line)
		case p.blocks[it.block].columns() > 1:
			p.table(it.block)
		default:
			p.box(it.block)
		}
	}
}

// box writes a box with one column: its lines run like any others.
func (p *page) box(i int) {
	b := &p.blocks[i]
	for k := range b.lines {
		b.lines[k].history, b.lines[k].note = b.kind == historyBlock, b.kind == noteBlock
		b.lines[k].region, b.lines[k].boxed = b.Box, b.kind == plainBlock
	}
	start := len(p.out)
	b.lines = joinLabel(b.lines)
	p.emit(i, b.lines)
	p.splitLabel(start)
}

// joinLabel puts a label together that a narrow box breaks over two lines.
func joinLabel(ls []textLine) []textLine {
	if len(ls) < 2 {
		return ls
	}
	sortLines(ls)
	if _, ok := publisher.FormerLabel(ls[0].text); ok {
		return ls
	}
	if _, ok := publisher.FormerLabel(ls[0].text + " " + ls[1].text); !ok {
		return ls
	}
	ls[1].text = ls[0].text + " " + ls[1].text
	return ls[1:]
}

// splitLabel parts a label from the words that follow it on the same line.
func (p *page) splitLabel(start int) {
	for k := start; k < len(p.out); k++ {
		rest, ok := publisher.FormerLabel(p.out[k].text)
		if !ok || rest == "" || !p.out[k].history {
			continue
		}
		label := p.out[k]
		label.text = strings.TrimSpace(strings.TrimSuffix(label.text, rest))
		p.out[k].text = rest
		p.out = slices.Insert(p.out, k, label)
		k++
	}
}

// table writes the rows of a table: the cells of each joined by " | ", then
// the notes in it, then the boxes in it.
func (p *page) table(i int) {
	b := &p.blocks[i]
	rows := map[int][]textLine{}
	inner := map[int][]int{}
	last := 0
	for _, l := range b.lines {
		r := b.row(l.y + 0.3*l.size)
		rows[r], last = append(rows[r], l), max(last, r)
	}
	for k := range p.blocks {
		if c := p.blocks[k]; c.parent == i {
			r := b.row((c.Top + c.Bottom) / 2)
			inner[r], last = append(inner[r], k), max(last, r)
		}
	}
	for r := 0; r <= last; r++ {
		history := b.kind == historyBlock
		if _, ok := publisher.FormerLabel(firstWords(rows[r])); ok {
			history = true
		}
		p.row(b, rows[r], history)
		slices.SortFunc(inner[r], func(x, y int) int { return cmp.Compare(p.blocks[y].Top, p.blocks[x].Top) })
		for _, k := range inner[r] {
			if p.blocks[k].columns() > 1 {
				p.table(k)
			} else {
				p.box(k)
			}
		}
	}
}

// row writes one row. Small print that speaks of a reform is a note, not a cell.
func (p *page) row(b *block, ls []textLine, history bool) {
	if len(ls) == 0 {
		return
	}
	cells, notes := cellsOf(b, ls)
	var past []string // former wordings in cells whose box has no rules of its own
	for c, s := range cells {
		if i := strings.Index(s, "TEXTO ANTERIOR"); i >= 0 && !history {
			cells[c], past = strings.TrimSpace(s[:i]), append(past, s[i:])
		}
	}
	row := ls[0]
	row.region, row.table = b.Box, true
	row.left, row.right, row.hyphen = b.Left, b.Right, false
	put := func(s string, history, note bool) {
		if s = strings.TrimSpace(s); strings.Trim(s, " |") != "" {
			row.text, row.history, row.note = s, history, note
			p.out = append(p.out, row)
		}
	}
	past = append([]string{strings.TrimRight(strings.TrimSpace(strings.Join(cells, " | ")), " |")}, past...)
	for i, s := range past {
		rest, ok := publisher.FormerLabel(s)
		if !ok || !history && i == 0 {
			rest = s
		}
		put(strings.TrimSuffix(s, rest), true, false)
		put(rest, history || i > 0, false)
		if i == 0 {
			for _, n := range notes {
				put(n, history, true)
			}
		}
	}
}

// cellsOf gives the texts of the cells of a row, and the small print in them
// that speaks of reforms.
func cellsOf(b *block, ls []textLine) (cells, notes []string) {
	sortLines(ls)
	cells = make([]string, b.columns())
	small := make([]string, b.columns())
	body := slices.MaxFunc(ls, func(x, y textLine) int { return cmp.Compare(x.size, y.size) })
	for _, l := range ls {
		c := min(b.column(l), len(cells)-1)
		to := &cells[c]
		if l.size < 0.8*body.size {
			to = &small[c]
		}
		*to = joinCell(*to, l)
	}
	for c, s := range small {
		if reformNote(s) {
			notes = append(notes, s)
		} else {
			cells[c] = strings.TrimSpace(cells[c] + " " + s)
		}
	}
	return cells, notes
}

// joinCell adds a line to the text of a cell.
func joinCell(cell string, l textLine) string {
	if cell == "" {
		return l.text
	}
	if strings.HasSuffix(cell, "\u00ad") {
		return strings.TrimSuffix(cell, "\u00ad") + l.text
	}
	if l.hyphen {
		return cell + " " + l.text + "\u00ad"
	}
	return cell + " " + l.text
}

// boxesArePast settles what boxes without a label are. In a document that puts
// its former wordings in boxes a box whose label was forgotten holds one too:
// better an article that is short of a paragraph than one repealed in it.
func boxesArePast(pages [][]textLine) {
	labels := 0
	for _, ls := range pages {
		for _, l := range ls {
			if _, ok := publisher.FormerLabel(l.text); ok && l.history {
				labels++
			}
		}
	}
	if labels < 3 {
		return
	}
	for _, ls := range pages {
		for i := range ls {
			ls[i].history = ls[i].history || ls[i].boxed
		}
	}
}

// unframed marks a former wording that has a label but no box: from the label
// down to the next clear vertical space.
func unframed(ls []textLine) {
	for i := range ls {
		if _, ok := publisher.FormerLabel(ls[i].text); !ok || ls[i].history || ls[i].table {
			continue
		}
		for j := i; j < len(ls) && !ls[j].table; j++ {
			if j > i+1 && ls[j-1].y-ls[j].y > 1.8*ls[j].size {
				break
			}
			ls[j].history = true
		}
	}
}
