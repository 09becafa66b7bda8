package query

import (
	"context"
	"fmt"

	"digesto"
	"digesto/pack"
)

// Windows of messages.
const (
	defaultWindow = 3
	// StateWindow is how many messages the state of a conversation is read from: a thread
	// outlasts small talk and refusals. Prompts see fewer, as the pack says.
	StateWindow = 24
	MaxWindow   = 50
)

// logPrompt says which prompt reads the question and what it sees of the
// conversation; the wording is the one that operators of such systems know.
func (e *Reader) logPrompt(ctx context.Context, s Scope) {
	p, ok := s.Pack.PromptFor(s.Reading, s.Opened.Session)
	if !ok {
		return
	}
	n := len(s.windowOf(p))
	at := []any{"prompt_type", s.Reading, "prompt_version", p.Version, "context_messages", n, "session_id", s.Opened.Session, "pack", s.Pack.Name}
	e.Log.InfoContext(ctx, fmt.Sprintf("Loaded %d context messages for reformulation", n), at...)
	e.Log.InfoContext(ctx, "Using prompt type: "+s.Reading, at...)
}

// LastMessages gives the last n messages.
func LastMessages(list []digesto.Message, n int) []digesto.Message {
	return list[max(0, len(list)-n):]
}

// windowOf is what a prompt of the pack sees: the last messages, each cut as the
// pack says. The window of a request overrides the pack's.
func (t Turn) windowOf(p pack.Prompt) []digesto.Message {
	n := t.Q.Window
	if n == 0 {
		n = p.Window
	}
	if n == 0 {
		n = defaultWindow
	}
	out := append([]digesto.Message(nil), LastMessages(t.Q.History, n)...)
	for i := range out {
		if r := []rune(out[i].Text); p.Cut > 0 && len(r) > p.Cut {
			out[i].Text = string(r[:p.Cut])
		}
	}
	return out
}
