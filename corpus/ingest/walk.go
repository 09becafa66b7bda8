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
	"digesto/corpus/ingest/gitlog"
	"digesto/corpus/ingest/line"
)

// source is a file to read.
type source struct {
	path  string
	size  int64
	state *gitlog.State // of a text with a history; nil = a file and no more
	repo  *gitlog.Repo  // where that history is
}

// walk lists the files under the paths, each once. Symbolic links are followed within
// the folder that was named, without going round in loops, and not out of it: what is
// behind one may be anything that this account can read. What is not listed is a
// skipped defect, not an error: one closed directory must not lose the rest.
func walk(paths []string) (files []source, skipped []corpus.Defect) {
	w := walker{seen: map[string]bool{}}
	for _, p := range paths {
		abs, err := filepath.Abs(p)
		if err != nil {
			abs = p
		}
		w.root = "" // a file that is named, or what a link that is named leads to, is what was asked for
		if real, err := filepath.EvalSymlinks(abs); err == nil {
			w.root = real
		}
		w.visit(abs, true, 0)
	}
	sort.Slice(w.files, func(i, j int) bool { return w.files[i].path < w.files[j].path })
	return w.files, w.skipped
}

type walker struct {
	root    string          // real path of what was named
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
	if !inFolder(w.root, real) {
		w.skip(path, line.KindLink, "Es un enlace que lleva fuera de la carpeta: no se sigue. Si ha de añadirse, nombre su destino en la orden")
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

// inFolder says whether a real path is a folder or stands below it.
func inFolder(root, real string) bool {
	rel, err := filepath.Rel(root, real)
	return err == nil && filepath.IsLocal(rel)
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
		w.skip(path, "unreadable", "No se puede leer ("+line.FirstOf(digesto.Cause(err), "un enlace que lleva a sí mismo")+"): compruebe la ruta")
	}
}
