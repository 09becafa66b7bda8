package ingest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// pdfLimits bound what one PDF may cost. The zero value means the defaults named.
type pdfLimits struct {
	Bytes int           // size of the file; 0 = 64 MiB
	Pages int           // pages it may declare; 0 = 50,000: what they cost is bounded by work and memory
	Time  time.Duration // for the whole document; 0 = 1 hour, for what the bound on its work (see documentFuel) does not see
}

func (l pdfLimits) withDefaults() pdfLimits {
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

// pdfDocument is what is read from a PDF: its paragraphs (no reflow is needed),
// the number of its physical pages and what it says of itself.
type pdfDocument struct {
	Lines []Line
	Pages int
	Meta  pdfMeta
}

// pdfError says in Spanish why a PDF gave nothing, in words fit for a report of
// defects. Kind is one of "damaged", "encrypted", "empty", "no-text", "too-large", "timeout", "engine".
type pdfError struct {
	Kind, Detail string
	Scanned      bool   // its pages are pictures
	File         []byte // the file again, of a scanned one: nobody keeps it beside PDFium's copy
	Err          error
}

func (e *pdfError) Error() string { return e.Detail }
func (e *pdfError) Unwrap() error { return e.Err }

// PDFium's error numbers (fpdfview.h).
const (
	pdfErrFormat   = 3
	pdfErrPassword = 4
	pdfErrSecurity = 5
)

// readPDF reads a document with one instance of PDFium.
func readPDF(ctx context.Context, e *pdfEngine, data []byte, limits pdfLimits) (pdfDocument, error) {
	limits = limits.withDefaults()
	switch {
	case len(data) == 0:
		return pdfDocument{}, &pdfError{Kind: "empty", Detail: "el archivo está vacío"}
	case len(data) > limits.Bytes:
		return pdfDocument{}, &pdfError{Kind: "too-large", Detail: fmt.Sprintf(
			"el PDF ocupa %d MB y el máximo son %d: divídalo en partes", len(data)>>20, limits.Bytes>>20)}
	}
	ctx, cancel := context.WithTimeout(ctx, limits.Time)
	defer cancel()
	doc, done, err := e.openDocument(ctx, data)
	if err != nil {
		return pdfDocument{}, err
	}
	defer done()
	n, err := e.call(ctx, "FPDF_GetPageCount", doc)
	count := int(int32(n))
	switch {
	case err != nil:
		return pdfDocument{}, damaged(err)
	case count <= 0:
		return pdfDocument{}, &pdfError{Kind: "empty", Detail: "el PDF no tiene páginas"}
	case count > limits.Pages:
		return pdfDocument{}, &pdfError{Kind: "too-large", Detail: fmt.Sprintf(
			"el PDF declara %d páginas y el máximo son %d: divídalo en partes", count, limits.Pages)}
	}
	d, err := e.readPages(ctx, doc, count, documentFuel(count))
	if pe := (*pdfError)(nil); errors.As(err, &pe) && pe.Scanned {
		pe.File = bytes.Clone(e.file())
	}
	return d, err
}

// readPages turns the pages into paragraphs; fuel is what they may burn together.
func (e *pdfEngine) readPages(ctx context.Context, doc uint64, count int, fuel int64) (pdfDocument, error) {
	d := pdfDocument{Pages: count}
	pages := make([][]textLine, count)
	var open []openBox
	images, lines, margins := 0, 0, ""
	for i := range count {
		p, err := e.page(ctx, doc, i)
		fuel -= int64(e.ration - e.fuel.Get())
		switch {
		case errors.Is(ctx.Err(), context.DeadlineExceeded), errors.Is(err, errPDFFuel), fuel < 0:
			return d, &pdfError{Kind: "timeout", Err: err, Detail: fmt.Sprintf(
				"la lectura se detuvo en la página %d de %d, que no termina: el PDF puede estar dañado o preparado para bloquear el programa", i+1, count)}
		case ctx.Err() != nil:
			return d, ctx.Err()
		case errors.Is(err, errPDFAbort) && e.mod.Memory().Size() > pdfMemory-4<<20:
			return d, &pdfError{Kind: "too-large", Err: err, Detail: fmt.Sprintf(
				"la página %d de %d pide más memoria de la permitida (%d MB): el PDF puede estar dañado o preparado para bloquear el programa", i+1, count, pdfMemory>>20)}
		case err != nil:
			return d, damaged(err)
		}
		var ls []textLine
		ls, open = layout(p, open)
		pages[i] = ls
		if i == 0 {
			margins = turnedText(p)
		}
		images += len(p.images)
		lines += len(ls)
	}
	if lines == 0 {
		return d, noText(images)
	}
	first := slices.Clone(pages[0])
	dropFurniture(pages)
	boxesArePast(pages)
	d.Lines = pdfParagraphs(pages)
	d.Meta = readPDFMeta(d.Lines, first, margins)
	return d, nil
}

func noText(images int) error {
	if images > 0 {
		return &pdfError{Kind: "no-text", Scanned: true, Detail: "el PDF es una imagen escaneada sin texto: no se ha indexado nada; instale el programa tesseract con su idioma español (tesseract-ocr-spa) y vuelva a añadirlo, o pase antes un reconocimiento óptico (OCR)"}
	}
	return &pdfError{Kind: "no-text", Detail: "el PDF no contiene texto: no se ha indexado nada"}
}

func damaged(err error) error {
	return &pdfError{Kind: "damaged", Err: err, Detail: "el PDF está dañado y no se puede leer: consiga otra copia del archivo"}
}

// openDocument hands the file to PDFium, which keeps no copy: done frees both.
func (e *pdfEngine) openDocument(ctx context.Context, data []byte) (doc uint64, done func(), err error) {
	e.refuel(openFuel)
	p, err := e.alloc(ctx, len(data))
	if err != nil {
		return 0, nil, &pdfError{Kind: "too-large", Err: err, Detail: "el PDF no cabe en la memoria reservada para leerlo"}
	}
	b, err := e.bytes(p, len(data))
	if err != nil {
		return 0, nil, err
	}
	copy(b, data)
	e.at, e.size = p, len(data)
	doc, err = e.call(ctx, "FPDF_LoadMemDocument", p, uint64(len(data)), 0)
	if err != nil {
		return 0, nil, damaged(err)
	}
	if doc == 0 {
		code, err := e.call(ctx, "FPDF_GetLastError")
		e.free(ctx, p)
		if err == nil && (code == pdfErrPassword || code == pdfErrSecurity) {
			return 0, nil, &pdfError{Kind: "encrypted", Detail: "el PDF está cifrado y pide una contraseña: guarde una copia sin contraseña y añádala"}
		}
		return 0, nil, damaged(fmt.Errorf("PDFium error %d", code))
	}
	return doc, func() {
		e.closePage(ctx)
		_, _ = e.call(ctx, "FPDF_CloseDocument", doc)
		e.free(ctx, p)
	}, nil
}
