package run

import (
	"strings"
	"testing"

	"digesto/eval"
)

// TestJudge: a stage without which figures rise is reported, and so is a list that
// beats the product.
func TestJudge(t *testing.T) {
	m := func(one, ten float64) eval.Metrics {
		return eval.Metrics{"hit@1": one, "hit@5": ten, "hit@10": ten, "nDCG@10": one}
	}
	rows := []AblationRow{
		{Kind: "product", Metrics: m(.8, .9)},
		{Kind: "without", Metrics: m(.7, .9)},
		{Kind: "without", Metrics: m(.8, .9)},
		{Kind: "without", Metrics: m(.81, .9)},
		{Kind: "without", Metrics: m(.8, .91)},
		{Kind: "alone", Metrics: m(.6, .9)},
		{Kind: "alone", Metrics: m(.85, .9)},
	}
	judgeStages(rows)
	for i, want := range []struct {
		verdict string
		loses   bool
	}{{"", false}, {"gana", false}, {"no cambia", false}, {"sube hit@1 +0.0100", true}, {"sube hit@5", false}, {"por encima", false}, {"supera al producto", true}} {
		if !strings.Contains(rows[i].Verdict, want.verdict) || rows[i].Loses != want.loses {
			t.Errorf("row %d: %+v, want %v", i, rows[i], want)
		}
	}
}
