package ask_test

import (
	"context"
	"testing"
	"time"

	"digesto"
	"digesto/ask"
	"digesto/conversation"
	"digesto/judge"
	"digesto/model"
	"digesto/packs"
	"digesto/store"
)

// teller is a reader that says what it is told to, and counts its calls.
type teller struct {
	says  string
	err   error
	calls int
	last  model.Request
}

func (r *teller) Generate(_ context.Context, q model.Request, _ func(string) error) (model.Response, error) {
	r.calls++
	r.last = q
	return model.Response{Text: r.says}, r.err
}

// TestReaderClassifies runs a conversation with a model that reads: its four
// forms, its errors, and that it is not asked twice for what rules know.
func TestReaderClassifies(t *testing.T) {
	all, err := packs.Load(packs.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, _ := packs.One(all, "argentina")
	reader := &teller{}
	e, err := ask.New(ask.Options{Packs: all, Reader: reader, Conversations: conversation.Keep(store.Memory(nil)), Clock: func() time.Time { return time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC) }})
	if err != nil {
		t.Fatal(err)
	}
	turn := func(session, text, says string) digesto.Answer {
		t.Helper()
		reader.says, reader.calls = says, 0
		a, err := e.Ask(t.Context(), digesto.Question{Text: text, Pack: p.Name, Conversation: session, User: "ana"}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	a := turn("", "trámites varios", "CLARIFICATION: ¿Qué trámites: de familia o de trabajo?")
	if a.Meta.Outcome != digesto.OutcomeClarification || a.Answer != "¿Qué trámites: de familia o de trabajo?" || reader.last.Messages[0].Text != p.Prompts["initial"].Text {
		t.Errorf("%s %q", a.Meta.Outcome, a.Answer)
	}
	// Asked back again while one is pending: the combination is searched.
	b := turn(a.Meta.SessionID, "familia", "CLARIFICATION: ¿Cuál de familia?")
	if b.Meta.Outcome == digesto.OutcomeClarification || *b.Meta.PromptType != "followup" || reader.last.Messages[0].Text != p.Prompts["followup"].Text || len(reader.last.Messages) != 4 {
		t.Errorf("%s, %d messages", b.Meta.Outcome, len(reader.last.Messages))
	}
	c := turn("", "trámites varios", "clara: divorcio de común acuerdo")
	if len(c.Meta.Queries) == 0 || c.Meta.Queries[0] != "divorcio de común acuerdo" {
		t.Errorf("%v", c.Meta.Queries)
	}
	if d := turn("", "cosas lindas", "NON-LEGAL."); d.Meta.Outcome != digesto.OutcomeNonLegal || len(d.Answer) < 10 {
		t.Errorf("%s %q", d.Meta.Outcome, d.Answer)
	}
	if d := turn("", "háblame de contratos", "CLARA: x"); d.Meta.Outcome != digesto.OutcomeClarification || reader.calls != 0 {
		t.Errorf("what rules know: %s, %d calls", d.Meta.Outcome, reader.calls)
	}
	reader.err = &digesto.Error{Code: digesto.CodeUnavailable, Message: "no contesta"}
	if d := turn("", "trámites varios", ""); d.Meta.Outcome != digesto.OutcomeRefusal || len(d.Meta.Degraded) == 0 {
		t.Errorf("without it: %s %v", d.Meta.Outcome, d.Meta.Degraded)
	}
}

// TestUselessReaderClassifiesNothing: one that a probe found to be no help ends no question.
func TestUselessReaderClassifiesNothing(t *testing.T) {
	all, err := packs.Load(packs.Options{})
	if err != nil {
		t.Fatal(err)
	}
	reader := &teller{says: "NON-LEGAL."}
	for _, may := range []judge.Power{judge.Nothing, judge.All} {
		e, err := ask.New(ask.Options{Packs: all, Reader: reader, Probe: judge.Probe{May: may}})
		if err != nil {
			t.Fatal(err)
		}
		a, err := e.Ask(t.Context(), digesto.Question{Text: "trámites varios", Pack: "argentina"}, nil)
		if err != nil || (a.Meta.Outcome == digesto.OutcomeNonLegal) != (may == judge.All) || (reader.calls > 0) != (may == judge.All) {
			t.Errorf("%s: %s in %d calls, %v", may, a.Meta.Outcome, reader.calls, err)
		}
	}
}
