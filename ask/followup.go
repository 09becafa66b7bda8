package ask

import (
	"slices"
	"strings"

	"digesto"
	"digesto/text"
	"digesto/text/cite"
)

// Completed is a follow-up made to stand alone.
type Completed struct {
	Text  string   // the question with what it left out
	Topic string   // the question that it continues
	Norms []string // cited when that was answered
	// Condition says that the follow-up only adds a condition ("¿y si…?").
	Condition bool
}

// Complete makes a follow-up stand alone by what the messages before it were
// about ("¿y las sanciones?", "¿y si soy menor?", "¿en ese caso cuánto dura?"). ok is
// false for a question that needs nothing, and when there is nothing to take.
func Complete(question string, history []digesto.Message) (c Completed, ok bool) {
	c.Topic, c.Norms = topicOf(history)
	if c.Topic == "" {
		return c, false
	}
	w := wordsOf(question)
	lead := w.lead()
	rest := w.from(lead)
	if len(rest.list) == 0 {
		return c, false
	}
	bare := strings.TrimRight(rest.source(), " ?.!")
	n := len(rest.content())
	switch {
	case rest.bareNorm():
		if n > 4 || len(c.Norms) == 0 {
			return c, false
		}
		c.Text = "¿" + strings.TrimLeft(bare, "¿ ") + " de " + c.Norms[0] + "?"
	case lead > 0 && rest.fragment():
		c.Text, c.Condition = joinFragment(c.Topic, rest, bare), conditions[rest.list[0].Text]
	case rest.refersBack() && n <= 4, n == 0 && rest.asks(), lead > 0 && rest.clitic() && n <= 2, w.list[0].Text == "y" && rest.asksWho() && n <= 2, n <= 3 && rest.aspects():
		c.Text = "¿" + strings.TrimLeft(bare, "¿ ") + " en relación con " + subject(c.Topic) + "?"
	default:
		return c, false
	}
	return c, true
}

// topicOf is what the conversation is about: the question that the last answer
// of substance answered, or the one that it continued.
func topicOf(history []digesto.Message) (topic string, norms []string) {
	for i := len(history) - 1; i >= 0; i-- {
		m := history[i]
		switch digesto.Outcome(m.Type) {
		case digesto.OutcomeNonLegal, digesto.OutcomeReformulate, digesto.OutcomeOutOfScope, "error":
			continue
		}
		if m.Role == "assistant" {
			return nonEmpty(m.Topic, withQuery(m, history[:i]).Query), m.Norms
		}
	}
	return "", nil
}

// joinFragment puts a piece of a sentence to the question it continues: a
// condition at its end, a thing asked about before it.
func joinFragment(topic string, rest sentenceWords, bare string) string {
	if conditions[rest.list[0].Text] {
		return strings.TrimRight(topic, " ?.!") + ", " + bare + "?"
	}
	return "¿" + strings.TrimLeft(bare, "¿ ") + " en relación con " + subject(topic) + "?"
}

// sentenceWords are the words of a question with their places in it.
type sentenceWords struct {
	in   string
	list []text.Token
}

func wordsOf(s string) sentenceWords { return sentenceWords{s, text.Tokens(nil, s)} }

func (w sentenceWords) from(i int) sentenceWords { return sentenceWords{w.in, w.list[i:]} }

// source is the question from its first word on, as written.
func (w sentenceWords) source() string {
	if len(w.list) == 0 {
		return ""
	}
	return w.in[w.list[0].Start:]
}

// leads are words that tie a question to what was said before.
var leads = wordsSet("y e pero entonces ah ok bueno bien dale perfecto gracias tambien ademas vale claro")

// lead counts the tying words at the beginning.
func (w sentenceWords) lead() int {
	n := 0
	for n < len(w.list) && leads[w.list[n].Text] {
		n++
	}
	return n
}

// interrogatives begin a sentence of its own; so do these verbs.
var (
	interrogatives = wordsSet("que cual cuales cuanto cuanta cuantos cuantas como cuando donde quien quienes")
	sentenceVerbs  = wordsSet(`es son hay puedo puede pueden podes podemos podria debo debe deben tengo tiene tienen tenes existe existen corresponde
		corresponden cabe necesito hace dice dicen esta estan se dura duran rige aplica sirve pierdo cobro pago paga vale cuenta prescribe`)
	determiners = wordsSet("el la los las un una unos unas mi mis su sus algun alguna de del al lo tu tus")
	conditions  = wordsSet("si cuando en para con sin durante despues antes por a desde hasta siendo segun")
)

// fragment says that it is a piece of a sentence: a thing or a condition, with no
// question of its own.
func (w sentenceWords) fragment() bool {
	first := w.list[0].Text
	if conditions[first] {
		return first != "por" || len(w.list) < 2 || w.list[1].Text != "que"
	}
	if !determiners[first] {
		return len(w.list) <= 2 && !interrogatives[first] && !sentenceVerbs[first]
	}
	for _, t := range w.list[1:] {
		if interrogatives[t.Text] && t.Text != "que" && t.Text != "como" && t.Text != "cuando" {
			return false
		}
	}
	return len(w.content()) <= 6
}

// anaphora point at something said before.
var anaphora = []string{"en ese caso", "en tal caso", "en este caso", "en esos casos", "al respecto", "lo mismo", "lo anterior", "esa ley", "esa norma", "ese articulo", "ese codigo",
	"ese plazo", "esa multa", "esa sancion", "ese derecho", "ese contrato", "esos", "esas", "eso", "esto", "ese", "esa", "aquello", "ahi", "alli", "dicho", "dicha", "dichos", "dichas", "este tema", "ese tema", "el mismo", "la misma"}

func (w sentenceWords) refersBack() bool {
	s := " " + w.folded() + " "
	for _, a := range anaphora {
		if strings.Contains(s, " "+a+" ") {
			return true
		}
	}
	return false
}

func (w sentenceWords) folded() string {
	out := make([]string, len(w.list))
	for i, t := range w.list {
		out[i] = t.Text
	}
	return strings.Join(out, " ")
}

// clitic says that a pronoun stands for the thing asked about ("¿quién lo paga?").
func (w sentenceWords) clitic() bool {
	for i, t := range w.list {
		switch t.Text {
		case "lo", "le", "les":
			return true
		case "la", "los", "las":
			if i > 0 && (interrogatives[w.list[i-1].Text] || w.list[i-1].Text == "se") {
				return true
			}
		}
	}
	return false
}

// asksWho says that it asks for somebody: who pays or answers is one of those of what
// was spoken of.
func (w sentenceWords) asksWho() bool {
	k := 0
	if len(w.list) > 1 && prepositions[w.list[0].Text] {
		k = 1
	}
	return w.list[k].Text == "quien" || w.list[k].Text == "quienes"
}

// asks says that it is a question, or asks for more.
func (w sentenceWords) asks() bool {
	first := w.list[0].Text
	if interrogatives[first] || sentenceVerbs[first] || strings.HasSuffix(strings.TrimSpace(w.in), "?") {
		return true
	}
	switch first {
	case "explicame", "contame", "decime", "mas", "hablame", "por", "desde", "hasta", "a":
		return true
	}
	return false
}

// empty are words that name no topic, beside stop words.
var emptyWords = wordsSet(`dura duran hace hacer hago pasa pasaria sucede ocurre dice dicen aplica rige sirve vale cuesta cuanto cuanta cuantos cuantas exactamente
	ahora ejemplo caso casos tema puedo puede pueden podes podria debo debe deben tengo tiene tenes corresponde cobro pago paga pagan cobra cobran no si plazo
	explicame contame decime mas info informacion detalle detalles hablame explica explicar igual igualmente mismo misma cuenta significa quiere decir vence empieza termina
	desde hasta antes despues mas menos sin todo toda todos todas vos usted exacto seguro`)

// content are the words that name what a question is about.
func (w sentenceWords) content() []string {
	var out []string
	for _, t := range w.list {
		if !text.IsStop(t.Text) && !emptyWords[t.Text] && !interrogatives[t.Text] {
			out = append(out, t.Text)
		}
	}
	return out
}

// aspectWords name a side of a topic and no topic: who asks for them alone asks for
// those of what was spoken of.
var aspectWords = wordsSet(`requisitos requisito antelacion duracion durar tiempo cuantia importe dinero cantidad precio coste edad minimo maximo maxima minima limite porcentaje
	documentos documentacion papeles tramites excepciones consecuencias quien elige decide horario cobrar cobrarse pagar pagarse pedir pedirlo solicitar
	dias semanas meses anos horas veces`)

// aspects says that all content words name sides of a topic.
func (w sentenceWords) aspects() bool {
	list := w.content()
	for _, c := range list {
		if !aspectWords[c] {
			return false
		}
	}
	return len(list) > 0
}

// bareNorm says that it names a unit of a norm and not the norm.
func (w sentenceWords) bareNorm() bool {
	for _, m := range (&cite.Table{}).Find(w.source()) {
		if m.Unit != "" && m.Name == "" {
			return true
		}
	}
	return false
}

// subject is a question without the words that ask: what it is about.
func subject(question string) string {
	w := wordsOf(question)
	i := 0
	for i < len(w.list) && (leads[w.list[i].Text] || interrogatives[w.list[i].Text] || sentenceVerbs[w.list[i].Text] || emptyWords[w.list[i].Text] || subjectless[w.list[i].Text]) {
		i++
	}
	if i == len(w.list) {
		i = 0
	}
	return strings.TrimRight(w.from(i).source(), " ?.!")
}

var subjectless = wordsSet("me se te nos le lo sobre de acerca no")

// complete says that a reply is a question of its own rather than a choice.
func complete(reply string) bool {
	w := wordsOf(reply)
	w = w.from(w.lead())
	if len(w.list) == 0 {
		return false
	}
	n := len(w.content())
	begins := interrogatives[w.list[0].Text] || sentenceVerbs[w.list[0].Text] || conditions[w.list[0].Text] && len(w.list) > 1 && interrogatives[w.list[1].Text]
	within := slices.ContainsFunc(w.list, func(t text.Token) bool { return interrogatives[t.Text] && t.Text != "que" && t.Text != "como" })
	return !w.refersBack() && (begins && n >= 1 || within && n >= 2 || n >= 6)
}

// anyOf says that a reply chooses nothing: all, whichever.
func anyOf(reply string) bool {
	w := wordsOf(reply)
	if len(w.list) == 0 || len(w.list) > 5 {
		return false
	}
	for _, t := range w.list {
		switch t.Text {
		case "todos", "todas", "todo", "cualquiera", "ambos", "ambas", "general", "se", "no", "igual", "indistinto":
		default:
			if !text.IsStop(t.Text) {
				return false
			}
		}
	}
	return true
}

// garbled says that a text holds no word: signs alone, or letters at random.
func garbled(s string) bool {
	toks := text.Tokens(nil, s)
	if len(toks) == 0 {
		return true
	}
	for _, t := range toks {
		if !noWord(t.Text) {
			return false
		}
	}
	return true
}

// noWord says that no Spanish word is written like this: no vowel, five
// consonants in a row, a q without its u, or one letter four times.
func noWord(folded string) bool {
	if len(folded) < 4 || folded[0] >= '0' && folded[0] <= '9' {
		return false
	}
	vowels, row, same := 0, 0, 1
	for i := 0; i < len(folded); i++ {
		c := folded[i]
		if strings.IndexByte("aeiouy", c) >= 0 {
			vowels++
			row = 0
		} else if row++; row >= 5 {
			return true
		}
		if i > 0 && c == folded[i-1] {
			if same++; same >= 4 {
				return true
			}
		} else {
			same = 1
		}
		if c == 'q' && (i+1 == len(folded) || folded[i+1] != 'u') {
			return true
		}
	}
	return vowels == 0
}

func wordsSet(s string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(s) {
		out[w] = true
	}
	return out
}
