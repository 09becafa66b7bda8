package main

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"

	"digesto"
	"digesto/app"
	"digesto/corpus/ingest/dating"
	"digesto/disk"
	"digesto/eval"
	"digesto/pack"
	"digesto/packs"
	"digesto/text/cite"
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
			fmt.Fprintf(a.out, "%s\t%s\t%s\t%s\n", p.Norm, p.Unit, p.Hash, clean(words[i]))
		}
		return nil
	}
	type row struct {
		Country string `json:"country"`
		eval.ReferenceCounts
		Precision float64 `json:"precision"`
		Recall    float64 `json:"recall"`
	}
	rows := []row{}
	var find func(digesto.Norm, digesto.Unit, digesto.Version) []digesto.Reference
	if c.Anew {
		table := cite.NewTable(app.AliasesOf(w.Packs), law.Norms())
		known := pack.Expected(w.Packs)
		find = func(n digesto.Norm, u digesto.Unit, v digesto.Version) []digesto.Reference {
			return dating.NewReferrer(table, n, known).References(u, v)
		}
	}
	err = c.files(func(country string, data []byte) error {
		list, err := eval.ReadPassages(data)
		if err != nil {
			return err
		}
		n := eval.References(law, list, find, a.err)
		rows = append(rows, row{country, n, n.Precision(), n.Recall()})
		return nil
	})
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(map[string]any{"corpus": law.Hash(), "references": rows})
	}
	for _, r := range rows {
		fmt.Fprintf(a.out, "%s: %d pasajes (%d no están), %d referencias etiquetadas, %d halladas, %d bien: precisión %.3f, exhaustividad %.3f\n",
			r.Country, r.Passages, r.Lost, r.Labels, r.Found, r.Right, r.Precision, r.Recall)
	}
	return nil
}

// files gives the labels of the files named, or those that the packs bring.
func (c evalReferencesCmd) files(visit func(country string, data []byte) error) error {
	for _, name := range c.File {
		data, err := os.ReadFile(name)
		if err != nil {
			return disk.Error(err, name, "")
		}
		if err := visit(cmp.Or(c.Country, name), data); err != nil {
			return err
		}
	}
	if len(c.File) > 0 {
		return nil
	}
	for _, country := range []string{"es", "ar", "pe"} {
		data, err := fs.ReadFile(packs.FS(), country+"/references.tsv")
		if err != nil || c.Country != "" && c.Country != country {
			continue
		}
		if err := visit(country, data); err != nil {
			return err
		}
	}
	return nil
}
