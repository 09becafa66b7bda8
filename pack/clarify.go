package pack

import (
	"strings"

	"digesto/text"
)

// Ambiguity is a bare topic that branches: asking about it alone is answered
// with one question and the options.
type Ambiguity struct {
	Topics   []string // expressions of the topic
	Question string
	Options  []Option

	topics map[string]bool
}

// Option is one branch of an ambiguous topic.
type Option struct {
	Label string   `yaml:"label"` // shown
	Match []string `yaml:"match"` // words of a reply that choose it, besides the label
	Query string   `yaml:"query"` // self-contained question that it stands for
	// Norms are those that answer it: it is offered while one of them is
	// installed, or no law at all is. None = always.
	Norms []string `yaml:"norms"`
}

// Fillers are words of a request that name no topic ("háblame de", "necesito
// información sobre"). They come from the rules of the pack.
type fillers map[string]bool

// Ambiguous says whether a question is nothing but an ambiguous topic: with
// its filler words struck, it equals one of the topics.
func (p *Pack) Ambiguous(question string) (*Ambiguity, bool) {
	bare := p.bare(Words(question))
	for i := range p.Ambiguities {
		if p.Ambiguities[i].topics[bare] {
			return &p.Ambiguities[i], true
		}
	}
	return nil, false
}

// Assumed gives the question that a bare topic stands for.
func (p *Pack) Assumed(question string) (string, bool) {
	bare := p.bare(Words(question))
	for _, a := range p.Assumptions {
		if a.topics[bare] {
			return a.Options[0].Query, true
		}
	}
	return "", false
}

func newAmbiguity(topics []string, question string, options []Option) Ambiguity {
	a := Ambiguity{Topics: topics, Question: question, Options: options, topics: map[string]bool{}}
	for _, t := range topics {
		if k := key(t); k != "" {
			a.topics[k] = true
		}
	}
	return a
}

// Resolve reads the reply to the clarification: the option whose label or
// words it holds. ok is false when it chooses none or more than one.
func (a *Ambiguity) Resolve(reply string) (Option, bool) {
	words := Words(reply)
	found, n := Option{}, 0
	for _, o := range a.Options {
		if o.chosen(words) {
			found = o
			n++
		}
	}
	return found, n == 1
}

// Resolved joins a question that was asked back and the reply to it into one that stands alone.
func (p *Pack) Resolved(question, reply string) string {
	if a, ok := p.Ambiguous(question); ok {
		if o, ok := a.Resolve(reply); ok && o.Query != "" {
			return o.Query
		}
	}
	if reply == question {
		return reply
	}
	return strings.TrimRight(question, " ?.") + ": " + reply
}

// ordinals are the words that choose an option by its place.
var ordinals = map[string]int{"primera": 1, "primero": 1, "segunda": 2, "segundo": 2, "tercera": 3, "tercero": 3, "cuarta": 4, "cuarto": 4, "1": 1, "2": 2, "3": 3, "4": 4, "ultima": -1, "ultimo": -1}

// Chosen gives the options that a reply names, by label, words or place, in
// their order.
func (a *Ambiguity) Chosen(reply string) []Option {
	words := Words(reply)
	var out []Option
	for _, o := range a.Options {
		if o.chosen(words) {
			out = append(out, o)
		}
	}
	if len(out) > 0 || len(words) > 4 {
		return out
	}
	for _, w := range words {
		if n := ordinals[w]; n < 0 {
			return a.Options[len(a.Options)-1:]
		} else if n > 0 && n <= len(a.Options) {
			return a.Options[n-1 : n]
		}
	}
	return nil
}

func (o Option) chosen(words []string) bool {
	all := " " + strings.Join(words, " ") + " "
	for _, m := range append([]string{o.Label}, o.Match...) {
		if k := key(m); k != "" && strings.Contains(all, " "+k+" ") {
			return true
		}
	}
	return false
}

// bare strikes filler words from both ends of the words.
func (p *Pack) bare(words []string) string {
	for len(words) > 0 && p.filler(words[0]) {
		words = words[1:]
	}
	for len(words) > 0 && p.filler(words[len(words)-1]) {
		words = words[:len(words)-1]
	}
	return strings.Join(words, " ")
}

// requests are the words that begin a request for information at large.
var requests = wordSet(`hablame hablanos contame cuentame decime dime explicame informame quiero quisiera necesito busco podes podria puede me dame danos`)

// Core strikes the words of request from the beginning of a question ("necesito
// info sobre"): they are no words of the law.
func (p *Pack) Core(question string) string {
	toks := text.Tokens(nil, question)
	k := 0
	for k < len(toks) && (toks[k].Text == "hola" || toks[k].Text == "buenas" || toks[k].Text == "mejor") {
		k++
	}
	asks := func(k int) bool { // "me podés decir", not "me despidieron"
		return requests[toks[k].Text] && (toks[k].Text != "me" || k+1 < len(toks) && requests[toks[k+1].Text])
	}
	if k == len(toks) || !asks(k) {
		return question
	}
	for k < len(toks) && (asks(k) || commonFillers[toks[k].Text] && !articles[toks[k].Text]) {
		k++
	}
	if k == len(toks) {
		return question
	}
	return question[toks[k].Start:]
}

var articles = wordSet("el la los las un una unos unas todo algo hay")

// Trim strikes filler words from both ends of a query ("régimen de … en la normativa").
func (p *Pack) Trim(query string) string {
	toks := text.Tokens(nil, query)
	n := len(toks)
	for n > 1 && p.filler(toks[n-1].Text) {
		n--
	}
	if n == 0 {
		return query
	}
	k := 0
	for k < n-1 && p.filler(toks[k].Text) {
		k++
	}
	return query[toks[k].Start:toks[n-1].End]
}

func (p *Pack) filler(w string) bool { return commonFillers[w] || p.fill[w] }

// commonFillers are the words with which Spanish asks for information at large.
var commonFillers = wordSet(`hablame hablanos contame cuentame decime dime explicame informame quiero quisiera necesito
	busco saber conocer informacion info datos algo todo sobre de del la el los las lo un una unos unas acerca
	por favor porfa me podes puedes podria dar das hay en cuanto a respecto tema temas hola buenas buenos dias tardes y`)

func wordSet(s string) fillers {
	out := fillers{}
	for _, w := range strings.Fields(s) {
		out[w] = true
	}
	return out
}

// sayings are what the program says where a pack has no words of its own.
var sayings = map[string]string{
	"reformulate": "No entiendo la pregunta. Escríbala completa, con el asunto o la norma a la que se refiere.",
	"non_legal":   "Solo respondo preguntas sobre el derecho, y esta no lo es.",
	"foreign":     "Escriba la pregunta en español.",
}

// Say gives a sentence in the pack's voice, with the pack's example of a question.
func (p *Pack) Say(name string) string {
	s := p.Phrases[name]
	if s == "" {
		s = sayings[name]
	}
	return strings.TrimSuffix(s, ".") + ", por ejemplo: «" + p.FirstQuestion + "»"
}
