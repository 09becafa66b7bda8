package ingest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"

	"digesto"
	"digesto/corpus/ingest/line"
	"digesto/corpus/ingest/markup"
	"digesto/corpus/ingest/office"
	"digesto/corpus/ingest/pdf"
)

// Plain gives the text of a file for people to read, without looking for the
// structure of a norm: paragraphs end in a line, pages of a PDF and paragraphs
// of a page are one stream. What the file is follows from its name and its first
// bytes. Errors are *digesto.Error with CodeInvalid and say what to do.
func Plain(ctx context.Context, name string, data []byte, opt Options) (string, error) {
	if len(bytes.TrimSpace(data)) == 0 {
		return "", &digesto.Error{Code: digesto.CodeInvalid, Message: "El fichero está vacío", Hint: "Compruebe su nombre o la orden que lo escribe."}
	}
	switch {
	case bytes.HasPrefix(data, []byte("%PDF")):
		return plainPDF(ctx, data, opt)
	case bytes.HasPrefix(data, []byte("PK\x03\x04")):
		return plainArchive(data)
	case bytes.HasPrefix(data, []byte(`{\rtf`)):
		lines, _ := office.RTF(string(data))
		return joinLines(lines), nil
	case line.NotText(data):
		return "", &digesto.Error{Code: digesto.CodeInvalid, Message: fmt.Sprintf("«%s» no es texto ni un formato que se lea", filepath.Base(name)), Hint: "Guárdelo como PDF, DOCX, ODT, RTF, HTML o texto."}
	}
	s, _ := line.Decode(data, "")
	switch strings.ToLower(filepath.Ext(name)) {
	case ".html", ".htm", ".xhtml":
		lines, err := markup.PlainHTML(ctx, s)
		if errors.Is(err, markup.ErrTooManyNodes) {
			return "", &digesto.Error{Code: digesto.CodeTooLarge, Message: "El HTML tiene demasiados elementos", Hint: "Compruébelo por partes o cópielo como texto."}
		}
		if ctx.Err() != nil {
			return "", &digesto.Error{Code: digesto.CodeCancelled, Message: "La lectura se ha cancelado", Err: ctx.Err()}
		}
		if err != nil {
			return "", &digesto.Error{Code: digesto.CodeInvalid, Message: "El HTML no se puede interpretar: anida demasiados elementos", Hint: "Guarde la página de nuevo o cópiela como texto."}
		}
		return joinLines(lines), nil
	}
	return s, nil
}

// Packed says whether a file holds a text in a form that takes more room than the text: PDF,
// a document of a word processor.
func Packed(data []byte) bool {
	for _, mark := range []string{"%PDF", "PK\x03\x04", `{\rtf`} {
		if bytes.HasPrefix(data, []byte(mark)) {
			return true
		}
	}
	return false
}

func plainPDF(ctx context.Context, data []byte, opt Options) (string, error) {
	r, done := opt.pdfs()
	defer done()
	file, err := r.Read(ctx, data, pdf.Limits{})
	if err != nil {
		return "", &digesto.Error{Code: digesto.CodeInvalid, Message: err.Error(), Hint: "Ábralo y guárdelo de nuevo, o copie su texto a un fichero .txt."}
	}
	return joinLines(file.Lines), nil
}

// plainArchive reads a document of a word processor.
func plainArchive(data []byte) (string, error) {
	a := office.Open(data, true)
	if a.Bad.Kind == "" {
		return joinLines(a.Lines), nil
	}
	code := digesto.CodeInvalid
	if a.Bad.Kind == line.KindTooLarge {
		code = digesto.CodeTooLarge
	}
	message, hint, _ := strings.Cut(a.Bad.Detail, ": ")
	return "", &digesto.Error{Code: code, Message: message, Hint: sentence(hint)}
}

// sentence gives words the capital and the stop of a sentence.
func sentence(s string) string {
	if s == "" {
		return "Guárdelo de nuevo como DOCX, ODT, PDF o texto."
	}
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + strings.TrimSuffix(s[n:], ".") + "."
}

// joinLines puts a blank line between paragraphs, and bars before those quoted.
func joinLines(list []line.Line) string {
	var b strings.Builder
	for i, l := range list {
		if l.Quote {
			b.WriteString("> ")
		}
		b.WriteString(l.Text)
		if b.WriteByte('\n'); l.Quote && i+1 < len(list) && list[i+1].Quote {
			b.WriteString(">")
		}
		b.WriteByte('\n')
	}
	return b.String()
}
