package ask

import (
	"cmp"
	"context"
	"strings"

	"digesto"
	"digesto/conversation"
	"digesto/query"
)

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
	_ = e.opt.Conversations.Fail(context.WithoutCancel(ctx), t.Opened, conversation.Ended{Said: t.Said, Query: t.Q.Text, Prompt: t.Reading}, err)
}

// ended is what the store gets to know of an answer.
func (v verified) ended(a digesto.Answer) conversation.Ended {
	end := conversation.Ended{Said: v.Said, Named: cmp.Or(v.Named, digesto.NoPack), Query: v.Q.Text, Topic: a.Meta.About, Answer: a, Prompt: v.Reading, Elapsed: a.Meta.ElapsedMS}
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
