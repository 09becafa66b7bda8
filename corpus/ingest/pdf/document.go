// Package pdf reads PDFs: characters and rules of each page into lines, columns, boxes
// and tables, these into paragraphs; scanned pages by optical recognition. It also draws
// pages with quotations marked.
package pdf

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"digesto/corpus/ingest/line"
	"digesto/internal/pdfium"
)

// Limits bound what one PDF may cost. The zero value means the defaults named.
type Limits struct {
	Bytes int           // size of the file; 0 = 64 MiB
	Pages int           // pages it may declare; 0 = 50,000: what they cost is bounded by work and memory
	Time  time.Duration // for the whole document; 0 = 1 hour, for what the bound on its work (see pdfium.DocumentFuel) does not see
}

func (l Limits) withDefaults() Limits {
	if l.Bytes == 0 {
		l.Bytes = 64 << 20
	}
	if l.Pages == 0 {
		l.Pages = 50_000
	}
	if l.Time == 0 {
		l.Time = time.Hour
	}
	return l
}

// Document is what is read from a PDF: its paragraphs (no reflow is needed),
// the number of its physical pages and what it says of itself.
type Document struct {
	Lines []line.Line
	Pages int
	Meta  Meta
}

// readDocument reads a document with one instance of PDFium.
func readDocument(ctx context.Context, e *pdfium.Engine, data []byte, limits Limits) (Document, error) {
	limits = limits.withDefaults()
	switch {
	case len(data) == 0:
		return Document{}, &pdfium.Error{Kind: "empty", Detail: "el archivo está vacío"}
	case len(data) > limits.Bytes:
		return Document{}, &pdfium.Error{Kind: "too-large", Detail: fmt.Sprintf(
			"el PDF ocupa %d MB y el máximo son %d: divídalo en partes", len(data)>>20, limits.Bytes>>20)}
	}
	ctx, cancel := context.WithTimeout(ctx, limits.Time)
	defer cancel()
	doc, done, err := e.Open(ctx, data)
	if err != nil {
		return Document{}, err
	}
	defer done()
	count, err := e.PageCount(ctx, doc)
	switch {
	case err != nil:
		return Document{}, pdfium.Damaged(err)
	case count <= 0:
		return Document{}, &pdfium.Error{Kind: "empty", Detail: "el PDF no tiene páginas"}
	case count > limits.Pages:
		return Document{}, &pdfium.Error{Kind: "too-large", Detail: fmt.Sprintf(
			"el PDF declara %d páginas y el máximo son %d: divídalo en partes", count, limits.Pages)}
	}
	d, err := readPages(ctx, e, doc, count, pdfium.DocumentFuel(count))
	if pe := (*pdfium.Error)(nil); errors.As(err, &pe) && pe.Scanned {
		pe.File = bytes.Clone(e.File())
	}
	return d, err
}

// readPages turns the pages into paragraphs; fuel is what they may burn together.
func readPages(ctx context.Context, e *pdfium.Engine, doc uint64, count int, fuel int64) (Document, error) {
	d := Document{Pages: count}
	pages := make([][]textLine, count)
	var open []openBox
	images, lines, margins := 0, 0, ""
	for i := range count {
		p, err := e.Page(ctx, doc, i)
		fuel -= e.Spent()
		switch {
		case errors.Is(ctx.Err(), context.DeadlineExceeded), errors.Is(err, pdfium.ErrFuel), fuel < 0:
			return d, &pdfium.Error{Kind: "timeout", Err: err, Detail: fmt.Sprintf(
				"la lectura se detuvo en la página %d de %d, que no termina: el PDF puede estar dañado o preparado para bloquear el programa", i+1, count)}
		case ctx.Err() != nil:
			return d, ctx.Err()
		case errors.Is(err, pdfium.ErrAbort) && e.Full():
			return d, &pdfium.Error{Kind: "too-large", Err: err, Detail: fmt.Sprintf(
				"la página %d de %d pide más memoria de la permitida (%d MB): el PDF puede estar dañado o preparado para bloquear el programa", i+1, count, pdfium.MaxMemory>>20)}
		case err != nil:
			return d, pdfium.Damaged(err)
		}
		var ls []textLine
		ls, open = layout(p, open)
		pages[i] = ls
		if i == 0 {
			margins = turnedText(p)
		}
		images += len(p.Images)
		lines += len(ls)
	}
	if lines == 0 {
		return d, noText(images)
	}
	first := slices.Clone(pages[0])
	dropFurniture(pages)
	boxesArePast(pages)
	d.Lines = paragraphsOf(pages)
	d.Meta = readMeta(d.Lines, first, margins)
	return d, nil
}

func noText(images int) error {
	if images > 0 {
		return &pdfium.Error{Kind: "no-text", Scanned: true, Detail: "el PDF es una imagen escaneada sin texto: no se ha indexado nada; instale el programa tesseract con su idioma español (tesseract-ocr-spa) y vuelva a añadirlo, o pase antes un reconocimiento óptico (OCR)"}
	}
	return &pdfium.Error{Kind: "no-text", Detail: "el PDF no contiene texto: no se ha indexado nada"}
}
