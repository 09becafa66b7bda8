package ingest

import (
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"digesto"
	"digesto/text"
)

type markT = digesto.PageMark

// draft is a unit being built.
type draft struct {
	unit     digesto.Unit
	line     int
	segment  int // which text of the norm it stands in (approving norm, approved text, annex)
	series   int
	paras    []Line
	notes    []string
	defects  []digesto.TextDefect
	past     [][]Line           // former wordings
	parts    map[int]formerPart // of those whose day a note gives, by their place in past
	added    []addition         // paragraphs that a change put in where nothing stood
	inPast   bool
	quoted   bool // its number stands inside the quotation that brings its words
	closed   bool // closing formula reached: the rest is date and signatures
	after    int  // lines since then
	repealed bool
	other    bool // of another norm that the file prints after its own
	annex    bool // heading of an annex: dropped if only units follow
}

// builder walks the lines once and fills drafts.
type builder struct {
	s            *scan
	drafts       []*draft
	cur          *draft
	path         outline
	segment      int
	title        bool // the heading just opened still wants its title
	group        string
	rubrics      rubricStyle
	pending      map[int][][]Line   // former wordings of a unit that comes later, by its line
	laterNotes   map[int][]string   // and the notes beside them
	pendingEnds  map[int][][]string // the notes beside each of these wordings
	far          map[string]bool    // calls of notes anywhere in the norm
	pendingNotes []string           // of the norm as a whole
	other        string             // name of another norm that the file prints after its own; "" = none yet
	foreign      bool               // something follows the closing formula
	units        bool               // the norm has units of its own (articles, dispositions…)
}

func newBuilder(s *scan) *builder {
	b := &builder{s: s, pending: map[int][][]Line{}, pendingEnds: map[int][][]string{}, laterNotes: map[int][]string{}}
	for _, u := range s.unit {
		b.units = b.units || u
	}
	b.path.sectionAbove = sectionsAbove(s)
	b.rubrics = learnRubrics(s)
	s.partTitles(b.rubrics)
	return b
}

// sectionsAbove says whether secciones stand above capítulos in this norm.
func sectionsAbove(s *scan) bool {
	above, below := 0, 0
	prev := partNone
	for i, h := range s.heads {
		switch {
		case h.kind == headPart && !s.drop[i]:
			if prev == partSeccion && h.part == partCapitulo {
				above++
			}
			if prev == partCapitulo && h.part == partSeccion {
				below++
			}
			prev = h.part
		case s.unit[i]:
			prev = partNone
		}
	}
	return above > below
}

func (b *builder) run() {
	for _, r := range b.s.lead {
		for k := r[0]; k < r[1]; k++ {
			b.s.drop[k] = true // they come back as rubrics
		}
	}
	for i, l := range b.s.lines {
		if note, ok := b.s.doubts[i]; ok {
			b.doubt(note)
		}
		h := b.s.heads[i]
		outside := !h.quoted && !b.s.inQuote[i]
		switch {
		case b.s.drop[i]:
		case b.s.trailer > 0 && i >= b.s.trailer:
			b.appendix(i, l)
		case b.s.later[i] > 0:
			b.keepFor(i, l)
		case l.History:
			b.past(i, l)
		case l.Note:
			b.note(i, l)
		case b.s.unit[i]:
			b.open(i, h, l)
		case b.s.intrusions[i] != nil:
			b.foreignUnit(i, h)
		case h.kind == headPart && outside && b.partHeading(i, h, l):
		case h.kind == headAnnex && outside && annexHeading(h, l):
			b.annex(i, h, l)
		case b.title && b.tableTitle(l):
		case h.kind == headGroup && outside:
			b.closeAbove()
			b.path.closeTo(partParte) // dispositions stand beside the books and titles, not in the last of them
			b.path.open(partTitulo, l.Text)
			b.group, b.title = l.Text, false
		case h.kind == headTitle && outside && b.titleHeading(i, h, l):
		case b.title && b.takeTitle(i, l):
		default:
			b.text(i, l)
		}
	}
}

func (b *builder) add(d *draft) *draft {
	d.segment = b.segment
	if b.other != "" {
		d.other, d.repealed = true, true
	}
	d.unit.Norm = b.s.norm.ID
	if d.unit.Path == nil {
		d.unit.Path = b.path.path()
	}
	b.drafts = append(b.drafts, d)
	b.cur = d
	return d
}

// open starts an article, disposition, norm or numbered section.
func (b *builder) open(i int, h head, l Line) {
	b.title = false
	switch h.kind {
	case headDisp:
		if b.group == "" {
			b.path.closeTo(partParte)
		}
	case headArticle, headNorm:
		b.group = ""
	}
	num := h.num.String()
	if h.unit != digesto.KindArticle && h.num.Only {
		num = "única"
	}
	d := b.add(&draft{line: i, series: b.s.series[i], quoted: opensQuotation(l.Text), unit: digesto.Unit{Kind: h.unit, Number: num, Label: label(h)}})
	d.notes, d.defects = b.pendingNotes, b.s.hostOf(i)
	b.pendingNotes = nil
	b.takeFormer(d, i)
	d.repealed = d.repealed || b.s.inPlace && l.Italic
	rubric, first := b.rubrics.split(b.s, i, h, l)
	if r, ok := b.s.lead[i]; ok {
		if rubric != "" { // the line above is the rubric: what looked like one is text
			first = h.rest
		}
		var words []string
		for k := r[0]; k < r[1]; k++ {
			words = append(words, b.s.lines[k].Text)
		}
		rubric = trimRubric(strings.Join(words, " "))
	}
	if n := b.s.renumbered[i]; n != "" {
		d.notes = append(d.notes, n)
	}
	d.unit.Rubric = rubric
	if first != "" {
		p := l
		p.Text = first
		p.Marks = shiftMarks(l, first)
		if b.s.formerRest[i] {
			d.past, d.inPast = append(d.past, []Line{p}), true
		} else {
			d.paras = append(d.paras, p)
		}
	}
}

// takeFormer gives a unit the former wordings kept for it, and those whose own line
// turned out to head no unit.
func (b *builder) takeFormer(d *draft, i int) {
	for _, j := range slices.Sorted(maps.Keys(b.pending)) {
		if j <= i {
			for k, lines := range b.pending[j] {
				d.endedWhole(len(d.past), b.pendingEnds[j][k])
				d.past = append(d.past, lines)
			}
			delete(b.pending, j)
		}
	}
	for _, j := range slices.Sorted(maps.Keys(b.laterNotes)) {
		if j <= i {
			d.notes = append(d.notes, b.laterNotes[j]...)
			delete(b.laterNotes, j)
		}
	}
}

// shiftMarks keeps the page marks of a line for its tail.
func shiftMarks(l Line, tail string) []markT {
	if len(l.Marks) == 0 {
		return nil
	}
	cut := utf8.RuneCountInString(l.Text) - utf8.RuneCountInString(tail)
	var out []markT
	for _, m := range l.Marks {
		if m.Start >= cut {
			out = append(out, markT{Start: m.Start - cut, Page: m.Page})
		}
	}
	return out
}

// partHeading enters a heading of division. Inside an annex or a text without
// units it also opens a section, so that long annexes have addresses.
func (b *builder) partHeading(i int, h head, l Line) bool {
	if h.part == partRoot && b.s.inset(i) {
		name := headingText(l.Text)
		b.add(&draft{line: i, annex: true, unit: digesto.Unit{Kind: digesto.KindSection, Label: name, Path: []string{name}}})
		b.title = false
		return true
	}
	b.closeAbove()
	b.path.open(h.part, headingText(l.Text))
	b.title = h.rest == ""
	b.group = ""
	return true
}

// doubt notes in the unit that is open that two wordings of one paragraph stand in it.
func (b *builder) doubt(note string) {
	if b.cur == nil {
		return
	}
	said := strings.TrimSpace(strings.TrimLeft(note, "(*) "))
	b.cur.defects = append(b.cur.defects, digesto.TextDefect{Kind: digesto.DefectTwoWordings,
		Detail: "La fuente imprime juntas dos redacciones y no permite separar la anterior. Nota de la fuente: «" + clip(said, 220) + "»"})
}

// headingText is a heading without quotation mark and calls of notes.
func headingText(s string) string {
	s, _ = trimLead(s)
	if q := openQuote(s); q > 0 {
		s, _ = trimLead(s[q:])
	}
	s, _ = cutNoteMarks(s)
	if s = strings.TrimSpace(s); !strings.ContainsAny(s, "“«") && strings.Count(s, `"`) < 2 {
		s = strings.TrimRight(s, `”"» `)
	}
	return s
}

// appendix keeps what an editor prints after the norm: shown, never law in force.
func (b *builder) appendix(i int, l Line) {
	if b.cur == nil || i == b.s.trailer || trailerHead(l) {
		b.add(&draft{line: i, repealed: true, unit: digesto.Unit{Kind: digesto.KindSection, Label: clip(headingText(l.Text), 80), Path: []string{}}})
		return
	}
	b.cur.paras = append(b.cur.paras, l)
}

// closeAbove ends the current unit at a heading.
func (b *builder) closeAbove() {
	if b.cur != nil && (!b.cur.annex || b.s.inset(b.cur.line)) {
		b.cur = nil
	}
}

func annexHeading(h head, l Line) bool {
	return l.Level > 0 || l.Bold || h.upper || utf8.RuneCountInString(l.Text) <= 90
}

func (b *builder) annex(i int, h head, l Line) {
	b.segment++
	b.group = ""
	b.path.stack = nil
	num := h.num.String()
	if h.num.Main == 0 {
		num = h.num.Suffix
	}
	kind, name := digesto.KindAnnex, strings.TrimSpace("Anexo "+num)
	if h.unit == digesto.KindTable {
		kind, name = h.unit, "Tabla "+num
	}
	d := b.add(&draft{line: i, annex: true, unit: digesto.Unit{Kind: kind, Number: num, Label: name, Path: []string{}}})
	d.unit.Rubric = h.rest
	b.path.open(partRoot, joinHeading(name, h.rest))
	b.title = h.rest == ""
}

// tableTitle takes the lines in capitals, and those in parentheses between them,
// that stand under the number of a table printed as a part of the norm.
func (b *builder) tableTitle(l Line) bool {
	d := b.cur
	if d == nil || d.unit.Kind != digesto.KindTable || len(d.paras) > 0 || l.Table || !isUpper(l.Text) || utf8.RuneCountInString(l.Text) > 200 {
		return false
	}
	d.unit.Rubric = strings.TrimSpace(d.unit.Rubric + " " + l.Text)
	b.path.stack = nil
	b.path.open(partRoot, joinHeading(d.unit.Label, d.unit.Rubric))
	return true
}

// titleHeading handles headings without a word of division.
func (b *builder) titleHeading(i int, h head, l Line) bool {
	switch {
	case opensText(h.rest) && (l.Level > 0 || isUpper(l.Text)):
		if b.cur == nil && len(b.drafts) == 0 && l.Level == 1 { // the norm's own title
			return sameTitle(l.Text, b.s.norm.Title)
		}
		b.segment++
		b.cur, b.group = nil, ""
		b.path.stack = nil
		b.path.open(partRoot, l.Text)
		b.title = false
		b.otherNorm(l.Text)
		return true
	case l.Level == 0, b.cur != nil && b.tableNext(i):
		return false
	case len(b.drafts) == 0 && sameTitle(l.Text, b.s.norm.Title):
		return true
	case b.within(i):
		return false // a heading inside an article: what follows it is the article's
	case b.cur != nil && b.cur.unit.Kind == digesto.KindPreamble, b.cur == nil && len(b.drafts) == 0:
		return false // headings of the preamble are its text
	case b.title:
		return false
	case b.cur != nil && (b.cur.annex || b.cur.unit.Kind == digesto.KindSection), !b.units:
		b.section(i, l)
		return true
	}
	if endsHanging(l.Text) || utf8.RuneCountInString(l.Text) > 250 {
		return false
	}
	b.closeAbove()
	b.path.open(partFree, l.Text)
	return true
}

// otherNorm notes that a heading after the norm's own articles names another
// instrument by its number and year: what follows is that one's text. The file
// says nothing of whether it holds.
func (b *builder) otherNorm(heading string) {
	id := claimedNumber.FindStringSubmatch(b.s.norm.ID)
	if b.other != "" || id == nil || !slices.ContainsFunc(b.drafts, func(d *draft) bool { return d.series == b.s.main && d.unit.Kind == digesto.KindArticle }) {
		return
	}
	numbers := printedNumber.FindAllStringSubmatch(text.Fold(heading), 6)
	if len(numbers) == 0 {
		return
	}
	last := numbers[len(numbers)-1] // the instrument that brings the text stands after those it is about
	if last[2] == "" || strings.TrimLeft(strings.ReplaceAll(last[1], ".", ""), "0") == strings.TrimLeft(id[1], "0") {
		return
	}
	b.other = clip(heading, 160)
	b.s.defect(kindForeign, "Tras la norma, el fichero trae otra: «"+b.other+"». Se guarda aparte, sin vigencia")
}

// tableNext says whether a table follows line i, whose title that line then is.
func (b *builder) tableNext(i int) bool { return i+1 < len(b.s.lines) && b.s.lines[i+1].Table }

// section opens an addressable section of an annex or of a text without units.
func (b *builder) section(i int, l Line) {
	d := &draft{line: i, unit: digesto.Unit{Kind: digesto.KindSection, Number: "", Label: l.Text, Path: b.path.path()}}
	b.add(d)
}

func sameTitle(a, c string) bool {
	fa, fc := letters(a), letters(c)
	return fa == fc || len(fa) > 20 && (strings.HasPrefix(fc, fa) || strings.HasPrefix(fa, fc))
}

// letters folds a text to its letters and digits alone.
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		if r > 127 {
			return r
		}
		return -1
	}, text.Fold(s))
}

// takeTitle takes a line as the title of the heading before it.
func (b *builder) takeTitle(i int, l Line) bool {
	if b.s.heads[i].kind != headNone && b.s.heads[i].kind != headTitle || l.Table || listItem(l.Text) {
		b.title = false
		return false
	}
	n := utf8.RuneCountInString(l.Text)
	short := n <= 160 && !strings.HasSuffix(l.Text, ":") && !strings.HasSuffix(l.Text, ";")
	if !short || strings.HasSuffix(l.Text, ".") && n > 90 && !isUpper(l.Text) && !l.Bold || finiteVerb(l.Text) {
		b.title = false
		return false
	}
	b.path.title(headingText(l.Text))
	if b.cur != nil && b.cur.annex && len(b.cur.paras) == 0 {
		b.cur.unit.Rubric = joinHeading(b.cur.unit.Rubric, l.Text)
	}
	b.title = endsHanging(strings.ToLower(l.Text)) // a title in capitals too: "… POR CORRESPONDENCIA Y"
	return true
}

// text adds a paragraph to the unit that is open. Before the first unit it is
// preamble; after a heading and before the next unit it is a section.
func (b *builder) text(i int, l Line) {
	b.title = false
	if b.point(i, l) {
		return
	}
	if b.cur == nil {
		if len(b.drafts) == 0 || b.onlyPreamble() {
			if furniture(l) {
				return
			}
			if n := len(b.drafts); n > 0 {
				b.cur = b.drafts[n-1]
			} else {
				b.add(&draft{line: i, notes: b.pendingNotes, unit: digesto.Unit{Kind: digesto.KindPreamble, Label: "Preámbulo", Path: []string{}}})
				b.pendingNotes = nil
			}
		} else {
			name := "Texto"
			if p := b.path.path(); len(p) > 0 {
				name = p[len(p)-1]
			}
			b.add(&draft{line: i, unit: digesto.Unit{Kind: digesto.KindSection, Label: name}})
		}
	}
	d := b.cur
	if d.unit.Kind == digesto.KindPreamble && furniture(l) {
		return
	}
	d.inPast = false
	if b.closing(d, l) {
		switch {
		case l.Table:
			d = b.add(&draft{line: i, unit: digesto.Unit{Kind: digesto.KindTable, Label: "Tabla"}})
		case d.after <= signatures:
			d.notes = append(d.notes, l.Text)
			return
		default:
			b.foreign = true
			d = b.add(&draft{line: i, repealed: true, unit: digesto.Unit{Kind: digesto.KindSection, Label: "Texto tras la fórmula final"}})
		}
	}
	// a line that looked like a heading but goes on the sentence before it
	if n := len(d.paras); n > 0 && b.s.heads[i].kind == headArticle && !b.s.heads[i].quoted && len(d.paras[n-1].Text) < longestGlued && endsHanging(d.paras[n-1].Text) {
		p := begin(d.paras[n-1])
		p.add(l)
		d.paras[n-1] = p.line()
		return
	}
	d.paras = append(d.paras, l)
}

// longestGlued bounds a paragraph to which lines that looked like headings are joined, in bytes.
const longestGlued = 8 << 10

// signatures is how many lines may follow a closing formula; more is the text of
// something else.
const signatures = 24

func (b *builder) onlyPreamble() bool {
	for _, d := range b.drafts {
		if d.unit.Kind != digesto.KindPreamble {
			return false
		}
	}
	return true
}

// note adds an editor's note to the unit that is open. A list of earlier
// wordings at the end of a norm becomes a section without force.
func (b *builder) note(i int, l Line) {
	if strings.HasPrefix(letters(clip(l.Text, 40)), "antecedentesnormativos") {
		b.add(&draft{line: i, repealed: true, unit: digesto.Unit{Kind: digesto.KindSection, Label: "Antecedentes normativos", Path: []string{}}})
	}
	if b.cur == nil {
		if n := len(b.drafts); n > 0 {
			b.drafts[n-1].notes = append(b.drafts[n-1].notes, l.Text)
		} else {
			b.pendingNotes = append(b.pendingNotes, l.Text) // of the norm as a whole: goes with its first unit
		}
		return
	}
	b.cur.notes = append(b.cur.notes, l.Text)
	if b.s.inPlace {
		b.cur.endedBy(l.Text)
		b.cur.putIn(l.Text)
	}
}

// keepFor keeps a line of a former wording for the unit that opens later.
func (b *builder) keepFor(i int, l Line) {
	if b.s.heads[i].kind == headPart {
		b.partHeading(i, b.s.heads[i], l)
		return
	}
	j := b.s.later[i]
	if l.Note {
		b.laterNotes[j] = append(b.laterNotes[j], l.Text)
		if n := len(b.pendingEnds[j]); n > 0 {
			b.pendingEnds[j][n-1] = append(b.pendingEnds[j][n-1], l.Text)
		}
		return
	}
	if len(b.pending[j]) == 0 || readHead(l).kind == headArticle {
		b.pending[j] = append(b.pending[j], nil)
		b.pendingEnds[j] = append(b.pendingEnds[j], nil)
	}
	n := len(b.pending[j]) - 1
	if told := b.pendingEnds[j][n]; len(reformsOf(told)) > 0 {
		b.pendingEnds[j][n] = append(told, severalWordings)
	}
	b.pending[j][n] = append(b.pending[j][n], l)
}

// past adds a line of a former wording; consecutive lines are one wording.
func (b *builder) past(i int, l Line) {
	d := b.cur
	if d == nil {
		if len(b.drafts) == 0 {
			return
		}
		d = b.drafts[len(b.drafts)-1]
	}
	if strings.HasPrefix(letters(l.Text), "textoanterior") && len(l.Text) < 40 {
		b.boxed(d)
		d.past, d.inPast = append(d.past, nil), true
		return
	}
	if !d.inPast || len(d.past) == 0 || b.s.wording[i] {
		p := d.dated()
		if p.until == "" {
			b.boxed(d)
		} else {
			d.setPart(len(d.past), p)
		}
		d.past, d.inPast = append(d.past, nil), true
		if note, ok := b.s.ended[i]; ok {
			d.repealedBy(b.s.lines[note].Text)
		}
	}
	n := len(d.past) - 1
	d.past[n] = append(d.past[n], l)
}
