package ask

import (
	"context"
	"strings"

	"digesto"
	"digesto/query"
)

// Conversations keeps what is said. Implementations are safe for any number of
// goroutines; see [Keep] for the one over a store.
type Conversations interface {
	// Open stores the question and gives its place; it is what happens before
	// the session event, so it must be quick.
	Open(ctx context.Context, q digesto.Question) (query.Opened, error)
	// Window waits until earlier questions of the conversation are answered and
	// gives the last n messages before this one. For a repeated question it gives
	// the answer there is by now.
	Window(ctx context.Context, o query.Opened, n int) ([]digesto.Message, *digesto.Answer, error)
	// Close stores what was answered and ends the turn.
	Close(ctx context.Context, o query.Opened, end Ended) error
	// Fail stores that there is no answer, and why, and ends the turn.
	Fail(ctx context.Context, o query.Opened, end Ended, err error) error
}

// Ended is how a turn ended.
type Ended struct {
	Said    string // the question as asked
	Query   string // as it was searched: self-contained
	Topic   string // question that this one continues; "" = none
	Answer  digesto.Answer
	Prompt  string // "initial", "followup" or ""
	Variant string // version of the prompt
	Elapsed int64  // ms
}

// window loads the messages that came before, unless the caller gave them.
func (e *Engine) window(ctx context.Context, t *query.Turn) error {
	n := t.Q.Window
	if n == 0 {
		n = query.StateWindow
	}
	if e.opt.Conversations == nil {
		t.Q.History = query.LastMessages(t.Q.History, n)
		return nil
	}
	list, reply, err := e.opt.Conversations.Window(ctx, t.Opened, n)
	if err != nil {
		return err
	}
	t.Opened.Reply = reply
	if len(list) > 0 || len(t.Q.History) == 0 {
		t.Q.History = list
	}
	t.Q.History = query.LastMessages(t.Q.History, n)
	return nil
}

// abandon stores that a question was not answered.
func (e *Engine) abandon(ctx context.Context, t query.Turn, err error) {
	if e.opt.Conversations == nil || t.Opened.Session == "" {
		return
	}
	if err == nil { // a panic on its way up
		err = &digesto.Error{Code: digesto.CodeInternal, Message: "ha fallado algo inesperado", Hint: "vuelva a intentarlo"}
	}
	_ = e.opt.Conversations.Fail(context.WithoutCancel(ctx), t.Opened, Ended{Said: t.Said, Query: t.Q.Text, Prompt: t.Reading}, err)
}

// ended is what the store gets to know of an answer.
func (v verified) ended(a digesto.Answer) Ended {
	end := Ended{Said: v.Said, Query: v.Q.Text, Topic: a.Meta.About, Answer: a, Prompt: v.Reading, Elapsed: a.Meta.ElapsedMS}
	if v.Pack != nil {
		if p, ok := v.Pack.PromptFor(v.Reading, v.Opened.Session); ok {
			end.Variant = p.Version
		}
	}
	return end
}

// subjectOf is the question of the subject that an answer went on with; "" = it began
// one. A message that could stand alone goes on where the law that answers it is in play.
func (v verified) subjectOf(a digesto.Answer) string {
	if v.Topic != "" || !v.GoesOn() || len(a.Citations) == 0 || a.Citations[0].Ref == nil {
		return v.Topic
	}
	for _, p := range v.Read.About.Places {
		if norm, _, _ := strings.Cut(p, "/"); norm == a.Citations[0].Ref.Document {
			return v.Read.About.Question
		}
	}
	return ""
}
