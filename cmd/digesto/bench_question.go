package main

import (
	"fmt"

	speed "digesto/bench"
)

// benchQuestionCmd measures what the binary's model costs: in indexing, and from the
// text of a question to its hits.
type benchQuestionCmd struct {
	Corpus  string `name:"corpus" required:"" placeholder:"FICHERO.jsonl" help:"Corpus JSON Lines."`
	Queries string `name:"queries" required:"" placeholder:"FICHERO.jsonl" help:"Preguntas JSON Lines."`
	Passes  int    `name:"passes" default:"1" placeholder:"N" help:"Pasadas medidas, después de diez preguntas de calentamiento."`
}

// Examples of the command.
func (benchQuestionCmd) Examples() []string {
	return []string{"GOMAXPROCS=1 digesto bench question --corpus corpus.jsonl --queries preguntas.jsonl"}
}

// Run measures and prints.
func (c benchQuestionCmd) Run(a *program) error {
	r, err := speed.Question(a.App, speed.QuestionOptions(c))
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(r)
	}
	fmt.Fprintf(a.out, "%d documentos, %d preguntas × %d pasadas, %d procesadores\nindexar: palabras %.1f s (procesador %.1f s) · los vectores añaden %.1f s (procesador %.1f s) · disco %.1f MB\nmodelo listo en %.0f ms\nde la pregunta a los resultados: media %.2f ms, p50 %.2f, p95 %.2f, p99 %.2f · de eso, vector de la pregunta: media %.2f, p95 %.2f\n",
		r.Documents, r.Queries, c.Passes, r.CPUs, r.WordsMS/1e3, r.WordsCPU/1e3, r.VectorsMS/1e3, r.VectorsCPU/1e3, float64(r.DiskBytes)/1e6,
		r.ReadyMS, r.Mean, r.P50, r.P95, r.P99, r.EmbedMean, r.EmbedP95)
	return nil
}
