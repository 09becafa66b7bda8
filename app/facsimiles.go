package app

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"digesto"
	"digesto/corpus/ingest/pdf"
	"digesto/corpus/sync"
)

// facsimiles draws pages of the PDFs that are kept.
type facsimiles struct {
	data     string
	pictures *pdf.Pictures
}

// facsimiles gives what draws pages; nil without a data folder.
func (a *App) facsimiles() *facsimiles {
	if a.Settings.Data == "" {
		return nil
	}
	return &facsimiles{a.Settings.Data, pdf.NewPictures(filepath.Join(a.Settings.Data, "cache", "pdf"))}
}

// Has says whether the document of a norm is kept.
func (f *facsimiles) Has(source string) bool {
	_, err := os.Stat(sync.OriginalPath(f.data, source))
	return err == nil
}

// Page draws a page of a document with quotations marked.
func (f *facsimiles) Page(ctx context.Context, source string, page int, quotes []string) ([]byte, error) {
	data, err := os.ReadFile(sync.OriginalPath(f.data, source))
	if err != nil {
		return nil, &digesto.Error{Code: digesto.CodeNotFound, Message: "no se guarda el documento original", Hint: "añádalo otra vez con «digesto corpus add» para ver sus páginas", Err: err}
	}
	picture, _, err := f.pictures.Page(ctx, data, page, quotes)
	var own *digesto.Error
	if err != nil && !errors.As(err, &own) && ctx.Err() == nil {
		err = &digesto.Error{Code: digesto.CodeInvalid, Message: "no se ha podido dibujar esa página", Hint: "abra el documento original", Err: err}
	}
	return picture, err
}
