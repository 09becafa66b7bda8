package main

import (
	"time"

	"digesto"
	"digesto/cmd/digesto/internal/show"
	"digesto/store"
)

// analyticsCmd counts how questions ended.
type analyticsCmd struct {
	Days int `name:"days" default:"30" placeholder:"N" help:"Días que se miran, hasta hoy."`
}

// Examples of the command.
func (analyticsCmd) Examples() []string {
	return []string{"digesto analytics", "digesto analytics --days 7 --json"}
}

// Run prints the counts.
func (c analyticsCmd) Run(a *program) error {
	if c.Days < 1 || c.Days > 3660 {
		return &digesto.Error{Code: digesto.CodeUsage, Message: "--days pide un número de 1 a 3660", Hint: "por ejemplo --days 30"}
	}
	s, err := a.OpenDatabase()
	if err != nil {
		return err
	}
	defer s.Close()
	runs, err := s.Runs(a.Context, a.Now().AddDate(0, 0, -c.Days), time.Time{})
	if err != nil {
		return err
	}
	r := store.Analyse(runs)
	if a.json {
		return a.printJSON(r)
	}
	show.Analytics(a.screen(), r, c.Days)
	return nil
}
