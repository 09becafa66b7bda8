package main

import (
	"context"
	"errors"
	"testing"

	"digesto"
	"digesto/app"
	"digesto/ask"
	"digesto/eval"
	"digesto/pack"
	"digesto/packs"
)

// TestOwnGuides runs the pack's second set over its own guides: a guide among the first
// three, the negatives refused, hardly any refused falsely, territories as named.
func TestOwnGuides(t *testing.T) {
	all, err := packs.Load(packs.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, _ := packs.One(all, "clara")
	cases, err := eval.ReadPackCases(packs.FS(), "clara")
	if err != nil {
		t.Fatal(err)
	}
	var own []eval.PackCase
	territorial := 0
	for _, c := range cases {
		if c.Fiche != "" {
			own = append(own, c)
			if c.Territory != nil {
				territorial++
			}
		}
	}
	r := guides(t, p)
	rep, err := eval.RunPack(context.Background(), own, eval.PackOptions{Pack: p,
		Retrieve: func(ctx context.Context, q string) (pack.Found, error) { return r.Retrieve(ctx, q, 10) }, Log: t.Logf})
	if err != nil {
		t.Fatal(err)
	}
	s := rep.Refusals
	if len(own) < 150 || territorial < 30 || s.ToRefuse < 40 || s.Recall < .9 || s.False > .03 {
		t.Errorf("%d questions, %d territorial, %+v", len(own), territorial, s)
	}
	for _, g := range rep.Groups {
		if g.Kind == eval.KindRetrieval && g.Category == "" && g.Metrics["guide@3"] < .95 {
			t.Errorf("%v", g.Metrics)
		}
		if g.Category == "territorial" && g.Score < 1 {
			t.Errorf("territorial %.3f", g.Score)
		}
	}
}

// TestStrategies: names, alias and default; without the means, or with means that fail,
// the order is the heuristic one and says so; none is the order of the search.
func TestStrategies(t *testing.T) {
	for in, want := range map[string]pack.Strategy{"": "heuristic", "heuristic": "heuristic", "gemini": "model", "MODEL": "model", "cross": "cross", "none": "none"} {
		if got, err := pack.ParseStrategy(in); err != nil || got != want {
			t.Errorf("%q: %q, %v", in, got, err)
		}
	}
	if _, err := pack.ParseStrategy("mejor"); digesto.CodeOf(err) != digesto.CodeInvalid {
		t.Errorf("unknown: %v", err)
	}
	all, err := packs.Load(packs.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, _ := packs.One(all, "clara")
	ctx := context.Background()
	plain := guides(t, p)
	plain.Strategy = pack.StrategyNone
	const q = "¿Cuánto dura el pasaporte?"
	none, err := plain.Retrieve(ctx, q, 5)
	if err != nil {
		t.Fatal(err)
	}
	for k := 1; k < len(none.Passages); k++ {
		if none.Passages[k].Score > none.Passages[k-1].Score {
			t.Errorf("none is not the order of the search: %v", none.Passages)
		}
	}
	calls := 0
	plain.Strategy = pack.StrategyModel
	plain.Score = func(_ context.Context, _ string, texts []string) ([]float64, error) {
		calls++
		out := make([]float64, len(texts))
		out[len(out)-1] = 10
		return out, nil
	}
	byModel, err := plain.Retrieve(ctx, q, 5)
	if err != nil || calls != 1 || byModel.Passages[0].Score != 10 || byModel.Degraded != "" {
		t.Errorf("%d calls, %+v, %v", calls, byModel.Passages, err)
	}
	plain.Score = func(context.Context, string, []string) ([]float64, error) { return nil, errors.New("caído") }
	fallen, err := plain.Retrieve(ctx, q, 5)
	if err != nil || fallen.Strategy != pack.StrategyHeuristic || fallen.Degraded == "" || fallen.Passages[0].Norm != "ficha-clara-pasaporte" {
		t.Errorf("%+v, %v", fallen, err)
	}
}

// guides is the retriever over a pack's guides, as the engine has it.
func guides(t *testing.T, p *pack.Pack) *pack.Retriever {
	t.Helper()
	e, err := ask.New(ask.Options{Packs: []*pack.Pack{p}, Embedded: app.Embed([]*pack.Pack{p}, nil)})
	if err != nil {
		t.Fatal(err)
	}
	return e.Retriever(p, "", false)
}
