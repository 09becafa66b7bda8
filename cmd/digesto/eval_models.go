package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

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
			printProbe(a, p)
		}
	}, func(r eval.ModelRow) {
		if rows = append(rows, r); !a.json {
			printRow(a, r)
		}
	})
	if err == nil && a.json {
		return a.printJSON(map[string]any{"questions": len(cases), "rows": rows})
	}
	return err
}

// rowTitles name the rows for people.
var rowTitles = map[string]string{evalrun.NoModel: "sin modelo", evalrun.Configured: "modelo configurado", evalrun.Scripted: "modelo de guion"}

func printRow(a *program, r eval.ModelRow) {
	n := r.Counts
	fmt.Fprintf(a.out, "%s: de %d con respuesta, acertadas %d (y entre las lecturas %d), contestadas %d; dichas con seguridad %d, de ellas mal %d; de %d sin respuesta, no contestadas %d\n",
		rowTitles[r.Name], n.Answerable, n.Single, n.Among, n.Answerable-n.FalseRefusals, n.Loud, n.LoudWrong, n.Refusable, n.Declined)
	fmt.Fprintf(a.out, "  %.2f s, %.1f llamadas (%d como mucho), %.0f + %.0f fichas por pregunta; %d citas, %d literales\n", r.Seconds, r.Calls, r.Most, r.In, r.Out, n.Quotes, n.Verbatim)
	if r.Drafts > 0 {
		var why []string
		for _, k := range slices.Sorted(maps.Keys(r.Fallbacks)) {
			why = append(why, fmt.Sprintf("%s %d", k, r.Fallbacks[k]))
		}
		fmt.Fprintf(a.out, "  %d borradores: %d frases comprobadas, %d retiradas; de las frases mostradas, sin comprobar %d; por extracción: %s\n", r.Drafts, r.Proved, r.Dropped, r.Loose, strings.Join(why, ", "))
	}
	if r.Offered > 0 {
		fmt.Fprintf(a.out, "  de %d cuyo lugar vio el juez: contestadas desde él %d (%.3f), y con las palabras esperadas %d (%.3f)\n", r.Offered,
			r.OfferedFirst, float64(r.OfferedFirst)/float64(r.Offered), r.OfferedRight, float64(r.OfferedRight)/float64(r.Offered))
	}
}
