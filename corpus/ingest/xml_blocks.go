package ingest

import (
	"context"
	"fmt"
	"sort"
	"strconv"
	"strings"

	"digesto"
	"digesto/corpus"
	"digesto/text"
)

// readConsolidated reads a consolidated text: blocks (article, disposition,
// heading, preamble…), each with all its versions and the days they were
// published and came into force.
func readConsolidated(ctx context.Context, path string, data *xnode, opt Options) ([]corpus.Document, []corpus.Defect, error) {
	m := &made{Document: corpus.Document{Norm: xmlNorm(path, data.child("metadatos"), opt), File: path}}
	c := &blockReader{m: m, s: &scan{norm: m.Norm, file: path, main: 1}, main: map[int]int{}}
	data.child("texto").all("bloque", c.block)
	c.identify(data)
	if !c.hasUnits() {
		return c.flat(ctx, data)
	}
	units, defects := c.finish()
	m.Units, m.Defects = units, append(m.Defects, defects...)
	m.Norm.TextAsOf = max(m.Norm.TextAsOf, c.latest)
	for i := range m.Units {
		m.Units[i].Norm = m.Norm.ID
	}
	m.setStatus(front{}, c.opening)
	m.setRank()
	m.setAmending()
	m.checkSeries()
	return m.result(nil)
}

// blockReader makes drafts of the blocks of one norm.
type blockReader struct {
	m        *made
	s        *scan
	drafts   []*blockDraft
	path     outline
	segment  int
	group    digesto.UnitKind // kind of the dispositions under the heading last read
	main     map[int]int      // articles of each segment
	latest   digesto.Date
	original string // norm that gave the first versions
	opening  []Line // first lines of the norm: its status may stand there
	notes    []string
}

// blockDraft is a unit with the lines of each of its versions.
type blockDraft struct {
	draft
	versions []blockVersion
	expired  digesto.Date
}

type blockVersion struct {
	by                   string
	published, validFrom digesto.Date
	lines                []Line
}

func (c *blockReader) block(x *xnode) {
	vs := c.versions(x)
	if len(vs) == 0 {
		return
	}
	last := vs[len(vs)-1]
	if len(c.opening) < 12 {
		c.opening = append(c.opening, last.lines...)
	}
	switch kind := x.get("tipo"); kind {
	case "encabezado":
		c.heading(last.lines)
	case "firma", "nota_inicial":
		for _, l := range last.lines {
			c.note(l.Text)
		}
	case "preambulo":
		c.add(&blockDraft{draft: draft{unit: digesto.Unit{Kind: digesto.KindPreamble, Label: "Preámbulo", Path: []string{}}}, versions: vs})
	default:
		c.unit(x, vs)
	}
}

// note keeps what is no law with the unit before it, or with the first one.
func (c *blockReader) note(s string) {
	if n := len(c.drafts); n > 0 {
		c.drafts[n-1].notes = append(c.drafts[n-1].notes, s)
		return
	}
	c.notes = append(c.notes, s)
}

func (c *blockReader) add(d *blockDraft) {
	d.segment = c.segment
	d.notes = append(d.notes, c.notes...)
	c.notes = nil
	if d.unit.Path == nil {
		d.unit.Path = c.path.path()
	}
	c.drafts = append(c.drafts, d)
}

// versions reads the versions of a block, in the order of their publication.
func (c *blockReader) versions(x *xnode) []blockVersion {
	var vs []blockVersion
	x.all("version", func(v *xnode) {
		b := blockVersion{by: v.get("id_norma"), published: compactDate(v.get("fecha_publicacion")), validFrom: compactDate(v.get("fecha_vigencia")), lines: xmlLines(v)}
		c.latest = max(c.latest, b.published)
		if c.original == "" {
			c.original = b.by
		}
		vs = append(vs, b)
	})
	sort.SliceStable(vs, func(i, j int) bool {
		return vs[i].published != "" && vs[j].published != "" && vs[i].published < vs[j].published
	})
	return vs
}

// heading enters a block of headings: divisions, groups of dispositions, or the
// title of the text that the norm approves.
func (c *blockReader) heading(lines []Line) {
	open := false
	for _, l := range lines {
		if l.Note {
			c.note(l.Text)
			continue
		}
		l.Level = max(l.Level, 2)
		switch h := readHead(l); {
		case h.kind == headPart:
			c.group = ""
			c.path.open(h.part, l.Text)
			open = h.rest == ""
		case h.kind == headAnnex, h.kind == headTitle && opensText(h.rest):
			c.segment++
			c.group = ""
			c.path.stack = nil
			c.path.open(partRoot, l.Text)
			open = h.rest == "" && h.kind == headAnnex
		case h.kind == headGroup:
			c.group = h.unit
			c.path.closeTo(partParte)
			c.path.open(partTitulo, l.Text)
			open = false
		case open:
			c.path.title(l.Text)
		default:
			c.path.open(partFree, l.Text)
			open = true
		}
	}
}

// unit opens the unit of a block, named by its newest heading.
func (c *blockReader) unit(x *xnode, vs []blockVersion) {
	d := &blockDraft{versions: vs, expired: compactDate(x.get("fecha_caducidad"))}
	h, rubric := c.name(x, vs)
	d.unit = digesto.Unit{Kind: h.unit, Number: h.num.String(), Rubric: rubric}
	switch h.kind {
	case headAnnex:
		if h.num.Main == 0 {
			d.unit.Number = h.num.Suffix
		}
		d.unit.Label = strings.TrimSpace("Anexo " + d.unit.Number)
		d.unit.Path = []string{}
	case headNone:
		title := firstOf(tidy(x.get("titulo")), firstText(vs))
		d.unit = digesto.Unit{Kind: digesto.KindSection, Label: clip(title, 200)}
	default:
		if h.unit != digesto.KindArticle && h.num.Only {
			d.unit.Number = "única"
		}
		d.unit.Label = label(h)
	}
	if h.kind == headDisp && c.group == "" {
		c.path.closeTo(partParte)
	}
	c.add(d)
	if h.unit == digesto.KindArticle {
		c.main[c.segment]++
	}
}

func firstText(vs []blockVersion) string {
	for _, l := range vs[len(vs)-1].lines {
		if !l.Note {
			return l.Text
		}
	}
	return "Texto"
}

// name reads kind, number and rubric off the newest heading of a block that has
// one, else off the block's title.
func (c *blockReader) name(x *xnode, vs []blockVersion) (head, string) {
	for i := len(vs) - 1; i >= 0; i-- {
		n := headingLines(vs[i].lines)
		if n == 0 {
			continue
		}
		h := c.classify(vs[i].lines[0])
		if h.kind == headNone {
			continue
		}
		rubric := h.rest
		for _, l := range vs[i].lines[1:n] {
			rubric = joinHeading(rubric, l.Text)
		}
		if repealMark.MatchString(rubric) || n == len(vs[i].lines) && !looksRubric(rubric, 400) {
			rubric = ""
		}
		return h, trimRubric(rubric)
	}
	return c.classify(Line{Text: tidy(x.get("titulo")), Level: 5}), ""
}

// classify reads a heading as a unit's; bare ordinals belong to the group that
// stands above them.
func (c *blockReader) classify(l Line) head {
	h := readHead(Line{Text: l.Text, Level: 5})
	switch {
	case h.kind == headItem && c.group != "":
		h.unit = c.group
		return h
	case h.kind == headItem:
		h.unit = digesto.KindSection
		return h
	case h.kind == headGroup: // "Disposiciones finales" as the heading of a precept
		h.kind = headDisp
		return h
	case h.kind == headArticle, h.kind == headDisp, h.kind == headNorm, h.kind == headAnnex:
		return h
	}
	return head{}
}

// headingLines counts the lines of heading that a version begins with.
func headingLines(lines []Line) int {
	n := 0
	for n < len(lines) && lines[n].Level > 0 && !lines[n].Note && !lines[n].Table {
		n++
	}
	return n
}

func (c *blockReader) hasUnits() bool {
	for _, d := range c.drafts {
		if k := d.unit.Kind; k != digesto.KindPreamble && k != digesto.KindSection {
			return true
		}
	}
	return false
}

// finish makes the units, their versions and ids.
func (c *blockReader) finish() ([]digesto.Unit, []corpus.Defect) {
	home := 0
	for seg, n := range c.main {
		if n > c.main[home] || n == c.main[home] && seg < home {
			home = seg
		}
	}
	var kept []*draft
	for _, d := range c.drafts {
		if d.unit.Versions = c.fill(d); len(d.unit.Versions) > 0 {
			d.paras = d.versions[len(d.versions)-1].lines
			kept = append(kept, &d.draft)
		}
	}
	assignIDs(kept, 0, home)
	return withRows(kept), c.s.defects
}

// fill makes the versions of a unit: each holds until the next comes into force.
func (c *blockReader) fill(d *blockDraft) []digesto.Version {
	var out []digesto.Version
	seen := map[string]int{}
	for i, b := range d.versions {
		v := c.version(d, b)
		if v.Text == "" {
			continue
		}
		id := firstOf(string(b.published), string(b.validFrom), strconv.Itoa(i+1))
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

func (c *blockReader) version(d *blockDraft, b blockVersion) digesto.Version {
	n := headingLines(b.lines)
	if d.unit.Kind == digesto.KindPreamble || d.unit.Kind == digesto.KindSection && n == len(b.lines) {
		n = 0
	}
	v := digesto.Version{Published: b.published, ValidFrom: b.validFrom}
	if by := safeID(b.by); by != "" && by != c.original {
		v.AmendedBy = []string{by}
	}
	var paras []Line
	for _, l := range b.lines[n:] {
		if l.Note {
			v.Notes = append(v.Notes, l.Text)
			continue
		}
		paras = append(paras, l)
	}
	body, _, notes := compose(paras)
	v.Notes = append(v.Notes, notes...)
	if body == "" && n > 0 {
		body = trimRubricOf(readHead(Line{Text: b.lines[0].Text, Level: 5}).rest, b.lines[1:n])
	}
	if body == "" && len(v.Notes) > 0 {
		body, v.Notes = v.Notes[0], v.Notes[1:]
	}
	v.Text = body
	v.Notes = append(v.Notes, d.notes...)
	if body != "" {
		v.SHA256 = sum(body)
	}
	return v
}

// trimRubricOf joins what a version without paragraphs has in its heading.
func trimRubricOf(rest string, more []Line) string {
	for _, l := range more {
		rest = joinHeading(rest, l.Text)
	}
	return strings.TrimSpace(rest)
}

// identify completes the identity where the document came without metadata.
func (c *blockReader) identify(data *xnode) {
	n := &c.m.Norm
	if data.child("metadatos") != nil {
		return
	}
	if !officialID.MatchString(n.ID) && officialID.MatchString(c.original) {
		n.ID = c.original
	}
	if n.Title == "" {
		n.Title = n.ID
	}
	for _, d := range c.drafts {
		if len(d.versions) > 0 && n.Published == "" && d.versions[0].by == n.ID {
			n.Published = d.versions[0].published
		}
	}
	c.m.defect(kindNoMeta, "El XML trae el texto sin los metadatos: título, rango y estado no constan; descargue el documento completo de la norma")
}

// flat reads a text whose blocks have no headings of units: its lines go
// through the recogniser, and only the newest version of each block counts.
func (c *blockReader) flat(ctx context.Context, data *xnode) ([]corpus.Document, []corpus.Defect, error) {
	var lines []Line
	data.child("texto").all("bloque", func(x *xnode) {
		if vs := c.versions(x); len(vs) > 0 {
			lines = append(lines, vs[len(vs)-1].lines...)
		}
	})
	n := c.m.Norm
	n.TextAsOf = max(n.TextAsOf, c.latest)
	doc, skipped := assemble(ctx, n, nil, lines, c.m.File)
	doc.Defects = append(c.m.Defects, doc.Defects...)
	return doc.result(skipped)
}

// readDayXML reads a norm as the journal published it: no versions, no former
// wordings, tables and annexes as they were printed.
func readDayXML(ctx context.Context, path string, root *xnode, opt Options) ([]corpus.Document, []corpus.Defect, error) {
	n := xmlNorm(path, root.child("metadatos"), opt)
	doc, skipped := assemble(ctx, n, nil, xmlLines(root.child("texto")), path)
	from := compactDate(root.value("metadatos", "fecha_vigencia"))
	for i := range doc.Units {
		for j := range doc.Units[i].Versions {
			v := &doc.Units[i].Versions[j]
			v.Published, v.ValidFrom = n.Published, from
		}
	}
	doc.Norm.Amending = doc.Norm.Amending || strings.HasPrefix(text.Fold(n.Title), "correccion de errores")
	return doc.result(skipped)
}
