package main

import (
	"digesto/app"
	"digesto/cmd/digesto/internal/show"
	evalrun "digesto/eval/run"
	"digesto/pack"
)

// ablation measures every way to find guides and judges each stage.
func (c evalPackCmd) ablation(a *program, w *app.Workspace, p *pack.Pack) error {
	rows, err := evalrun.PackRun(c).Ablate(a.App, w, p)
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(map[string]any{"rows": rows})
	}
	show.GuideAblation(a.screen(), rows)
	return nil
}
