package main

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"digesto"
	"digesto/eval"
	"digesto/model"
	"digesto/text/cite"
)

// ablationRow is one way to search a set: the product, one of its stages off, or
// one list alone.
type ablationRow struct {
	Name    string       `json:"name"`
	Kind    string       `json:"kind"` // "product", "without", "alone"
	Metrics eval.Metrics `json:"metrics"`
	// Verdict says, of a stage off, whether the stage earns its place here; of a list
	// alone, whether the product is below it.
	Verdict string `json:"verdict,omitempty"`
	Loses   bool   `json:"loses"` // the stage, or the product, is below without reason known to the code
}

// way is how a row searches.
type way struct {
	name, kind               string
	words, oneStage          bool
	noLay, noNorms, noMended bool
	vectorsAlone             bool
}

func ways() []way {
	return []way{
		{name: "todo (el producto)", kind: "product"},
		{name: "sin léxico de la calle", kind: "without", noLay: true},
		{name: "sin vectores propios", kind: "without", oneStage: true},
		{name: "sin vectores", kind: "without", words: true},
		{name: "sin reconocer normas", kind: "without", noNorms: true},
		{name: "sin corregir la ortografía", kind: "without", noMended: true},
		{name: "solo palabras", kind: "alone", words: true, noLay: true, noNorms: true, noMended: true},
		{name: "solo vectores", kind: "alone", vectorsAlone: true, noLay: true, noNorms: true, noMended: true},
	}
}

// tolerance is what a figure may differ by without meaning anything: the noise of
// one question in the smallest set.
const tolerance = .0005

// ablation measures every way and judges each stage.
func (c evalRetrievalCmd) ablation(a *app, opt eval.RetrievalOptions, make func(lay, norms bool) func(*eval.Corpus, *cite.Table, string) digesto.Query) error {
	var rows []ablationRow
	for _, w := range ways() {
		a.noVectors, a.oneStage = w.words, w.oneStage || w.vectorsAlone
		o := opt
		o.Query = make(!w.noLay, !w.noNorms)
		o.Build = func(ctx context.Context, hash string, chunks iter.Seq2[digesto.Chunk, error]) (digesto.Searcher, func() error, error) {
			s, done, err := a.buildIndexOf(ctx, hash, chunks)
			if h, ok := s.(hybrid); ok && w.vectorsAlone {
				s = vectorsAlone{h}
			}
			if w.noMended && err == nil {
				s = plainSearcher{s}
			}
			return s, done, err
		}
		rep, err := eval.Retrieval(a.ctx, c.Dir, o)
		if err != nil {
			return err
		}
		rows = append(rows, ablationRow{Name: w.name, Kind: w.kind, Metrics: rep.Metrics})
	}
	judge(rows)
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

// judge compares each row with the first, which is the product.
func judge(rows []ablationRow) {
	product := rows[0].Metrics
	for i := range rows[1:] {
		r := &rows[i+1]
		var above, below []string
		for _, m := range []string{"hit@1", "hit@5", "hit@10", "nDCG@10"} {
			switch d := r.Metrics[m] - product[m]; {
			case d > tolerance:
				above = append(above, fmt.Sprintf("%s %+.4f", m, d))
			case d < -tolerance:
				below = append(below, m)
			}
		}
		r.Loses = len(above) > 0 && slices.ContainsFunc(above, func(s string) bool { return strings.HasPrefix(s, "hit@1 ") || strings.HasPrefix(s, "nDCG") })
		what := map[string][3]string{
			"without": {"la etapa gana aquí", "la etapa no cambia nada aquí", "sin la etapa sube "},
			"alone":   {"el producto queda por encima", "el producto queda igual", "la lista sola supera al producto en "},
		}[r.Kind]
		switch {
		case len(above) > 0:
			r.Verdict = what[2] + strings.Join(above, ", ")
		case len(below) > 0:
			r.Verdict = what[0]
		default:
			r.Verdict = what[1]
		}
	}
}

// plainSearcher hides the vocabulary, so that nothing is mended.
type plainSearcher struct{ digesto.Searcher }

// vectorsAlone finds by the vector of the question only.
type vectorsAlone struct{ hybrid }

// Search embeds every question.
func (s vectorsAlone) Search(ctx context.Context, q digesto.Query) (digesto.Results, error) {
	v, err := s.first.Embed(ctx, []string{q.Text}, model.Query)
	if err != nil {
		return digesto.Results{}, err
	}
	return s.searchable.Search(ctx, digesto.Query{Vector: v[0], K: q.K, Filter: q.Filter})
}
