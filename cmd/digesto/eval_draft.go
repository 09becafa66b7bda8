package main

import (
	"digesto"
)

// evalDraftCmd makes cases of the answers that people marked as bad.
type evalDraftCmd struct {
	Days int `name:"days" default:"90" placeholder:"N" help:"Días que se miran, hasta hoy."`
}

// Examples of the command.
func (evalDraftCmd) Examples() []string {
	return []string{"digesto eval draft > borradores.jsonl", "digesto eval draft --days 7"}
}

// Run prints a draft case a line.
func (c evalDraftCmd) Run(a *program) error {
	if c.Days < 1 || c.Days > 3660 {
		return &digesto.Error{Code: digesto.CodeUsage, Message: "--days pide un número de 1 a 3660", Hint: "por ejemplo --days 30"}
	}
	if _, err := a.NeedData(); err != nil {
		return err
	}
	drafts, missing, err := a.Rated(c.Days, -1)
	if err != nil {
		return err
	}
	for _, d := range drafts {
		if err := a.printLine(d); err != nil {
			return err
		}
	}
	a.Say("%d borradores; %d valoraciones sin traza guardada. Escriba en cada uno lo que se espera («expect») y añádalo a los casos de su paquete.", len(drafts), missing)
	return nil
}
