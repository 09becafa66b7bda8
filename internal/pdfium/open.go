package pdfium

import (
	"context"
	"fmt"
)

// Error says in Spanish why a PDF gave nothing, in words fit for a report of
// defects. Kind is one of "damaged", "encrypted", "empty", "no-text", "too-large", "timeout", "engine".
type Error struct {
	Kind, Detail string
	Scanned      bool   // its pages are pictures
	File         []byte // the file again, of a scanned one: nobody keeps it beside PDFium's copy
	Err          error
}

func (e *Error) Error() string { return e.Detail }

func (e *Error) Unwrap() error { return e.Err }

// PDFium's error numbers (fpdfview.h).
const (
	errFormat   = 3
	errPassword = 4
	errSecurity = 5
)

// Damaged is the error of a file that PDFium makes no sense of.
func Damaged(err error) error {
	return &Error{Kind: "damaged", Err: err, Detail: "el PDF está dañado y no se puede leer: consiga otra copia del archivo"}
}

// Open hands the file to PDFium, which keeps no copy: done frees both.
func (e *Engine) Open(ctx context.Context, data []byte) (doc uint64, done func(), err error) {
	e.refuel(openFuel)
	p, err := e.alloc(ctx, len(data))
	if err != nil {
		return 0, nil, &Error{Kind: "too-large", Err: err, Detail: "el PDF no cabe en la memoria reservada para leerlo"}
	}
	b, err := e.bytes(p, len(data))
	if err != nil {
		return 0, nil, err
	}
	copy(b, data)
	e.at, e.size = p, len(data)
	doc, err = e.call(ctx, "FPDF_LoadMemDocument", p, uint64(len(data)), 0)
	if err != nil {
		return 0, nil, Damaged(err)
	}
	if doc == 0 {
		code, err := e.call(ctx, "FPDF_GetLastError")
		e.free(ctx, p)
		if err == nil && (code == errPassword || code == errSecurity) {
			return 0, nil, &Error{Kind: "encrypted", Detail: "el PDF está cifrado y pide una contraseña: guarde una copia sin contraseña y añádala"}
		}
		return 0, nil, Damaged(fmt.Errorf("PDFium error %d", code))
	}
	return doc, func() {
		e.ClosePage(ctx)
		_, _ = e.call(ctx, "FPDF_CloseDocument", doc)
		e.free(ctx, p)
	}, nil
}

// PageCount gives the number of pages of an open document.
func (e *Engine) PageCount(ctx context.Context, doc uint64) (int, error) {
	n, err := e.call(ctx, "FPDF_GetPageCount", doc)
	return int(int32(n)), err
}
