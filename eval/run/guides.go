package run

import (
	"context"
	"fmt"

	"digesto"
	"digesto/app"
	"digesto/eval"
	"digesto/pack"
	"digesto/packs"
)

// guideStage is one way to find guides: the product, or one of its stages left out.
type guideStage struct {
	Name   string
	Change func(*pack.Retriever)
}

// guideStages are the retriever of guides and what it is without each stage.
func guideStages() []guideStage {
	return []guideStage{
		{"todo (el producto)", func(*pack.Retriever) {}},
		{"sin sinónimos", func(r *pack.Retriever) { r.Off.Synonyms = true }},
		{"sin corregir la ortografía", func(r *pack.Retriever) { r.Off.Spelling = true }},
		{"sin territorio", func(r *pack.Retriever) { r.Off.Territory = true }},
		{"sin reordenar", func(r *pack.Retriever) { r.Strategy = pack.StrategyNone }},
		{"sin buscar (consulta directa)", func(r *pack.Retriever) { r.Searcher = nil }},
	}
}

// GuideRow is what one way finds. Positives and negatives stand apart.
type GuideRow struct {
	Name    string       `json:"name"`
	Metrics eval.Metrics `json:"metrics"`
	Refused float64      `json:"refused"`        // of those to refuse
	False   float64      `json:"false_refusals"` // of those to answer
	Verdict string       `json:"verdict,omitempty"`
	Loses   bool         `json:"loses"` // without the stage a figure is higher
}

// Ablate measures every way over the pack's own questions about its guides, or over
// a foreign set, and judges each stage.
func (c PackRun) Ablate(a *app.App, w *app.Workspace, p *pack.Pack) ([]GuideRow, error) {
	engine, err := a.Engine(w)
	if err != nil {
		return nil, err
	}
	own := engine.Retriever(p, pack.StrategyHeuristic, false)
	var rows []GuideRow
	for _, way := range guideStages() {
		rep, err := c.guidesBy(a, p, own, way.Change)
		if err != nil {
			return nil, err
		}
		row := GuideRow{Name: way.Name, Refused: rep.Refusals.Recall, False: rep.Refusals.False, Metrics: eval.Metrics{}}
		for _, g := range rep.Groups {
			if g.Kind == eval.KindRetrieval && g.Category == "" {
				row.Metrics = g.Metrics
			}
		}
		rows = append(rows, row)
	}
	judgeGuides(rows)
	return rows, nil
}

// guidesBy runs the questions through a retriever changed in one thing.
func (c PackRun) guidesBy(a *app.App, p *pack.Pack, own *pack.Retriever, change func(*pack.Retriever)) (eval.PackReport, error) {
	if c.Set != "" {
		r, err := c.foreign(a.Context, p)
		if err != nil {
			return eval.PackReport{}, err
		}
		change(r)
		return eval.RunGuides(a.Context, c.Set, r, a.Now)
	}
	all, err := eval.ReadPackCases(packs.FS(), p.Name)
	if err != nil {
		return eval.PackReport{}, err
	}
	var cases []eval.PackCase
	for _, x := range all {
		if x.Fiche != "" {
			cases = append(cases, x)
		}
	}
	if len(cases) == 0 {
		return eval.PackReport{}, &digesto.Error{Code: digesto.CodeNotFound, Message: "«" + p.Name + "» no tiene preguntas sobre sus guías", Hint: "Use --set CARPETA, o un paquete con guías, como clara."}
	}
	r := &pack.Retriever{Pack: p, Searcher: own.Searcher, Guides: own.Guides, Filter: own.Filter}
	change(r)
	return eval.RunPack(a.Context, cases, eval.PackOptions{Pack: p, Clock: a.Now,
		Retrieve: func(ctx context.Context, q string) (pack.Found, error) { return r.Retrieve(ctx, q, 10) }})
}

// judgeGuides compares each row with the first, which is the product.
func judgeGuides(rows []GuideRow) {
	for i := range rows[1:] {
		r, product := &rows[i+1], rows[0]
		up, down := "", ""
		for _, m := range []struct {
			name  string
			delta float64
		}{
			{"guide@1", r.Metrics["guide@1"] - product.Metrics["guide@1"]}, {"guide@3", r.Metrics["guide@3"] - product.Metrics["guide@3"]},
			{"P@3", r.Metrics["P@3"] - product.Metrics["P@3"]}, {"negativas", r.Refused - product.Refused}, {"falsas", product.False - r.False},
		} {
			switch {
			case m.delta > tolerance:
				up += fmt.Sprintf(" %s %+.3f", m.name, m.delta)
			case m.delta < -tolerance:
				down += " " + m.name
			}
		}
		switch {
		case up != "" && down != "":
			r.Verdict, r.Loses = "sin la etapa sube"+up+" y baja"+down, true
		case up != "":
			r.Verdict, r.Loses = "sin la etapa sube"+up, true
		case down != "":
			r.Verdict = "la etapa gana en" + down
		default:
			r.Verdict = "la etapa no cambia nada aquí"
		}
	}
}
