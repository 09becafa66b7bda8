package main

import (
	"fmt"

	"digesto"
	speed "digesto/bench"
	"digesto/cmd/digesto/internal/show"
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
	show.Load(a.screen(), r)
	if r.Errors > 0 {
		return &digesto.Error{Code: digesto.CodeCheck, Message: fmt.Sprintf("%d preguntas fallaron", r.Errors), Hint: "lance «digesto serve --verbose» y mire qué dice"}
	}
	return nil
}
