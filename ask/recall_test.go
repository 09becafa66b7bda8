package ask

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"digesto"
	"digesto/conversation"
	"digesto/model"
	"digesto/query"
	"digesto/store"
)

// TestAskedAgain: a question asked before is answered as if it had not been, by
// extraction and by a model, also by several at a time (run it with -race), and its
// stages pass all the same.
func TestAskedAgain(t *testing.T) {
	text := output("El farero descansa al menos veintidós días naturales.", "Nunca durará menos de veintidós días naturales.", "LEY-1.md", .9, false)
	for name, writer := range map[string]model.Generator{"extraction": nil, "model": scripted{text, nil, nil}} {
		w := newWorld(t, true)
		engine := func(anew bool) *Engine {
			s := store.Memory(nil)
			t.Cleanup(func() { _ = s.Close() })
			return w.engine(t, func(o *Options) { o.Writer, o.Conversations, o.Anew = writer, conversation.Keep(s), anew })
		}
		fresh, used := engine(true), engine(false)
		for _, q := range []string{
			"¿Cuántos días de vacaciones tiene el farero?", "requisitos para ser farero", "¿Cuánto es la tasa de luz?", "art. 7 bis LFB",
			"artículos 1 y 3 de la Ley de Mercados", "¿Qué plazo fija la Ley de Puertos Secos para descargar?", "¿Cuántos satélites orbitan el planeta Marte?", "¿Quién eres?",
		} {
			want := way(t, fresh, q)
			var wg sync.WaitGroup
			for range 4 {
				wg.Go(func() {
					for range 3 {
						if got := way(t, used, q); got != want {
							t.Errorf("%s: %s\n got %s\nwant %s", name, q, got, want)
						}
					}
				})
			}
			wg.Wait()
		}
	}
}

// way is an answer and the stages that it passed.
func way(t *testing.T, e *Engine, q string) string {
	var stages []string
	a, err := e.Ask(context.Background(), digesto.Question{Text: q, User: "a"}, func(ev digesto.Event) {
		if ev.Kind == "stage" {
			stages = append(stages, ev.Stage)
		}
	})
	if err != nil {
		t.Error(err)
		return ""
	}
	return fmt.Sprint(stages, a.Meta.ModelCalls, same(t, a))
}

// TestRecallHasItsOwnLaw: what is kept of one state of the law answers nothing of
// another, and what was said before a question keeps it from being recalled.
func TestRecallHasItsOwnLaw(t *testing.T) {
	w := newWorld(t, true)
	state := w.law
	e := w.engine(t, func(o *Options) { o.Law = func() (query.View, func(), error) { return state, nil, nil } })
	q := digesto.Question{Text: "¿Cuántos días de vacaciones tiene el farero?"}
	keep := func(v query.View, q digesto.Question) (recalled bool) {
		state = v
		before := held(e)
		if _, err := e.Ask(context.Background(), q, nil); err != nil {
			t.Fatal(err)
		}
		return held(e) == before
	}
	if keep(w.law, q) {
		t.Fatal("the first time cannot be recalled")
	}
	if !keep(w.law, q) {
		t.Error("the second time was not recalled")
	}
	other := w.law
	other.State = "another"
	if keep(other, q) {
		t.Error("another state of the law was answered from the first")
	}
	later := q
	later.AsOf = "2024-01-01"
	if keep(w.law, later) {
		t.Error("another day was answered from today's")
	}
	other.State = ""
	if !keep(other, digesto.Question{Text: "requisitos para ser farero"}) {
		t.Error("a law of no known state was kept")
	}
	said := q
	said.History = []digesto.Message{{Role: "user", Text: "hola"}}
	if !keep(w.law, said) { // nothing is kept of it either
		t.Error("a question with messages before it was kept")
	}
}

func held(e *Engine) int { return e.recent.Len() }

// TestRehearsed: a question that was rehearsed is recalled, and answered as if it had not
// been; nothing is stored, traced or asked of a model.
func TestRehearsed(t *testing.T) {
	w := newWorld(t, true)
	engine := func(writer model.Generator) (*Engine, store.Store, *int) {
		s, traced := store.Memory(nil), new(int)
		t.Cleanup(func() { _ = s.Close() })
		return w.engine(t, func(o *Options) {
			o.Writer, o.Conversations, o.Traced = writer, conversation.Keep(s), func(context.Context, Trace) { *traced++ }
		}), s, traced
	}
	fresh, _, _ := engine(nil)
	e, s, traced := engine(nil)
	for _, q := range []string{"¿Cuántos días de vacaciones tiene el farero?", "requisitos para ser farero", "¿Cuánto es la tasa de luz?"} {
		if kept, err := e.Rehearse(t.Context(), digesto.Question{Text: q, User: "a", Conversation: "x"}); !kept || err != nil {
			t.Fatalf("%s: %v %v", q, kept, err)
		}
		if kept, err := e.Rehearse(t.Context(), digesto.Question{Text: q}); kept || err != nil {
			t.Errorf("%s, again: %v %v", q, kept, err)
		}
		before := held(e)
		if got, want := way(t, e, q), way(t, fresh, q); got != want || held(e) != before {
			t.Errorf("%s\n got %s\nwant %s", q, got, want)
		}
	}
	list, err := s.List(t.Context(), "a", store.ListQuery{})
	if err != nil || len(list.List) != 3 || *traced != 3 {
		t.Errorf("%d conversations, %d traces: %v", len(list.List), *traced, err)
	}
	asked := scripted{"", nil, nil}
	m, _, _ := engine(asked)
	if kept, err := m.Rehearse(t.Context(), digesto.Question{Text: "requisitos para ser farero"}); kept || err != nil || held(m) != 0 {
		t.Errorf("with a model: %v %v", kept, err)
	}
	if _, err := e.Rehearse(t.Context(), digesto.Question{}); digesto.CodeOf(err) != digesto.CodeInvalid {
		t.Errorf("an empty question: %v", err)
	}
}
