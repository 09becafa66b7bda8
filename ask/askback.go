package ask

import (
	"slices"

	"digesto"
	"digesto/pack"
	"digesto/text"
	"digesto/text/cite"
)

// askBack asks what a question leaves open, once, if it does: a bare topic that
// branches gets the branches that the corpus holds; a reference without its
// object, or no words at all, a request to say it again. All else is searched.
func (e *Engine) askBack(s scope, i intent, question string) intent {
	if i.reading == promptInitial && i.objectless(question) {
		i.done = &ending{outcome: digesto.OutcomeReformulate, text: s.pack.Say("reformulate"), classes: i.classes}
		return i
	}
	if query, ok := s.pack.Assumed(question); ok {
		return e.instead(s, i, query)
	}
	if i.reading == promptFollowup {
		return i
	}
	a, ok := s.pack.Ambiguous(question)
	if !ok {
		return i
	}
	switch held := i.held(a.Options); len(held) {
	case 0: // nothing to offer: the search says what is missing
	case 1:
		return e.instead(s, i, held[0].Query)
	default:
		i.done = &ending{outcome: digesto.OutcomeClarification, text: a.Question, classes: i.classes}
		for _, o := range held {
			i.done.options = append(i.done.options, o.Label)
		}
	}
	return i
}

// instead reads the question that a bare topic stands for.
func (e *Engine) instead(s scope, i intent, query string) intent {
	s.q.Text = query
	next := e.read(s, query)
	next.classes, next.remarks, next.tiers = i.classes, append(i.remarks, next.remarks...), i.tiers
	return next
}

// held are the options whose law is installed; all, as long as no law is.
func (i intent) held(list []pack.Option) []pack.Option {
	if (grounds{hits: hits{intent: i}}).lawCount() == 0 {
		return list
	}
	var out []pack.Option
	for _, o := range list {
		if len(o.Norms) == 0 || slices.ContainsFunc(o.Norms, func(id string) bool { _, ok := i.installed(id); return ok }) {
			out = append(out, o)
		}
	}
	return out
}

// objectless says that nothing in the question can be searched: letters at
// random, words that point at something not said, a unit without its norm.
func (i intent) objectless(question string) bool {
	if garbled(question) {
		return true
	}
	if len(i.exact) > 0 || len(i.norms) > 0 || len(i.absent) > 0 && i.absent[0].norm != "" {
		return false
	}
	w := wordsOf(question)
	w = w.from(w.lead())
	if len(w.list) == 0 {
		return true
	}
	if w.bareNorm() {
		return len(i.outsideMentions(w)) == 0
	}
	for _, t := range w.list {
		if !text.IsStop(t.Text) && !interrogatives[t.Text] && !pointless[t.Text] {
			return false
		}
	}
	return true
}

// pointless are words that ask, agree or point, and name nothing.
var pointless = wordsSet(`dice dicen pasa pasaria sucede hace significa mas info informacion explicame explica contame decime hablame tema caso asunto
	si no ok dale bueno favor anterior mismo misma aquello ahi alli quiero saber necesito ayuda consulta pregunta hola`)

// outsideMentions are the words of content that stand outside the units named.
func (i intent) outsideMentions(w sentenceWords) []string {
	cited := map[string]bool{}
	for _, m := range (&cite.Table{}).Find(w.source()) {
		for _, t := range wordsOf(m.Text).list {
			cited[t.Text] = true
		}
	}
	var out []string
	for _, c := range w.content() {
		if !cited[c] {
			out = append(out, c)
		}
	}
	return out
}

// narrow takes the chat type of the question, or of its conversation.
func (s *scope) narrow() (err error) {
	if s.chat, err = s.pack.ChatType(nonEmpty(s.q.ChatType, s.opened.ChatType)); err != nil {
		return err
	}
	if s.chat.Norm && s.q.Filters["norm"] == "" {
		return &digesto.Error{Code: digesto.CodeInvalid, Message: "Falta la norma de la que se habla", Hint: "Diga su identificador en «filters»: {\"norm\": \"…\"}."}
	}
	return nil
}
