package run

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"digesto"
	"digesto/app"
	"digesto/app/law"
	"digesto/eval"
	"digesto/model"
	"digesto/pack"
	"digesto/text/cite"
)

// AblationRow is one way to search a set: the product, one of its stages off, or
// one list alone.
type AblationRow struct {
	Name    string       `json:"name"`
	Kind    string       `json:"kind"` // "product", "without", "alone"
	Metrics eval.Metrics `json:"metrics"`
	// Verdict says, of a stage off, whether the stage earns its place here; of a list
	// alone, whether the product is below it.
	Verdict string `json:"verdict,omitempty"`
	Loses   bool   `json:"loses"` // the stage, or the product, is below without reason known to the code
}

// stage is how a row searches.
type stage struct {
	Name, Kind               string
	Words, OneStage          bool
	NoLay, NoNorms, NoMended bool
	VectorsAlone             bool
}

// stages are the search and what it is without each stage.
func stages() []stage {
	return []stage{
		{Name: "todo (el producto)", Kind: "product"},
		{Name: "sin léxico de la calle", Kind: "without", NoLay: true},
		{Name: "sin vectores propios", Kind: "without", OneStage: true},
		{Name: "sin vectores", Kind: "without", Words: true},
		{Name: "sin reconocer normas", Kind: "without", NoNorms: true},
		{Name: "sin corregir la ortografía", Kind: "without", NoMended: true},
		{Name: "solo palabras", Kind: "alone", Words: true, NoLay: true, NoNorms: true, NoMended: true},
		{Name: "solo vectores", Kind: "alone", VectorsAlone: true, NoLay: true, NoNorms: true, NoMended: true},
	}
}

// Queries gives how a question over a corpus becomes a query: with the words of the law beside
// those of the street, and with the norms that it names, or without.
func Queries(all []*pack.Pack, lay, norms bool) func(*eval.Corpus, *cite.Table, string) digesto.Query {
	var lexicons app.Lexicons
	var of *eval.Corpus
	return func(corpus *eval.Corpus, t *cite.Table, question string) digesto.Query {
		if of != corpus {
			of, lexicons = corpus, app.LexiconsOf(all, corpus.Norms())
		}
		q := digesto.Query{Text: question}
		if norms {
			q = corpus.Query(t, question)
		}
		if lay {
			lexicons.Add(&q, question)
		}
		return q
	}
}

// Ablate measures the set in dir in every way and judges each stage.
func Ablate(a *app.App, dir string, opt eval.RetrievalOptions) ([]AblationRow, error) {
	var rows []AblationRow
	for _, w := range stages() {
		a.NoVectors, a.OneStage = w.Words, w.OneStage || w.VectorsAlone
		o := opt
		o.Query = Queries(opt.Packs, !w.NoLay, !w.NoNorms)
		o.Build = func(ctx context.Context, hash string, chunks iter.Seq2[digesto.Chunk, error]) (digesto.Searcher, func() error, error) {
			s, done, err := a.BuildIndexOf(ctx, hash, chunks)
			if h, ok := s.(law.Hybrid); ok && w.VectorsAlone {
				s = vectorsAlone{h}
			}
			if w.NoMended && err == nil {
				s = plainSearcher{s}
			}
			return s, done, err
		}
		rep, err := eval.Retrieval(a.Context, dir, o)
		if err != nil {
			return nil, err
		}
		rows = append(rows, AblationRow{Name: w.Name, Kind: w.Kind, Metrics: rep.Metrics})
	}
	judgeStages(rows)
	return rows, nil
}

// tolerance is what a figure may differ by without meaning anything: the noise of
// one question in the smallest set.
const tolerance = .0005

// judgeStages compares each row with the first, which is the product.
func judgeStages(rows []AblationRow) {
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
type vectorsAlone struct{ law.Hybrid }

// Search embeds every question.
func (s vectorsAlone) Search(ctx context.Context, q digesto.Query) (digesto.Results, error) {
	v, err := s.First.Embed(ctx, []string{q.Text}, model.Query)
	if err != nil {
		return digesto.Results{}, err
	}
	return s.Searchable.Search(ctx, digesto.Query{Vector: v[0], K: q.K, Filter: q.Filter})
}
