package index

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"digesto"
)

// manifest is the one file that says which segments are the index. It is replaced
// by a rename, so that a reader finds the old state or the new one.
type manifest struct {
	Format     int `json:"format"`
	Generation int `json:"generation"` // rises with every change; part of file names
	spec
	Segments []entry `json:"segments"`
}

type entry struct {
	File    string `json:"file"`
	Docs    int    `json:"docs"`
	History bool   `json:"history,omitempty"`
}

const (
	manifestFile   = "index.json"
	segmentSuffix  = ".seg"
	manifestFormat = 1
	maxManifest    = 256 << 20
)

func ioError(msg, path string, err error) error {
	code, hint := digesto.CodeInvalid, "Compruebe que la carpeta existe, que tiene permiso y que queda sitio en el disco."
	if errors.Is(err, fs.ErrPermission) {
		code, hint = digesto.CodeForbidden, "Dé permiso sobre esa carpeta o elija otra con --data."
	}
	return &digesto.Error{Code: code, Message: msg + " (" + path + ")", Hint: hint, Err: err}
}

// readManifest reads the state in dir. The file is one line of JSON and one with
// the checksum of the first.
func readManifest(dir string) (manifest, error) {
	var m manifest
	path := filepath.Join(dir, manifestFile)
	st, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return m, &digesto.Error{Code: digesto.CodeNotFound, Message: "No hay índice en " + dir,
			Hint: "Añada documentos con «digesto corpus add» para crearlo.", Err: err}
	}
	if err != nil {
		return m, ioError("No se puede leer el índice", path, err)
	}
	if st.Size() > maxManifest {
		return m, damaged(manifestFile, "tamaño")
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return m, ioError("No se puede leer el índice", path, err)
	}
	return parseManifest(b)
}

func parseManifest(b []byte) (m manifest, err error) {
	text, sum, ok := strings.Cut(string(b), "\n")
	if !ok || sum != checksumLine(text) {
		return m, damaged(manifestFile, "suma de control")
	}
	// A field that is not known says something about the segments that would be passed over.
	d := json.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&m); err != nil || m.Format != manifestFormat {
		return m, &digesto.Error{Code: digesto.CodeInvalid, Message: "El índice es de otra versión del programa",
			Hint: "Vuelva a crearlo a partir de los documentos con esta versión."}
	}
	if m.Scoring.check() != nil {
		return m, damaged(manifestFile, "contenido")
	}
	for _, e := range m.Segments {
		if e.File != filepath.Base(e.File) || !strings.HasSuffix(e.File, segmentSuffix) {
			return m, damaged(manifestFile, "nombre de archivo")
		}
	}
	return m, nil
}

func checksumLine(text string) string {
	return fmt.Sprintf("%08x\n", crc32.Checksum([]byte(text), castagnoli))
}

// nextGeneration is one more than that of the index in dir, and than that of any
// file left there by a process that died.
func nextGeneration(dir string) int {
	g := 0
	if m, err := readManifest(dir); err == nil {
		g = m.Generation
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*"+segmentSuffix))
	for _, f := range files {
		var n int
		if _, err := fmt.Sscanf(filepath.Base(f), "%d-", &n); err == nil {
			g = max(g, n)
		}
	}
	return g + 1
}

// write adds segments of what was analysed to the manifest.
func (m *manifest) write(ctx context.Context, dir string, a *analysis) error {
	current, history := a.parts()
	for i, order := range [][]place{current, history} {
		if len(order) == 0 {
			continue
		}
		if err := ctx.Err(); err != nil {
			return cancelled(err)
		}
		name, past := m.fileName(), i == 1
		err := writeFile(filepath.Join(dir, name), func(f *os.File) error { return a.assemble(f, m.spec, order, past) })
		if err != nil {
			return err
		}
		m.Segments = append(m.Segments, entry{File: name, Docs: len(order), History: past})
	}
	return nil
}

func (m *manifest) fileName() string {
	return fmt.Sprintf("%08d-%d%s", m.Generation, len(m.Segments), segmentSuffix)
}

// writeFile creates a file and does not return before it is on the disk.
func writeFile(path string, fill func(*os.File) error) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o644)
	if err != nil {
		return ioError("No se puede escribir el índice", path, err)
	}
	err = fill(f)
	if err == nil {
		err = f.Sync()
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil {
		_ = os.Remove(path)
		var own *digesto.Error
		if errors.As(err, &own) {
			return err
		}
		return ioError("No se puede escribir el índice", path, err)
	}
	return nil
}

// commit makes the manifest the state of dir and removes the files that no state
// needs any more. On systems that keep open files from being removed they stay
// until the next commit.
func (m *manifest) commit(dir string) error {
	m.Format = manifestFormat
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	tmp := filepath.Join(dir, manifestFile+".new")
	err = writeFile(tmp, func(f *os.File) error {
		_, err := f.WriteString(string(text) + "\n" + checksumLine(string(text)))
		return err
	})
	if err != nil {
		return err
	}
	if err := syncDir(dir); err != nil {
		return ioError("No se puede escribir el índice", dir, err)
	}
	if err := os.Rename(tmp, filepath.Join(dir, manifestFile)); err != nil {
		return ioError("No se puede escribir el índice", dir, err)
	}
	if err := syncDir(dir); err != nil {
		return ioError("No se puede escribir el índice", dir, err)
	}
	m.sweep(dir)
	return nil
}

func (m *manifest) sweep(dir string) {
	files, _ := filepath.Glob(filepath.Join(dir, "*"+segmentSuffix))
	for _, f := range files {
		if !slices.ContainsFunc(m.Segments, func(e entry) bool { return e.File == filepath.Base(f) }) {
			_ = os.Remove(f) // a reader that has it mapped keeps it
		}
	}
	left, _ := filepath.Glob(filepath.Join(dir, "*"+spoolSuffix))
	for _, f := range left {
		_ = os.Remove(f)
	}
}
