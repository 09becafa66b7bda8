package main

import (
	"context"
	"fmt"
	"iter"

	"digesto"
	"digesto/app/law"
	"digesto/eval"
	evalrun "digesto/eval/run"
	"digesto/text/cite"
)

// ablation measures every way and judges each stage.
func (c evalRetrievalCmd) ablation(a *program, opt eval.RetrievalOptions, make func(lay, norms bool) func(*eval.Corpus, *cite.Table, string) digesto.Query) error {
	var rows []evalrun.AblationRow
	for _, w := range evalrun.Stages() {
		a.NoVectors, a.OneStage = w.Words, w.OneStage || w.VectorsAlone
		o := opt
		o.Query = make(!w.NoLay, !w.NoNorms)
		o.Build = func(ctx context.Context, hash string, chunks iter.Seq2[digesto.Chunk, error]) (digesto.Searcher, func() error, error) {
			s, done, err := a.BuildIndexOf(ctx, hash, chunks)
			if h, ok := s.(law.Hybrid); ok && w.VectorsAlone {
				s = evalrun.VectorsAlone{Hybrid: h}
			}
			if w.NoMended && err == nil {
				s = evalrun.PlainSearcher{Searcher: s}
			}
			return s, done, err
		}
		rep, err := eval.Retrieval(a.Context, c.Dir, o)
		if err != nil {
			return err
		}
		rows = append(rows, evalrun.AblationRow{Name: w.Name, Kind: w.Kind, Metrics: rep.Metrics})
	}
	evalrun.JudgeStages(rows)
	if a.json {
		return a.printJSON(map[string]any{"rows": rows})
	}
	st := a.outStyle()
	fmt.Fprintf(a.out, "%-28s %7s %7s %7s %8s\n", "", "hit@1", "hit@5", "hit@10", "nDCG@10")
	for _, r := range rows {
		fmt.Fprintf(a.out, "%-28s %7.4f %7.4f %7.4f %8.4f  %s\n", r.Name, r.Metrics["hit@1"], r.Metrics["hit@5"], r.Metrics["hit@10"], r.Metrics["nDCG@10"], st.dim(r.Verdict))
	}
	return nil
}
