// Package ops is what whoever runs the program does with its data: copies it, puts it back, moves
// it elsewhere, looks at it all.
package ops

import (
	"archive/tar"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"digesto"
	"digesto/app"
	"digesto/disk"
	"digesto/pg"
	"digesto/store/sqlite"
)

// ManifestName is the last file of a backup: the SHA-256 of all others.
const ManifestName = "MANIFEST.json"

// maxBackupFile bounds a file of a backup, in bytes.
const maxBackupFile = 4 << 30

// Manifest says what a backup holds.
type Manifest struct {
	Format  int               `json:"format"` // 1
	Made    time.Time         `json:"made"`
	Program string            `json:"program"`
	Files   map[string]string `json:"files"` // SHA-256 by path
}

// Backup writes the data folder to one file and says how many files it has, while others go on working. Indexes and caches are left out:
// they are made again from the texts.
func Backup(a *app.App, file string) (n int, err error) {
	dir, err := a.NeedData()
	if err != nil {
		return 0, err
	}
	if _, err := os.Stat(dir); err != nil {
		return 0, disk.Error(err, dir, "No hay nada que copiar: revise --data.")
	}
	names, links, err := backedUp(dir)
	if err != nil {
		return 0, disk.Error(err, dir, "")
	}
	for _, name := range links {
		a.Say("«%s» es un enlace: lo que hay detrás no va en esta copia, cópielo aparte.", filepath.Join(dir, name))
	}
	if len(names) == 0 {
		return 0, &digesto.Error{Code: digesto.CodeNotFound, Message: "No hay nada que copiar en «" + dir + "»", Hint: "Revise --data: la carpeta de datos está vacía."}
	}
	var m Manifest
	failed := false // while it was written
	err = disk.WriteWhole(file, 0o600, false, func(w io.Writer) (err error) {
		m, err = writeBackup(a, dir, names, w)
		failed = err != nil
		return err
	})
	switch {
	case err != nil && !failed && !digesto.DiskFull(err):
		return 0, disk.Unwritable(file, err)
	case err != nil:
		return 0, notBackedUp(err)
	}
	if pg.Is(a.Settings.Get("store")) {
		a.Say("Lo que está en PostgreSQL (conversaciones, claves, trazas, auditoría) no va en esta copia: cópielo con pg_dump.")
	}
	return len(m.Files), nil
}

// notBackedUp says why there is no copy.
func notBackedUp(err error) error {
	e := &digesto.Error{Code: digesto.CodeUnavailable, Message: "No se ha podido hacer la copia, y no se ha dejado nada de ella", Err: err, Hint: "Repita la orden; si la ley se estaba instalando, espere a que termine."}
	var own *digesto.Error
	switch {
	case errors.As(err, &own):
		e.Code, e.Hint = own.Code, own.Next()
	case digesto.DiskFull(err):
		e.Code, e.Hint = digesto.CodeTooLarge, "Libere espacio, o escriba la copia en otro disco."
	case errors.Is(err, fs.ErrPermission):
		e.Code, e.Hint = digesto.CodeForbidden, "Hay ficheros de la carpeta de datos que no se pueden leer: revise los permisos."
	}
	return e
}

func writeBackup(a *app.App, dir string, names []string, w io.Writer) (Manifest, error) {
	m := Manifest{Format: 1, Made: a.Now().UTC(), Program: app.Program(), Files: map[string]string{}}
	z := gzip.NewWriter(w)
	t := tar.NewWriter(z)
	put := func(name string, data []byte) error {
		if err := t.WriteHeader(&tar.Header{Name: name, Mode: 0o600, Size: int64(len(data)), ModTime: m.Made}); err != nil {
			return err
		}
		_, err := t.Write(data)
		return err
	}
	for _, name := range names {
		if err := a.Context.Err(); err != nil {
			return m, err
		}
		data, err := readForBackup(a, filepath.Join(dir, name))
		if err != nil {
			return m, err
		}
		sum := sha256.Sum256(data)
		m.Files[filepath.ToSlash(name)] = hex.EncodeToString(sum[:])
		if err := put(filepath.ToSlash(name), data); err != nil {
			return m, err
		}
	}
	data, err := json.MarshalIndent(m, "", " ")
	return m, errors.Join(err, put(ManifestName, data), t.Close(), z.Close())
}

// backedUp lists what is copied of a data folder, and the links that are not. CURRENT
// goes first: what it names stays while the next snapshot is installed.
func backedUp(dir string) (out, links []string, err error) {
	first := filepath.Join("corpus", "CURRENT")
	if _, err := os.Stat(filepath.Join(dir, first)); err == nil {
		out = append(out, first)
	}
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil || name == "." {
			return err
		}
		if d.IsDir() {
			if slices.Contains([]string{"index", "cache", "sources", filepath.Join("models", "cache")}, inTenant(name)) {
				return fs.SkipDir
			}
			return nil
		}
		base := d.Name()
		if d.Type()&fs.ModeSymlink != 0 {
			links = append(links, name)
		}
		if strings.Contains(base, disk.PartialName) { // of another copy, of now or cut off
			return nil
		}
		if !d.Type().IsRegular() || name == first || strings.HasSuffix(base, "-wal") || strings.HasSuffix(base, "-shm") || strings.HasPrefix(base, ".") {
			return nil
		}
		out = append(out, name)
		return nil
	})
	return out, links, err
}

// inTenant is a path as its tenant's own folder has it; another stays as it is.
func inTenant(name string) string {
	if rest, ok := strings.CutPrefix(filepath.ToSlash(name), "tenants/"); ok {
		_, own, _ := strings.Cut(rest, "/")
		return filepath.FromSlash(own)
	}
	return name
}

// readForBackup reads a file; a database as of one moment, whoever writes in it.
func readForBackup(a *app.App, path string) ([]byte, error) {
	if filepath.Ext(path) != ".db" {
		return os.ReadFile(path)
	}
	tmp, err := os.MkdirTemp("", "digesto-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(tmp) }()
	whole := filepath.Join(tmp, "whole.db")
	if err := sqlite.Copy(a.Context, path, whole); err != nil {
		return nil, err
	}
	return os.ReadFile(whole)
}

// restored is what a restoration did: how many files, into which folder, and where what was
// there before is now; "" = nothing was.
type restored struct {
	Files    int
	Dir, Old string
}

// Restore checks every file of a backup before it replaces anything. What was there before is
// moved beside, and stays until somebody removes it.
func Restore(a *app.App, file string) (done restored, err error) {
	dir, err := a.NeedData()
	if err != nil {
		return done, err
	}
	if sqlite.InUse(a.Context, filepath.Join(dir, "conversations.db")) { // what it is told would go on into what is put aside
		return done, &digesto.Error{Code: digesto.CodeConflict, Message: "Otro programa está usando «" + dir + "»: no se ha cambiado nada", Hint: "Pare antes «digesto serve» y los demás que la usen, y repita la orden."}
	}
	f, err := os.Open(file)
	if err != nil {
		return done, disk.Error(err, file, "")
	}
	defer f.Close()
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return done, disk.Error(err, filepath.Dir(dir), "")
	}
	fresh, err := os.MkdirTemp(filepath.Dir(dir), ".digesto-restore-")
	if err != nil {
		return done, disk.Error(err, filepath.Dir(dir), "")
	}
	defer func() { _ = os.RemoveAll(fresh) }()
	n, err := UnpackBackup(f, fresh)
	if errors.Is(err, errNewerBackup) {
		return done, &digesto.Error{Code: digesto.CodeInvalid, Message: "La copia «" + file + "» es de una versión posterior del programa: no se ha cambiado nada", Hint: "Actualice el programa y repita la orden."}
	}
	if err != nil {
		return done, notUnpacked(file, err)
	}
	old := ""
	if _, err := os.Stat(dir); err == nil {
		old = dir + ".antes-" + a.Now().UTC().Format("20060102T150405.000")
		if err := os.Rename(dir, old); err != nil {
			return done, disk.Error(err, dir, "")
		}
	}
	if err := os.Rename(fresh, dir); err != nil {
		if old != "" {
			err = errors.Join(err, os.Rename(old, dir))
		}
		return done, disk.Error(err, dir, "")
	}
	return restored{n, dir, old}, nil
}

// notUnpacked says why a copy is not put in the place of anything.
func notUnpacked(path string, err error) error {
	switch {
	case digesto.DiskFull(err):
		return &digesto.Error{Code: digesto.CodeTooLarge, Message: "No hay sitio para desempaquetar la copia: no se ha cambiado nada", Hint: "Libere espacio en el disco de la carpeta de datos y repita la orden."}
	case digesto.Cause(err) == "":
		err = &digesto.Error{Code: digesto.CodeInvalid, Message: "no es una copia de «digesto backup», o está dañada", Err: err}
	}
	return &digesto.Error{Code: digesto.CodeInvalid, Message: "La copia «" + path + "» no está entera: no se ha cambiado nada", Err: err, Hint: "Use otra copia."}
}

// UnpackBackup writes the files of a backup under a folder and holds each to the
// manifest; none may be missing, none too many.
func UnpackBackup(r io.Reader, dir string) (int, error) {
	z, err := gzip.NewReader(r)
	if err != nil {
		return 0, err
	}
	t := tar.NewReader(z)
	sums := map[string]string{}
	var m Manifest
	for {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return 0, err
		}
		if m.Files != nil || h.Typeflag != tar.TypeReg || !filepath.IsLocal(h.Name) || h.Size > maxBackupFile || sums[h.Name] != "" {
			return 0, otherBackup("trae «%s», que no es de una copia", h.Name)
		}
		if h.Name == ManifestName {
			if err := json.NewDecoder(io.LimitReader(t, 1<<28)).Decode(&m); err != nil {
				return 0, err
			}
			continue
		}
		if sums[h.Name], err = unpackFile(t, filepath.Join(dir, filepath.FromSlash(h.Name))); err != nil {
			return 0, err
		}
	}
	if _, err := io.Copy(io.Discard, io.LimitReader(z, 1<<20)); err != nil { // to the checksum of the whole
		return 0, err
	}
	if m.Format > 1 {
		return 0, errNewerBackup
	}
	if m.Format != 1 || len(m.Files) != len(sums) {
		return 0, otherBackup("le falta «%s», o dice otros ficheros que los que hay", ManifestName)
	}
	for name, sum := range sums {
		if m.Files[name] != sum {
			return 0, otherBackup("«%s» no es el que se copió", name)
		}
	}
	return len(sums), nil
}

// otherBackup is of a backup that is not what was written.
func otherBackup(format string, args ...any) error {
	return &digesto.Error{Code: digesto.CodeInvalid, Message: fmt.Sprintf(format, args...)}
}

// errNewerBackup is of a backup in a form that this program does not know.
var errNewerBackup = errors.New("a backup of a later version")

func unpackFile(r io.Reader, path string) (string, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return "", err
	}
	mode := os.FileMode(0o600)
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode)
	if err != nil {
		return "", err
	}
	h := sha256.New()
	_, err = io.Copy(io.MultiWriter(f, h), r)
	return hex.EncodeToString(h.Sum(nil)), errors.Join(err, f.Sync(), f.Close())
}
