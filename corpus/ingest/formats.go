package ingest

import (
	"context"
	"errors"
	"strings"

	"digesto"
	"digesto/corpus"
	"digesto/corpus/ingest/boe"
	"digesto/corpus/ingest/heading"
	"digesto/corpus/ingest/line"
	"digesto/corpus/ingest/markup"
	"digesto/corpus/ingest/office"
	"digesto/corpus/ingest/pdf"
	"digesto/corpus/ingest/structure"
	"digesto/text"
)

// Each format has a package that gives lines and what the file says of itself; here
// they become a norm.

// refused reports the refusal of a reader as the reason why a file is not taken.
func refused(path string, err error) ([]corpus.Document, []corpus.Defect, error) {
	var no *line.Refusal
	if errors.As(err, &no) {
		return refuse(path, no.Kind, no.Detail)
	}
	return nil, nil, err
}

func refuse(path, kind, detail string) ([]corpus.Document, []corpus.Defect, error) {
	return nil, []corpus.Defect{{File: path, Kind: kind, Detail: detail, Skipped: true}}, nil
}

func readHTMLFile(ctx context.Context, path string, data []byte, opt Options) ([]corpus.Document, []corpus.Defect, error) {
	page, err := markup.HTML(ctx, data)
	if err != nil {
		return refused(path, err)
	}
	n := opt.norm(line.Metadata{}, path)
	n.Format = "html"
	if n.Jurisdiction == "" {
		n.Jurisdiction, n.Territory = line.Territory("", opt.served(data))
	}
	if n.Title == "" {
		n.Title, n.Rank = markup.PageName(page.Title, n.Rank, page.Lines)
	}
	doc, skipped := assemble(ctx, n, nil, page.Lines, path)
	doc.note(page.Charset)
	return doc.result(skipped)
}

func readJSONFile(ctx context.Context, path string, data []byte, opt Options) ([]corpus.Document, []corpus.Defect, error) {
	n, lines, charset, err := markup.JSON(data, opt.norm(line.Metadata{}, path))
	if err != nil {
		return refused(path, err)
	}
	doc, skipped := assemble(ctx, n, nil, lines, path)
	doc.note(charset)
	return doc.result(skipped)
}

func readJSONLFile(ctx context.Context, path string, data []byte, opt Options) ([]corpus.Document, []corpus.Defect, error) {
	return markup.Units(ctx, path, data, markup.Defaults{Pack: opt.Pack, Collection: opt.Collection, Jurisdiction: opt.Jurisdiction})
}

func readArchiveFile(ctx context.Context, path string, data []byte, opt Options) ([]corpus.Document, []corpus.Defect, error) {
	a := office.Open(data, false)
	if a.Bad.Kind != "" {
		return refuse(path, a.Bad.Kind, a.Bad.Detail)
	}
	if ctx.Err() != nil {
		return nil, nil, ctx.Err()
	}
	n := opt.norm(line.Metadata{}, path)
	n.Format = a.Format
	doc, skipped := assemble(ctx, n, nil, a.Lines, path)
	if a.Cut {
		doc.defect(line.KindCut, "El documento se corta antes de su final: se guarda lo leído")
	}
	return doc.result(skipped)
}

func readRTFFile(ctx context.Context, path string, data []byte, opt Options) ([]corpus.Document, []corpus.Defect, error) {
	lines, whole := office.RTF(string(data))
	n := opt.norm(line.Metadata{}, path)
	n.Format = "rtf"
	doc, skipped := assemble(ctx, n, nil, lines, path)
	if !whole {
		doc.defect(line.KindCut, "El documento se corta antes de su final: se guarda lo leído")
	}
	return doc.result(skipped)
}

func readMarkdownFile(ctx context.Context, path string, data []byte, opt Options) ([]corpus.Document, []corpus.Defect, error) {
	s, charset := line.Decode(data, "")
	f, body := markup.FrontMatter(s)
	lines := markup.Markdown(body)
	n := opt.norm(f, path)
	n.Format = "markdown"
	doc, skipped := assemble(ctx, n, f, lines, path)
	doc.note(charset)
	return doc.result(skipped)
}

func readTextFile(ctx context.Context, path string, data []byte, opt Options) ([]corpus.Document, []corpus.Defect, error) {
	s, charset := line.Decode(data, "")
	n := opt.norm(line.Metadata{}, path)
	n.Format = "text"
	doc, skipped := assemble(ctx, n, nil, markup.Text(s), path)
	doc.note(charset)
	return doc.result(skipped)
}

// readXMLFile reads the XML of an official journal: consolidated texts with all
// versions of each block, or texts as published.
func readXMLFile(ctx context.Context, path string, data []byte, opt Options) ([]corpus.Document, []corpus.Defect, error) {
	x, err := boe.Read(data, opt.norm(line.Metadata{}, path))
	if err != nil {
		return refused(path, err)
	}
	read := publishedText
	if x.Consolidated {
		read = consolidatedText
	}
	docs, defects, err := read(ctx, path, x)
	for i := range docs {
		if x.Cut {
			docs[i].Defects = append(docs[i].Defects, corpus.Defect{File: path, Norm: docs[i].Norm.ID, Kind: line.KindCut, Detail: "El XML se corta antes de su final: se guarda lo leído; descárguelo de nuevo"})
		}
	}
	return docs, defects, err
}

// consolidatedText makes a norm of blocks with all their versions. A text whose blocks
// have no headings of units goes through the recogniser, and only the newest version
// of each block counts.
func consolidatedText(ctx context.Context, path string, x boe.Text) ([]corpus.Document, []corpus.Defect, error) {
	m := &made{Document: corpus.Document{Norm: x.Norm, File: path}}
	blocks := structure.ReadBlocks(x.Blocks, x.Original)
	m.named(x, blocks)
	m.Norm.TextAsOf = max(m.Norm.TextAsOf, x.Latest)
	if !blocks.HasUnits() {
		var lines []line.Line
		for _, b := range x.Blocks {
			lines = append(lines, b.Versions[len(b.Versions)-1].Lines...)
		}
		doc, skipped := assemble(ctx, m.Norm, nil, lines, path)
		doc.Defects = append(m.Defects, doc.Defects...)
		return doc.result(skipped)
	}
	m.Units = blocks.Finish(m.Norm.ID)
	m.setStatus(line.Metadata{}, blocks.Opening)
	m.setRank()
	m.setAmending()
	m.checkSeries()
	return m.result(nil)
}

// named completes the identity where the document came without metadata.
func (m *made) named(x boe.Text, blocks *structure.BlockReader) {
	if x.Metadata {
		return
	}
	n := &m.Norm
	if !line.OfficialID.MatchString(n.ID) && line.OfficialID.MatchString(x.Original) {
		n.ID = x.Original
	}
	if n.Title == "" {
		n.Title = n.ID
	}
	if n.Published == "" {
		n.Published = blocks.PublishedBy(n.ID)
	}
	m.defect(line.KindNoMeta, "El XML trae el texto sin los metadatos: título, rango y estado no constan; descargue el documento completo de la norma")
}

// publishedText makes a norm of a text as the journal published it: no versions, no
// former wordings, tables and annexes as they were printed.
func publishedText(ctx context.Context, path string, x boe.Text) ([]corpus.Document, []corpus.Defect, error) {
	doc, skipped := assemble(ctx, x.Norm, nil, x.Lines, path)
	for i := range doc.Units {
		for j := range doc.Units[i].Versions {
			v := &doc.Units[i].Versions[j]
			v.Published, v.ValidFrom = x.Norm.Published, x.InForce
		}
	}
	doc.Norm.Amending = doc.Norm.Amending || strings.HasPrefix(text.Fold(x.Norm.Title), "correccion de errores")
	return doc.result(skipped)
}

// pdfs gives the reader of PDFs that the files of one run share, or one of its own.
func (o Options) pdfs() (r *pdf.Reader, done func()) {
	if o.pdf != nil {
		return o.pdf, func() {}
	}
	r = pdf.NewReader(o.CacheDir)
	return r, r.Close
}

func readPDFFile(ctx context.Context, path string, data []byte, opt Options) ([]corpus.Document, []corpus.Defect, error) {
	r, done := opt.pdfs()
	defer done()
	file, err := r.Read(ctx, data, pdf.Limits{})
	if err != nil {
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		if scan, ok := pdf.Scanned(err); ok && opt.OCR != "" {
			return recogniseFile(ctx, path, scan, opt)
		}
		return refused(path, pdf.Refusal(err))
	}
	if listsNorms(file.Lines) {
		return refuse(path, line.KindNotNorm, markup.SummaryDetail)
	}
	n := opt.norm(line.Metadata{}, path)
	n.Format, n.PageCount = "pdf", file.Pages
	n.Title, n.IDs, n.URL = line.FirstOf(n.Title, file.Meta.Title), file.Meta.IDs, line.FirstOf(n.URL, file.Meta.URL)
	n.TextAsOf, n.Published = digesto.Date(file.Meta.TextAsOf), digesto.Date(file.Meta.Published)
	if file.Meta.ID != "" {
		n.ID = line.SafeID(file.Meta.ID)
	}
	doc, skipped := assemble(ctx, n, nil, file.Lines, path)
	return doc.result(skipped)
}

// recogniseFile reads a scanned PDF with the program opt.OCR.
func recogniseFile(ctx context.Context, path string, data []byte, opt Options) ([]corpus.Document, []corpus.Defect, error) {
	r, done := opt.pdfs()
	defer done()
	lines, pages, err := r.Recognise(ctx, data, opt.OCR)
	if ctx.Err() != nil {
		return nil, nil, ctx.Err()
	}
	if err != nil {
		return refused(path, err)
	}
	n := opt.norm(line.Metadata{}, path)
	n.Format, n.OCR, n.PageCount = "pdf", true, pages
	doc, skipped := assemble(ctx, n, nil, lines, path)
	doc.defect(line.KindOCR, "PDF escaneado: el texto es de reconocimiento óptico y puede tener errores; cotéjelo antes de citarlo")
	return doc.result(skipped)
}

// listsNorms tells the summary of a journal's issue: many paragraphs or lines begin
// with the identifier of a norm, and none is the head of an article.
func listsNorms(lines []line.Line) bool {
	listed := map[string]bool{}
	for _, l := range lines {
		if heading.Read(l).Kind == heading.Article {
			return false
		}
		if at := line.OfficialID.FindStringIndex(l.Text); at != nil && at[0] == 0 {
			listed[l.Text[:at[1]]] = true
		}
	}
	return len(listed) >= 5
}
