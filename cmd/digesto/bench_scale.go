package main

import (
	speed "digesto/bench"
	"digesto/cmd/digesto/internal/show"
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
	return show.Scale(a.screen(), r)
}
