package eval

import (
	"context"
	"fmt"
	"testing"
	"time"

	"digesto"
	"digesto/model"
)

// TestModels counts what models did for the answers: drafts, what became of them, and what
// was shown without proof.
func TestModels(t *testing.T) {
	const quote = "El aviso se da con treinta días."
	answer := func(use digesto.ModelUse) digesto.Answer {
		a := cite1(quote, 0, 32)
		a.Meta = &digesto.Meta{Outcome: digesto.OutcomeAnswer, Models: digesto.Models{model.Reader: {Calls: 1, In: 100, Out: 10}, model.Writer: use}}
		return a
	}
	by := map[string]digesto.Answer{
		"escrita":  answer(digesto.ModelUse{Calls: 1, In: 300, Out: 30, Path: "model", Prompt: "p", Proved: 2, Dropped: 1}),
		"retirada": answer(digesto.ModelUse{Cached: 2, In: 300, Out: 30, Path: "extractive", Why: "figure", Prompt: "p", Dropped: 1}),
		"evaluada": answer(digesto.ModelUse{Calls: 1, Path: "none"}), // the writer's model only evaluated what was found
		"sin":      cite1(quote, 0, 32),
	}
	var cases []AnswerCase
	for q := range by {
		cases = append(cases, AnswerCase{ID: q, Question: q, Expect: &Expect{Outcome: digesto.OutcomeAnswer, Places: []string{"LEY-1/a1"}, Contains: []string{"treinta"}}})
	}
	now := time.Unix(0, 0)
	looked := 0
	row, err := Models(t.Context(), cases, ModelOptions{
		AnswersOptions: AnswersOptions{
			Ask:  func(_ context.Context, q digesto.Question) (digesto.Answer, error) { return by[q.Text], nil },
			Text: func(digesto.Ref) (string, error) { return stored, nil },
		},
		Clock:   func() time.Time { now = now.Add(2 * time.Second); return now },
		Offered: func(q string) bool { return q != "sin" },
		Loose:   func(digesto.Answer) ([]string, error) { looked++; return []string{"suelta"}, nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	got := fmt.Sprint(row.Drafts, row.Fallbacks, row.Proved, row.Dropped, row.Loose, row.Most, row.Calls, row.In, row.Out, row.Seconds, row.Offered, row.OfferedRight, row.OfferedFirst, row.Counts.Answerable, row.Counts.Single)
	if want := "2 map[figure:1] 2 2 1 3 1.75 225 22.5 0.5 3 3 3 4 4"; got != want || looked != 1 {
		t.Errorf("%s\nwant %s; looked at %d", got, want, looked)
	}
}

// TestSample: the same questions for a seed, all of them for 0.
func TestSample(t *testing.T) {
	var all []AnswerCase
	for k := range 20 {
		all = append(all, AnswerCase{ID: fmt.Sprint(k)})
	}
	a, b, c := Sample(all, 5, 1), Sample(all, 5, 1), Sample(all, 5, 2)
	if fmt.Sprint(a) != fmt.Sprint(b) || fmt.Sprint(a) == fmt.Sprint(c) || len(a) != 5 || len(Sample(all, 0, 1)) != 20 || all[0].ID != "0" {
		t.Errorf("%v %v %v", a, b, c)
	}
}
