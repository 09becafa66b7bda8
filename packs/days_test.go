package packs_test

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"testing"

	"digesto"
	"digesto/ask"
	"digesto/corpus"
	"digesto/index"
	"digesto/pack"
	"digesto/packs"
	"digesto/verify"
)

// askedOn are days before and after the one on which the tables were looked at.
var askedOn = []digesto.Date{"2024-03-10", "2026-01-15", "2026-11-21", "2026-11-23", "2027-06-30"}

// TestCalculatorsOnEveryDay asks what the calculators answer, on several days:
// what they worked out is the answer, and stands on a citation that is proved.
func TestCalculatorsOnEveryDay(t *testing.T) {
	all, err := packs.Load(packs.Options{})
	if err != nil {
		t.Fatal(err)
	}
	own := embedded(t, all)
	e, err := ask.New(ask.Options{Packs: all, Embedded: own})
	if err != nil {
		t.Fatal(err)
	}
	p, _ := packs.One(all, "jus")
	asked, answered := 0, 0
	for _, text := range calculatorQuestions(t, "jus/eval/questions.jsonl") {
		for _, day := range askedOn {
			call, ok := p.Tools[0].Detect(pack.ToolQuestion{Text: text, Today: day})
			if !ok {
				continue
			}
			want, err := p.Tools[0].Calculate(t.Context(), call)
			if err != nil {
				t.Fatal(err)
			}
			a, err := e.Ask(context.Background(), digesto.Question{Text: text, Pack: "jus", AsOf: day}, nil)
			if err != nil {
				t.Fatalf("%s on %s: %v", text, day, err)
			}
			asked++
			if a.Meta.Outcome != digesto.OutcomeAnswer || want.Outcome != digesto.OutcomeAnswer {
				if a.Meta.Outcome == digesto.OutcomeRefusal && want.Outcome == digesto.OutcomeAnswer {
					t.Errorf("%s on %s: refused: %s", text, day, a.Answer)
				}
				continue
			}
			answered++
			if len(a.Citations) == 0 {
				t.Errorf("%s on %s: no citation", text, day)
			}
			for _, c := range a.Citations {
				if v := verify.Quote(c, own.Snapshot, day); v != verify.Proved {
					t.Errorf("%s on %s: %s: %q", text, day, v, c.Quote)
				}
			}
		}
	}
	t.Logf("%d asked, %d answered", asked, answered)
	if answered < 500 {
		t.Errorf("only %d of %d answered", answered, asked)
	}
}

func calculatorQuestions(t *testing.T, file string) (out []string) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for sc := bufio.NewScanner(f); sc.Scan(); {
		var c struct {
			Question string `json:"question"`
		}
		if err := json.Unmarshal(sc.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		out = append(out, c.Question)
	}
	return out
}

// embedded holds what the packs carry in memory.
func embedded(t *testing.T, all []*pack.Pack) ask.View {
	t.Helper()
	var docs []corpus.Document
	for _, p := range all {
		for n, units := range p.Norms {
			docs = append(docs, corpus.Document{Norm: n, Units: units})
		}
	}
	s := corpus.Memory(docs...)
	x, err := index.Memory(t.Context(), s.Chunks(), index.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return ask.View{Snapshot: s, Searcher: x}
}
