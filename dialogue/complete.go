package dialogue

import "strings"

// completed makes a follow-up stand alone by what its subject is about ("¿y las
// sanciones?", "¿y si soy menor?", "¿en ese caso cuánto dura?"); condition says that it
// only adds one. ok is false for a question that needs nothing.
func completed(question string, about Subject) (full string, condition, ok bool) {
	topic := about.Question
	w := Read(question)
	lead := w.Lead()
	rest := w.From(lead)
	if topic == "" || len(rest.List) == 0 {
		return "", false, false
	}
	bare := strings.TrimRight(rest.Source(), " ?.!")
	n := len(rest.Content())
	switch {
	case rest.BareNorm():
		if n > 4 || len(about.Norms) == 0 {
			return "", false, false
		}
		return "¿" + strings.TrimLeft(bare, "¿ ") + " de " + about.Norms[0] + "?", false, true
	case lead > 0 && rest.fragment():
		return joinFragment(topic, rest, bare), rest.conditional(), true
	case rest.refersBack() && n <= 4, n == 0 && rest.asks(), lead > 0 && rest.clitic() && n <= 2, w.first() == "y" && rest.asksWho() && n <= 2, n <= 3 && rest.aspects():
		return "¿" + strings.TrimLeft(bare, "¿ ") + " en relación con " + Bare(topic) + "?", false, true
	}
	return "", false, false
}

// joinFragment puts a piece of a sentence to the question it continues: a
// condition at its end, a thing asked about before it.
func joinFragment(topic string, rest Sentence, bare string) string {
	if conditions[rest.List[0].Text] {
		return strings.TrimRight(topic, " ?.!") + ", " + bare + "?"
	}
	return "¿" + strings.TrimLeft(bare, "¿ ") + " en relación con " + Bare(topic) + "?"
}
