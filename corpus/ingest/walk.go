package ingest

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"digesto"
	"digesto/corpus"
)

// source is a file to read.
type source struct {
	path  string
	size  int64
	state *state   // of a text with a history; nil = a file and no more
	repo  *gitRepo // where that history is
}

// walk lists the files under the paths, each once, symbolic links followed
// without going round in loops. What cannot be listed is a skipped defect, not
// an error: one closed directory must not lose the rest.
func walk(paths []string) (files []source, skipped []corpus.Defect) {
	w := walker{seen: map[string]bool{}}
	for _, p := range paths {
		abs, err := filepath.Abs(p)
		if err != nil {
			abs = p
		}
		w.visit(abs, true, 0)
	}
	sort.Slice(w.files, func(i, j int) bool { return w.files[i].path < w.files[j].path })
	return w.files, w.skipped
}

type walker struct {
	seen    map[string]bool // real paths
	files   []source
	skipped []corpus.Defect
}

func (w *walker) skip(path, kind, detail string) {
	w.skipped = append(w.skipped, corpus.Defect{File: path, Kind: kind, Detail: detail, Skipped: true})
}

const maxDepth = 64

func (w *walker) visit(path string, named bool, depth int) {
	base := filepath.Base(path)
	if !named && (strings.HasPrefix(base, ".") || strings.HasSuffix(base, "~")) {
		return
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		w.unreadable(path, err)
		return
	}
	if w.seen[real] || depth > maxDepth {
		return
	}
	w.seen[real] = true
	st, err := os.Stat(real)
	if err != nil {
		w.unreadable(path, err)
		return
	}
	if !st.IsDir() {
		w.file(path, st)
		return
	}
	entries, err := os.ReadDir(real)
	if err != nil {
		w.unreadable(path, err)
	}
	for _, e := range entries {
		w.visit(filepath.Join(path, e.Name()), false, depth+1)
	}
}

func (w *walker) file(path string, st fs.FileInfo) {
	if !st.Mode().IsRegular() {
		w.skip(path, "unreadable", "No es un archivo normal (dispositivo, tubería…): no se lee")
		return
	}
	w.files = append(w.files, source{path: path, size: st.Size()})
}

func (w *walker) unreadable(path string, err error) {
	switch {
	case errors.Is(err, fs.ErrPermission):
		w.skip(path, "unreadable", "Sin permiso de lectura: conceda acceso y vuelva a añadirlo")
	case errors.Is(err, fs.ErrNotExist):
		w.skip(path, "unreadable", "No existe (o es un enlace roto): compruebe la ruta")
	default:
		w.skip(path, "unreadable", "No se puede leer ("+firstOf(digesto.Cause(err), "un enlace que lleva a sí mismo")+"): compruebe la ruta")
	}
}
