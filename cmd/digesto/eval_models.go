package main

import (
	"fmt"

	"digesto/cmd/digesto/internal/show"
	"digesto/eval"
	evalrun "digesto/eval/run"
	jury "digesto/judge"
)

// evalModelsCmd compares answers without a model, with the one configured and with one
// that is scripted.
type evalModelsCmd struct {
	Sample int      `default:"100" help:"Preguntas que se sortean; 0, todas."`
	Seed   uint64   `default:"1" help:"Semilla del sorteo."`
	Rows   []string `default:"none,configured,scripted" placeholder:"none,configured,scripted" help:"Filas: sin modelo; con el configurado; con uno que sabe dónde está la respuesta de cada pregunta y elige bien nueve de cada diez veces."`
	Out    string   `placeholder:"CARPETA" help:"Escribe las respuestas de cada fila en un fichero con su nombre."`
	Files  []string `arg:"" placeholder:"FICHERO.jsonl" help:"Preguntas con sus lugares (expect.places)."`
}

// Examples of the command.
func (evalModelsCmd) Examples() []string {
	return []string{"digesto eval models preguntas.jsonl", "digesto eval models --rows none,scripted --sample 0 preguntas.jsonl"}
}

// Run prints a line a row.
func (c evalModelsCmd) Run(a *program) error {
	cases, err := evalrun.ModelsRun(c).Cases()
	if err != nil {
		return err
	}
	var rows []eval.ModelRow
	err = evalrun.ModelsRun(c).Compare(a.App, cases, func(p jury.Probe) {
		if !a.json {
			fmt.Fprint(a.out, "el modelo de guion, a prueba: ")
			show.Probe(a.screen(), p)
		}
	}, func(r eval.ModelRow) {
		if rows = append(rows, r); !a.json {
			show.ModelRow(a.screen(), r)
		}
	})
	if err == nil && a.json {
		return a.printJSON(map[string]any{"questions": len(cases), "rows": rows})
	}
	return err
}
