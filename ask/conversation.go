package ask

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"digesto"
	"digesto/pack"
)

// Conversations keeps what is said. Implementations are safe for any number of
// goroutines; see [Keep] for the one over a store.
type Conversations interface {
	// Open stores the question and gives its place; it is what happens before
	// the session event, so it must be quick.
	Open(ctx context.Context, q digesto.Question) (Opened, error)
	// Window waits until earlier questions of the conversation are answered and
	// gives the last n messages before this one. For a repeated question it gives
	// the answer there is by now.
	Window(ctx context.Context, o Opened, n int) ([]digesto.Message, *digesto.Answer, error)
	// Close stores what was answered and ends the turn.
	Close(ctx context.Context, o Opened, end Ended) error
	// Fail stores that there is no answer, and why, and ends the turn.
	Fail(ctx context.Context, o Opened, end Ended, err error) error
}

// Opened is a question kept.
type Opened struct {
	Session  string
	Turn     int64
	Pack     string          // of the conversation so far
	ChatType string          // of the conversation
	Reply    *digesto.Answer // given before: the request is a repetition

	release *running // of the keeper
	after   *running // the same question, being answered
}

// name tells the turn apart from all others; "" when none is kept.
func (o Opened) name() string {
	if o.Turn == 0 {
		return o.Session
	}
	return o.Session + "/" + strconv.FormatInt(o.Turn, 10)
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

// Windows of messages.
const (
	defaultWindow = 3
	// stateWindow is how many messages the state of a conversation is read from: a thread
	// outlasts small talk and refusals. Prompts see fewer, as the pack says.
	stateWindow = 24
	maxWindow   = 50
)

// window loads the messages that came before, unless the caller gave them.
func (e *Engine) window(ctx context.Context, t *turn) error {
	n := t.q.Window
	if n == 0 {
		n = stateWindow
	}
	if e.opt.Conversations == nil {
		t.q.History = lastMessages(t.q.History, n)
		return nil
	}
	list, reply, err := e.opt.Conversations.Window(ctx, t.opened, n)
	if err != nil {
		return err
	}
	t.opened.Reply = reply
	if len(list) > 0 || len(t.q.History) == 0 {
		t.q.History = list
	}
	t.q.History = lastMessages(t.q.History, n)
	return nil
}

// logPrompt says which prompt reads the question and what it sees of the
// conversation; the wording is the one that operators of such systems know.
func (e *Reader) logPrompt(ctx context.Context, s scope) {
	p, ok := s.pack.PromptFor(s.reading, s.opened.Session)
	if !ok {
		return
	}
	n := len(s.windowOf(p))
	at := []any{"prompt_type", s.reading, "prompt_version", p.Version, "context_messages", n, "session_id", s.opened.Session, "pack", s.pack.Name}
	e.Log.InfoContext(ctx, fmt.Sprintf("Loaded %d context messages for reformulation", n), at...)
	e.Log.InfoContext(ctx, "Using prompt type: "+s.reading, at...)
}

// lastMessages gives the last n messages.
func lastMessages(list []digesto.Message, n int) []digesto.Message {
	return list[max(0, len(list)-n):]
}

// windowOf is what a prompt of the pack sees: the last messages, each cut as the
// pack says. The window of a request overrides the pack's.
func (t turn) windowOf(p pack.Prompt) []digesto.Message {
	n := t.q.Window
	if n == 0 {
		n = p.Window
	}
	if n == 0 {
		n = defaultWindow
	}
	out := append([]digesto.Message(nil), lastMessages(t.q.History, n)...)
	for i := range out {
		if r := []rune(out[i].Text); p.Cut > 0 && len(r) > p.Cut {
			out[i].Text = string(r[:p.Cut])
		}
	}
	return out
}

// abandon stores that a question was not answered.
func (e *Engine) abandon(ctx context.Context, t turn, err error) {
	if e.opt.Conversations == nil || t.opened.Session == "" {
		return
	}
	if err == nil { // a panic on its way up
		err = &digesto.Error{Code: digesto.CodeInternal, Message: "ha fallado algo inesperado", Hint: "vuelva a intentarlo"}
	}
	_ = e.opt.Conversations.Fail(context.WithoutCancel(ctx), t.opened, Ended{Said: t.said, Query: t.q.Text, Prompt: t.reading}, err)
}

// ended is what the store gets to know of an answer.
func (v verified) ended(a digesto.Answer) Ended {
	end := Ended{Said: v.said, Query: v.q.Text, Topic: a.Meta.About, Answer: a, Prompt: v.reading, Elapsed: a.Meta.ElapsedMS}
	if v.pack != nil {
		if p, ok := v.pack.PromptFor(v.reading, v.opened.Session); ok {
			end.Variant = p.Version
		}
	}
	return end
}

// subjectOf is the question of the subject that an answer went on with; "" = it began
// one. A message that could stand alone goes on where the law that answers it is in play.
func (v verified) subjectOf(a digesto.Answer) string {
	if v.topic != "" || !v.goesOn() || len(a.Citations) == 0 || a.Citations[0].Ref == nil {
		return v.topic
	}
	for _, p := range v.read.About.Places {
		if norm, _, _ := strings.Cut(p, "/"); norm == a.Citations[0].Ref.Document {
			return v.read.About.Question
		}
	}
	return ""
}
