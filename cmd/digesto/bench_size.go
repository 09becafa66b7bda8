package main

import (
	speed "digesto/bench"
	"digesto/cmd/digesto/internal/show"
)

// benchSizeCmd measures what installing, keeping and asking cost by size.
type benchSizeCmd struct {
	Corpus   string `name:"corpus" required:"" placeholder:"FICHERO.jsonl" help:"Corpus JSON Lines."`
	Queries  string `name:"queries" required:"" placeholder:"FICHERO.jsonl" help:"Preguntas JSON Lines, para la búsqueda."`
	Articles []int  `name:"articles" default:"10000,100000" placeholder:"N" help:"Tamaños, en artículos: más allá del corpus, con palabras cambiadas en cada copia."`
	Pack     string `name:"pack" default:"laboral" placeholder:"PAQUETE" help:"Paquete cuyas preguntas se contestan enteras."`
	Requests int    `name:"requests" default:"300" placeholder:"N" help:"Cuántas preguntas se contestan."`
}

// Examples of the command.
func (benchSizeCmd) Examples() []string {
	return []string{"digesto bench size --corpus leyes.jsonl --queries preguntas.jsonl --articles 10000,100000"}
}

// Run measures and prints one table.
func (c benchSizeCmd) Run(a *program) error {
	rows, err := speed.Size(a.App, speed.SizeOptions(c))
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(rows)
	}
	return show.Size(a.screen(), rows)
}
