package pdf

import (
	"cmp"
	"context"
	"errors"

	"digesto/corpus/ingest/line"
	"digesto/internal/pdfium"
)

// Reader reads PDFs. It is safe for any number of goroutines; each has an instance
// of PDFium of its own while it reads.
type Reader struct{ pool *pdfium.Pool }

// NewReader keeps the compiled PDF engine in a folder; "" = in memory.
func NewReader(cacheDir string) *Reader { return &Reader{pdfium.NewPool(cacheDir)} }

// Close frees the engine. Readers must have ended.
func (r *Reader) Close() { r.pool.Close() }

// Read reads one document.
func (r *Reader) Read(ctx context.Context, data []byte, limits Limits) (Document, error) {
	e, err := r.pool.Get(ctx)
	if ctx.Err() != nil {
		return Document{}, ctx.Err()
	}
	if err != nil {
		return Document{}, &pdfium.Error{Kind: "engine", Err: err, Detail: "el lector de PDF no ha podido arrancar: compruebe que queda memoria libre y repita la orden"}
	}
	doc, err := readDocument(ctx, e, data, limits)
	r.pool.Put(e)
	return doc, err
}

// kinds of errors among those of defects.
var kinds = map[string]string{"empty": line.KindEmpty, "too-large": line.KindTooLarge, "no-text": "no_text_layer", "encrypted": "encrypted", "timeout": "timeout"}

// Refusal gives an error of [Reader.Read] as a refusal of the file.
func Refusal(err error) error {
	kind := line.KindDamaged
	var pe *pdfium.Error
	if errors.As(err, &pe) {
		kind = cmp.Or(kinds[pe.Kind], kind)
	}
	return line.Refuse(kind, "PDF: "+err.Error())
}

// Scanned says of an error of [Reader.Read] that the pages are pictures, and gives the file again.
func Scanned(err error) (file []byte, ok bool) {
	var pe *pdfium.Error
	if errors.As(err, &pe) && pe.Kind == "no-text" && pe.Scanned {
		return pe.File, true
	}
	return nil, false
}
