package sync

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"digesto/corpus"
)

// The PDFs that norms were read from are kept in the data folder, so that the
// page of a quotation can be shown: one file for each registered document name.

// maxOriginal is the longest PDF that is kept, in bytes.
const maxOriginal = 64 << 20

// OriginalPath is where the PDF of a document name is kept.
func OriginalPath(data, source string) string {
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
				_ = copyOriginal(path, OriginalPath(data, filepath.Base(path)))
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

// PruneOriginals drops the PDFs of norms that none of the snapshots has.
func PruneOriginals(data string, keep ...*corpus.Snapshot) {
	entries, err := os.ReadDir(filepath.Join(data, "originals"))
	if err != nil {
		return
	}
	wanted := map[string]bool{}
	for _, s := range keep {
		for _, n := range s.Norms() {
			wanted[filepath.Base(OriginalPath(data, n.Source))] = true
		}
	}
	for _, e := range entries {
		if !wanted[e.Name()] {
			_ = os.Remove(filepath.Join(data, "originals", e.Name()))
		}
	}
}
