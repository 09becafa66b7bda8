package ingest

import (
	"strings"
)

// xmlLines turns the elements of a version or of a whole text into lines: one
// paragraph a line, headings by their class, rows of tables, notes apart.
func xmlLines(x *xnode) []Line {
	r := xmlLineReader{}
	for _, k := range x.kids {
		r.element(k, Line{})
	}
	return r.out
}

type xmlLineReader struct {
	out   []Line
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

func (r *xmlLineReader) element(x *xnode, l Line) {
	switch x.name {
	case "":
		r.put(x.data, l)
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
	for _, k := range x.kids {
		r.element(k, l)
	}
}

func (r *xmlLineReader) paragraph(x *xnode, l Line) {
	class := strings.ToLower(x.get("class"))
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
	for _, k := range x.kids {
		if k.name == "table" || k.name == "p" { // a paragraph around blocks is only a frame
			r.put(b.String(), l)
			b.Reset()
			r.element(k, Line{Quote: l.Quote, Note: l.Note})
			continue
		}
		k.gather(&b)
	}
	r.put(b.String(), l)
}

func (r *xmlLineReader) put(s string, l Line) {
	if l.Text = tidy(s); l.Text == "" {
		return
	}
	l.Gap = true
	r.out = append(r.out, l)
}

// rows reads a table: its caption as a line, then one line a row, cells joined.
// A cell that spans columns is written once; rows of headings are marked.
func (r *xmlLineReader) rows(x *xnode, l Line) {
	r.table++
	x.all("caption", func(c *xnode) {
		var b strings.Builder
		c.gather(&b)
		r.put(b.String(), l)
	})
	var walk func(x *xnode, head bool)
	walk = func(x *xnode, head bool) {
		for _, k := range x.kids {
			switch k.name {
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

func (r *xmlLineReader) row(tr *xnode, l Line, head bool) {
	var cells []string
	heads := 0
	for _, c := range tr.kids {
		if c.name != "td" && c.name != "th" {
			continue
		}
		var b strings.Builder
		for _, k := range c.kids {
			if k.name == "p" && b.Len() > 0 {
				b.WriteByte(' ')
			}
			k.gather(&b)
		}
		if c.name == "th" || strings.HasPrefix(c.get("class"), "cabeza_tabla") || len(c.kids) > 0 && onlyHeadCells(c) {
			heads++
		}
		cells = append(cells, tidy(b.String()))
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
func onlyHeadCells(c *xnode) bool {
	seen := false
	for _, k := range c.kids {
		if k.name == "p" {
			seen = true
			if !strings.HasPrefix(k.get("class"), "cabeza_tabla") {
				return false
			}
		}
	}
	return seen
}
