package ask

import (
	"context"
	"slices"
	"strings"

	"digesto"
	"digesto/decide"
	"digesto/dialogue"
	"digesto/digest"
	"digesto/write"
)

// Where something that a question was taken as comes from.
const (
	fromQuestion     = "question"
	fromConversation = "conversation"
	fromDefault      = "default"
)

// tellUnderstood says in the envelope what the question was taken as, so that who asked
// sees it and may put it right.
func (v verified) tellUnderstood(m *digesto.Meta) {
	m.Move = string(v.Read.Move)
	if v.Chosen {
		m.Move = string(dialogue.MoveChoice)
	}
	if v.Pack == nil {
		return
	}
	add := func(kind, text, from string) {
		if text != "" {
			m.Understood = append(m.Understood, digesto.Understood{Kind: kind, Text: text, From: from})
		}
	}
	from := fromQuestion
	if v.Topic != "" || v.GoesOn() {
		from = fromConversation
	}
	switch {
	case v.Mode == write.ModeCalculator:
	case len(v.Govern) > 0 && v.Govern[0].Asked != "":
		add("subject", v.Govern[0].Asked, from)
	case v.Topic != "":
		add("subject", dialogue.Bare(v.Topic), from)
	}
	where := v.Pack.Places[digesto.Country(v.Pack.Jurisdiction())]
	switch {
	case v.Territory.Name != "":
		add("where", v.Territory.Name, fromQuestion)
	case len(v.Why) > 0 || v.Opened.Session == "" && v.Q.Pack != "":
		add("where", where, fromQuestion)
	case v.Read.About != nil || v.Sticky != "":
		add("where", where, fromConversation)
	default:
		add("where", where, fromDefault)
	}
	if v.History() != "" {
		add("when", string(v.History()), fromQuestion)
	}
}

// next gives questions that may come after an answer of a conversation: what else is
// asked of the same article and of those beside it.
func (e *Engine) next(ctx context.Context, v verified) (out []string) {
	if e.opt.Places == nil || v.Opened.Session == "" || v.Law.Empty() || v.End != nil || len(v.Govern) == 0 || !v.Govern[0].Law {
		return nil
	}
	first := v.Govern[0]
	stands := beside([]string{first.Norm.ID + "/" + first.Unit.ID})
	list, err := e.opt.Places(ctx, decide.Query{Pack: v.Pack.Name, Question: v.Text, Reach: func(x *digest.Entry) bool {
		return x.Norm == first.Norm.ID && stands(x) && x.Open() == nil && x.Short() != first.Asked && !v.quotes(x) && v.Reaches(x)
	}})
	if err != nil { // an answer does not fail for want of what comes after it
		return nil
	}
	for _, j := range list {
		if j.Entry != nil && len(out) < maxNext && j.Entry.Short() != "" && !slices.Contains(out, j.Entry.Short()) {
			out = append(out, j.Entry.Short())
		}
	}
	return out
}

// quotes says that what an entry leads to can be read in the answer already.
func (v verified) quotes(x *digest.Entry) bool {
	return x.Words != "" && slices.ContainsFunc(v.Citations, func(c digesto.Citation) bool {
		return c.Ref != nil && c.Ref.Document == x.Norm && c.Ref.Unit == x.Unit && strings.Contains(c.Quote, x.Words)
	})
}

// maxNext is how many questions are suggested.
const maxNext = 3
