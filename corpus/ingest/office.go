package ingest

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"digesto/corpus"
)

// Documents of word processors (Office Open XML, OpenDocument) are archives of
// XML files. Only the part with the text is unpacked, within a bound: the size
// that an archive claims is never believed.

// maxPart is the most that one part of an archive may unpack to.
const maxPart = 96 << 20

var errPartTooLarge = errors.New("expande su contenido a más de lo que se admite")

// zipPart unpacks one part of an archive; nil, nil = it has none of that name.
func zipPart(z *zip.Reader, name string) ([]byte, error) {
	for _, f := range z.File {
		if f.Name != name {
			continue
		}
		r, err := f.Open()
		if err != nil {
			return nil, err
		}
		defer r.Close()
		data, err := io.ReadAll(io.LimitReader(r, maxPart+1))
		if len(data) > maxPart {
			return nil, errPartTooLarge
		}
		return data, err
	}
	return nil, nil
}

// archived is what the archive of a word processor holds.
type archived struct {
	lines  []Line
	format string        // "docx", "odt"
	cut    bool          // the text ends early
	bad    corpus.Defect // why nothing could be read; a zero Kind where something was
}

func unreadable(kind, detail string) archived {
	return archived{bad: corpus.Defect{Kind: kind, Detail: detail}}
}

// openArchive finds the text of a document of a word processor, whatever its name says.
// calls keeps the calls of notes and their marks, "[^1]", which no law has.
func openArchive(data []byte, calls bool) archived {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return unreadable(kindDamaged, "El archivo comprimido está dañado: descárguelo o guárdelo de nuevo")
	}
	for _, form := range []struct {
		part, format string
		lines        func(*xnode, *zip.Reader, bool) []Line
	}{{"word/document.xml", "docx", docxLines}, {"content.xml", "odt", odtLines}} {
		part, err := zipPart(z, form.part)
		if errors.Is(err, errPartTooLarge) {
			return unreadable(kindTooLarge, "El documento "+err.Error()+": divídalo, o compruebe de dónde viene")
		}
		if err != nil {
			return unreadable(kindDamaged, fmt.Sprintf("El documento está dañado (%s): guárdelo de nuevo", form.part))
		}
		if part == nil {
			continue
		}
		root, cut, err := parseXML(part)
		if err != nil {
			return unreadable(kindDamaged, "El documento está dañado: "+err.Error())
		}
		return archived{lines: form.lines(root, z, calls), format: form.format, cut: cut}
	}
	return unreadable(kindUnread, "Es un archivo comprimido sin un documento de texto: descomprímalo y añada los archivos que contiene")
}

// readArchive reads a document of a word processor as a norm.
func readArchive(ctx context.Context, path string, data []byte, opt Options) ([]corpus.Document, []corpus.Defect, error) {
	a := openArchive(data, false)
	if a.bad.Kind != "" {
		return refuse(path, a.bad.Kind, a.bad.Detail)
	}
	if ctx.Err() != nil {
		return nil, nil, ctx.Err()
	}
	n := front{}.norm(path, opt)
	n.Format = a.format
	doc, skipped := assemble(ctx, n, nil, a.lines, path)
	if a.cut {
		doc.defect(kindCut, "El documento se corta antes de su final: se guarda lo leído")
	}
	return doc.result(skipped)
}

// docxLines reads the body of an Office Open XML text (ECMA-376 part 1, §17):
// paragraphs with their heading style, rows of tables, notes at the foot.
func docxLines(root *xnode, z *zip.Reader, calls bool) []Line {
	r := docxReader{calls: calls}
	r.block(root.child("body"))
	parts := []string{"word/footnotes.xml"}
	if calls {
		parts = append(parts, "word/endnotes.xml")
	}
	for _, name := range parts {
		part, err := zipPart(z, name)
		if err != nil || part == nil {
			continue
		}
		if notes, _, err := parseXML(part); err == nil {
			at := len(r.out)
			r.block(notes)
			for i := at; i < len(r.out); i++ {
				r.out[i].Note = true
			}
		}
	}
	return r.out
}

type docxReader struct {
	out   []Line
	calls bool   // of notes are kept
	note  string // mark of the note that begins
}

func (r *docxReader) block(x *xnode) {
	if x == nil {
		return
	}
	for _, k := range x.kids {
		switch k.name {
		case "p":
			r.paragraph(k)
		case "tbl":
			k.all("tr", r.row)
		case "fallback", "del", "movefrom": // a copy for old programs; what was struck out
		case "footnote", "endnote":
			if r.calls {
				r.note = noteCall(k.name, k.get("id"))
			}
			r.block(k)
			r.note = ""
		default:
			r.block(k)
		}
	}
}

func (r *docxReader) paragraph(p *xnode) {
	l := Line{Gap: true, Level: docxLevel(p)}
	t := docxText{bold: true, calls: r.calls}
	t.read(p)
	if text := t.b.String(); r.note != "" && strings.TrimSpace(text) != "" {
		t.b.Reset()
		t.b.WriteString(r.note + ": " + text)
		r.note = ""
	}
	for i, s := range strings.Split(t.b.String(), "\n") {
		if l.Text = tidy(s); l.Text == "" {
			continue
		}
		l.Bold = t.bold && t.words
		l.Gap = i == 0
		r.out = append(r.out, l)
		l.Level = 0
	}
}

// docxLevel reads the level of heading off the name of a paragraph's style, in
// the languages that styles are named in, or off its outline level.
func docxLevel(p *xnode) int {
	props := p.child("ppr")
	if s := props.child("pstyle"); s != nil {
		return levelOfStyle(s.get("val"))
	}
	if o := props.child("outlinelvl"); o != nil {
		if n, err := strconv.Atoi(o.get("val")); err == nil && n >= 0 && n < 6 {
			return n + 1
		}
	}
	return 0
}

func levelOfStyle(name string) int {
	low := strings.ToLower(strings.NewReplacer(" ", "", "_20_", "", "_", "").Replace(name))
	for _, prefix := range []string{"heading", "ttulo", "título", "titulo"} {
		if rest, ok := strings.CutPrefix(low, prefix); ok && len(rest) == 1 && rest[0] >= '1' && rest[0] <= '6' {
			return int(rest[0] - '0')
		}
	}
	if low == "title" {
		return 1
	}
	return 0
}

// docxText gathers the text of a paragraph, and whether all of it is bold.
type docxText struct {
	calls bool
	b     strings.Builder
	bold  bool
	words bool
}

func (t *docxText) read(x *xnode) {
	for _, k := range x.kids {
		switch k.name {
		case "r":
			t.run(k)
		case "ppr", "del", "movefrom", "fallback", "txbxcontent":
		case "":
		default:
			t.read(k)
		}
	}
}

func (t *docxText) run(run *xnode) {
	bold := false
	if b := run.child("rpr", "b"); b != nil {
		v := b.get("val")
		bold = v != "0" && v != "false"
	}
	for _, k := range run.kids {
		switch k.name {
		case "t":
			at := t.b.Len()
			k.gather(&t.b)
			if strings.TrimSpace(t.b.String()[at:]) != "" {
				t.words, t.bold = true, t.bold && bold
			}
		case "tab", "ptab":
			t.b.WriteByte(' ')
		case "br", "cr":
			t.b.WriteByte('\n')
		case "nobreakhyphen":
			t.b.WriteByte('-')
		case "footnotereference", "endnotereference":
			if t.calls {
				t.b.WriteString(noteCall(strings.TrimSuffix(k.name, "reference"), k.get("id")))
			}
		}
	}
}

// noteCall writes the mark of a note as Markdown does. Notes at the end are counted apart.
func noteCall(kind, id string) string {
	if kind == "endnote" {
		id = "e" + id
	}
	return "[^" + id + "]"
}

func (r *docxReader) row(tr *xnode) {
	in := docxReader{calls: r.calls}
	var cells []string
	tr.all("tc", func(tc *xnode) {
		in.out = in.out[:0]
		in.block(tc)
		cells = append(cells, wordsOfLines(in.out))
	})
	r.out = appendRow(r.out, cells)
}

func wordsOfLines(lines []Line) string {
	var words []string
	for _, l := range lines {
		words = append(words, l.Text)
	}
	return strings.Join(words, " ")
}

// appendRow adds a row of a table; one cell alone is a frame around a text.
func appendRow(out []Line, cells []string) []Line {
	t := strings.Join(cells, " | ")
	if strings.Trim(t, " |") == "" {
		return out
	}
	return append(out, Line{Text: t, Table: len(cells) > 1, Gap: true})
}

// odtLines reads the body of an OpenDocument text (ISO/IEC 26300).
func odtLines(root *xnode, _ *zip.Reader, calls bool) []Line {
	r := odtReader{parent: map[string]string{}, calls: calls}
	root.child("automatic-styles").all("style", func(s *xnode) {
		r.parent[s.get("name")] = s.get("parent-style-name")
	})
	r.block(root.child("body", "text"))
	return r.out
}

type odtReader struct {
	out    []Line
	calls  bool              // of notes are kept
	parent map[string]string // style of the document → named style it comes from
}

func (r *odtReader) block(x *xnode) {
	if x == nil {
		return
	}
	for _, k := range x.kids {
		switch k.name {
		case "p", "h":
			r.paragraph(k)
		case "table-row":
			r.row(k)
		case "tracked-changes", "sequence-decls", "forms", "table-of-content", "alphabetical-index":
		default:
			r.block(k)
		}
	}
}

func (r *odtReader) paragraph(p *xnode) {
	style := p.get("style-name")
	l := Line{Gap: true, Level: levelOfStyle(firstOf(r.parent[style], style))}
	if p.name == "h" {
		l.Level = 2
		if n, err := strconv.Atoi(p.get("outline-level")); err == nil && n >= 1 {
			l.Level = min(n, 6)
		}
	}
	var b strings.Builder
	var notes []string
	odtText(p, &b, &notes, r.calls)
	for i, s := range strings.Split(b.String(), "\n") {
		if l.Text = tidy(s); l.Text == "" {
			continue
		}
		l.Gap = i == 0
		r.out = append(r.out, l)
		l.Level = 0
	}
	for _, n := range notes {
		r.out = append(r.out, Line{Text: n, Note: true, Gap: true})
	}
}

func odtText(x *xnode, b *strings.Builder, notes *[]string, calls bool) {
	for _, k := range x.kids {
		switch k.name {
		case "":
			b.WriteString(k.data)
		case "s", "tab":
			b.WriteByte(' ')
		case "line-break":
			b.WriteByte('\n')
		case "note":
			var n strings.Builder
			if body := k.child("note-body"); body != nil {
				body.gather(&n)
			}
			t := tidy(n.String())
			if mark := k.child("note-citation"); calls && mark != nil && t != "" {
				var c strings.Builder
				mark.gather(&c)
				call := noteCall(k.get("note-class"), tidy(c.String()))
				b.WriteString(call)
				t = call + ": " + t
			}
			if t != "" {
				*notes = append(*notes, t)
			}
		case "annotation", "tracked-changes":
		default:
			odtText(k, b, notes, calls)
		}
	}
}

func (r *odtReader) row(tr *xnode) {
	var cells []string
	for _, c := range tr.kids {
		if c.name != "table-cell" {
			continue
		}
		in := odtReader{parent: r.parent, calls: r.calls}
		in.block(c)
		cells = append(cells, wordsOfLines(in.out))
	}
	for len(cells) > 0 && cells[len(cells)-1] == "" {
		cells = cells[:len(cells)-1]
	}
	r.out = appendRow(r.out, cells)
}
