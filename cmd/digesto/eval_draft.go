package main

import (
	"time"

	"digesto"
	"digesto/eval"
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
func (c evalDraftCmd) Run(a *app) error {
	if c.Days < 1 || c.Days > 3660 {
		return &digesto.Error{Code: digesto.CodeUsage, Message: "--days pide un número de 1 a 3660", Hint: "por ejemplo --days 30"}
	}
	if _, err := a.needData(); err != nil {
		return err
	}
	kept, done, err := a.tracesKept()
	if err != nil {
		return err
	}
	defer done()
	s, err := a.openDatabase()
	if err != nil {
		return err
	}
	defer s.Close()
	from := a.now().AddDate(0, 0, -c.Days)
	ratings, err := s.Ratings(a.ctx, from, time.Time{})
	if err != nil {
		return err
	}
	runs, err := s.Runs(a.ctx, from, time.Time{})
	if err != nil {
		return err
	}
	drafts, missing := eval.Drafts(ratings, runs, func(id string) (eval.Kept, error) {
		r, err := kept.Get(id)
		return eval.Kept{ID: r.ID, Pack: r.Pack, Question: r.Question, Answer: r.Answer}, err
	})
	for _, d := range drafts {
		if err := a.printLine(d); err != nil {
			return err
		}
	}
	a.say("%d borradores; %d valoraciones sin traza guardada. Escriba en cada uno lo que se espera («expect») y añádalo a los casos de su paquete.", len(drafts), missing)
	return nil
}
