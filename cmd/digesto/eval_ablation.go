package main

import (
	"digesto/cmd/digesto/internal/show"
	"digesto/eval"
	evalrun "digesto/eval/run"
)

// ablation measures every way and judges each stage.
func (c evalRetrievalCmd) ablation(a *program, opt eval.RetrievalOptions) error {
	rows, err := evalrun.Ablate(a.App, c.Dir, opt)
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(map[string]any{"rows": rows})
	}
	show.Ablation(a.screen(), rows)
	return nil
}
