package run

import (
	"cmp"
	"io"
	"io/fs"
	"os"

	"digesto"
	"digesto/app"
	"digesto/corpus"
	"digesto/corpus/ingest/dating"
	"digesto/disk"
	"digesto/eval"
	"digesto/pack"
	"digesto/packs"
	"digesto/text/cite"
)

// ReferencesRun is which labels the references found at ingestion are held against: see the
// command.
type ReferencesRun struct {
	Country string
	Sample  int
	Anew    bool
	Seed    string
	File    []string
}

// ReferenceRow is how many of the references labelled in a country's passages were found.
type ReferenceRow struct {
	Country string `json:"country"`
	eval.ReferenceCounts
	Precision float64 `json:"precision"`
	Recall    float64 `json:"recall"`
}

// Measure holds the references of the law installed against the labels; misses gets a line for
// each that is not as labelled.
func (c ReferencesRun) Measure(w *app.Workspace, law *corpus.Snapshot, misses io.Writer) ([]ReferenceRow, error) {
	rows := []ReferenceRow{}
	var find func(digesto.Norm, digesto.Unit, digesto.Version) []digesto.Reference
	if c.Anew {
		table := cite.NewTable(app.AliasesOf(w.Packs), law.Norms())
		known := pack.Expected(w.Packs)
		find = func(n digesto.Norm, u digesto.Unit, v digesto.Version) []digesto.Reference {
			return dating.NewReferrer(table, n, known).References(u, v)
		}
	}
	err := c.files(func(country string, data []byte) error {
		list, err := eval.ReadPassages(data)
		if err != nil {
			return err
		}
		n := eval.References(law, list, find, misses)
		rows = append(rows, ReferenceRow{country, n, n.Precision(), n.Recall()})
		return nil
	})
	return rows, err
}

// files gives the labels of the files named, or those that the packs bring.
func (c ReferencesRun) files(visit func(country string, data []byte) error) error {
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
