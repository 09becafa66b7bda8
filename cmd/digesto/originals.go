package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"digesto"
	"digesto/corpus"
	"digesto/corpus/ingest"
)

// The PDFs that norms were read from are kept in the data folder, so that the
// page of a quotation can be shown: one file for each registered document name.

// maxOriginal is the longest PDF that is kept, in bytes.
const maxOriginal = 64 << 20

func originalPath(data, source string) string {
	sum := sha256.Sum256([]byte(source))
	return filepath.Join(data, "originals", hex.EncodeToString(sum[:16])+".pdf")
}

// keepOriginals copies the PDFs below some paths whose norms are in a snapshot. A
// copy that fails costs the picture of a page, not the law: nothing is said.
func keepOriginals(s *corpus.Snapshot, data string, paths []string) {
	wanted := map[string]bool{}
	for _, n := range s.Norms() {
		if n.Format == "pdf" {
			wanted[n.Source] = true
		}
	}
	if len(wanted) == 0 {
		return
	}
	for _, p := range paths {
		_ = filepath.WalkDir(p, func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() && strings.EqualFold(filepath.Ext(path), ".pdf") && wanted[filepath.Base(path)] {
				_ = copyOriginal(path, originalPath(data, filepath.Base(path)))
			}
			return nil
		})
	}
}

func copyOriginal(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	if fi, err := in.Stat(); err != nil || fi.Size() > maxOriginal {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	out, err := os.CreateTemp(filepath.Dir(to), "nuevo-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(out.Name()) }()
	_, err = io.Copy(out, in)
	if err = errors.Join(err, out.Close()); err != nil {
		return err
	}
	return os.Rename(out.Name(), to)
}

// pruneOriginals drops the PDFs of norms that none of the snapshots has.
func pruneOriginals(data string, keep ...*corpus.Snapshot) {
	entries, err := os.ReadDir(filepath.Join(data, "originals"))
	if err != nil {
		return
	}
	wanted := map[string]bool{}
	for _, s := range keep {
		for _, n := range s.Norms() {
			wanted[filepath.Base(originalPath(data, n.Source))] = true
		}
	}
	for _, e := range entries {
		if !wanted[e.Name()] {
			_ = os.Remove(filepath.Join(data, "originals", e.Name()))
		}
	}
}

// facsimiles draws pages of the PDFs that are kept.
type facsimiles struct {
	data     string
	pictures *ingest.Pictures
}

// facsimiles gives what draws pages; nil without a data folder.
func (a *app) facsimiles() *facsimiles {
	if a.conf.data == "" {
		return nil
	}
	return &facsimiles{a.conf.data, ingest.NewPictures(filepath.Join(a.conf.data, "cache", "pdf"))}
}

// Has says whether the document of a norm is kept.
func (f *facsimiles) Has(source string) bool {
	_, err := os.Stat(originalPath(f.data, source))
	return err == nil
}

// Page draws a page of a document with quotations marked.
func (f *facsimiles) Page(ctx context.Context, source string, page int, quotes []string) ([]byte, error) {
	data, err := os.ReadFile(originalPath(f.data, source))
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
