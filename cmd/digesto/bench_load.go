package main

import (
	"fmt"

	"digesto"
	speed "digesto/bench"
)

// benchLoadCmd puts questions to a server of its own, over the installed law.
type benchLoadCmd struct {
	Requests int    `name:"requests" default:"2000" placeholder:"N" help:"Preguntas que se hacen a la vez, tras las que se hacen una a una."`
	Clients  int    `name:"clients" default:"16" placeholder:"N" help:"Clientes a la vez."`
	Pack     string `name:"pack" placeholder:"PAQUETE" help:"Las preguntas de ese paquete; sin él, las de todos."`
	Queries  string `name:"queries" placeholder:"FICHERO.jsonl" help:"Preguntas JSON Lines en lugar de las de los paquetes."`
	Stub     bool   `name:"stub" help:"Con un modelo fingido que contesta al instante: mide lo que añade el servidor a un modelo."`
	Anew     bool   `name:"anew" help:"Busca de nuevo cada pregunta: sin él, de una ya hecha se vuelve a escribir y a comprobar la respuesta, y lo encontrado se guarda."`
	Profile  string `name:"profile" placeholder:"FICHERO" help:"Escribe en qué se va el procesador mientras se mide, para «go tool pprof»."`
}

// Examples of the command.
func (benchLoadCmd) Examples() []string {
	return []string{"digesto bench load --pack laboral", "digesto bench load --stub --requests 100000 --clients 16", "digesto bench load --queries preguntas.jsonl --json"}
}

// Run measures and prints.
func (c benchLoadCmd) Run(a *program) error {
	r, err := speed.Load(a.App, speed.LoadOptions(c))
	if err != nil {
		return err
	}
	return c.print(a, r)
}

func (c benchLoadCmd) print(a *program, r speed.LoadReport) error {
	if a.json {
		return a.printJSON(r)
	}
	with := "sin modelo"
	if r.Stub {
		with = fmt.Sprintf("con un modelo que contesta al instante (%d llamadas)", r.Model)
	}
	fmt.Fprintf(a.out, "%d normas instaladas, %s, %d CPU\n", r.Norms, with, r.CPUs)
	row := func(name string, q speed.Quantiles) {
		fmt.Fprintf(a.out, "  %-22s p50 %.1f ms · p95 %.1f ms · p99 %.1f ms\n", name, q.P50, q.P95, q.P99)
	}
	row("de una en una", r.Alone)
	row(fmt.Sprintf("%d a la vez", r.Clients), r.Together)
	how := "lo encontrado se guarda para la siguiente vez"
	if r.Anew {
		how = "cada vez se busca de nuevo"
	}
	fmt.Fprintf(a.out, "  %d preguntas distintas: %s\n", r.Questions, how)
	fmt.Fprintf(a.out, "  %d preguntas, %d errores, %.0f por segundo, %.2f ms de procesador cada una\n", r.Requests, r.Errors, r.PerSecond, r.CPU)
	fmt.Fprintf(a.out, "  memoria en uso: %.1f MB tras la primera décima parte, %.1f MB a la mitad, %.1f MB al final\n", mb(r.Heap[0]), mb(r.Heap[4]), mb(r.Heap[9]))
	fmt.Fprintf(a.out, "  memoria residente: %.0f MB antes, %.0f MB a la mitad, %.0f MB al final (máximo %.0f MB)\n", float64(r.RSS[0])/1e6, float64(r.RSS[5])/1e6, float64(r.RSS[10])/1e6, float64(r.PeakRSS)/1e6)
	fmt.Fprintf(a.out, "  gorrutinas: %d antes, %d a la mitad, %d al final con las conexiones abiertas, %d cerradas estas\n", r.Goroutines[0], r.Running[5], r.Running[10], r.Goroutines[1])
	if r.Errors > 0 {
		return &digesto.Error{Code: digesto.CodeCheck, Message: fmt.Sprintf("%d preguntas fallaron", r.Errors), Hint: "lance «digesto serve --verbose» y mire qué dice"}
	}
	return nil
}

func mb(n uint64) float64 { return float64(n) / 1e6 }
