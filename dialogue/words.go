package dialogue

import (
	"slices"
	"strings"

	"digesto/text"
	"digesto/text/cite"
	"digesto/text/lazyregexp"
)

// Sentence are the words of a question with their places in it.
type Sentence struct {
	In   string
	List []text.Token
}

// first is the first word; "" when there is none.
func (w Sentence) first() string {
	if len(w.List) == 0 {
		return ""
	}
	return w.List[0].Text
}

// Read takes a text apart.
func Read(s string) Sentence { return Sentence{s, text.Tokens(nil, s)} }

// From are the words from the i-th on.
func (w Sentence) From(i int) Sentence { return Sentence{w.In, w.List[i:]} }

// Source is the question from its first word on, as written.
func (w Sentence) Source() string {
	if len(w.List) == 0 {
		return ""
	}
	return w.In[w.List[0].Start:]
}

// leads are words that tie a question to what was said before.
var leads = language.words("leads")

// Lead counts the tying words at the beginning.
func (w Sentence) Lead() int {
	n := 0
	for n < len(w.List) && leads[w.List[n].Text] {
		n++
	}
	return n
}

// Interrogatives begin a sentence of its own; so do these verbs.
var (
	Interrogatives = language.words("interrogatives")
	sentenceVerbs  = language.words("sentenceVerbs")
	determiners    = language.words("determiners")
	conditions     = language.words("conditions")
)

// fragment says that it is a piece of a sentence: a thing or a condition, with no
// question of its own.
func (w Sentence) fragment() bool {
	first := w.List[0].Text
	if conditions[first] {
		return w.conditional() && (first != "por" || len(w.List) < 2 || w.List[1].Text != "que")
	}
	if !determiners[first] {
		return len(w.List) <= 2 && !Interrogatives[first] && !sentenceVerbs[first]
	}
	for _, t := range w.List[1:] {
		if Interrogatives[t.Text] && t.Text != "que" && t.Text != "como" && t.Text != "cuando" {
			return false
		}
	}
	return len(w.Content()) <= 6
}

// conditional says that it begins with a condition, and not with what asks ("¿por cuánto …?").
func (w Sentence) conditional() bool { return conditions[w.first()] && !w.opensQuestion(0) }

// loose says that a pronoun stands for a thing that its few words do not name ("si me la
// dan, ¿cuánto dura?").
func (w Sentence) loose() bool {
	if len(w.Content()) > MatterWords {
		return false
	}
	for i := 1; i < len(w.List); i++ {
		if dative[w.List[i-1].Text] && accusative[w.List[i].Text] {
			return true
		}
	}
	return false
}

// SaidWords is how many words, at least, say something that stands by itself; MatterWords, how
// many name a matter, at most: with more it is told.
const SaidWords, MatterWords = 2, 3

var (
	dative     = language.words("dative")
	accusative = language.words("accusative")
)

// anaphora point at something said before.
var anaphora = []string{"en ese caso", "en tal caso", "en este caso", "en esos casos", "al respecto", "lo mismo", "lo anterior", "esa ley", "esa norma", "ese articulo", "ese codigo",
	"ese plazo", "esa multa", "esa sancion", "ese derecho", "ese contrato", "esos", "esas", "eso", "esto", "ese", "esa", "aquello", "ahi", "alli", "dicho", "dicha", "dichos", "dichas", "este tema", "ese tema", "el mismo", "la misma"}

func (w Sentence) refersBack() bool {
	s := " " + w.folded() + " "
	for _, a := range anaphora {
		if strings.Contains(s, " "+a+" ") {
			return true
		}
	}
	return false
}

func (w Sentence) folded() string {
	out := make([]string, len(w.List))
	for i, t := range w.List {
		out[i] = t.Text
	}
	return strings.Join(out, " ")
}

// clitic says that a pronoun stands for the thing asked about ("¿quién lo paga?").
func (w Sentence) clitic() bool {
	for i, t := range w.List {
		switch t.Text {
		case "lo", "le", "les":
			return true
		case "la", "los", "las":
			if i > 0 && (Interrogatives[w.List[i-1].Text] || w.List[i-1].Text == "se") {
				return true
			}
		}
	}
	return false
}

// standsFor says that a word stands for a thing named before: "el mío", "renovarlo".
func (w Sentence) standsFor() bool {
	for i, t := range w.List {
		if i > 0 && possessives[t.Text] && articles[w.List[i-1].Text] || enclitic.MatchString(t.Text) {
			return true
		}
	}
	return w.refersBack()
}

var (
	possessives = language.words("possessives")
	articles    = language.words("articles")
	enclitic    = lazyregexp.New(`.{3}[aei]r(se)?(lo|la|los|las)$`)
)

// asksWho says that it asks for somebody: who pays or answers is one of those of what
// was spoken of.
func (w Sentence) asksWho() bool {
	k := 0
	if len(w.List) > 1 && prepositions[w.List[0].Text] {
		k = 1
	}
	return w.List[k].Text == "quien" || w.List[k].Text == "quienes"
}

// asks says that it is a question, or asks for more.
func (w Sentence) asks() bool {
	first := w.List[0].Text
	if Interrogatives[first] || sentenceVerbs[first] || strings.HasSuffix(strings.TrimSpace(w.In), "?") {
		return true
	}
	switch first {
	case "explicame", "contame", "decime", "mas", "hablame", "por", "desde", "hasta", "a":
		return true
	}
	return false
}

// empty are words that name no topic, beside stop words.
var emptyWords = language.words("emptyWords")

// Content are the words that name what a question is about.
func (w Sentence) Content() []string {
	var out []string
	for _, t := range w.List {
		if !text.IsStop(t.Text) && !emptyWords[t.Text] && !Interrogatives[t.Text] {
			out = append(out, t.Text)
		}
	}
	return out
}

// aspectWords name a side of a topic and no topic: who asks for them alone asks for
// those of what was spoken of.
var aspectWords = language.words("aspectWords")

// aspects says that all content words name sides of a topic.
func (w Sentence) aspects() bool {
	list := w.Content()
	for _, c := range list {
		if !aspectWords[c] {
			return false
		}
	}
	return len(list) > 0
}

// BareNorm says that it names a unit of a norm and not the norm.
func (w Sentence) BareNorm() bool {
	for _, m := range (&cite.Table{}).Find(w.Source()) {
		if m.Unit != "" && m.Name == "" {
			return true
		}
	}
	return false
}

// Bare is a question without the words that ask: what it is about.
func Bare(question string) string {
	w := Read(question)
	i := 0
	for i < len(w.List) && (leads[w.List[i].Text] || Interrogatives[w.List[i].Text] || sentenceVerbs[w.List[i].Text] || emptyWords[w.List[i].Text] || subjectless[w.List[i].Text]) {
		i++
	}
	if i == len(w.List) {
		i = 0
	}
	return strings.TrimRight(w.From(i).Source(), " ?.!")
}

var subjectless = language.words("subjectless")

// Complete says that a reply is a question of its own rather than a choice.
func Complete(reply string) bool {
	w := Read(reply)
	w = w.From(w.Lead())
	if len(w.List) == 0 {
		return false
	}
	n := len(w.Content())
	begins := Interrogatives[w.List[0].Text] || sentenceVerbs[w.List[0].Text] || conditions[w.List[0].Text] && len(w.List) > 1 && Interrogatives[w.List[1].Text]
	within := slices.ContainsFunc(w.List, func(t text.Token) bool { return Interrogatives[t.Text] && t.Text != "que" && t.Text != "como" })
	return !w.refersBack() && (begins && n >= 1 || within && n >= 2 || n >= 6)
}

// AnyOf says that a reply chooses nothing: all, whichever.
func AnyOf(reply string) bool {
	w := Read(reply)
	if len(w.List) == 0 || len(w.List) > 5 {
		return false
	}
	for _, t := range w.List {
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

// Garbled says that a text holds no word: signs alone, or letters at random.
func Garbled(s string) bool {
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
