package ask

import (
	"bytes"
	"context"
	"sync"
	"time"

	"digesto"
	"digesto/conversation"
	"digesto/model"
	"digesto/query"
)

// Trace is the whole way of one answer: all that is needed to give it again.
type Trace struct {
	Question digesto.Question // as asked; History holds the messages that counted
	Session  string           // conversation; "" = none was kept
	Turn     int64
	Pack     string // of the conversation before the question
	ChatType string
	Began    time.Time
	Stages   []StageTime
	Answer   digesto.Answer
	// Exchanges are the calls of the models, JSON Lines for [model.Replay].
	Exchanges []byte
}

// StageTime is when a stage began, counted from the arrival of the question.
type StageTime struct {
	Name  string
	Begin time.Duration
}

// tracer follows one question; nil follows none.
type tracer struct {
	e     *Engine
	t     Trace
	calls exchanges
}

// exchanges is a buffer that several calls write at a time.
type exchanges struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (x *exchanges) Write(p []byte) (int, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.b.Write(p)
}

func (e *Engine) tracer(q digesto.Question, began time.Time) *tracer {
	if e.opt.Traced == nil {
		return nil
	}
	return &tracer{e: e, t: Trace{Question: q, Began: began}}
}

// listen notes the stages that pass and records what models are asked.
func (r *tracer) listen(ctx context.Context, emit func(digesto.Event)) (func(digesto.Event), context.Context) {
	if r == nil {
		return emit, ctx
	}
	return func(ev digesto.Event) {
		if ev.Kind == "stage" {
			r.t.Stages = append(r.t.Stages, StageTime{ev.Stage, r.e.opt.Clock().Sub(r.t.Began)})
		}
		emit(ev)
	}, model.WithRecording(ctx, &r.calls)
}

// opened notes what came before the question: the same words after other
// messages are another question.
func (r *tracer) opened(t query.Turn) {
	if r == nil {
		return
	}
	r.t.Question.Text, r.t.Question.History = t.Said, t.Q.History
	r.t.Session, r.t.Turn, r.t.Pack, r.t.ChatType = t.Opened.Session, t.Opened.Turn, t.Opened.Pack, t.Opened.ChatType
}

func (r *tracer) end(ctx context.Context, a digesto.Answer) {
	if r == nil {
		return
	}
	r.calls.mu.Lock()
	r.t.Exchanges = bytes.Clone(r.calls.b.Bytes())
	r.calls.mu.Unlock()
	r.t.Answer = a
	r.e.opt.Traced(ctx, r.t)
}

// Recorded is the conversation of a trace: it opens where that question stood,
// and keeps nothing.
func Recorded(t Trace) conversation.Conversations { return recorded{t} }

type recorded struct{ t Trace }

func (r recorded) Open(context.Context, digesto.Question) (conversation.Opened, error) {
	return conversation.Opened{Session: r.t.Session, Turn: r.t.Turn, Pack: r.t.Pack, ChatType: r.t.ChatType}, nil
}

func (r recorded) Window(context.Context, conversation.Opened, int) ([]digesto.Message, *digesto.Answer, error) {
	return r.t.Question.History, nil, nil
}

func (recorded) Close(context.Context, conversation.Opened, conversation.Ended) error { return nil }
func (recorded) Fail(context.Context, conversation.Opened, conversation.Ended, error) error {
	return nil
}
