package main

import (
	"cmp"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"digesto"
	"digesto/corpus"
)

// corpusExportCmd writes the library as one signed file.
type corpusExportCmd struct {
	Key  string `name:"key" placeholder:"FICHERO" help:"Clave privada ed25519 (semilla en hexadecimal); sin ella, la de la carpeta de datos, que se crea la primera vez."`
	File string `arg:"" placeholder:"FICHERO" help:"Fichero que se escribe."`
}

// Examples of the command.
func (corpusExportCmd) Examples() []string {
	return []string{"digesto corpus export leyes.digesto", "digesto corpus export leyes.digesto --key clave.hex"}
}

// Run exports; the file appears whole or not at all.
func (c corpusExportCmd) Run(a *app) error {
	lib, data, err := a.library()
	if err != nil {
		return err
	}
	defer lib.Close()
	key, err := signingKey(cmp.Or(c.Key, filepath.Join(data, "keys", "export.ed25519")), c.Key == "")
	if err != nil {
		return err
	}
	var out corpus.Exported
	failed := false // while it was written
	err = writeWhole(c.File, 0o644, true, func(w io.Writer) (err error) {
		out, err = lib.Export(a.ctx, w, key, a.today())
		failed = err != nil
		return err
	})
	if err != nil {
		return or(failed, err, fileError(err, c.File, "Elija una carpeta en la que se pueda escribir."))
	}
	if a.json {
		return a.printJSON(out)
	}
	fmt.Fprintf(a.out, "%s: %d normas, %d ficheros, %d KB sin comprimir · instantánea %.12s\nFirmado con la clave %s\nPara instalarlo: digesto corpus import %s --trust %s\n",
		c.File, out.Norms, out.Files, out.Bytes>>10, out.Snapshot, out.Key, filepath.Base(c.File), out.Key)
	return nil
}

// signingKey reads a seed of 32 bytes in hex; make creates it when it is not there.
func signingKey(path string, create bool) (ed25519.PrivateKey, error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) && create {
		seed := make([]byte, ed25519.SeedSize)
		if _, err := rand.Read(seed); err != nil {
			return nil, err
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return nil, fileError(err, path, "Compruebe los permisos de la carpeta de datos.")
		}
		if err := os.WriteFile(path, []byte(hex.EncodeToString(seed)+"\n"), 0o600); err != nil {
			return nil, fileError(err, path, "Compruebe los permisos de la carpeta de datos.")
		}
		return ed25519.NewKeyFromSeed(seed), nil
	}
	if err != nil {
		return nil, fileError(err, path, "Dé con --key un fichero con la semilla en hexadecimal.")
	}
	seed, err := hex.DecodeString(strings.TrimSpace(string(data)))
	if err != nil || len(seed) != ed25519.SeedSize {
		return nil, &digesto.Error{Code: digesto.CodeInvalid, Message: "«" + path + "» no es una clave ed25519", Hint: "Debe tener 64 cifras hexadecimales."}
	}
	return ed25519.NewKeyFromSeed(seed), nil
}

// corpusImportCmd installs an exported library.
type corpusImportCmd struct {
	Trust string `name:"trust" placeholder:"CLAVE" help:"Clave pública de quien lo hizo, en hexadecimal."`
	Older bool   `name:"older" help:"Admite una exportación anterior a la última que se instaló de la misma clave."`
	File  string `arg:"" placeholder:"FICHERO" help:"Exportación."`
}

// Examples of the command.
func (corpusImportCmd) Examples() []string {
	return []string{"digesto corpus import leyes.digesto --trust 3f0c…"}
}

// Run proves the file and makes it the current library.
func (c corpusImportCmd) Run(a *app) error {
	f, err := os.Open(c.File)
	if err != nil {
		return fileError(err, c.File, "Revise la ruta.")
	}
	defer f.Close()
	lib, data, err := a.library()
	if err != nil {
		return err
	}
	defer lib.Close()
	out, err := lib.Import(a.ctx, f, c.Trust, corpus.UpdateOptions{BeforeSwap: a.beforeSwap(data), Older: c.Older})
	if err != nil {
		return err
	}
	prune(lib, data)
	if a.json {
		return a.printJSON(out)
	}
	fmt.Fprintf(a.out, "%d normas instaladas, del %s · instantánea %.12s\n", out.Norms, out.Created, out.Snapshot)
	return nil
}

// corpusRollbackCmd goes back to the library as it was.
type corpusRollbackCmd struct{}

// Examples of the command.
func (corpusRollbackCmd) Examples() []string { return []string{"digesto corpus rollback"} }

// Run makes the snapshot before the current one current again.
func (corpusRollbackCmd) Run(a *app) error {
	lib, data, err := a.library()
	if err != nil {
		return err
	}
	defer lib.Close()
	from, to, err := lib.Rollback(a.ctx, corpus.UpdateOptions{BeforeSwap: a.beforeSwap(data)})
	if err != nil {
		return err
	}
	prune(lib, data)
	if a.json {
		return a.printJSON(map[string]string{"from": from, "to": to})
	}
	fmt.Fprintf(a.out, "Instantánea %.12s (antes %.12s). La misma orden deshace este paso.\n", to, from)
	return nil
}

// purge deletes for good what was removed: the snapshot that still had it, its
// index, and the copies that were pulled of it.
func (a *app) purge(lib *corpus.Library, data string, ids []string) (corpus.Forgotten, []string, error) {
	proof, err := lib.Forget(a.ctx)
	if err != nil {
		return proof, nil, err
	}
	prune(lib, data)
	var copies []string
	for _, id := range ids {
		found, _ := filepath.Glob(filepath.Join(data, "pulled", "*", unfit.ReplaceAllString(id, "-")+".*")) // the pattern is ours
		for _, path := range found {
			if err := os.Remove(path); err != nil {
				return proof, copies, fileError(err, path, "Bórrelo a mano.")
			}
			copies = append(copies, path)
		}
	}
	if len(copies) > 0 { // what the service sent lies there too, under names that do not tell the norm
		if err := os.RemoveAll(filepath.Join(data, "cache", "fetch")); err != nil {
			return proof, copies, fileError(err, filepath.Join(data, "cache", "fetch"), "Bórrela a mano.")
		}
	}
	return proof, copies, nil
}
