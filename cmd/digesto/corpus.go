package main

import (
	"fmt"

	"digesto"
	"digesto/app"
	"digesto/cmd/digesto/internal/show"
	"digesto/corpus"
	"digesto/corpus/sync"
)

// corpusCmd groups the commands over installed texts.
type corpusCmd struct {
	Add      corpusAddCmd      `cmd:"" help:"Añade ficheros y carpetas: PDF, Markdown, texto o JSON Lines."`
	Pull     corpusPullCmd     `cmd:"" help:"Descarga textos oficiales de sus servicios de datos abiertos."`
	Update   corpusUpdateCmd   `cmd:"" help:"Trae lo que ha cambiado y dice, artículo por artículo, qué."`
	Export   corpusExportCmd   `cmd:"" help:"Escribe la biblioteca en un solo fichero firmado."`
	Import   corpusImportCmd   `cmd:"" help:"Instala una biblioteca exportada, si la firma es de confianza."`
	Publish  corpusPublishCmd  `cmd:"" help:"Publica la biblioteca, firmada, donde otros nodos la toman."`
	Rollback corpusRollbackCmd `cmd:"" help:"Vuelve a la biblioteca de antes de la última orden."`
	List     corpusListCmd     `cmd:"" help:"Lista las normas instaladas."`
	Show     corpusShowCmd     `cmd:"" help:"Enseña una norma o un artículo, a una fecha, o sus diferencias."`
	Rm       corpusRmCmd       `cmd:"" help:"Quita normas."`
	Check    corpusCheckCmd    `cmd:"" help:"Prueba que la biblioteca y su índice están íntegros."`

	Asks    corpusAsksCmd    `cmd:"" help:"Hace que su modelo escriba las preguntas que llevan a una norma, y las comprueba."`
	Vectors corpusVectorsCmd `cmd:"" help:"Calcula los vectores propios de los artículos, para que la búsqueda por significado los use."`
}

// Examples of the group.
func (corpusCmd) Examples() []string {
	return []string{"digesto corpus add ./leyes --pack laboral", "digesto corpus list", `digesto corpus show BOE-A-2015-11430 38`}
}

// corpusListCmd lists norms.
type corpusListCmd struct {
	Pack string `name:"pack" placeholder:"PAQUETE" help:"Solo las de ese paquete."`
}

// Examples of the command.
func (corpusListCmd) Examples() []string {
	return []string{"digesto corpus list", "digesto corpus list --pack laboral", "digesto corpus list --json | jq '.norms[].id'"}
}

// Run lists the installed law; without any it says how to install it.
func (c corpusListCmd) Run(a *program) error {
	_, snap, done, err := a.OpenTexts(c.Pack)
	if err != nil {
		return err
	}
	defer done()
	norms := []digesto.Norm{}
	for _, n := range snap.Norms() {
		if c.Pack == "" || app.InPack(n, c.Pack) {
			norms = append(norms, n)
		}
	}
	if a.json {
		return a.printJSON(map[string]any{"corpus": snap.Hash(), "norms": norms})
	}
	if len(norms) == 0 {
		fmt.Fprintln(a.out, "Ninguna norma instalada. Para instalar textos: digesto corpus add CARPETA --pack PAQUETE")
		return nil
	}
	show.Library(a.screen(), norms, snap.Hash())
	return nil
}

// corpusRmCmd removes norms.
type corpusRmCmd struct {
	Purge bool     `name:"purge" help:"Borra también la instantánea anterior y las copias descargadas, y lo prueba."`
	ID    []string `arg:"" placeholder:"NORMA" help:"Identificadores de las normas."`
}

// Examples of the command.
func (corpusRmCmd) Examples() []string {
	return []string{"digesto corpus rm BOE-A-2015-11430", "digesto corpus rm norma-1 norma-2 --data /srv/digesto", "digesto corpus rm norma-1 --purge --json"}
}

// purge prints the proof that nothing is left.
func (c corpusRmCmd) purge(a *program, lib *corpus.Library, data string) error {
	proof, copies, err := sync.Purge(a.Context, lib, data, c.ID, app.Prune)
	if now, gone := lib.Current(); err == nil && gone == nil {
		sync.PruneOriginals(data, now) // the snapshot before has been purged
		now.Close()
	}
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(map[string]any{"removed": c.ID, "corpus": proof.Snapshot, "proof": proof, "copies_deleted": copies})
	}
	fmt.Fprintf(a.out, "Quitadas y borradas %d normas: %d ficheros de la biblioteca y %d copias descargadas; quedan %d, todos de lo que sigue instalado.\n", len(c.ID), len(proof.Deleted), len(copies), proof.Kept)
	a.Say("Las respuestas que ya lo citaron siguen en las conversaciones y en las trazas de quien preguntó, hasta que se borren.")
	return nil
}

// Run removes all the norms named, or none.
func (c corpusRmCmd) Run(a *program) error {
	lib, data, err := a.Library()
	if err != nil {
		return err
	}
	defer lib.Close()
	hash, err := lib.Update(a.Context, corpus.UpdateOptions{BeforeSwap: a.BeforeSwap(data)}, func(tx *corpus.Tx) error {
		for _, id := range c.ID {
			if err := tx.Remove(id); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	app.Prune(lib, data)
	if c.Purge {
		return c.purge(a, lib, data)
	}
	if a.json {
		return a.printJSON(map[string]any{"removed": c.ID, "corpus": hash})
	}
	fmt.Fprintf(a.out, "Quitadas %d normas. Instantánea %.12s\n", len(c.ID), hash)
	return nil
}
