package main

import (
	"digesto/cmd/digesto/internal/show"
	"digesto/ops"
)

// judges tries the configured model as a judge of candidates and prints what it is worth.
func judges(a *program, questions int) error {
	p, err := ops.TryJudge(a.App, questions)
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(p)
	}
	show.Probe(a.screen(), p)
	return nil
}
