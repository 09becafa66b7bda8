package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"slices"

	"digesto/decide"
	"digesto/disk"
	"digesto/eval"
	evalrun "digesto/eval/run"
)

// tuneCmd refits what decides whether a place answers a question, from the digest alone.
type tuneCmd struct {
	Sample      int      `default:"1500" help:"Preguntas del digesto de cada paquete con las que se ajusta, y otras tantas con las que se mide; con 0 se calibran de nuevo los pesos que hay."`
	Seed        uint64   `default:"1" help:"Semilla del sorteo."`
	Out         string   `placeholder:"FICHERO" help:"Escribe los pesos (packs/decide.json); sin él, solo los enseña."`
	Vectors     string   `placeholder:"FICHERO" help:"Vectores de las preguntas, en lugar de los que lleva el programa."`
	Check       bool     `help:"Compara con los pesos del programa; código 7 si se apartan."`
	Recalibrate []string `placeholder:"FICHERO.jsonl" help:"Preguntas de otros, con sus lugares, por las que se ajustan los dos números de la calibración."`
	Try         []string `placeholder:"FICHERO.jsonl" help:"Preguntas de otros, con sus lugares, en las que se mide."`
	Each        bool     `help:"Enseña además cada pregunta medida."`
}

// Examples of the command.
func (tuneCmd) Examples() []string { return []string{"digesto tune --sample 20"} }

// weightsApart is how far a weight may be from the program's before the check fails: a
// new batch of entries moves them, a new mechanism more.
const weightsApart = .75

// Run fits, and prints the weights and how far what they state is right.
func (c tuneCmd) Run(a *program) error {
	t, err := evalrun.TuneOptions(c).Open(a.App)
	if err != nil {
		return err
	}
	defer t.W.Close()
	m, err := t.Fit(a.App, evalrun.TuneOptions(c))
	if err != nil {
		return err
	}
	cases, err := evalrun.PlaceCases(c.Recalibrate)
	if err != nil {
		return err
	}
	if len(cases) > 0 {
		judged, err := t.Judge(a.Context, m, cases)
		if err != nil {
			return err
		}
		m.Scale, m.Offsets = evalrun.Recalibrated(judged)
	}
	for _, n := range decide.Names() {
		fmt.Fprintf(a.out, "%-8s %8.3f\n", n, m.Weights[n])
	}
	fmt.Fprintf(a.out, "escala %.3f, desplazamientos %v\n", m.Scale, m.Offsets)
	if err := measureTuned(t, a, m, c); err != nil {
		return err
	}
	if c.Out != "" {
		data, _ := json.MarshalIndent(m, "", "\t")
		if err := os.WriteFile(c.Out, append(data, '\n'), 0o644); err != nil {
			return disk.Error(err, c.Out, "Dé un fichero donde se pueda escribir.")
		}
	}
	if c.Check {
		return sameWeights(t, m)
	}
	return nil
}

// sameWeights fails where a weight is far from the program's.
func sameWeights(t *evalrun.Tuning, m decide.Model) error {
	for _, n := range decide.Names() {
		if d := m.Weights[n] - t.Model.Weights[n]; math.Abs(d) > weightsApart {
			return checkFailed(fmt.Sprintf("el peso de %s se aparta en %.2f del que lleva el programa", n, d), "Escriba los pesos con --out packs/decide.json y mire qué cambia.")
		}
	}
	return nil
}

// measureTuned prints, for asks of each pack that were not drawn before and for each file of
// questions of others, where the right place stands and how often what is stated is right.
func measureTuned(t *evalrun.Tuning, a *program, m decide.Model, c tuneCmd) error {
	for _, p := range t.W.Packs {
		var cases []eval.PlaceCase
		for _, x := range t.Draw(p, c.Sample, rand.New(rand.NewPCG(c.Seed, 1))) {
			cases = append(cases, eval.PlaceCase{ID: x.Entry.Place(), Pack: p.Name, Kind: string(x.Ask.Kind), Question: x.Ask.Text, Places: []string{x.Entry.Place()}})
		}
		judged, err := t.Judge(a.Context, m, cases)
		if err != nil {
			return err
		}
		printTried(t, a, "digesto/"+p.Name, judged, false)
	}
	for _, f := range append(slices.Clone(c.Try), c.Recalibrate...) {
		cases, err := evalrun.PlaceCases([]string{f})
		if err != nil {
			return err
		}
		judged, err := t.Judge(a.Context, m, cases)
		if err != nil {
			return err
		}
		printTried(t, a, f, judged, c.Each)
	}
	return nil
}

// printTried writes the shares of a set by kind, and its calibration.
func printTried(t *evalrun.Tuning, a *program, name string, list []evalrun.JudgedCase, each bool) {
	if len(list) == 0 {
		return
	}
	by := map[string][]evalrun.JudgedCase{}
	for _, x := range list {
		by[""] = append(by[""], x)
		by[x.Kind] = append(by[x.Kind], x)
		if each {
			fmt.Fprintf(a.out, "%s\t%s\t%v\t%d\t%.3f\t%.3f\n", x.ID, x.Kind, x.Covered, x.Rank, x.First, x.More)
		}
	}
	for _, k := range slices.Sorted(maps.Keys(by)) {
		l := by[k]
		share := func(is func(evalrun.JudgedCase) bool) float64 {
			n := 0
			for _, x := range l {
				if is(x) {
					n++
				}
			}
			return float64(n) / float64(len(l))
		}
		fmt.Fprintf(a.out, "%s %s: %d preguntas, con entrada hallada %.2f, primero %.2f, en 3 %.2f, en 10 %.2f; a %.1f o más %.2f, de ellas acertadas %.2f\n", name, k, len(l),
			share(func(x evalrun.JudgedCase) bool { return x.Covered }), share(func(x evalrun.JudgedCase) bool { return x.Rank == 1 }), share(func(x evalrun.JudgedCase) bool { return x.Rank > 0 && x.Rank <= 3 }),
			share(func(x evalrun.JudgedCase) bool { return x.Rank > 0 && x.Rank <= 10 }), decide.Sure, share(func(x evalrun.JudgedCase) bool { return x.First >= decide.Sure }),
			share(func(x evalrun.JudgedCase) bool { return x.First >= decide.Sure && x.Rank == 1 })/max(1e-9, share(func(x evalrun.JudgedCase) bool { return x.First >= decide.Sure })))
	}
	for _, b := range decide.Calibration(evalrun.Outcomes(list)) {
		fmt.Fprintf(a.out, "  %.1f–%.1f: %d, dice %.2f, acierta %.2f\n", b.From, b.From+.2, b.N, b.Stated, b.Right)
	}
}
