package ask

import (
	"context"
	"encoding/json"
	"slices"

	"digesto"
	"digesto/model"
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
	d      draft
	stages []string // that were passed on the way
}

// keyOf gives the key of a turn; ok is false for one whose way is not kept.
func (e *Engine) keyOf(t turn) (key recallKey, ok bool) {
	if e.opt.Anew || t.law.State == "" || t.law.empty() || t.meter == nil {
		return key, false
	}
	if len(t.q.History) > 0 || t.opened.Turn > 1 || t.topic != "" || t.context != "" || t.settled != nil || t.insisted || t.chosen || len(t.branches) > 0 {
		return key, false
	}
	q := t.q
	q.Conversation = ""
	raw, err := json.Marshal(q)
	if err != nil {
		return key, false
	}
	return recallKey{t.law.State, string(raw), t.said, t.opened.Pack, t.opened.ChatType, t.today}, true
}

// recall gives the draft of a question asked before, as if it had just been found.
func (e *Engine) recall(key recallKey, t turn, emit func(digesto.Event)) (draft, bool) {
	r, ok := e.recent.Get(key)
	if !ok {
		return draft{}, false
	}
	for _, name := range r.stages {
		emit(stage(name))
	}
	d := r.d.apart()
	d.q.Conversation, d.q.User, d.q.Key = t.q.Conversation, t.q.User, t.q.Key
	d.began, d.opened, d.law, d.an, d.spare, d.meter = t.began, t.opened, t.law, t.an, t.spare, t.meter
	d.hurt = t.hurt
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
	t.opened = Opened{Turn: 1, Pack: q.Pack, ChatType: q.ChatType}
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
	_, err = e.found(model.WithMeter(ctx, t.meter), t, key, func(digesto.Event) {})
	_, kept = e.recent.Get(key)
	return kept, err
}

// keep remembers a draft unless a model was asked on the way or should have been.
func (e *Engine) keep(key recallKey, d draft, calls digesto.ModelCalls, stages []string) {
	if d.meter.Calls() != calls || len(d.failed)+len(d.faults)+len(d.degraded) > 0 || d.hurt.told() != "" {
		return
	}
	k := d.apart()
	k.q.Conversation, k.q.User, k.q.Key = "", "", ""
	k.opened, k.law, k.an, k.spare, k.meter = Opened{}, View{}, nil, nil, nil
	k.hurt = nil
	k.sides = nil // compared already
	size := 4096 + len(key.question)
	for _, x := range k.list {
		size += 1024 + len(x.Version.Text)
	}
	e.recent.Put(key, &recall{k, stages}, size)
}

// apart gives a copy that shares nothing that later steps change.
func (d draft) apart() draft {
	d.list, d.govern, d.related, d.conflicting = slices.Clone(d.list), slices.Clone(d.govern), slices.Clone(d.related), slices.Clone(d.conflicting)
	d.notes, d.last, d.missing, d.steps = slices.Clone(d.notes), slices.Clone(d.last), slices.Clone(d.missing), slices.Clone(d.steps)
	d.trace, d.queries, d.unused = slices.Clip(d.trace), slices.Clip(d.queries), slices.Clip(d.unused)
	d.citations = slices.Clone(d.citations)
	for k := range d.citations {
		if r := d.citations[k].Ref; r != nil {
			own := *r
			d.citations[k].Ref = &own
		}
	}
	if d.end != nil {
		end := *d.end
		d.end = &end
	}
	d.focus = d.focus.Apart()
	for _, list := range [][]hit{d.list, d.govern, d.related} {
		for k := range list {
			list[k].own, list[k].clue = list[k].own.Apart(), list[k].clue.Apart()
		}
	}
	return d
}
