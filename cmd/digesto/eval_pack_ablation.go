package main

import (
	"fmt"

	"digesto/app"
	"digesto/eval"
	evalrun "digesto/eval/run"
	"digesto/pack"
)

// ablation measures every way over the pack's own questions about its guides, or over
// a foreign set, and judges each stage.
func (c evalPackCmd) ablation(a *program, w *app.Workspace, p *pack.Pack) error {
	engine, err := a.Engine(w)
	if err != nil {
		return err
	}
	own := engine.Retriever(p, pack.StrategyHeuristic, false)
	var rows []evalrun.GuideRow
	for _, way := range evalrun.GuideStages() {
		rep, err := evalrun.PackRun(c).GuidesBy(a.App, p, own, way.Change)
		if err != nil {
			return err
		}
		row := evalrun.GuideRow{Name: way.Name, Refused: rep.Refusals.Recall, False: rep.Refusals.False, Metrics: eval.Metrics{}}
		for _, g := range rep.Groups {
			if g.Kind == eval.KindRetrieval && g.Category == "" {
				row.Metrics = g.Metrics
			}
		}
		rows = append(rows, row)
	}
	evalrun.JudgeGuides(rows)
	if a.json {
		return a.printJSON(map[string]any{"rows": rows})
	}
	fmt.Fprintf(a.out, "%-30s %8s %8s %8s %9s %9s\n", "", "guide@1", "guide@3", "P@3", "negativas", "falsas")
	for _, r := range rows {
		fmt.Fprintf(a.out, "%-30s %8.3f %8.3f %8.3f %9.3f %9.3f  %s\n", r.Name, r.Metrics["guide@1"], r.Metrics["guide@3"], r.Metrics["P@3"], r.Refused, r.False, r.Verdict)
	}
	return nil
}
