package ask

import (
	"bytes"
	"context"
	"encoding/json"
	"testing"

	"digesto"
	"digesto/conversation"
	"digesto/model"
	"digesto/store"
)

// same is an answer without what differs between two runs of it.
func same(t *testing.T, a digesto.Answer) string {
	t.Helper()
	m := *a.Meta
	m.ElapsedMS, m.TraceID, m.SessionID, m.Models = 0, "", "", nil
	a.Meta = &m
	b, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestTraceGivesTheAnswerAgain asks with a model and within a conversation, and
// again from the trace alone, without either.
func TestTraceGivesTheAnswerAgain(t *testing.T) {
	w := newWorld(t, true)
	var got []Trace
	s := store.Memory(nil)
	defer s.Close()
	text := output("El farero descansa al menos veintidós días naturales.", "Nunca durará menos de veintidós días naturales.", "LEY-1.md", .9, false)
	e := w.engine(t, func(o *Options) {
		o.Writer, o.Conversations = scripted{text, nil, nil}, conversation.Keep(s)
		o.Traced = func(_ context.Context, tr Trace) { got = append(got, tr) }
	})
	first, err := e.Ask(context.Background(), digesto.Question{Text: "¿Cuántos días de vacaciones tiene el farero?", User: "a"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	second, err := e.Ask(context.Background(), digesto.Question{Text: "¿Y si es domingo?", Conversation: first.Meta.SessionID, User: "a"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 2 || len(got[0].Stages) < 5 || len(got[0].Exchanges) == 0 || len(got[1].Question.History) == 0 {
		t.Fatalf("%d traces: %+v", len(got), got)
	}
	for i, want := range []digesto.Answer{first, second} {
		player, err := model.Replay(bytes.NewReader(got[i].Exchanges))
		if err != nil {
			t.Fatal(err)
		}
		again := w.engine(t, func(o *Options) { o.Writer, o.Conversations = player, Recorded(got[i]) })
		a, err := again.Ask(context.Background(), got[i].Question, nil)
		if err != nil {
			t.Fatal(err)
		}
		if same(t, a) != same(t, want) {
			t.Errorf("question %d\n got %s\nwant %s", i, same(t, a), same(t, want))
		}
	}
	if got[0].Answer.Meta.ModelCalls.Writer != 1 {
		t.Errorf("recording changes the count: %d calls", got[0].Answer.Meta.ModelCalls.Writer)
	}
}
