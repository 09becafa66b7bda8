package eval

import (
	"context"
	"math/rand/v2"
	"time"

	"digesto"
	"digesto/model"
)

// ModelRow is what came of questions answered with a model, or without.
type ModelRow struct {
	Name   string `json:"name"`
	Counts Counts `json:"counts"`
	// Of each question, on the mean.
	Seconds float64 `json:"seconds"`
	Calls   float64 `json:"calls"`
	In      float64 `json:"prompt_tokens"`
	Out     float64 `json:"completion_tokens"`
	Most    int     `json:"most_calls"` // of one question
	// Of the writer: drafts, those that fell back to extraction by why, and sentences.
	Drafts    int            `json:"drafts"`
	Fallbacks map[string]int `json:"fallbacks,omitempty"`
	Proved    int            `json:"sentences_proved"`
	Dropped   int            `json:"sentences_dropped"`
	Loose     int            `json:"sentences_loose"` // shown, and not proved when looked at again
	// Offered are the questions one of whose places was among the candidates of the judge;
	// nobody counts them where it is 0.
	Offered      int `json:"offered_judge,omitempty"`
	OfferedRight int `json:"offered_right,omitempty"`
	OfferedFirst int `json:"offered_first,omitempty"` // answered from one of those places, whatever is quoted of it
}

// ModelOptions says how the questions of a row are answered.
type ModelOptions struct {
	AnswersOptions
	Name    string
	Clock   func() time.Time
	Offered func(question string) bool // nil = nobody knows
	// Loose gives the sentences of an answer that its citations do not bear out; nil = nobody looks.
	Loose func(digesto.Answer) ([]string, error)
}

// Sample draws n of the cases by lot; 0 = all.
func Sample(cases []AnswerCase, n int, seed uint64) []AnswerCase {
	if n <= 0 || n >= len(cases) {
		return cases
	}
	out := append([]AnswerCase(nil), cases...)
	rand.New(rand.NewPCG(seed, 3)).Shuffle(len(out), func(i, k int) { out[i], out[k] = out[k], out[i] })
	return out[:n]
}

// Models asks the questions and counts what came of them.
func Models(ctx context.Context, cases []AnswerCase, o ModelOptions) (ModelRow, error) {
	row := ModelRow{Name: o.Name, Fallbacks: map[string]int{}}
	began := o.Clock()
	ask := o.Ask
	var last digesto.Answer
	o.Ask = func(ctx context.Context, q digesto.Question) (digesto.Answer, error) {
		a, err := ask(ctx, q)
		last = a
		return a, err
	}
	for _, c := range cases {
		last = digesto.Answer{}
		n, err := Answers(ctx, []AnswerCase{c}, o.AnswersOptions)
		if err != nil {
			return row, err
		}
		row.Counts.add(n)
		if row.use(last) && o.Loose != nil {
			loose, err := o.Loose(last)
			if err != nil {
				return row, err
			}
			row.Loose += len(loose)
		}
		if o.Offered != nil && n.Answerable > 0 && o.Offered(c.Question) {
			row.Offered++
			row.OfferedRight += n.Single
			row.OfferedFirst += n.LocatedRight
		}
	}
	each := 1 / float64(max(1, len(cases)))
	row.Seconds = o.Clock().Sub(began).Seconds() * each
	row.Calls, row.In, row.Out = row.Calls*each, row.In*each, row.Out*each
	return row, nil
}

// use adds what the models did for one answer, and says whether a model wrote it.
func (r *ModelRow) use(a digesto.Answer) bool {
	if a.Meta == nil {
		return false
	}
	calls := 0
	for _, u := range a.Meta.Models {
		calls += u.Calls + u.Cached
		r.In, r.Out = r.In+float64(u.In), r.Out+float64(u.Out)
	}
	r.Calls, r.Most = r.Calls+float64(calls), max(r.Most, calls)
	w := a.Meta.Models[model.Writer]
	if w.Calls+w.Cached == 0 || w.Prompt == "" { // without its prompt it wrote no draft: it evaluated what was found
		return false
	}
	r.Drafts++
	r.Proved, r.Dropped = r.Proved+w.Proved, r.Dropped+w.Dropped
	if w.Path != "model" {
		r.Fallbacks[w.Why]++
	}
	return w.Path == "model"
}
