package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"

	"digesto/cmd/digesto/internal/show"
	"digesto/decide"
	"digesto/disk"
	evalrun "digesto/eval/run"
)

// tuneCmd refits what decides whether a place answers a question, from the digest alone.
type tuneCmd struct {
	Sample      int      `default:"1500" help:"Preguntas del digesto de cada paquete con las que se ajusta, y otras tantas con las que se mide; con 0 se calibran de nuevo los pesos que hay."`
	Seed        uint64   `default:"1" help:"Semilla del sorteo."`
	Out         string   `placeholder:"FICHERO" help:"Escribe los pesos (packs/decide.json); sin él, solo los enseña."`
	Vectors     string   `placeholder:"FICHERO" help:"Vectores de las preguntas, en lugar de los que lleva el programa."`
	Digest      string   `default:"packs" placeholder:"CARPETA" help:"Carpeta de paquetes con sus preguntas, que el programa no lleva escritas."`
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
	m, err := t.Refit(a.App, evalrun.TuneOptions(c))
	if err != nil {
		return err
	}
	for _, n := range decide.Names() {
		fmt.Fprintf(a.out, "%-8s %8.3f\n", n, m.Weights[n])
	}
	fmt.Fprintf(a.out, "escala %.3f, desplazamientos %v\n", m.Scale, m.Offsets)
	err = t.Measure(a.Context, m, evalrun.TuneOptions(c), func(name string, list []evalrun.JudgedCase, own bool) {
		show.Tuned(a.screen(), name, list, c.Each && !own)
	})
	if err != nil {
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
