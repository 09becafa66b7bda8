package ask

import (
	"context"
	"encoding/json"
	"slices"

	"digesto"
	"digesto/conversation"
	"digesto/ground"
	"digesto/model"
	"digesto/query"
	"digesto/retrieve"
	"digesto/write"
)

// recallBytes bounds each half of what is kept of questions, about; most of it is
// texts that the cache of units holds too.
const recallBytes = 24 << 20

// recallKey is all that the steps before the writer depend on.
type recallKey struct {
	state, question, said, pack, chat string
	today                             digesto.Date
}

// recall is what a question was found to stand on, from its pack to the draft by
// extraction, for the next time that it is asked of the same law on the same day. It is
// kept only where no model and nothing said before had a part in it, so that it follows
// from its key. What a model writes, and every proof of a citation, is done anew.
type recall struct {
	d      write.Draft
	stages []string // that were passed on the way
}

// keyOf gives the key of a turn; ok is false for one whose way is not kept.
func (e *Engine) keyOf(t query.Turn) (key recallKey, ok bool) {
	if e.opt.Anew || t.Law.State == "" || t.Law.Empty() || t.Meter == nil {
		return key, false
	}
	if len(t.Q.History) > 0 || t.Opened.Turn > 1 || t.Topic != "" || t.Context != "" || t.Settled != nil || t.Insisted || t.Chosen || len(t.Branches) > 0 {
		return key, false
	}
	q := t.Q
	q.Conversation = ""
	raw, err := json.Marshal(q)
	if err != nil {
		return key, false
	}
	return recallKey{t.Law.State, string(raw), t.Said, t.Opened.Pack, t.Opened.ChatType, t.Today}, true
}

// recall gives the draft of a question asked before, as if it had just been found.
func (e *Engine) recall(key recallKey, t query.Turn, emit func(digesto.Event)) (write.Draft, bool) {
	r, ok := e.recent.Get(key)
	if !ok {
		return write.Draft{}, false
	}
	for _, name := range r.stages {
		emit(ground.Stage(name))
	}
	d := apart(r.d)
	d.Q.Conversation, d.Q.User, d.Q.Key = t.Q.Conversation, t.Q.User, t.Q.Key
	d.Began, d.Opened, d.Law, d.An, d.Spare, d.Meter = t.Began, t.Opened, t.Law, t.An, t.Spare, t.Meter
	d.Hurt = t.Hurt
	return d, true
}

// Rehearse finds what a question stands on, as if it began a conversation, and keeps it
// for who asks it next: after a start, or a change of the law, questions that were asked
// before are answered as quickly as then. kept says that it was not kept already. Nothing is stored, traced or told. Where models
// have a part nothing is kept, so nothing is done.
func (e *Engine) Rehearse(ctx context.Context, q digesto.Question) (kept bool, err error) {
	if e.opt.Writer != nil || e.opt.Reader != nil || e.opt.Reranker != nil {
		return false, nil
	}
	q.Flags, q.Conversation, q.Key, q.History = q.Flags.Over(e.opt.Flags), "", "", nil
	t, err := e.accept(q, e.opt.Clock())
	if err != nil {
		return false, err
	}
	t.Opened = conversation.Opened{Turn: 1, Pack: q.Pack, ChatType: q.ChatType}
	ctx, leave, err := e.enter(ctx)
	if err != nil {
		return false, err
	}
	defer leave()
	t, release, err := e.begin(t)
	if err != nil {
		return false, err
	}
	defer release()
	key, ok := e.keyOf(t)
	if !ok {
		return false, nil
	}
	if _, ok := e.recent.Get(key); ok {
		return false, nil
	}
	_, err = e.found(model.WithMeter(ctx, t.Meter), t, key, func(digesto.Event) {})
	_, kept = e.recent.Get(key)
	return kept, err
}

// keep remembers a draft unless a model was asked on the way or should have been.
func (e *Engine) keep(key recallKey, d write.Draft, calls digesto.ModelCalls, stages []string) {
	if d.Meter.Calls() != calls || len(d.Failed)+len(d.Faults)+len(d.Degraded) > 0 || d.Hurt.Told() != "" {
		return
	}
	k := apart(d)
	k.Q.Conversation, k.Q.User, k.Q.Key = "", "", ""
	k.Opened, k.Law, k.An, k.Spare, k.Meter = conversation.Opened{}, query.View{}, nil, nil, nil
	k.Hurt = nil
	k.Sides = nil // compared already
	size := 4096 + len(key.question)
	for _, x := range k.List {
		size += 1024 + len(x.Version.Text)
	}
	e.recent.Put(key, &recall{k, stages}, size)
}

// apart gives a copy that shares nothing that later steps change.
func apart(d write.Draft) write.Draft {
	d.List, d.Govern, d.Related, d.Conflicting = slices.Clone(d.List), slices.Clone(d.Govern), slices.Clone(d.Related), slices.Clone(d.Conflicting)
	d.Notes, d.Last, d.Missing, d.Steps = slices.Clone(d.Notes), slices.Clone(d.Last), slices.Clone(d.Missing), slices.Clone(d.Steps)
	d.Trace, d.Queries, d.Unused = slices.Clip(d.Trace), slices.Clip(d.Queries), slices.Clip(d.Unused)
	d.Citations = slices.Clone(d.Citations)
	for k := range d.Citations {
		if r := d.Citations[k].Ref; r != nil {
			own := *r
			d.Citations[k].Ref = &own
		}
	}
	if d.End != nil {
		end := *d.End
		d.End = &end
	}
	d.Focus = d.Focus.Apart()
	for _, list := range [][]retrieve.Hit{d.List, d.Govern, d.Related} {
		for k := range list {
			list[k].Own = list[k].Own.Apart()
		}
	}
	return d
}
