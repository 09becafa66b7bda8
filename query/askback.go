package query

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"digesto"
	"digesto/conversation"
	"digesto/decide"
	"digesto/dialogue"
	"digesto/digest"
	"digesto/pack"
	"digesto/text"
	"digesto/text/cite"
)

// askBack asks what a question leaves open, once, if it does: a bare topic that
// branches gets the branches that the corpus holds; a reference without its
// object, or no words at all, a request to say it again. All else is searched.
func (e *Reader) askBack(ctx context.Context, s Scope, i Intent, question string) (Intent, error) {
	if i.Reading == promptInitial && i.objectless(question) {
		i.Done = &Ending{Outcome: digesto.OutcomeReformulate, Text: s.Pack.Say("reformulate"), Classes: i.Classes}
		return i, nil
	}
	if query, ok := s.Pack.Assumed(question); ok {
		return e.instead(s, i, query), nil
	}
	if i.Reading == PromptFollowup {
		return i, nil
	}
	a, ok := s.Pack.Ambiguous(question)
	if !ok {
		return e.vague(ctx, i)
	}
	switch held := i.held(a.Options); len(held) {
	case 0: // nothing to offer: the search says what is missing
	case 1:
		return e.instead(s, i, held[0].Query), nil
	default:
		i.Done = &Ending{Outcome: digesto.OutcomeClarification, Text: a.Question, Classes: i.Classes}
		for _, o := range held {
			i.Done.Options = append(i.Done.Options, o.Label)
		}
	}
	return i, nil
}

// vague asks what happened where a message asks for help and tells nothing: what the
// digest knows nearest to the matter that it names are examples to choose from.
func (e *Reader) vague(ctx context.Context, i Intent) (Intent, error) {
	matter, ok := dialogue.Vague(i.Said)
	if !ok || i.GoesOn() {
		return i, nil
	}
	end := &Ending{Outcome: digesto.OutcomeClarification, Classes: []string{conversation.ClassVague}, Text: "¿Qué ha pasado, y qué quiere saber? Cuéntelo en una o dos frases."}
	if matter != "" {
		end.Text = "Sobre «" + matter + "»: ¿qué ha pasado, y qué quiere saber? Cuéntelo en una o dos frases."
	}
	if e.Places != nil && !i.Law.Empty() && matter != "" {
		list, err := e.Places(ctx, decide.Query{Pack: i.Pack.Name, Question: matter, Reach: func(x *digest.Entry) bool { return !x.Elsewhere() && i.Reaches(x) }})
		if err != nil {
			return i, err
		}
		for _, j := range list[:min(len(list), MaxReadings)] {
			if j.Entry != nil && j.Entry.Short() != "" {
				end.Options = append(end.Options, j.Entry.Short())
			}
		}
	}
	if len(end.Options) > 0 {
		end.Text += " O elija una de estas preguntas:"
		for k, o := range end.Options {
			end.Text += fmt.Sprintf("\n%d. %s", k+1, o)
		}
	}
	i.Done = end
	return i, nil
}

// instead reads the question that a bare topic stands for.
func (e *Reader) instead(s Scope, i Intent, query string) Intent {
	s.Q.Text = query
	next := e.Read(s, query)
	next.Classes, next.Remarks, next.Tiers = i.Classes, append(i.Remarks, next.Remarks...), i.Tiers
	return next
}

// held are the options whose law is installed; all, as long as no law is.
func (i Intent) held(list []pack.Option) []pack.Option {
	if i.LawCount() == 0 {
		return list
	}
	var out []pack.Option
	for _, o := range list {
		if len(o.Norms) == 0 || slices.ContainsFunc(o.Norms, func(id string) bool { _, ok := i.Installed(id); return ok }) {
			out = append(out, o)
		}
	}
	return out
}

// objectless says that nothing in the question can be searched: letters at
// random, words that point at something not said, a unit without its norm.
func (i Intent) objectless(question string) bool {
	if dialogue.Garbled(question) {
		return true
	}
	if len(i.Exact) > 0 || len(i.Norms) > 0 || len(i.Absent) > 0 && i.Absent[0].Norm != "" {
		return false
	}
	w := dialogue.Read(question)
	w = w.From(w.Lead())
	if len(w.List) == 0 {
		return true
	}
	if w.BareNorm() {
		return len(i.outsideMentions(w)) == 0
	}
	for _, t := range w.List {
		if !text.IsStop(t.Text) && !dialogue.Interrogatives[t.Text] && !pointless[t.Text] {
			return false
		}
	}
	return true
}

// pointless are words that ask, agree or point, and name nothing.
var pointless = text.WordSet(`dice dicen pasa pasaria sucede hace significa mas info informacion explicame explica contame decime hablame tema caso asunto
	si no ok dale bueno favor anterior mismo misma aquello ahi alli quiero saber necesito ayuda consulta pregunta hola`)

// outsideMentions are the words of content that stand outside the units named.
func (i Intent) outsideMentions(w dialogue.Sentence) []string {
	cited := map[string]bool{}
	for _, m := range (&cite.Table{}).Find(w.Source()) {
		for _, t := range dialogue.Read(m.Text).List {
			cited[t.Text] = true
		}
	}
	var out []string
	for _, c := range w.Content() {
		if !cited[c] {
			out = append(out, c)
		}
	}
	return out
}

// narrow takes the chat type of the question, or of its conversation.
func (s *Scope) narrow() (err error) {
	if s.Chat, err = s.Pack.ChatType(cmp.Or(s.Q.ChatType, s.Opened.ChatType)); err != nil {
		return err
	}
	if s.Chat.Norm && s.Q.Filters["norm"] == "" {
		return &digesto.Error{Code: digesto.CodeInvalid, Message: "Falta la norma de la que se habla", Hint: "Diga su identificador en «filters»: {\"norm\": \"…\"}."}
	}
	return nil
}
