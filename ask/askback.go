package ask

import (
	"context"
	"fmt"
	"slices"

	"digesto"
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
func (e *Reader) askBack(ctx context.Context, s scope, i intent, question string) (intent, error) {
	if i.reading == promptInitial && i.objectless(question) {
		i.done = &ending{outcome: digesto.OutcomeReformulate, text: s.pack.Say("reformulate"), classes: i.classes}
		return i, nil
	}
	if query, ok := s.pack.Assumed(question); ok {
		return e.instead(s, i, query), nil
	}
	if i.reading == promptFollowup {
		return i, nil
	}
	a, ok := s.pack.Ambiguous(question)
	if !ok {
		return e.vague(ctx, i)
	}
	switch held := i.held(a.Options); len(held) {
	case 0: // nothing to offer: the search says what is missing
	case 1:
		return e.instead(s, i, held[0].Query), nil
	default:
		i.done = &ending{outcome: digesto.OutcomeClarification, text: a.Question, classes: i.classes}
		for _, o := range held {
			i.done.options = append(i.done.options, o.Label)
		}
	}
	return i, nil
}

// vague asks what happened where a message asks for help and tells nothing: what the
// digest knows nearest to the matter that it names are examples to choose from.
func (e *Reader) vague(ctx context.Context, i intent) (intent, error) {
	matter, ok := dialogue.Vague(i.said)
	if !ok || i.goesOn() {
		return i, nil
	}
	end := &ending{outcome: digesto.OutcomeClarification, classes: []string{classVague}, text: "¿Qué ha pasado, y qué quiere saber? Cuéntelo en una o dos frases."}
	if matter != "" {
		end.text = "Sobre «" + matter + "»: ¿qué ha pasado, y qué quiere saber? Cuéntelo en una o dos frases."
	}
	if e.Places != nil && !i.law.empty() && matter != "" {
		list, err := e.Places(ctx, decide.Query{Pack: i.pack.Name, Question: matter, Reach: func(x *digest.Entry) bool { return !x.Elsewhere() && i.reaches(x) }})
		if err != nil {
			return i, err
		}
		for _, j := range list[:min(len(list), maxReadings)] {
			if j.Entry != nil && j.Entry.Short() != "" {
				end.options = append(end.options, j.Entry.Short())
			}
		}
	}
	if len(end.options) > 0 {
		end.text += " O elija una de estas preguntas:"
		for k, o := range end.options {
			end.text += fmt.Sprintf("\n%d. %s", k+1, o)
		}
	}
	i.done = end
	return i, nil
}

// classVague is the class of a message that asks for help and tells nothing.
const classVague = "vague"

// instead reads the question that a bare topic stands for.
func (e *Reader) instead(s scope, i intent, query string) intent {
	s.q.Text = query
	next := e.read(s, query)
	next.classes, next.remarks, next.tiers = i.classes, append(i.remarks, next.remarks...), i.tiers
	return next
}

// held are the options whose law is installed; all, as long as no law is.
func (i intent) held(list []pack.Option) []pack.Option {
	if i.lawCount() == 0 {
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
	if dialogue.Garbled(question) {
		return true
	}
	if len(i.exact) > 0 || len(i.norms) > 0 || len(i.absent) > 0 && i.absent[0].norm != "" {
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
func (i intent) outsideMentions(w dialogue.Sentence) []string {
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
func (s *scope) narrow() (err error) {
	if s.chat, err = s.pack.ChatType(nonEmpty(s.q.ChatType, s.opened.ChatType)); err != nil {
		return err
	}
	if s.chat.Norm && s.q.Filters["norm"] == "" {
		return &digesto.Error{Code: digesto.CodeInvalid, Message: "Falta la norma de la que se habla", Hint: "Diga su identificador en «filters»: {\"norm\": \"…\"}."}
	}
	return nil
}
