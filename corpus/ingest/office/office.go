// Package office reads the documents of word processors into lines: Office Open XML,
// OpenDocument and Rich Text Format.
package office

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"digesto/corpus"
	"digesto/corpus/ingest/line"
	"digesto/corpus/ingest/xmltree"
)

// Documents of word processors (Office Open XML, OpenDocument) are archives of
// XML files. Only the part with the text is unpacked, within a bound: the size
// that an archive claims is never believed.

// MaxPart is the most that one part of an archive may unpack to.
const MaxPart = 96 << 20

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
		data, err := io.ReadAll(io.LimitReader(r, MaxPart+1))
		if len(data) > MaxPart {
			return nil, errPartTooLarge
		}
		return data, err
	}
	return nil, nil
}

// Archive is what the archive of a word processor holds.
type Archive struct {
	Lines  []line.Line
	Format string        // "docx", "odt"
	Cut    bool          // the text ends early
	Bad    corpus.Defect // why nothing could be read; a zero Kind where something was
}

func unreadable(kind, detail string) Archive {
	return Archive{Bad: corpus.Defect{Kind: kind, Detail: detail}}
}

// Open finds the text of a document of a word processor, whatever its name says.
// calls keeps the calls of notes and their marks, "[^1]", which no law has.
func Open(data []byte, calls bool) Archive {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return unreadable(line.KindDamaged, "El archivo comprimido está dañado: descárguelo o guárdelo de nuevo")
	}
	for _, form := range []struct {
		part, format string
		lines        func(*xmltree.Node, *zip.Reader, bool) []line.Line
	}{{"word/document.xml", "docx", docxLines}, {"content.xml", "odt", odtLines}} {
		part, err := zipPart(z, form.part)
		if errors.Is(err, errPartTooLarge) {
			return unreadable(line.KindTooLarge, "El documento "+err.Error()+": divídalo, o compruebe de dónde viene")
		}
		if err != nil {
			return unreadable(line.KindDamaged, fmt.Sprintf("El documento está dañado (%s): guárdelo de nuevo", form.part))
		}
		if part == nil {
			continue
		}
		root, cut, err := xmltree.Parse(part)
		if err != nil {
			return unreadable(line.KindDamaged, "El documento está dañado: "+err.Error())
		}
		return Archive{Lines: form.lines(root, z, calls), Format: form.format, Cut: cut}
	}
	return unreadable(line.KindUnread, "Es un archivo comprimido sin un documento de texto: descomprímalo y añada los archivos que contiene")
}

// docxLines reads the body of an Office Open XML text (ECMA-376 part 1, §17):
// paragraphs with their heading style, rows of tables, notes at the foot.
func docxLines(root *xmltree.Node, z *zip.Reader, calls bool) []line.Line {
	r := docxReader{calls: calls}
	r.block(root.Child("body"))
	parts := []string{"word/footnotes.xml"}
	if calls {
		parts = append(parts, "word/endnotes.xml")
	}
	for _, name := range parts {
		part, err := zipPart(z, name)
		if err != nil || part == nil {
			continue
		}
		if notes, _, err := xmltree.Parse(part); err == nil {
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
	out   []line.Line
	calls bool   // of notes are kept
	note  string // mark of the note that begins
}

func (r *docxReader) block(x *xmltree.Node) {
	if x == nil {
		return
	}
	for _, k := range x.Kids {
		switch k.Name {
		case "p":
			r.paragraph(k)
		case "tbl":
			k.All("tr", r.row)
		case "fallback", "del", "movefrom": // a copy for old programs; what was struck out
		case "footnote", "endnote":
			if r.calls {
				r.note = noteCall(k.Name, k.Get("id"))
			}
			r.block(k)
			r.note = ""
		default:
			r.block(k)
		}
	}
}

func (r *docxReader) paragraph(p *xmltree.Node) {
	l := line.Line{Gap: true, Level: docxLevel(p)}
	t := docxText{bold: true, calls: r.calls}
	t.read(p)
	if text := t.b.String(); r.note != "" && strings.TrimSpace(text) != "" {
		t.b.Reset()
		t.b.WriteString(r.note + ": " + text)
		r.note = ""
	}
	for i, s := range strings.Split(t.b.String(), "\n") {
		if l.Text = line.Tidy(s); l.Text == "" {
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
func docxLevel(p *xmltree.Node) int {
	props := p.Child("ppr")
	if s := props.Child("pstyle"); s != nil {
		return levelOfStyle(s.Get("val"))
	}
	if o := props.Child("outlinelvl"); o != nil {
		if n, err := strconv.Atoi(o.Get("val")); err == nil && n >= 0 && n < 6 {
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

func (t *docxText) read(x *xmltree.Node) {
	for _, k := range x.Kids {
		switch k.Name {
		case "r":
			t.run(k)
		case "ppr", "del", "movefrom", "fallback", "txbxcontent":
		case "":
		default:
			t.read(k)
		}
	}
}

func (t *docxText) run(run *xmltree.Node) {
	bold := false
	if b := run.Child("rpr", "b"); b != nil {
		v := b.Get("val")
		bold = v != "0" && v != "false"
	}
	for _, k := range run.Kids {
		switch k.Name {
		case "t":
			at := t.b.Len()
			k.Gather(&t.b)
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
				t.b.WriteString(noteCall(strings.TrimSuffix(k.Name, "reference"), k.Get("id")))
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

func (r *docxReader) row(tr *xmltree.Node) {
	in := docxReader{calls: r.calls}
	var cells []string
	tr.All("tc", func(tc *xmltree.Node) {
		in.out = in.out[:0]
		in.block(tc)
		cells = append(cells, wordsOfLines(in.out))
	})
	r.out = appendRow(r.out, cells)
}

func wordsOfLines(lines []line.Line) string {
	var words []string
	for _, l := range lines {
		words = append(words, l.Text)
	}
	return strings.Join(words, " ")
}

// appendRow adds a row of a table; one cell alone is a frame around a text.
func appendRow(out []line.Line, cells []string) []line.Line {
	t := strings.Join(cells, " | ")
	if strings.Trim(t, " |") == "" {
		return out
	}
	return append(out, line.Line{Text: t, Table: len(cells) > 1, Gap: true})
}

// odtLines reads the body of an OpenDocument text (ISO/IEC 26300).
func odtLines(root *xmltree.Node, _ *zip.Reader, calls bool) []line.Line {
	r := odtReader{parent: map[string]string{}, calls: calls}
	root.Child("automatic-styles").All("style", func(s *xmltree.Node) {
		r.parent[s.Get("name")] = s.Get("parent-style-name")
	})
	r.block(root.Child("body", "text"))
	return r.out
}

type odtReader struct {
	out    []line.Line
	calls  bool              // of notes are kept
	parent map[string]string // style of the document → named style it comes from
}

func (r *odtReader) block(x *xmltree.Node) {
	if x == nil {
		return
	}
	for _, k := range x.Kids {
		switch k.Name {
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

func (r *odtReader) paragraph(p *xmltree.Node) {
	style := p.Get("style-name")
	l := line.Line{Gap: true, Level: levelOfStyle(line.FirstOf(r.parent[style], style))}
	if p.Name == "h" {
		l.Level = 2
		if n, err := strconv.Atoi(p.Get("outline-level")); err == nil && n >= 1 {
			l.Level = min(n, 6)
		}
	}
	var b strings.Builder
	var notes []string
	odtText(p, &b, &notes, r.calls)
	for i, s := range strings.Split(b.String(), "\n") {
		if l.Text = line.Tidy(s); l.Text == "" {
			continue
		}
		l.Gap = i == 0
		r.out = append(r.out, l)
		l.Level = 0
	}
	for _, n := range notes {
		r.out = append(r.out, line.Line{Text: n, Note: true, Gap: true})
	}
}

func odtText(x *xmltree.Node, b *strings.Builder, notes *[]string, calls bool) {
	for _, k := range x.Kids {
		switch k.Name {
		case "":
			b.WriteString(k.Data)
		case "s", "tab":
			b.WriteByte(' ')
		case "line-break":
			b.WriteByte('\n')
		case "note":
			var n strings.Builder
			if body := k.Child("note-body"); body != nil {
				body.Gather(&n)
			}
			t := line.Tidy(n.String())
			if mark := k.Child("note-citation"); calls && mark != nil && t != "" {
				var c strings.Builder
				mark.Gather(&c)
				call := noteCall(k.Get("note-class"), line.Tidy(c.String()))
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

func (r *odtReader) row(tr *xmltree.Node) {
	var cells []string
	for _, c := range tr.Kids {
		if c.Name != "table-cell" {
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
