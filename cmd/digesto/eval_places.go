package main

import (
	"fmt"

	"digesto/cmd/digesto/internal/show"
	"digesto/cmd/digesto/internal/terminal"
	"digesto/eval"
	evalrun "digesto/eval/run"
)

// evalPlacesCmd measures which place of the law a question is led to.
type evalPlacesCmd struct {
	By      string   `enum:"both,asks,articles" default:"both" placeholder:"both|asks|articles" help:"Por las preguntas del digesto, por los artículos o por ambos."`
	Covered bool     `help:"Solo las preguntas alguno de cuyos lugares tiene entrada."`
	Vectors string   `placeholder:"FICHERO" help:"Vectores de las preguntas, en lugar de los que lleva el programa."`
	Digest  string   `placeholder:"CARPETA" help:"Entradas, en lugar de las que lleva el programa."`
	Misses  bool     `help:"Enseña cada pregunta cuyo lugar no está el primero."`
	Files   []string `arg:"" placeholder:"FICHERO.jsonl" help:"Preguntas con sus lugares (expect.places)."`
}

// Examples of the command.
func (evalPlacesCmd) Examples() []string {
	return []string{"digesto eval places preguntas.jsonl", "digesto eval places --by asks --covered preguntas.jsonl"}
}

// Run prints one line a kind of question.
func (c evalPlacesCmd) Run(a *program) error {
	ranks, err := evalrun.PlacesRun(c).Measure(a.App, func(x eval.PlaceCase, rank int, found []string) {
		if c.Misses && rank != 1 {
			fmt.Fprintf(a.out, "%s %s: %d de %v; primero %v\n", x.ID, terminal.Clean(x.Question), rank, x.Places, found[:min(3, len(found))])
		}
	})
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(ranks)
	}
	show.Places(a.screen(), ranks)
	return nil
}
