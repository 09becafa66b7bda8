package structure

import (
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"digesto"
	"digesto/corpus/ingest/dating"
	"digesto/corpus/ingest/heading"
	"digesto/corpus/ingest/line"
	"digesto/text"
)

// draft is a unit being built.
type draft struct {
	dating.Texts
	unit     digesto.Unit
	line     int
	segment  int // which text of the norm it stands in (approving norm, approved text, annex)
	series   int
	defects  []digesto.TextDefect
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
	path         heading.Outline
	segment      int
	title        bool // the heading just opened still wants its title
	group        string
	rubrics      rubricStyle
	pending      map[int][][]line.Line // former wordings of a unit that comes later, by its line
	laterNotes   map[int][]string      // and the notes beside them
	pendingEnds  map[int][][]string    // the notes beside each of these wordings
	far          map[string]bool       // calls of notes anywhere in the norm
	pendingNotes []string              // of the norm as a whole
	other        string                // name of another norm that the file prints after its own; "" = none yet
	foreign      bool                  // something follows the closing formula
	units        bool                  // the norm has units of its own (articles, dispositions…)
}

func newBuilder(s *scan) *builder {
	b := &builder{s: s, pending: map[int][][]line.Line{}, pendingEnds: map[int][][]string{}, laterNotes: map[int][]string{}}
	for _, u := range s.Unit {
		b.units = b.units || u
	}
	b.path.SectionAbove = sectionsAbove(s)
	b.rubrics = learnRubrics(s)
	s.partTitles(b.rubrics)
	return b
}

// sectionsAbove says whether secciones stand above capítulos in this norm.
func sectionsAbove(s *scan) bool {
	above, below := 0, 0
	prev := heading.PartNone
	for i, h := range s.Heads {
		switch {
		case h.Kind == heading.Division && !s.Drop[i]:
			if prev == heading.PartSeccion && h.Part == heading.PartCapitulo {
				above++
			}
			if prev == heading.PartCapitulo && h.Part == heading.PartSeccion {
				below++
			}
			prev = h.Part
		case s.Unit[i]:
			prev = heading.PartNone
		}
	}
	return above > below
}

func (b *builder) run() {
	for _, r := range b.s.lead {
		for k := r[0]; k < r[1]; k++ {
			b.s.Drop[k] = true // they come back as rubrics
		}
	}
	for i, l := range b.s.Lines {
		if note, ok := b.s.Doubts[i]; ok {
			b.doubt(note)
		}
		h := b.s.Heads[i]
		outside := !h.Quoted && !b.s.inQuote[i]
		switch {
		case b.s.Drop[i]:
		case b.s.Trailer > 0 && i >= b.s.Trailer:
			b.appendix(i, l)
		case b.s.Later[i] > 0:
			b.keepFor(i, l)
		case l.History:
			b.past(i, l)
		case l.Note:
			b.note(i, l)
		case b.s.Unit[i]:
			b.open(i, h, l)
		case b.s.intrusions[i] != nil:
			b.foreignUnit(i, h)
		case h.Kind == heading.Division && outside && b.partHeading(i, h, l):
		case h.Kind == heading.Annex && outside && annexHeading(h, l):
			b.annex(i, h, l)
		case b.title && b.tableTitle(l):
		case h.Kind == heading.Group && outside:
			b.closeAbove()
			b.path.CloseTo(heading.PartParte) // dispositions stand beside the books and titles, not in the last of them
			b.path.Open(heading.PartTitulo, l.Text)
			b.group, b.title = l.Text, false
		case h.Kind == heading.Title && outside && b.titleHeading(i, h, l):
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
		d.unit.Path = b.path.Path()
	}
	b.drafts = append(b.drafts, d)
	b.cur = d
	return d
}

// open starts an article, disposition, norm or numbered section.
func (b *builder) open(i int, h heading.Head, l line.Line) {
	b.title = false
	switch h.Kind {
	case heading.Disposition:
		if b.group == "" {
			b.path.CloseTo(heading.PartParte)
		}
	case heading.Article, heading.Norm:
		b.group = ""
	}
	num := h.Num.String()
	if h.Unit != digesto.KindArticle && h.Num.Only {
		num = "única"
	}
	d := b.add(&draft{line: i, series: b.s.Series[i], Texts: dating.Texts{Quoted: dating.OpensQuotation(l.Text)}, unit: digesto.Unit{Kind: h.Unit, Number: num, Label: heading.Label(h)}})
	d.Notes, d.defects = b.pendingNotes, b.s.hostOf(i)
	b.pendingNotes = nil
	b.takeFormer(d, i)
	d.repealed = d.repealed || b.s.InPlace && l.Italic
	rubric, first := b.rubrics.split(b.s, i, h, l)
	if r, ok := b.s.lead[i]; ok {
		if rubric != "" { // the line above is the rubric: what looked like one is text
			first = h.Rest
		}
		var words []string
		for k := r[0]; k < r[1]; k++ {
			words = append(words, b.s.Lines[k].Text)
		}
		rubric = trimRubric(strings.Join(words, " "))
	}
	if n := b.s.renumbered[i]; n != "" {
		d.Notes = append(d.Notes, n)
	}
	d.unit.Rubric = rubric
	if first != "" {
		p := l
		p.Text = first
		p.Marks = shiftMarks(l, first)
		if b.s.FormerRest[i] {
			d.Past, d.InPast = append(d.Past, []line.Line{p}), true
		} else {
			d.Paras = append(d.Paras, p)
		}
	}
}

// takeFormer gives a unit the former wordings kept for it, and those whose own line
// turned out to head no unit.
func (b *builder) takeFormer(d *draft, i int) {
	for _, j := range slices.Sorted(maps.Keys(b.pending)) {
		if j <= i {
			for k, lines := range b.pending[j] {
				d.EndedWhole(len(d.Past), b.pendingEnds[j][k])
				d.Past = append(d.Past, lines)
			}
			delete(b.pending, j)
		}
	}
	for _, j := range slices.Sorted(maps.Keys(b.laterNotes)) {
		if j <= i {
			d.Notes = append(d.Notes, b.laterNotes[j]...)
			delete(b.laterNotes, j)
		}
	}
}

// shiftMarks keeps the page marks of a line for its tail.
func shiftMarks(l line.Line, tail string) []digesto.PageMark {
	if len(l.Marks) == 0 {
		return nil
	}
	cut := utf8.RuneCountInString(l.Text) - utf8.RuneCountInString(tail)
	var out []digesto.PageMark
	for _, m := range l.Marks {
		if m.Start >= cut {
			out = append(out, digesto.PageMark{Start: m.Start - cut, Page: m.Page})
		}
	}
	return out
}

// partHeading enters a heading of division. Inside an annex or a text without
// units it also opens a section, so that long annexes have addresses.
func (b *builder) partHeading(i int, h heading.Head, l line.Line) bool {
	if h.Part == heading.PartRoot && b.s.inset(i) {
		name := headingText(l.Text)
		b.add(&draft{line: i, annex: true, unit: digesto.Unit{Kind: digesto.KindSection, Label: name, Path: []string{name}}})
		b.title = false
		return true
	}
	b.closeAbove()
	b.path.Open(h.Part, headingText(l.Text))
	b.title = h.Rest == ""
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
		Detail: "La fuente imprime juntas dos redacciones y no permite separar la anterior. Nota de la fuente: «" + line.Clip(said, 220) + "»"})
}

// headingText is a heading without quotation mark and calls of notes.
func headingText(s string) string {
	s, _ = heading.TrimLead(s)
	if q := heading.OpenQuote(s); q > 0 {
		s, _ = heading.TrimLead(s[q:])
	}
	s, _ = dating.CutNoteMarks(s)
	if s = strings.TrimSpace(s); !strings.ContainsAny(s, "“«") && strings.Count(s, `"`) < 2 {
		s = strings.TrimRight(s, `”"» `)
	}
	return s
}

// appendix keeps what an editor prints after the norm: shown, never law in force.
func (b *builder) appendix(i int, l line.Line) {
	if b.cur == nil || i == b.s.Trailer || trailerHead(l) {
		b.add(&draft{line: i, repealed: true, unit: digesto.Unit{Kind: digesto.KindSection, Label: line.Clip(headingText(l.Text), 80), Path: []string{}}})
		return
	}
	b.cur.Paras = append(b.cur.Paras, l)
}

// closeAbove ends the current unit at a heading.
func (b *builder) closeAbove() {
	if b.cur != nil && (!b.cur.annex || b.s.inset(b.cur.line)) {
		b.cur = nil
	}
}

func annexHeading(h heading.Head, l line.Line) bool {
	return l.Level > 0 || l.Bold || h.Upper || utf8.RuneCountInString(l.Text) <= 90
}

func (b *builder) annex(i int, h heading.Head, l line.Line) {
	b.segment++
	b.group = ""
	b.path.Stack = nil
	num := h.Num.String()
	if h.Num.Main == 0 {
		num = h.Num.Suffix
	}
	kind, name := digesto.KindAnnex, strings.TrimSpace("Anexo "+num)
	if h.Unit == digesto.KindTable {
		kind, name = h.Unit, "Tabla "+num
	}
	d := b.add(&draft{line: i, annex: true, unit: digesto.Unit{Kind: kind, Number: num, Label: name, Path: []string{}}})
	d.unit.Rubric = h.Rest
	b.path.Open(heading.PartRoot, heading.JoinHeading(name, h.Rest))
	b.title = h.Rest == ""
}

// tableTitle takes the lines in capitals, and those in parentheses between them,
// that stand under the number of a table printed as a part of the norm.
func (b *builder) tableTitle(l line.Line) bool {
	d := b.cur
	if d == nil || d.unit.Kind != digesto.KindTable || len(d.Paras) > 0 || l.Table || !heading.IsUpper(l.Text) || utf8.RuneCountInString(l.Text) > 200 {
		return false
	}
	d.unit.Rubric = strings.TrimSpace(d.unit.Rubric + " " + l.Text)
	b.path.Stack = nil
	b.path.Open(heading.PartRoot, heading.JoinHeading(d.unit.Label, d.unit.Rubric))
	return true
}

// titleHeading handles headings without a word of division.
func (b *builder) titleHeading(i int, h heading.Head, l line.Line) bool {
	switch {
	case heading.OpensText(h.Rest) && (l.Level > 0 || heading.IsUpper(l.Text)):
		if b.cur == nil && len(b.drafts) == 0 && l.Level == 1 { // the norm's own title
			return sameTitle(l.Text, b.s.norm.Title)
		}
		b.segment++
		b.cur, b.group = nil, ""
		b.path.Stack = nil
		b.path.Open(heading.PartRoot, l.Text)
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
	if heading.EndsHanging(l.Text) || utf8.RuneCountInString(l.Text) > 250 {
		return false
	}
	b.closeAbove()
	b.path.Open(heading.PartFree, l.Text)
	return true
}

// otherNorm notes that a heading after the norm's own articles names another
// instrument by its number and year: what follows is that one's text. The file
// says nothing of whether it holds.
func (b *builder) otherNorm(title string) {
	id := heading.ClaimedNumber.FindStringSubmatch(b.s.norm.ID)
	if b.other != "" || id == nil || !slices.ContainsFunc(b.drafts, func(d *draft) bool { return d.series == b.s.Main && d.unit.Kind == digesto.KindArticle }) {
		return
	}
	numbers := heading.PrintedNumber.FindAllStringSubmatch(text.Fold(title), 6)
	if len(numbers) == 0 {
		return
	}
	last := numbers[len(numbers)-1] // the instrument that brings the text stands after those it is about
	if last[2] == "" || strings.TrimLeft(strings.ReplaceAll(last[1], ".", ""), "0") == strings.TrimLeft(id[1], "0") {
		return
	}
	b.other = line.Clip(title, 160)
	b.s.defect(line.KindForeign, "Tras la norma, el fichero trae otra: «"+b.other+"». Se guarda aparte, sin vigencia")
}

// tableNext says whether a table follows line i, whose title that line then is.
func (b *builder) tableNext(i int) bool { return i+1 < len(b.s.Lines) && b.s.Lines[i+1].Table }

// section opens an addressable section of an annex or of a text without units.
func (b *builder) section(i int, l line.Line) {
	d := &draft{line: i, unit: digesto.Unit{Kind: digesto.KindSection, Number: "", Label: l.Text, Path: b.path.Path()}}
	b.add(d)
}

func sameTitle(a, c string) bool {
	fa, fc := line.Letters(a), line.Letters(c)
	return fa == fc || len(fa) > 20 && (strings.HasPrefix(fc, fa) || strings.HasPrefix(fa, fc))
}

// takeTitle takes a line as the title of the heading before it.
func (b *builder) takeTitle(i int, l line.Line) bool {
	if b.s.Heads[i].Kind != heading.None && b.s.Heads[i].Kind != heading.Title || l.Table || ListItem(l.Text) {
		b.title = false
		return false
	}
	n := utf8.RuneCountInString(l.Text)
	short := n <= 160 && !strings.HasSuffix(l.Text, ":") && !strings.HasSuffix(l.Text, ";")
	if !short || strings.HasSuffix(l.Text, ".") && n > 90 && !heading.IsUpper(l.Text) && !l.Bold || finiteVerb(l.Text) {
		b.title = false
		return false
	}
	b.path.Title(headingText(l.Text))
	if b.cur != nil && b.cur.annex && len(b.cur.Paras) == 0 {
		b.cur.unit.Rubric = heading.JoinHeading(b.cur.unit.Rubric, l.Text)
	}
	b.title = heading.EndsHanging(strings.ToLower(l.Text)) // a title in capitals too: "… POR CORRESPONDENCIA Y"
	return true
}

// text adds a paragraph to the unit that is open. Before the first unit it is
// preamble; after a heading and before the next unit it is a section.
func (b *builder) text(i int, l line.Line) {
	b.title = false
	if b.point(i, l) {
		return
	}
	if b.cur == nil {
		if len(b.drafts) == 0 || b.onlyPreamble() {
			if Furniture(l) {
				return
			}
			if n := len(b.drafts); n > 0 {
				b.cur = b.drafts[n-1]
			} else {
				b.add(&draft{line: i, Texts: dating.Texts{Notes: b.pendingNotes}, unit: digesto.Unit{Kind: digesto.KindPreamble, Label: "Preámbulo", Path: []string{}}})
				b.pendingNotes = nil
			}
		} else {
			name := "Texto"
			if p := b.path.Path(); len(p) > 0 {
				name = p[len(p)-1]
			}
			b.add(&draft{line: i, unit: digesto.Unit{Kind: digesto.KindSection, Label: name}})
		}
	}
	d := b.cur
	if d.unit.Kind == digesto.KindPreamble && Furniture(l) {
		return
	}
	d.InPast = false
	if b.closing(d, l) {
		switch {
		case l.Table:
			d = b.add(&draft{line: i, unit: digesto.Unit{Kind: digesto.KindTable, Label: "Tabla"}})
		case d.after <= signatures:
			d.Notes = append(d.Notes, l.Text)
			return
		default:
			b.foreign = true
			d = b.add(&draft{line: i, repealed: true, unit: digesto.Unit{Kind: digesto.KindSection, Label: "Texto tras la fórmula final"}})
		}
	}
	// a line that looked like a heading but goes on the sentence before it
	if n := len(d.Paras); n > 0 && b.s.Heads[i].Kind == heading.Article && !b.s.Heads[i].Quoted && len(d.Paras[n-1].Text) < longestGlued && heading.EndsHanging(d.Paras[n-1].Text) {
		p := begin(d.Paras[n-1])
		p.add(l)
		d.Paras[n-1] = p.line()
		return
	}
	d.Paras = append(d.Paras, l)
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
func (b *builder) note(i int, l line.Line) {
	if strings.HasPrefix(line.Letters(line.Clip(l.Text, 40)), "antecedentesnormativos") {
		b.add(&draft{line: i, repealed: true, unit: digesto.Unit{Kind: digesto.KindSection, Label: "Antecedentes normativos", Path: []string{}}})
	}
	if b.cur == nil {
		if n := len(b.drafts); n > 0 {
			b.drafts[n-1].Notes = append(b.drafts[n-1].Notes, l.Text)
		} else {
			b.pendingNotes = append(b.pendingNotes, l.Text) // of the norm as a whole: goes with its first unit
		}
		return
	}
	b.cur.Notes = append(b.cur.Notes, l.Text)
	if b.s.InPlace {
		b.cur.EndedBy(l.Text, b.cur.unit.Number)
		b.cur.PutIn(l.Text)
	}
}

// keepFor keeps a line of a former wording for the unit that opens later.
func (b *builder) keepFor(i int, l line.Line) {
	if b.s.Heads[i].Kind == heading.Division {
		b.partHeading(i, b.s.Heads[i], l)
		return
	}
	j := b.s.Later[i]
	if l.Note {
		b.laterNotes[j] = append(b.laterNotes[j], l.Text)
		if n := len(b.pendingEnds[j]); n > 0 {
			b.pendingEnds[j][n-1] = append(b.pendingEnds[j][n-1], l.Text)
		}
		return
	}
	if len(b.pending[j]) == 0 || heading.Read(l).Kind == heading.Article {
		b.pending[j] = append(b.pending[j], nil)
		b.pendingEnds[j] = append(b.pendingEnds[j], nil)
	}
	n := len(b.pending[j]) - 1
	if told := b.pendingEnds[j][n]; len(dating.ReformsOf(told)) > 0 {
		b.pendingEnds[j][n] = append(told, dating.SeveralWordings)
	}
	b.pending[j][n] = append(b.pending[j][n], l)
}

// past adds a line of a former wording; consecutive lines are one wording.
func (b *builder) past(i int, l line.Line) {
	d := b.cur
	if d == nil {
		if len(b.drafts) == 0 {
			return
		}
		d = b.drafts[len(b.drafts)-1]
	}
	if strings.HasPrefix(line.Letters(l.Text), "textoanterior") && len(l.Text) < 40 {
		b.boxedBefore(d)
		d.Past, d.InPast = append(d.Past, nil), true
		return
	}
	if !d.InPast || len(d.Past) == 0 || b.s.Wording[i] {
		p := d.Dated()
		if p.Until == "" {
			b.boxedBefore(d)
		} else {
			d.SetPart(len(d.Past), p)
		}
		d.Past, d.InPast = append(d.Past, nil), true
		if note, ok := b.s.Ended[i]; ok {
			d.RepealedBy(b.s.Lines[note].Text)
		}
	}
	n := len(d.Past) - 1
	d.Past[n] = append(d.Past[n], l)
}

// boxedBefore reads the note above a former wording, where the source prints it below the later one.
func (b *builder) boxedBefore(d *draft) {
	if !b.s.InPlace {
		d.Boxed()
	}
}
