package app

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"digesto"
	"digesto/app/law"
	"digesto/corpus"
	"digesto/corpus/ingest"
	"digesto/corpus/sync"
	"digesto/disk"
)

// OpenSource reads a file or folder into a library of its own, named by the
// hash of its contents, and gives it as the law. The second time it is found
// as it is. Without a folder to write in it lives in a temporary one.
func (a *App) OpenSource(ctx context.Context, w *Workspace, path, packName string) (l *law.Installed, cleanup func(), err error) {
	if scheme, _, ok := strings.Cut(path, ":"); ok && (scheme == "boe" || scheme == "infoleg") {
		if path, err = a.pullOne(ctx, w, path, packName); err != nil {
			return nil, nil, err
		}
	}
	hash, err := hashTree(ctx, path)
	if digesto.CodeOf(err) == digesto.CodeInvalid {
		return nil, nil, err
	}
	if err != nil {
		return nil, nil, disk.Error(err, path, "Revise la ruta que sigue a --from.")
	}
	dir, cleanup, err := a.sourceDir(hash + packName)
	if err != nil {
		return nil, nil, err
	}
	release := cleanup
	defer func() {
		if err != nil {
			release()
		}
	}()
	lib, err := corpus.Open(filepath.Join(dir, "corpus"), a.corpusOptions())
	if err != nil {
		return nil, nil, err
	}
	snap, err := lib.Current()
	if err != nil {
		return nil, nil, err
	}
	known := len(snap.Norms()) > 0
	snap.Close()
	if !known {
		rep, err := a.Texts(w).Ingest(ctx, lib, dir, []string{path}, ingest.Options{Pack: packName})
		if err != nil {
			return nil, nil, err
		}
		if rep.Norms == 0 {
			return nil, nil, nothingRead(path, rep.Skipped)
		}
	}
	l = law.New(a.Context, a.Say)
	l.Library, l.Dir = lib, dir
	return l, cleanup, nil
}

// pullOne downloads one official text and gives the file it stands in.
func (a *App) pullOne(ctx context.Context, w *Workspace, name, packName string) (string, error) {
	targets, err := sync.Targets(w.Packs, []string{name}, packName)
	if err != nil {
		return "", err
	}
	p, err := sync.Open(a.Texts(w))
	if err != nil {
		return "", err
	}
	got := p.FetchOne(ctx, targets[0])
	return got.Path, got.Err
}

func nothingRead(path string, skipped []corpus.Defect) error {
	e := &digesto.Error{Code: digesto.CodeInvalid, Message: "No se ha podido leer ningún texto de «" + path + "»", Hint: "Se leen PDF con texto, Markdown, texto plano y JSON Lines."}
	if len(skipped) > 0 {
		e.Message += ": " + skipped[0].Detail
	}
	return e
}

// sourceDir is the folder of a source; temporary when nothing else can be written.
func (a *App) sourceDir(key string) (dir string, cleanup func(), err error) {
	if a.Settings.Data != "" {
		sum := sha256.Sum256([]byte(key))
		dir = filepath.Join(a.Settings.Data, "sources", hex.EncodeToString(sum[:16]))
		if err := os.MkdirAll(dir, 0o755); err == nil {
			return dir, func() {}, nil
		}
	}
	dir, err = os.MkdirTemp("", "digesto-")
	if err != nil {
		return "", nil, &digesto.Error{Code: digesto.CodeInvalid, Message: "No hay carpeta en la que trabajar", Err: err, Hint: "Dé una con --data CARPETA."}
	}
	return dir, func() { _ = os.RemoveAll(dir) }, nil
}

// untilDone is a reader that ends with a context.
type untilDone struct {
	ctx context.Context
	r   io.Reader
}

func (u untilDone) Read(p []byte) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	return u.r.Read(p)
}

// hashTree names the contents of a file, or of every file under a folder.
func hashTree(ctx context.Context, root string) (string, error) {
	if st, err := os.Stat(root); err == nil && !st.IsDir() && !st.Mode().IsRegular() {
		return "", &digesto.Error{Code: digesto.CodeInvalid, Message: "«" + root + "» no es un archivo normal ni una carpeta", Hint: "Guarde en un archivo lo que quiera leer e indique su ruta."}
	}
	h := sha256.New()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			if path == root {
				return err
			}
			return nil // named by the report of what was not read
		}
		if !d.Type().IsRegular() {
			if path != root || d.IsDir() {
				return nil
			}
		}
		f, err := os.Open(path)
		if err != nil {
			if path == root {
				return err
			}
			return nil
		}
		defer f.Close()
		if _, err := io.WriteString(h, path+"\x00"); err != nil {
			return err
		}
		_, err = io.Copy(h, untilDone{ctx, f})
		return err
	})
	return hex.EncodeToString(h.Sum(nil)), err
}
