package run

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"digesto"
	"digesto/app/law"
	"digesto/eval"
	"digesto/model"
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

// Stages are the search and what it is without each stage.
func Stages() []stage {
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

// tolerance is what a figure may differ by without meaning anything: the noise of
// one question in the smallest set.
const tolerance = .0005

// JudgeStages compares each row with the first, which is the product.
func JudgeStages(rows []AblationRow) {
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

// PlainSearcher hides the vocabulary, so that nothing is mended.
type PlainSearcher struct{ digesto.Searcher }

// VectorsAlone finds by the vector of the question only.
type VectorsAlone struct{ law.Hybrid }

// Search embeds every question.
func (s VectorsAlone) Search(ctx context.Context, q digesto.Query) (digesto.Results, error) {
	v, err := s.First.Embed(ctx, []string{q.Text}, model.Query)
	if err != nil {
		return digesto.Results{}, err
	}
	return s.Searchable.Search(ctx, digesto.Query{Vector: v[0], K: q.K, Filter: q.Filter})
}
