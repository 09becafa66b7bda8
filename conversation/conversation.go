package conversation

import (
	"context"
	"strconv"

	"digesto"
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

// Ended is how a turn ended.
type Ended struct {
	Said    string // the question as asked
	Named   string // the pack that the client named, digesto.NoPack = none
	Query   string // as it was searched: self-contained
	Topic   string // question that this one continues; "" = none
	Answer  digesto.Answer
	Prompt  string // "initial", "followup" or ""
	Variant string // version of the prompt
	Elapsed int64  // ms
}

// Opened is a question kept.
type Opened struct {
	Session  string
	Turn     int64
	Pack     string          // of the conversation so far
	ChatType string          // of the conversation
	Reply    *digesto.Answer // given before: the request is a repetition

	Release *Running // of the keeper
	After   *Running // the same question, being answered
}

// Name tells the turn apart from all others; "" when none is kept.
func (o Opened) Name() string {
	if o.Turn == 0 {
		return o.Session
	}
	return o.Session + "/" + strconv.FormatInt(o.Turn, 10)
}
