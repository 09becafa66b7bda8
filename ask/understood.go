package ask

import (
	"context"
	"slices"
	"strings"

	"digesto"
	"digesto/decide"
	"digesto/dialogue"
	"digesto/digest"
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
	m.Move = string(v.read.Move)
	if v.chosen {
		m.Move = string(dialogue.MoveChoice)
	}
	if v.pack == nil {
		return
	}
	add := func(kind, text, from string) {
		if text != "" {
			m.Understood = append(m.Understood, digesto.Understood{Kind: kind, Text: text, From: from})
		}
	}
	from := fromQuestion
	if v.topic != "" || v.goesOn() {
		from = fromConversation
	}
	switch {
	case v.mode == ModeCalculator:
	case len(v.govern) > 0 && v.govern[0].asked != "":
		add("subject", v.govern[0].asked, from)
	case v.topic != "":
		add("subject", dialogue.Bare(v.topic), from)
	}
	where := v.pack.Places[digesto.Country(v.pack.Jurisdiction())]
	switch {
	case v.territory.name != "":
		add("where", v.territory.name, fromQuestion)
	case len(v.why) > 0 || v.opened.Session == "" && v.q.Pack != "":
		add("where", where, fromQuestion)
	case v.read.About != nil || v.sticky != "":
		add("where", where, fromConversation)
	default:
		add("where", where, fromDefault)
	}
	if v.history() != "" {
		add("when", string(v.history()), fromQuestion)
	}
}

// next gives questions that may come after an answer of a conversation: what else is
// asked of the same article and of those beside it.
func (e *Engine) next(ctx context.Context, v verified) (out []string) {
	if e.opt.Places == nil || v.opened.Session == "" || v.law.empty() || v.end != nil || len(v.govern) == 0 || !v.govern[0].law {
		return nil
	}
	first := v.govern[0]
	at := turn{read: dialogue.Turn{About: &dialogue.Subject{Places: []string{first.Norm.ID + "/" + first.Unit.ID}}}}
	list, err := e.opt.Places(ctx, decide.Query{Pack: v.pack.Name, Question: v.text, Reach: func(x *digest.Entry) bool {
		return !x.Elsewhere() && x.Short() != first.asked && !v.quotes(x) && at.beside(x) && v.reaches(x)
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
	return x.Words != "" && slices.ContainsFunc(v.citations, func(c digesto.Citation) bool {
		return c.Ref != nil && c.Ref.Document == x.Norm && c.Ref.Unit == x.Unit && strings.Contains(c.Quote, x.Words)
	})
}

// maxNext is how many questions are suggested.
const maxNext = 3
