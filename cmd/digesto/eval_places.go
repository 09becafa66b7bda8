package main

import (
	"fmt"
	"maps"
	"slices"

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
	files, err := evalrun.PlacesRun(c).Entries()
	if err != nil {
		return err
	}
	var cases []eval.PlaceCase
	for _, f := range c.Files {
		list, err := eval.ReadPlaceCases(f)
		if err != nil {
			return err
		}
		cases = append(cases, list...)
	}
	have := map[string]bool{}
	for _, f := range files {
		for _, e := range f.Entries {
			have[e.Place()] = true
			for _, s := range e.Same {
				have[s] = true
			}
		}
	}
	covered := func(place string) bool { return have[place] }
	if c.Covered {
		cases = slices.DeleteFunc(cases, func(x eval.PlaceCase) bool { return !slices.ContainsFunc(x.Places, covered) })
	}
	find, done, err := evalrun.PlacesRun(c).Finder(a.App)
	if err != nil {
		return err
	}
	defer done()
	ranks, err := eval.Places(a.Context, cases, eval.PlacesOptions{Find: find, Covered: covered, Each: func(x eval.PlaceCase, rank int, found []string) {
		if c.Misses && rank != 1 {
			fmt.Fprintf(a.out, "%s %s: %d de %v; primero %v\n", x.ID, clean(x.Question), rank, x.Places, found[:min(3, len(found))])
		}
	}})
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(ranks)
	}
	for _, kind := range slices.Sorted(maps.Keys(ranks)) {
		r := ranks[kind]
		share := func(n int) float64 { return float64(n) / float64(max(1, r.Questions)) }
		fmt.Fprintf(a.out, "%-8s %4d preguntas, con entrada %.2f: primero %.2f, en 3 %.2f, en 5 %.2f, en 10 %.2f, en 20 %.2f\n",
			kind, r.Questions, share(r.Covered), share(r.First), share(r.Three), share(r.Five), share(r.Ten), share(r.Twenty))
	}
	return nil
}
