package conversation

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"sync"

	"digesto"
	"digesto/model"
	"digesto/store"
)

// Keep makes conversations over a store.
func Keep(s store.Dialogue) Conversations { return &keeper{s: s, talks: map[string]*Talk{}} }

// keeper answers the questions of one conversation one after the other, in the
// order in which they came.
type keeper struct {
	s     store.Dialogue
	mu    sync.Mutex
	talks map[string]*Talk
}

func (k *keeper) hold(conv string) *Talk {
	k.mu.Lock()
	defer k.mu.Unlock()
	t := k.talks[conv]
	if t == nil {
		t = &Talk{}
		k.talks[conv] = t
	}
	t.Users++
	return t
}

func (k *keeper) drop(conv string, t *Talk) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if t.Users--; t.Users == 0 {
		delete(k.talks, conv)
	}
}

// Open implements [Conversations].
func (k *keeper) Open(ctx context.Context, q digesto.Question) (Opened, error) {
	conv := q.Conversation
	if conv == "new" {
		conv = ""
	}
	b := store.Begin{User: q.User, Conversation: conv, Key: q.Key, Text: q.Text, Title: store.Title(q.Text), Pack: q.Pack, ChatType: q.ChatType, Tokens: model.Estimate(q.Text)}
	var talk *Talk
	if conv != "" {
		talk = k.hold(conv)
		defer k.drop(conv, talk)
		talk.Begin.Lock()
		defer talk.Begin.Unlock()
	}
	t, err := k.s.Begin(ctx, b)
	if err != nil {
		return Opened{}, err
	}
	o := Opened{Session: t.Conversation.ID, Turn: t.Message.Turn, Pack: t.Conversation.Pack, ChatType: t.Conversation.ChatType}
	if t.Reply != nil {
		if o.Reply = answerOf(*t.Reply); o.Reply != nil {
			return o, nil
		}
	}
	k.register(&o)
	return o, nil
}

// register puts the question in the row of its conversation; one that is in it
// already, by a repeated request, is waited for instead.
func (k *keeper) register(o *Opened) {
	t := k.hold(o.Session)
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, r := range t.Active {
		if r.Turn == o.Turn {
			o.After = r
			t.Users-- // the one being answered holds the conversation
			return
		}
	}
	o.Release = &Running{Talk: t, Conv: o.Session, Turn: o.Turn, Done: make(chan struct{})}
	t.Active = append(t.Active, o.Release)
}

// Window implements [Conversations].
func (k *keeper) Window(ctx context.Context, o Opened, n int) ([]digesto.Message, *digesto.Answer, error) {
	if o.After != nil {
		if err := wait(ctx, o.After); err != nil {
			return nil, nil, err
		}
		return k.repeated(ctx, o)
	}
	for _, r := range k.before(o) {
		if err := wait(ctx, r); err != nil {
			return nil, nil, err
		}
	}
	if o.Turn == 1 { // nothing came before
		return nil, nil, nil
	}
	list, err := k.s.Window(ctx, o.Session, o.Turn, n)
	if err != nil {
		return nil, nil, err
	}
	out := make([]digesto.Message, len(list))
	for i, m := range list {
		out[i] = messageOf(m)
	}
	return out, nil, nil
}

func wait(ctx context.Context, r *Running) error {
	select {
	case <-r.Done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// repeated gives the answer that a request with the same key got meanwhile.
func (k *keeper) repeated(ctx context.Context, o Opened) ([]digesto.Message, *digesto.Answer, error) {
	list, err := k.s.Window(ctx, o.Session, o.Turn+1, 1)
	if err != nil {
		return nil, nil, err
	}
	if len(list) == 1 && list[0].Turn == o.Turn {
		if a := answerOf(list[0]); a != nil {
			return nil, a, nil
		}
	}
	return nil, nil, &digesto.Error{Code: digesto.CodeConflict, Message: "La misma pregunta se está contestando en otra petición", Hint: "Vuelva a intentarlo en un momento con la misma clave."}
}

func (k *keeper) before(o Opened) []*Running {
	k.mu.Lock()
	defer k.mu.Unlock()
	var out []*Running
	if o.Release != nil {
		for _, r := range o.Release.Talk.Active {
			if r.Turn < o.Turn {
				out = append(out, r)
			}
		}
	}
	return out
}

// Close implements [Conversations].
func (k *keeper) Close(ctx context.Context, o Opened, end Ended) error {
	defer k.ended(o)
	a := end.Answer
	meta, err := metadata(string(a.Meta.Outcome), end)
	if err == nil {
		err = meta.Set("answer", a)
	}
	if err != nil {
		return err
	}
	_, err = k.s.Finish(context.WithoutCancel(ctx), store.Finish{Conversation: o.Session, Turn: o.Turn, Text: a.Answer, Tokens: model.Estimate(a.Answer), Pack: a.Meta.Pack, Meta: meta, Run: runOf(end, string(a.Meta.Outcome))})
	return err
}

// Fail implements [Conversations].
func (k *keeper) Fail(ctx context.Context, o Opened, end Ended, cause error) error {
	defer k.ended(o)
	if o.After != nil || o.Reply != nil {
		return nil // another request answers it
	}
	meta, err := metadata("error", end)
	if err == nil {
		err = meta.Set("code", digesto.CodeOf(cause))
	}
	if err != nil {
		return err
	}
	text := "No se ha podido contestar: " + cause.Error()
	_, err = k.s.Finish(context.WithoutCancel(ctx), store.Finish{Conversation: o.Session, Turn: o.Turn, Text: text, Tokens: model.Estimate(text), Meta: meta, Run: runOf(end, "error")})
	return err
}

// ended takes the question out of the row.
func (k *keeper) ended(o Opened) {
	r := o.Release
	if r == nil {
		return
	}
	k.mu.Lock()
	before := len(r.Talk.Active)
	r.Talk.Active = slices.DeleteFunc(r.Talk.Active, func(x *Running) bool { return x == r })
	mine := len(r.Talk.Active) < before
	k.mu.Unlock()
	if mine {
		close(r.Done)
		k.drop(r.Conv, r.Talk)
	}
}

func metadata(kind string, end Ended) (store.Metadata, error) {
	m := store.Metadata{}
	for key, v := range map[string]string{store.TypeKey: kind, "prompt_type": end.Prompt, "prompt_version": end.Variant, "query": end.Query, "topic": end.Topic, "named": end.Named} {
		if v == "" {
			continue
		}
		if err := m.Set(key, v); err != nil {
			return nil, err
		}
	}
	return m, nil
}

func runOf(end Ended, kind string) store.Run {
	r := store.Run{Type: kind, Prompt: end.Prompt, Variant: end.Variant, Topic: end.Query, Elapsed: end.Elapsed, Tokens: model.Estimate(end.Answer.Answer)}
	if m := end.Answer.Meta; m != nil {
		r.Trace, r.Pack = m.TraceID, m.Pack
		c := m.ModelCalls
		r.Calls = c.Reader + c.Writer + c.Embedder + c.Reranker
	}
	return r
}

// answerOf is the whole answer that a message keeps; nil when it keeps none.
func answerOf(m store.Message) *digesto.Answer {
	var a digesto.Answer
	if json.Unmarshal(m.Meta["answer"], &a) != nil || a.Meta == nil {
		return nil
	}
	return &a
}

// messageOf is a stored message as the pipeline sees it.
func messageOf(m store.Message) digesto.Message {
	out := digesto.Message{Role: m.Role, Text: m.Content, Type: m.Meta.Type(), Query: m.Meta.Text("query"), Topic: m.Meta.Text("topic"), Named: m.Meta.Text("named")}
	if a := answerOf(m); a != nil {
		Recall(&out, *a)
	}
	return out
}

// inPlay is the share of the probability of the first reading from which another one is
// in play, too, as long as none is chosen.
const inPlay = .6

// Recall fills in what a message of an answer stood on.
func Recall(m *digesto.Message, a digesto.Answer) {
	m.Type, m.Pack = string(a.Meta.Outcome), a.Meta.Pack
	m.Query, m.Topic = cmp.Or(m.Query, a.Meta.Question), cmp.Or(m.Topic, a.Meta.About)
	m.Norms, m.Places, m.Readings = nil, nil, nil
	cited := func(list []digesto.Citation) {
		for _, c := range list {
			if c.Ref == nil {
				continue
			}
			if at := c.Ref.Document + "/" + c.Ref.Unit; !slices.Contains(m.Places, at) {
				m.Places = append(m.Places, at)
			}
		}
	}
	for _, c := range a.Citations {
		if c.Ref != nil && !slices.Contains(m.Norms, c.Ref.Document) {
			m.Norms = append(m.Norms, c.Ref.Document)
		}
	}
	cited(a.Citations)
	if slices.Contains(a.Meta.Classes, ClassVague) {
		m.Readings = a.Meta.Options
	}
	for _, r := range a.Meta.Readings {
		m.Readings = append(m.Readings, r.Question())
		if r.Confidence >= inPlay*a.Meta.Readings[0].Confidence {
			cited(r.Citations)
		}
	}
}

// ClassVague is the class of a message that asks for help and tells nothing.
const ClassVague = "vague"

// Talk is a conversation in which something is being answered.
type Talk struct {
	Begin  sync.Mutex // held while a question is stored: the order stored is the order of running
	Users  int
	Active []*Running
}

// Running is a question being answered.
type Running struct {
	Talk *Talk
	Conv string
	Turn int64
	Done chan struct{}
}
