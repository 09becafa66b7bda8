package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"digesto"
	"digesto/app"
	"digesto/cmd/digesto/internal/show"
	"digesto/corpus/ingest"
	"digesto/disk"
	"digesto/verify/brief"
	webverify "digesto/web/verify"
)

// verifyCmd checks the citations and quotations of any text.
type verifyCmd struct {
	Pack   string `name:"pack" placeholder:"PAQUETE" help:"Entiende las siglas como en ese paquete; sin él, según el derecho que más cite el texto."`
	AsOf   string `name:"as-of" placeholder:"FECHA" help:"La ley que regía ese día; sin él, hoy."`
	Strict bool   `name:"strict" help:"Acaba con código 7 si alguna cita no es VERIFIED o una frase dice otra cosa que el artículo que cita."`
	Report string `name:"report" placeholder:"FICHERO" help:"Guarda un informe: página (.html), texto (.md) o documento con un comentario en cada cita (.docx)."`
	File   string `arg:"" placeholder:"FICHERO|-" help:"Texto, Markdown, HTML, DOCX o PDF; «-» es la entrada estándar."`
}

// Examples of the command.
func (verifyCmd) Examples() []string {
	return []string{
		"digesto verify demanda.md",
		"digesto verify --as-of 2025-07-01 escrito.pdf",
		"pbpaste | digesto verify - --json | jq .counts",
		"digesto verify --report informe.docx recurso.docx",
		"digesto verify --strict recurso.docx || echo 'hay citas que revisar'",
	}
}

// Run checks a file and prints each citation with its verdict.
func (c verifyCmd) Run(a *program) error {
	at, err := app.ParseDate("--as-of", c.AsOf)
	if err != nil {
		return err
	}
	in, done, err := a.OpenInput(c.File)
	if err != nil {
		return err
	}
	defer done()
	data, err := c.read(a.Context, in)
	if err != nil {
		return err
	}
	name := c.File
	if name == "-" {
		name = "entrada.md"
	}
	w, err := a.Open(a.Context)
	if err != nil {
		return err
	}
	defer w.Close()
	p, err := w.Pack(c.Pack)
	if err != nil {
		return err
	}
	text, err := ingest.Plain(a.Context, name, data, ingest.Options{CacheDir: a.PdfCache()})
	if err != nil {
		return err
	}
	rep, err := w.VerifyText(a.Context, text, p, at, a.Today())
	if err != nil {
		return err
	}
	if a.json {
		err = a.printJSON(rep)
	} else {
		show.Verified(a.screen(), text, rep)
	}
	if c.Report != "" && err == nil {
		err = webverify.WriteReport(c.Report, text, rep)
	}
	if c.Strict && err == nil && !rep.Checked.Complete {
		return &quietError{&digesto.Error{Code: digesto.CodeCheck, Message: webverify.Partial(text, rep)}}
	}
	if bad := len(rep.Citations) - rep.Counts[brief.Verified]; err == nil && c.Strict && bad > 0 {
		return &quietError{&digesto.Error{Code: digesto.CodeCheck, Message: fmt.Sprintf("%d citas sin comprobar", bad)}}
	}
	return err
}

// Bounds of a file, in bytes: of text, which may take two for a letter, and of what holds a
// text in another form.
const (
	maxTextFile = 2 * brief.MaxText
	maxFile     = 64 << 20
)

// read reads a file that is not too large.
func (c verifyCmd) read(ctx context.Context, in io.Reader) ([]byte, error) {
	var data bytes.Buffer
	limit := int64(maxTextFile)
	for n, part := int64(1), int64(1<<16); n > 0 && int64(data.Len()) <= limit; {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		var err error
		if n, err = io.CopyN(&data, in, part); err != nil && !errors.Is(err, io.EOF) {
			return nil, disk.Error(err, c.File, "")
		}
		if ingest.Packed(data.Bytes()) {
			limit = maxFile
		}
	}
	if int64(data.Len()) > limit {
		return nil, &digesto.Error{Code: digesto.CodeTooLarge, Message: "El fichero es demasiado grande", Hint: fmt.Sprintf("Compruébelo por partes de menos de %d MB.", limit>>20)}
	}
	return data.Bytes(), nil
}
