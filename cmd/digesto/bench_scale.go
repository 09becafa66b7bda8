package main

import (
	"fmt"
	"text/tabwriter"

	speed "digesto/bench"
)

// benchScaleCmd measures the same chunks in the embedded index and in a server's.
type benchScaleCmd struct {
	Corpus  string `name:"corpus" required:"" placeholder:"FICHERO.jsonl" help:"Corpus JSON Lines."`
	Queries string `name:"queries" required:"" placeholder:"FICHERO.jsonl" help:"Preguntas JSON Lines."`
	Times   int    `name:"times" default:"1" placeholder:"N" help:"Repite el corpus N veces, con palabras cambiadas en cada copia."`
	Limit   int    `name:"limit" placeholder:"N" help:"Solo los N primeros documentos del corpus."`
	Server  bool   `name:"server-only" help:"Solo el índice del servidor, sin el integrado."`
	Reuse   bool   `name:"reuse" help:"Si el índice del servidor ya está construido, no vuelve a construirlo."`
	Asked   int    `name:"asked" default:"200" placeholder:"N" help:"Cuántas preguntas se hacen de cada forma."`
}

// Examples of the command.
func (benchScaleCmd) Examples() []string {
	return []string{"digesto bench scale --corpus leyes.jsonl --queries preguntas.jsonl --times 10 --index postgres://digesto@bd/digesto"}
}

// Run measures and prints one table.
func (c benchScaleCmd) Run(a *program) error {
	r, err := speed.Scale(a.App, speed.ScaleOptions(c))
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(map[string]any{"documents": r.Documents, "cpus": r.CPUs, "questions": r.Questions, "rows": r.Rows})
	}
	fmt.Fprintf(a.out, "%d documentos, %d preguntas de cada forma, %d procesadores\n", r.Documents, r.Questions, r.CPUs)
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "dónde\tfiltro\tconstruir s\tdisco MB\tmemoria MB\tp50 ms\tp95 ms\tp99 ms\t")
	for _, r := range r.Rows {
		fmt.Fprintf(w, "%s\t%s\t%.1f\t%.0f\t%.0f\t%.2f\t%.2f\t%.2f\t\n", r.Where, map[bool]string{false: "no", true: "rango"}[r.Filter], r.Build, float64(r.Disk)/1e6, float64(r.RSS)/1e6, r.P50, r.P95, r.P99)
	}
	return w.Flush()
}
