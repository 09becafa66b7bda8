package main

import (
	"digesto/app"
	"digesto/cmd/digesto/internal/show"
	"digesto/corpus/inventory"
)

// coverageCmd says what is installed and what is not.
type coverageCmd struct {
	Pack  string `name:"pack" placeholder:"PAQUETE" help:"Solo ese paquete."`
	Table bool   `name:"table" help:"Tabla de toda la biblioteca: normas, unidades, versiones, referencias y defectos."`
	Norms bool   `name:"norms" help:"Norma por norma, lo que cada paquete espera y lo que hay."`
}

// Examples of the command.
func (coverageCmd) Examples() []string {
	return []string{"digesto coverage", "digesto coverage --pack laboral", "digesto coverage --table", "digesto coverage --pack laboral --norms", "digesto coverage --json"}
}

// Run prints it.
func (c coverageCmd) Run(a *program) error {
	w, err := a.Open(a.Context)
	if err != nil {
		return err
	}
	defer w.Close()
	if c.Table {
		return c.table(a, w)
	}
	out, err := app.MeasureCoverage(a.App, w, c.Pack)
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(out)
	}
	for _, pc := range out.Packs {
		show.Coverage(a.screen(), pc)
		if c.Norms {
			show.Completeness(a.screen(), pc.Sources)
		}
	}
	return nil
}

// table prints what the library holds by jurisdiction and format.
func (c coverageCmd) table(a *program, w *app.Workspace) error {
	snap, err := a.Snapshot(w)
	if err != nil {
		return err
	}
	defer snap.Close()
	t, err := inventory.Of(snap)
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(t)
	}
	return show.Inventory(a.screen(), t)
}
