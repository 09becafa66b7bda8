package eval

import (
	"encoding/json"
	"errors"
	"testing"

	"digesto"
	"digesto/store"
)

func TestDrafts(t *testing.T) {
	answer, err := json.Marshal(digesto.Answer{Answer: "El faro se apaga de día.", Citations: []digesto.Citation{{Quote: "x", Ref: &digesto.Ref{Document: "N-1", Unit: "a2"}}, {Quote: "y", Ref: &digesto.Ref{Document: "N-1", Unit: "a2"}}},
		Meta: &digesto.Meta{Outcome: digesto.OutcomeAnswer}})
	if err != nil {
		t.Fatal(err)
	}
	kept := map[string]Kept{
		"t1": {ID: "t1", Pack: "costa", Question: digesto.Question{Text: " ¿Cuándo se apaga el faro? ", AsOf: "2026-01-02"}, Answer: answer},
		"t3": {ID: "t3", Pack: "costa", Question: digesto.Question{Text: "¿Cuándo se apaga el faro?"}, Answer: answer},
	}
	get := func(id string) (Kept, error) {
		r, ok := kept[id]
		if !ok {
			return r, errors.New("no está")
		}
		return r, nil
	}
	runs := []store.Run{{Trace: "t0", Conversation: "a", Turn: 1}, {Trace: "t1", Conversation: "a", Turn: 3}, {Trace: "t2", Conversation: "b", Turn: 1}, {Trace: "t3", Conversation: "c", Turn: 1}}
	out, missing := Drafts([]store.Feedback{
		{Conversation: "a", Seq: 4, Rating: -1, Comment: "es al revés"},
		{Conversation: "a", Seq: 2, Rating: 1},                // a thumb up
		{Conversation: "b", Seq: 2, Rating: -1},               // its trace is gone
		{Conversation: "z", Seq: 2, Rating: -1},               // no run
		{Conversation: "c", Seq: 2, Rating: -1, Comment: "2"}, // the same question again
	}, -1, runs, get)
	if len(out) != 1 || missing != 2 {
		t.Fatalf("%+v, %d missing", out, missing)
	}
	d := out[0]
	if d.ID != "draft-t1" || d.Question != "¿Cuándo se apaga el faro?" || d.Pack != "costa" || d.AsOf != "2026-01-02" || d.Comment != "es al revés" ||
		d.Outcome != digesto.OutcomeAnswer || len(d.Places) != 1 || d.Places[0] != "N-1/a2" || d.Given == "" {
		t.Errorf("%+v", d)
	}
	line, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	var c PackCase
	if err := json.Unmarshal(line, &c); err != nil || len(c.kinds()) != 0 {
		t.Errorf("a draft must measure nothing until it says what it expects: %v %v", err, c.kinds())
	}
}
