package main

import (
	"fmt"

	"digesto/ops"
)

// migrateCmd moves conversations or indexes from one place to another.
type migrateCmd struct {
	From string `name:"from" required:"" placeholder:"DIRECCIÓN" help:"De dónde: postgres://…, sqlite:FICHERO o carpeta de datos; de índices, también https://… de Qdrant."`
	To   string `name:"to" required:"" placeholder:"DIRECCIÓN" help:"A dónde, en la misma forma. Lo que ya está y es igual se salta: repita la orden para seguir."`
	What string `name:"what" enum:"conversations,indexes" default:"conversations" placeholder:"conversations|indexes" help:"Qué se mueve: conversaciones (con usuarios y claves) o índices."`
}

// Examples of the command.
func (migrateCmd) Examples() []string {
	return []string{"digesto migrate --from ~/.local/share/digesto --to postgres://digesto@bd/digesto", "digesto migrate --what indexes --from postgres://digesto@bd/digesto --to https://:CLAVE@qdrant:6333"}
}

// Run moves, and says what came of it.
func (c migrateCmd) Run(a *program) error {
	m, err := ops.Migrate(a.App, ops.Migration{From: c.From, To: c.To}, c.What)
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(m)
	}
	fmt.Fprintf(a.out, "%d en total: %d movidos, %d ya estaban. Comprobado por número y suma: %.16s\n", m.Total, m.Moved, m.Already, m.Sum)
	return nil
}
