package app

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"digesto"
)

// location is what a server keeps things in, as it was when it began: what is written into
// a folder or a file that has been taken away is lost, and what stands there instead is
// not what was kept.
type location struct {
	path string
	was  os.FileInfo
	name string // in Spanish, for people
}

// locations notes the data folder and the file of conversations, where there are such.
func (a *App) locations() (out []location) {
	note := func(path, name string) {
		if st, err := os.Stat(path); err == nil && path != "" {
			out = append(out, location{path, st, name})
		}
	}
	note(a.Settings.Data, "la carpeta de datos")
	switch at, named := strings.CutPrefix(a.Settings.Get("store"), "sqlite:"); {
	case named:
		note(at, "la base de conversaciones")
	case at == "" && a.Settings.Data != "":
		note(filepath.Join(a.Settings.Data, "conversations.db"), "la base de conversaciones")
	}
	return out
}

// gone says that a place is not what it was. Paths are not told: whoever asks is told too.
func gone(places []location) error {
	for _, p := range places {
		now, err := os.Stat(p.path)
		if err == nil && os.SameFile(now, p.was) {
			continue
		}
		return &digesto.Error{Code: digesto.CodeUnavailable, Message: p.name + " ya no está, o no es la que había al empezar", Err: err,
			Hint: "quien lleva el servidor: devuélvala a su sitio o restaure una copia («digesto restore»), y vuelva a lanzarlo"}
	}
	return nil
}

// LostLibrary says that law was installed in the data folder and what names it is gone:
// its index is left. The library itself says so where any of it is left.
func (a *App) LostLibrary() error {
	dir := filepath.Join(a.Settings.Data, "corpus")
	if _, err := os.Stat(filepath.Join(dir, "CURRENT")); a.Settings.Data == "" || !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	snapshots, _ := os.ReadDir(filepath.Join(dir, "snapshots"))    // the library's own matter
	left, _ := os.ReadDir(filepath.Join(a.Settings.Data, "index")) // none: no law has been installed
	if len(snapshots) > 0 || len(left) == 0 {
		return nil
	}
	return &digesto.Error{Code: digesto.CodeCheck, Message: "La ley que había en «" + dir + "» ya no está: queda su índice",
		Hint: "Restaure una copia («digesto restore»), o instale de nuevo los textos con «digesto corpus add» o «corpus pull»."}
}
