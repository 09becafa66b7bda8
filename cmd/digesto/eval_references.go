package main

import (
	"fmt"

	"digesto"
	"digesto/cmd/digesto/internal/show"
	"digesto/cmd/digesto/internal/terminal"
	"digesto/eval"
	evalrun "digesto/eval/run"
)

// evalReferencesCmd holds the references found at ingestion against labels.
type evalReferencesCmd struct {
	Country string   `name:"country" placeholder:"PAÍS" help:"Solo los pasajes de ese país: es, ar, pe."`
	Sample  int      `name:"sample" placeholder:"N" help:"No mide: escribe N pasajes del país, con sus palabras, para etiquetarlos."`
	Anew    bool     `name:"anew" help:"Busca las referencias otra vez en los textos, en lugar de tomar las que guardó «corpus add»."`
	Seed    string   `name:"seed" default:"1" placeholder:"S" help:"De qué depende qué pasajes salen."`
	File    []string `arg:"" optional:"" placeholder:"FICHERO.tsv" help:"Etiquetas; sin ficheros, las de los paquetes."`
}

// Examples of the command.
func (evalReferencesCmd) Examples() []string {
	return []string{"digesto eval references", "digesto eval references --country ar", "digesto eval references --sample 150 --country pe"}
}

// Run prints precision and recall by country, and every miss on stderr.
func (c evalReferencesCmd) Run(a *program) error {
	w, err := a.Open(a.Context)
	if err != nil {
		return err
	}
	defer w.Close()
	law, err := a.Snapshot(w)
	if err != nil {
		return err
	}
	defer law.Close()
	if len(law.Norms()) == 0 {
		return &digesto.Error{Code: digesto.CodeNotFound, Message: "No hay ley instalada", Hint: "Instálela con «digesto corpus add CARPETA»."}
	}
	if c.Sample > 0 {
		list, words := eval.SamplePassages(law, c.Country, c.Seed, c.Sample)
		for i, p := range list {
			fmt.Fprintf(a.out, "%s\t%s\t%s\t%s\n", p.Norm, p.Unit, p.Hash, terminal.Clean(words[i]))
		}
		return nil
	}
	rows, err := evalrun.ReferencesRun(c).Measure(w, law, a.err)
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(map[string]any{"corpus": law.Hash(), "references": rows})
	}
	show.References(a.screen(), rows)
	return nil
}
