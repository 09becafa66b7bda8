package structure

import (
	"fmt"
	"strconv"
	"strings"

	"digesto"
	"digesto/corpus/ingest/dating"
	"digesto/corpus/ingest/heading"
	"digesto/corpus/ingest/line"
)

// ReadBlocks makes units of the blocks of a text that comes with all its versions;
// original is the norm that gave the first ones.
func ReadBlocks(blocks []line.Block, original string) *BlockReader {
	c := &BlockReader{main: map[int]int{}, original: original}
	for _, b := range blocks {
		c.block(b)
	}
	return c
}

// PublishedBy gives the day on which a norm gave the first version of a unit.
func (c *BlockReader) PublishedBy(norm string) digesto.Date {
	for _, d := range c.drafts {
		if len(d.versions) > 0 && d.versions[0].By == norm && d.versions[0].Published != "" {
			return d.versions[0].Published
		}
	}
	return ""
}

// BlockReader makes drafts of the blocks of one norm.
type BlockReader struct {
	drafts   []*blockDraft
	path     heading.Outline
	segment  int
	group    digesto.UnitKind // kind of the dispositions under the heading last read
	main     map[int]int      // articles of each segment
	original string           // norm that gave the first versions
	Opening  []line.Line      // first lines of the norm: its status may stand there
	notes    []string
}

// blockDraft is a unit with the lines of each of its versions.
type blockDraft struct {
	draft
	versions []line.BlockVersion
	expired  digesto.Date
}

func (c *BlockReader) block(x line.Block) {
	vs := x.Versions
	last := vs[len(vs)-1]
	if len(c.Opening) < 12 {
		c.Opening = append(c.Opening, last.Lines...)
	}
	switch x.Kind {
	case "encabezado":
		c.heading(last.Lines)
	case "firma", "nota_inicial":
		for _, l := range last.Lines {
			c.note(l.Text)
		}
	case "preambulo":
		c.add(&blockDraft{draft: draft{unit: digesto.Unit{Kind: digesto.KindPreamble, Label: "Preámbulo", Path: []string{}}}, versions: vs})
	default:
		c.unit(x)
	}
}

// note keeps what is no law with the unit before it, or with the first one.
func (c *BlockReader) note(s string) {
	if n := len(c.drafts); n > 0 {
		c.drafts[n-1].Notes = append(c.drafts[n-1].Notes, s)
		return
	}
	c.notes = append(c.notes, s)
}

func (c *BlockReader) add(d *blockDraft) {
	d.segment = c.segment
	d.Notes = append(d.Notes, c.notes...)
	c.notes = nil
	if d.unit.Path == nil {
		d.unit.Path = c.path.Path()
	}
	c.drafts = append(c.drafts, d)
}

// heading enters a block of headings: divisions, groups of dispositions, or the
// title of the text that the norm approves.
func (c *BlockReader) heading(lines []line.Line) {
	open := false
	for _, l := range lines {
		if l.Note {
			c.note(l.Text)
			continue
		}
		l.Level = max(l.Level, 2)
		switch h := heading.Read(l); {
		case h.Kind == heading.Division:
			c.group = ""
			c.path.Open(h.Part, l.Text)
			open = h.Rest == ""
		case h.Kind == heading.Annex, h.Kind == heading.Title && heading.OpensText(h.Rest):
			c.segment++
			c.group = ""
			c.path.Stack = nil
			c.path.Open(heading.PartRoot, l.Text)
			open = h.Rest == "" && h.Kind == heading.Annex
		case h.Kind == heading.Group:
			c.group = h.Unit
			c.path.CloseTo(heading.PartParte)
			c.path.Open(heading.PartTitulo, l.Text)
			open = false
		case open:
			c.path.Title(l.Text)
		default:
			c.path.Open(heading.PartFree, l.Text)
			open = true
		}
	}
}

// unit opens the unit of a block, named by its newest heading.
func (c *BlockReader) unit(x line.Block) {
	d := &blockDraft{versions: x.Versions, expired: x.Expired}
	h, rubric := c.name(x)
	d.unit = digesto.Unit{Kind: h.Unit, Number: h.Num.String(), Rubric: rubric}
	switch h.Kind {
	case heading.Annex:
		if h.Num.Main == 0 {
			d.unit.Number = h.Num.Suffix
		}
		d.unit.Label = strings.TrimSpace("Anexo " + d.unit.Number)
		d.unit.Path = []string{}
	case heading.None:
		title := line.FirstOf(x.Title, firstText(x.Versions))
		d.unit = digesto.Unit{Kind: digesto.KindSection, Label: line.Clip(title, 200)}
	default:
		if h.Unit != digesto.KindArticle && h.Num.Only {
			d.unit.Number = "única"
		}
		d.unit.Label = heading.Label(h)
	}
	if h.Kind == heading.Disposition && c.group == "" {
		c.path.CloseTo(heading.PartParte)
	}
	c.add(d)
	if h.Unit == digesto.KindArticle {
		c.main[c.segment]++
	}
}

func firstText(vs []line.BlockVersion) string {
	for _, l := range vs[len(vs)-1].Lines {
		if !l.Note {
			return l.Text
		}
	}
	return "Texto"
}

// name reads kind, number and rubric off the newest heading of a block that has
// one, else off the block's title.
func (c *BlockReader) name(x line.Block) (heading.Head, string) {
	vs := x.Versions
	for i := len(vs) - 1; i >= 0; i-- {
		n := headingLines(vs[i].Lines)
		if n == 0 {
			continue
		}
		h := c.classify(vs[i].Lines[0])
		if h.Kind == heading.None {
			continue
		}
		rubric := h.Rest
		for _, l := range vs[i].Lines[1:n] {
			rubric = heading.JoinHeading(rubric, l.Text)
		}
		if repealMark.MatchString(rubric) || n == len(vs[i].Lines) && !looksRubric(rubric, 400) {
			rubric = ""
		}
		return h, trimRubric(rubric)
	}
	return c.classify(line.Line{Text: x.Title, Level: 5}), ""
}

// classify reads a heading as a unit's; bare ordinals belong to the group that
// stands above them.
func (c *BlockReader) classify(l line.Line) heading.Head {
	h := heading.Read(line.Line{Text: l.Text, Level: 5})
	switch {
	case h.Kind == heading.Item && c.group != "":
		h.Unit = c.group
		return h
	case h.Kind == heading.Item:
		h.Unit = digesto.KindSection
		return h
	case h.Kind == heading.Group: // "Disposiciones finales" as the heading of a precept
		h.Kind = heading.Disposition
		return h
	case h.Kind == heading.Article, h.Kind == heading.Disposition, h.Kind == heading.Norm, h.Kind == heading.Annex:
		return h
	}
	return heading.Head{}
}

// headingLines counts the lines of heading that a version begins with.
func headingLines(lines []line.Line) int {
	n := 0
	for n < len(lines) && lines[n].Level > 0 && !lines[n].Note && !lines[n].Table {
		n++
	}
	return n
}

// HasUnits says whether a block has the heading of a unit.
func (c *BlockReader) HasUnits() bool {
	for _, d := range c.drafts {
		if k := d.unit.Kind; k != digesto.KindPreamble && k != digesto.KindSection {
			return true
		}
	}
	return false
}

// Finish makes the units, their versions and ids.
func (c *BlockReader) Finish(norm string) []digesto.Unit {
	home := 0
	for seg, n := range c.main {
		if n > c.main[home] || n == c.main[home] && seg < home {
			home = seg
		}
	}
	var kept []*draft
	for _, d := range c.drafts {
		if d.unit.Versions = c.fill(d); len(d.unit.Versions) > 0 {
			d.Paras = d.versions[len(d.versions)-1].Lines
			kept = append(kept, &d.draft)
		}
	}
	assignIDs(kept, 0, home)
	units := withRows(kept)
	for i := range units {
		units[i].Norm = norm
	}
	return units
}

// fill makes the versions of a unit: each holds until the next comes into force.
func (c *BlockReader) fill(d *blockDraft) []digesto.Version {
	var out []digesto.Version
	seen := map[string]int{}
	for i, b := range d.versions {
		v := c.version(d, b)
		if v.Text == "" {
			continue
		}
		id := line.FirstOf(string(b.Published), string(b.ValidFrom), strconv.Itoa(i+1))
		if seen[id]++; seen[id] > 1 {
			id = fmt.Sprintf("%s.%d", id, seen[id])
		}
		v.ID = id
		out = append(out, v)
	}
	closeIntervals(out, d.expired)
	return out
}

// closeIntervals sets until when each version holds, and which is current.
func closeIntervals(vs []digesto.Version, expired digesto.Date) {
	for i := range vs {
		v := &vs[i]
		last := i == len(vs)-1
		v.Current = last && !repealedText(v.Text, "", v.Notes)
		if !last {
			v.ValidTo = vs[i+1].ValidFrom
		} else if expired != "" {
			v.ValidTo, v.Current = expired, false
		}
		if v.ValidTo != "" && v.ValidTo < v.ValidFrom {
			v.ValidTo = v.ValidFrom // replaced before it ever came into force
		}
	}
}

func (c *BlockReader) version(d *blockDraft, b line.BlockVersion) digesto.Version {
	n := headingLines(b.Lines)
	if d.unit.Kind == digesto.KindPreamble || d.unit.Kind == digesto.KindSection && n == len(b.Lines) {
		n = 0
	}
	v := digesto.Version{Published: b.Published, ValidFrom: b.ValidFrom}
	if by := line.SafeID(b.By); by != "" && by != c.original {
		v.AmendedBy = []string{by}
	}
	var paras []line.Line
	for _, l := range b.Lines[n:] {
		if l.Note {
			v.Notes = append(v.Notes, l.Text)
			continue
		}
		paras = append(paras, l)
	}
	body, _, notes := dating.Compose(paras)
	v.Notes = append(v.Notes, notes...)
	if body == "" && n > 0 {
		body = trimRubricOf(heading.Read(line.Line{Text: b.Lines[0].Text, Level: 5}).Rest, b.Lines[1:n])
	}
	if body == "" && len(v.Notes) > 0 {
		body, v.Notes = v.Notes[0], v.Notes[1:]
	}
	v.Text = body
	v.Notes = append(v.Notes, d.Notes...)
	if body != "" {
		v.SHA256 = line.Sum(body)
	}
	return v
}

// trimRubricOf joins what a version without paragraphs has in its heading.
func trimRubricOf(rest string, more []line.Line) string {
	for _, l := range more {
		rest = heading.JoinHeading(rest, l.Text)
	}
	return strings.TrimSpace(rest)
}
