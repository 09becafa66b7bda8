package ingest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"digesto"
	"digesto/corpus"
)

// Kinds of defect that end in a file or norm not being taken.
const (
	kindUnread    = "format_not_read" // a format without a reader yet
	kindLink      = "link_outside"    // a symbolic link out of the folder that was named
	kindBinary    = "not_text"        // bytes that are no text under a text's name
	kindEmpty     = "empty"           // no words
	kindTooLarge  = "too_large"
	kindDocs      = "not_law"           // documentation of a folder
	kindIdentity  = "identity_mismatch" // says it is one norm, is another
	kindDuplicate = "duplicate_content" // the same text as another norm
	kindDamaged   = "damaged"           // the reader could not make sense of the file
	kindReplaces  = "needs_replace"     // would take the place of an installed copy, which nobody asked for
)

// Defects that do not keep a norm out.
const (
	kindNoUnits   = "no_articles" // no article was found
	kindGaps      = "gaps"        // numbers missing in the series
	kindForeign   = "foreign_text"
	kindBorrowed  = "borrowed_articles" // filled in by the collector from other norms' pages
	kindFurniture = "publisher_furniture"
	kindHeaders   = "page_headers"
	kindDates     = "dates_unreliable"
	kindCharset   = "charset"
	kindStatus    = "status_corrected"
	kindRank      = "rank_corrected"
	kindTables    = "tables_missing"
	kindOCR       = "ocr_text"
	kindReplaced  = "replaced_copy" // it took the place of an installed copy of its norm
)

// ReadFile makes documents of the bytes of one file, whose path tells the
// format with the help of its contents. A file that is not taken gives no
// document and the reason as a skipped defect; err is only that of ctx.
func ReadFile(ctx context.Context, path string, data []byte, opt Options) ([]corpus.Document, []corpus.Defect, error) {
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	f := sniff(path, data)
	if f.reason.Kind != "" {
		f.reason.File, f.reason.Skipped = path, true
		return nil, []corpus.Defect{f.reason}, nil
	}
	hash := contentHash(data, opt) // before: a reader that needs the bytes no more lets them go
	docs, defects, err := f.read(ctx, path, data, opt)
	if ctx.Err() != nil { // what a reader left is not the text
		err = ctx.Err()
	}
	if err != nil {
		return nil, nil, err
	}
	for i := range docs {
		docs[i].File, docs[i].ContentHash = path, hash
		date(&docs[i], opt.log)
		tellDefects(&docs[i])
	}
	return docs, defects, nil
}

// tellDefects names, in the report of a norm, the units whose text has a defect.
func tellDefects(d *corpus.Document) {
	what := []struct {
		kind digesto.DefectKind
		told string
	}{
		{digesto.DefectTwoWordings, "Dos redacciones que no se pueden separar"},
		{digesto.DefectUnseenReform, "Una reforma que la fuente anuncia y no imprime"},
		{digesto.DefectConditional, "Entrada en vigor sujeta a condición"},
		{digesto.DefectCutText, "Texto cortado a mitad de una frase"},
	}
	for _, w := range what {
		var labels []string
		for _, u := range d.Units {
			if slices.ContainsFunc(u.Versions[len(u.Versions)-1].Defects, func(x digesto.TextDefect) bool { return x.Kind == w.kind }) {
				labels = append(labels, u.Label)
			}
		}
		if len(labels) > 0 {
			d.Defects = append(d.Defects, corpus.Defect{File: d.File, Norm: d.Norm.ID, Kind: string(w.kind), Detail: w.told + ": " + shorten(labels, 20)})
		}
	}
}

func contentHash(data []byte, opt Options) string {
	h := sha256.New()
	h.Write([]byte(opt.key()))
	h.Write([]byte{0})
	h.Write(data)
	return hex.EncodeToString(h.Sum(nil))
}

type reader func(ctx context.Context, path string, data []byte, opt Options) ([]corpus.Document, []corpus.Defect, error)

type format struct {
	read   reader
	reason corpus.Defect // why there is no reader
}

func noReader(kind, detail string) format {
	return format{reason: corpus.Defect{Kind: kind, Detail: detail}}
}

// sniff chooses the reader by extension, and checks that the contents agree.
func sniff(path string, data []byte) format {
	ext := strings.ToLower(filepath.Ext(path))
	if len(strings.TrimSpace(string(data[:min(len(data), 4096)]))) == 0 && len(data) < 4096 {
		return noReader(kindEmpty, "El archivo está vacío")
	}
	if len(data) > 4 && string(data[:4]) == "%PDF" {
		return format{read: readPDFFile}
	}
	if len(data) > 4 && string(data[:4]) == "PK\x03\x04" {
		return format{read: readArchive}
	}
	if strings.HasPrefix(string(data[:min(len(data), 6)]), "{\\rtf") {
		return format{read: readRTFFile}
	}
	switch ext {
	case ".docx", ".odt":
		return noReader(kindDamaged, fmt.Sprintf("Se llama %s pero no lo es: ábralo con su programa y guárdelo de nuevo", ext))
	case ".doc":
		return noReader(kindUnread, "El formato antiguo de Word (.doc) no se lee: guárdelo como .docx, .odt o PDF")
	case ".md", ".markdown", ".txt", ".text", ".jsonl", ".ndjson", ".html", ".htm", ".xhtml", ".xml":
		if notText(data) {
			return noReader(kindBinary, fmt.Sprintf("Se llama %s pero no es texto: son datos binarios", ext))
		}
	}
	switch ext {
	case ".md", ".markdown":
		if strings.HasPrefix(strings.ToLower(filepath.Base(path)), "readme") {
			return noReader(kindDocs, "Documentación de la carpeta, no un texto legal")
		}
		return format{read: readMarkdownFile}
	case ".txt", ".text":
		return format{read: readTextFile}
	case ".jsonl", ".ndjson":
		return format{read: readJSONL}
	case ".pdf":
		return noReader(kindDamaged, "Se llama .pdf pero no empieza como un PDF: descárguelo de nuevo")
	case ".xml":
		return format{read: readXMLFile}
	case ".json":
		return format{read: readJSONFile}
	case ".html", ".htm", ".xhtml":
		return format{read: readHTMLFile}
	}
	if looksXML(data) {
		return format{read: readXMLFile}
	}
	if ext == ".patch" || ext == ".diff" {
		return noReader(kindNotNorm, "Es la diferencia entre dos textos, no un texto: añada la carpeta del repositorio git, cuya historia se lee entera")
	}
	return noReader(kindUnread, fmt.Sprintf("El formato %q aún no se lee: conviértalo a PDF, Markdown, texto o JSON Lines", firstOf(ext, filepath.Base(path))))
}

func readMarkdownFile(ctx context.Context, path string, data []byte, opt Options) ([]corpus.Document, []corpus.Defect, error) {
	s, charset := decode(data, "")
	f, body := splitFront(s)
	lines := readMarkdown(body)
	n := f.norm(path, opt)
	n.Format = "markdown"
	doc, skipped := assemble(ctx, n, f, lines, path)
	doc.note(charset)
	return doc.result(skipped)
}

func readTextFile(ctx context.Context, path string, data []byte, opt Options) ([]corpus.Document, []corpus.Defect, error) {
	s, charset := decode(data, "")
	n := front{}.norm(path, opt)
	n.Format = "text"
	doc, skipped := assemble(ctx, n, nil, plainLines(s), path)
	doc.note(charset)
	return doc.result(skipped)
}

// plainLines reads plain text: one Line a physical line, form feeds as pages.
func plainLines(s string) []Line {
	var out []Line
	page, gap := 0, true
	if strings.Contains(s, "\f") {
		page = 1
	}
	for len(s) > 0 {
		line, rest, _ := strings.Cut(s, "\n")
		s = rest
		for strings.HasPrefix(line, "\f") {
			page++
			line, gap = line[1:], true
		}
		feeds := strings.Count(line, "\f")
		t := tidy(line)
		if t == "" {
			page += feeds
			gap = true
			continue
		}
		out = append(out, Line{Text: t, Page: page, Gap: gap})
		page += feeds
		gap = false
	}
	return out
}

// made is a document under construction with what was found wrong.
type made struct {
	corpus.Document
	stated digesto.Date // day the text says it is of
}

func (m *made) note(charset string) {
	if charset != "utf-8" {
		m.defect(kindCharset, "Codificación "+charset+": convertida a UTF-8")
	}
}

func (m *made) defect(kind, detail string) {
	m.Defects = append(m.Defects, corpus.Defect{File: m.File, Norm: m.Norm.ID, Kind: kind, Detail: detail})
}

func (m *made) result(skipped []corpus.Defect) ([]corpus.Document, []corpus.Defect, error) {
	if len(skipped) > 0 || len(m.Units) == 0 {
		if len(skipped) == 0 {
			skipped = []corpus.Defect{{File: m.File, Norm: m.Norm.ID, Kind: kindEmpty, Detail: "No tiene texto que se pueda citar", Skipped: true}}
		}
		return nil, append(m.Defects, skipped...), nil
	}
	return []corpus.Document{m.Document}, nil, nil
}

// assemble runs the recogniser over the lines of one norm and then looks at the
// result with suspicion.
func assemble(ctx context.Context, n digesto.Norm, f front, lines []Line, path string) (*made, []corpus.Defect) {
	m := &made{Document: corpus.Document{Norm: n, File: path}, stated: statedDate(lines)}
	if n.Format != "pdf" || n.OCR { // that reader joins its lines itself: it has seen the page
		var headers int
		if lines, headers = dropRunningHeads(lines); headers > 0 {
			m.defect(kindHeaders, fmt.Sprintf("Texto sacado de páginas impresas: omitidas %d líneas de cabecera o pie", headers))
		}
		lines = reflow(lines)
	}
	if ctx.Err() != nil { // ReadFile says so
		return m, nil
	}
	letteredHeads(lines)
	m.identify(lines)
	units, defects := structure(m.Norm, lines, structOptions{File: path, Over: func() bool { return ctx.Err() != nil }})
	m.Units, m.Defects = units, append(m.Defects, defects...)
	if len(units) == 0 {
		return m, nil
	}
	return m, m.inspect(f, lines)
}

// identify completes the identity of the norm from its first lines.
func (m *made) identify(lines []Line) {
	if m.Norm.Title == "" {
		rubric := false // of the division that the line before opens
		for _, l := range lines[:min(len(lines), 30)] {
			h := readHead(l)
			if h.kind == headArticle && l.Level > 0 { // the text begins without having said its name
				break
			}
			if rubric = h.kind == headPart || rubric && l.Level > 1; rubric {
				continue
			}
			if l.Level == 1 || utf8.RuneCountInString(l.Text) > 20 && !furniture(l) {
				m.Norm.Title = clip(l.Text, 400)
				break
			}
		}
	}
	if m.Norm.Title == "" {
		m.Norm.Title = m.Norm.ID
	}
}
