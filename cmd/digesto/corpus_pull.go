package main

import (
	"fmt"
	"path/filepath"

	"digesto"
	"digesto/cmd/digesto/internal/show"
	"digesto/cmd/digesto/internal/terminal"
	"digesto/corpus/ingest"
	"digesto/corpus/sync"
)

// corpusPullCmd brings official texts from the services that publish them.
type corpusPullCmd struct {
	Pack   string   `name:"pack" placeholder:"PAQUETE" help:"Paquete al que se añaden las fuentes sueltas."`
	Max    int      `name:"max" placeholder:"N" help:"Como mucho N normas (0: todas)."`
	Source []string `arg:"" placeholder:"PAQUETE|FUENTE" help:"Un paquete, boe:ID, infoleg:NÚMERO o una dirección https de la lista permitida."`
}

// Examples of the command.
func (corpusPullCmd) Examples() []string {
	return []string{"digesto corpus pull laboral", "digesto corpus pull boe:BOE-A-2015-11430 --pack laboral", "digesto corpus pull https://www.boe.es/boe/dias/2025/07/30/pdfs/BOE-A-2025-15741.pdf"}
}

// Run fetches, adds what is new, and says what became of each source. Exit 5
// when a source could not be had; the others are added all the same.
func (c corpusPullCmd) Run(a *program) error {
	w, err := a.OpenPack(c.Pack)
	if err != nil {
		return err
	}
	defer w.Close()
	targets, err := sync.Targets(w.Packs, c.Source, c.Pack)
	if err != nil {
		return err
	}
	if c.Max > 0 && len(targets) > c.Max {
		targets = targets[:c.Max]
	}
	p, err := sync.Open(a.Texts(w))
	if err != nil {
		return err
	}
	list, err := p.FetchAll(a.Context, targets)
	if err != nil {
		return err
	}
	added, err := p.Add(a.Context, list)
	if err != nil {
		return err
	}
	return c.report(a, p, list, added)
}

// report prints what became of each source.
func (corpusPullCmd) report(a *program, p *sync.Client, list []sync.Source, added ingest.Report) error {
	count := map[string]int{}
	for _, x := range list {
		count[x.State]++
	}
	if a.json {
		if err := a.printJSON(map[string]any{"sources": list, "counts": count, "norms": added.Norms, "units": added.Units, "versions": added.Versions,
			"requests": p.Client.Requests(), "bytes": p.Client.Bytes(), "corpus": added.Snapshot}); err != nil {
			return err
		}
	} else {
		for _, x := range list {
			if x.State == "failed" {
				fmt.Fprintf(a.out, "%s %s: %s\n", a.outStyle().Bad("no descargada:"), terminal.Clean(x.ID), terminal.Clean(x.Error+". "+x.Hint))
			}
		}
		fmt.Fprintf(a.out, "%d fuentes: %d nuevas, %d cambiadas, %d sin cambios, %d no descargadas · %d peticiones, %d KB\n",
			len(list), count["new"], count["changed"], count["unchanged"], count["failed"], p.Client.Requests(), p.Client.Bytes()>>10)
		fmt.Fprintf(a.out, "%d normas leídas, %d artículos y otras unidades, %d versiones\n", added.Norms, added.Units, added.Versions)
		show.Skipped(a.screen(), added.Skipped)
		fmt.Fprintf(a.out, "Procedencia y condiciones de cada texto: %s\n", filepath.Join(p.Dir, "FUENTES.tsv"))
	}
	if count["failed"] > 0 {
		for _, x := range list {
			if x.Err != nil {
				return &quietError{&digesto.Error{Code: digesto.CodeOf(x.Err), Message: "hay fuentes que no se han podido descargar"}}
			}
		}
	}
	return nil
}
