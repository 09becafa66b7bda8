package boe

import (
	"strings"

	"digesto/corpus/ingest/line"
	"digesto/corpus/ingest/xmltree"
)

// xmlLines turns the elements of a version or of a whole text into lines: one
// paragraph a line, headings by their class, rows of tables, notes apart.
func xmlLines(x *xmltree.Node) []line.Line {
	r := xmlLineReader{}
	for _, k := range x.Kids {
		r.element(k, line.Line{})
	}
	return r.out
}

type xmlLineReader struct {
	out   []line.Line
	table int
}

// headingClasses are the classes of headings, longest first, with their level.
var headingClasses = []struct {
	prefix string
	level  int
}{{"libro", 2}, {"titulo", 2}, {"capitulo", 3}, {"seccion", 4}, {"subseccion", 4}, {"anexo", 2}, {"articulo", 5}}

// headingLevelOf gives the level of a class of paragraph; 0 = it is text.
func headingLevelOf(class string) int {
	for _, h := range headingClasses {
		if class == h.prefix || strings.HasPrefix(class, h.prefix+"_") {
			return h.level
		}
	}
	return 0
}

func (r *xmlLineReader) element(x *xmltree.Node, l line.Line) {
	switch x.Name {
	case "":
		r.put(x.Data, l)
		return
	case "table":
		r.rows(x, l)
		return
	case "blockquote":
		l.Quote = true
	case "p", "li", "h1", "h2", "h3", "h4", "h5", "h6":
		r.paragraph(x, l)
		return
	case "img", "script", "style":
		return
	}
	for _, k := range x.Kids {
		r.element(k, l)
	}
}

func (r *xmlLineReader) paragraph(x *xmltree.Node, l line.Line) {
	class := strings.ToLower(x.Get("class"))
	switch {
	case strings.HasPrefix(class, "nota"), strings.HasPrefix(class, "pie_"), strings.HasPrefix(class, "firma"):
		l.Note = true
	case strings.HasPrefix(class, "cita"), strings.HasPrefix(class, "sangrado_articulo"):
		l.Quote = true
	case strings.Contains(class, "negrita"):
		l.Bold = true
	case strings.Contains(class, "cursiva"):
		l.Italic = true
	}
	if !l.Quote && !l.Note {
		l.Level = headingLevelOf(class)
	}
	var b strings.Builder
	for _, k := range x.Kids {
		if k.Name == "table" || k.Name == "p" { // a paragraph around blocks is only a frame
			r.put(b.String(), l)
			b.Reset()
			r.element(k, line.Line{Quote: l.Quote, Note: l.Note})
			continue
		}
		k.Gather(&b)
	}
	r.put(b.String(), l)
}

func (r *xmlLineReader) put(s string, l line.Line) {
	if l.Text = line.Tidy(s); l.Text == "" {
		return
	}
	l.Gap = true
	r.out = append(r.out, l)
}

// rows reads a table: its caption as a line, then one line a row, cells joined.
// A cell that spans columns is written once; rows of headings are marked.
func (r *xmlLineReader) rows(x *xmltree.Node, l line.Line) {
	r.table++
	x.All("caption", func(c *xmltree.Node) {
		var b strings.Builder
		c.Gather(&b)
		r.put(b.String(), l)
	})
	var walk func(x *xmltree.Node, head bool)
	walk = func(x *xmltree.Node, head bool) {
		for _, k := range x.Kids {
			switch k.Name {
			case "thead":
				walk(k, true)
			case "tr":
				r.row(k, l, head)
			case "tbody", "tfoot":
				walk(k, head)
			}
		}
	}
	walk(x, false)
}

func (r *xmlLineReader) row(tr *xmltree.Node, l line.Line, head bool) {
	var cells []string
	heads := 0
	for _, c := range tr.Kids {
		if c.Name != "td" && c.Name != "th" {
			continue
		}
		var b strings.Builder
		for _, k := range c.Kids {
			if k.Name == "p" && b.Len() > 0 {
				b.WriteByte(' ')
			}
			k.Gather(&b)
		}
		if c.Name == "th" || strings.HasPrefix(c.Get("class"), "cabeza_tabla") || len(c.Kids) > 0 && onlyHeadCells(c) {
			heads++
		}
		cells = append(cells, line.Tidy(b.String()))
	}
	t := strings.Join(cells, " | ")
	if strings.Trim(t, " |") == "" {
		return
	}
	l.Text, l.Table, l.Gap = t, true, true
	l.Bold = head || heads == len(cells)
	r.out = append(r.out, l)
}

// onlyHeadCells says whether every paragraph of a cell has the class of a heading cell.
func onlyHeadCells(c *xmltree.Node) bool {
	seen := false
	for _, k := range c.Kids {
		if k.Name == "p" {
			seen = true
			if !strings.HasPrefix(k.Get("class"), "cabeza_tabla") {
				return false
			}
		}
	}
	return seen
}
