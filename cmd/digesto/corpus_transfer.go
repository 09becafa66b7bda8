package main

import (
	"cmp"
	"crypto/ed25519"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"digesto/app"
	"digesto/corpus"
	"digesto/corpus/follow"
	"digesto/corpus/sync"
	"digesto/disk"
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
func (c corpusExportCmd) Run(a *program) error {
	lib, data, err := a.Library()
	if err != nil {
		return err
	}
	defer lib.Close()
	key, err := sync.SigningKey(cmp.Or(c.Key, filepath.Join(data, "keys", "export.ed25519")), c.Key == "")
	if err != nil {
		return err
	}
	var out corpus.Exported
	failed := false // while it was written
	err = disk.WriteWhole(c.File, 0o644, true, func(w io.Writer) (err error) {
		out, err = lib.Export(a.Context, w, key, a.Today())
		failed = err != nil
		return err
	})
	if err != nil {
		return app.Or(failed, err, disk.Error(err, c.File, "Elija una carpeta en la que se pueda escribir."))
	}
	if a.json {
		return a.printJSON(out)
	}
	fmt.Fprintf(a.out, "%s: %d normas, %d ficheros, %d KB sin comprimir · instantánea %.12s\nFirmado con la clave %s\nPara instalarlo: digesto corpus import %s --trust %s\n",
		c.File, out.Norms, out.Files, out.Bytes>>10, out.Snapshot, out.Key, filepath.Base(c.File), out.Key)
	return nil
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
func (c corpusImportCmd) Run(a *program) error {
	f, err := os.Open(c.File)
	if err != nil {
		return disk.Error(err, c.File, "Revise la ruta.")
	}
	defer f.Close()
	lib, data, err := a.Library()
	if err != nil {
		return err
	}
	defer lib.Close()
	out, err := lib.Import(a.Context, f, c.Trust, corpus.UpdateOptions{BeforeSwap: a.BeforeSwap(data), Older: c.Older})
	if err != nil {
		return err
	}
	app.Prune(lib, data)
	if a.json {
		return a.printJSON(out)
	}
	fmt.Fprintf(a.out, "%d normas instaladas, del %s · instantánea %.12s\n", out.Norms, out.Created, out.Snapshot)
	return nil
}

// corpusPublishCmd puts the library where nodes take it from.
type corpusPublishCmd struct {
	Key     string `name:"key" placeholder:"FICHERO" help:"Clave privada ed25519 (semilla en hexadecimal); sin ella, la de la carpeta de datos, que se crea la primera vez."`
	Back    bool   `name:"back" help:"Vuelve a publicar la ley que lo estaba antes; la misma orden lo deshace."`
	Address string `arg:"" placeholder:"DIRECCIÓN" help:"Carpeta, o s3://CUBO/PREFIJO?endpoint=https://SERVIDOR con las claves en AWS_ACCESS_KEY_ID y AWS_SECRET_ACCESS_KEY."`
}

// Examples of the command.
func (corpusPublishCmd) Examples() []string {
	return []string{"digesto corpus publish /srv/leyes", `digesto corpus publish "s3://leyes/nodos?endpoint=https://minio.example:9000"`, "digesto corpus publish /srv/leyes --back"}
}

// Run writes the export, then what points to it.
func (c corpusPublishCmd) Run(a *program) error {
	lib, data, err := a.Library()
	if err != nil {
		return err
	}
	defer lib.Close()
	key, err := sync.SigningKey(cmp.Or(c.Key, filepath.Join(data, "keys", "export.ed25519")), c.Key == "" && !c.Back)
	if err != nil {
		return err
	}
	at, err := a.Place(c.Address)
	if err != nil {
		return err
	}
	var p follow.Pointer
	if c.Back {
		p, err = follow.Back(a.Context, at, key, a.Now())
	} else {
		p, err = follow.Publish(a.Context, at, lib, key, a.Now())
	}
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(p)
	}
	fmt.Fprintf(a.out, "Publicada en %s la instantánea %.12s, del %s (%d KB)\nPara que un nodo la tome: digesto serve --follow '%s' --follow-key %s\n", at, p.Law.Snapshot, p.Law.Day, p.Law.Size>>10, c.Address, hex.EncodeToString(key.Public().(ed25519.PublicKey)))
	return nil
}

// corpusRollbackCmd goes back to the library as it was.
type corpusRollbackCmd struct{}

// Examples of the command.
func (corpusRollbackCmd) Examples() []string { return []string{"digesto corpus rollback"} }

// Run makes the snapshot before the current one current again.
func (corpusRollbackCmd) Run(a *program) error {
	lib, data, err := a.Library()
	if err != nil {
		return err
	}
	defer lib.Close()
	from, to, err := lib.Rollback(a.Context, corpus.UpdateOptions{BeforeSwap: a.BeforeSwap(data)})
	if err != nil {
		return err
	}
	app.Prune(lib, data)
	if a.json {
		return a.printJSON(map[string]string{"from": from, "to": to})
	}
	fmt.Fprintf(a.out, "Instantánea %.12s (antes %.12s). La misma orden deshace este paso.\n", to, from)
	return nil
}
