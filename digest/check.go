package digest

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"digesto/pack"
	"digesto/text"
	"digesto/text/quote"
)

// Bounds of an entry: what a reader takes in at a glance, and how much of a
// statute may be repeated (decisive words only).
const (
	minWords, maxWords = 3, 11  // decisive words
	maxText            = 420    // code points of the plain sentences
	minAsk, maxAsk     = 8, 700 // code points of an ask
	minAside           = 1      // of one that is no question of law: "ok"
)

// Need is how many asks of each kind an entry has at least.
var Need = map[Kind]int{Short: 1, Street: 2, Told: 2}

// Form gives what is wrong with an entry in itself.
func (e Entry) Form() (bad []pack.Problem) {
	say := func(line int, what string) {
		bad = append(bad, pack.Problem{File: e.File, Line: line, Text: "«" + e.Unit + "»: " + what})
	}
	if e.Text == "" {
		say(e.Line, "falta «text»")
	}
	if n := utf8.RuneCountInString(e.Text); n > maxText {
		say(e.Line, "«text» es demasiado largo: una o dos frases sencillas")
	}
	if !e.Elsewhere() && (len(strings.Fields(folded(e.Words))) < minWords || len(pieces(e.Words)) > maxWords) {
		say(e.Line, "«words» son de tres a once palabras seguidas de la unidad")
	}
	for _, k := range Kinds {
		if e.Count(k) < Need[k] {
			say(e.Line, "faltan preguntas «"+k.String()+"»")
		}
	}
	for i, a := range e.Asks {
		least := minAsk
		if e.Elsewhere() {
			least = minAside
		}
		if n := utf8.RuneCountInString(a.Text); n < least || n > maxAsk {
			say(int(a.Line), "la pregunta es demasiado corta o larga")
		}
		if slices.ContainsFunc(e.Asks[:i], func(o Ask) bool { return folded(o.Text) == folded(a.Text) }) {
			say(int(a.Line), "la pregunta está dos veces en la entrada")
		}
	}
	return bad
}

// Against gives what is wrong with an entry beside the unit's text in force: words
// that are not there to the letter, figures of the plain sentences that it lacks.
func (e Entry) Against(an *text.Analyser, unit string) (bad []pack.Problem) {
	say := func(what string) {
		bad = append(bad, pack.Problem{File: e.File, Line: e.Line, Text: "«" + e.Unit + "»: " + what})
	}
	if _, ok := quote.Find(unit, e.Words); !ok {
		say("«" + clip(e.Words) + "» no está en el texto vigente a la letra")
	}
	if run := sharedRun(e.Text, unit, maxWords+1); run != "" {
		say("«text» repite la ley («" + clip(run) + "»): dígalo con otras palabras")
	}
	held := map[string]bool{}
	for _, t := range an.Terms(unit) {
		held[t.Stem], held[t.Plain] = true, true
	}
	for _, t := range an.Terms(e.Text) {
		if isFigure(t.Stem) && !held[t.Stem] && !held[t.Plain] {
			say("la cifra " + t.Stem + " de «text» no está en la unidad")
		}
	}
	return bad
}

// isFigure says that a stem is a number beyond one, which is an article or pronoun
// more often than a figure.
func isFigure(stem string) bool {
	return stem != "" && stem != "1" && strings.Trim(stem, "0123456789") == ""
}

// folded gives the words of a text without accents, capitals and punctuation.
func folded(s string) string {
	var out []string
	for _, t := range text.Tokens(nil, s) {
		out = append(out, text.Fold(t.Text))
	}
	return strings.Join(out, " ")
}

// pieces gives the words of a text as a reader of runs counts them: letters and figures
// without what parts or joins them, so that 20.000 are two.
func pieces(s string) []string {
	return strings.FieldsFunc(text.Fold(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// worded says that words are a sentence's more than figures, which anybody may say.
func worded(words []string) bool {
	figures := 0
	for _, w := range words {
		if isFigure(w) || w == "1" {
			figures++
		}
	}
	return 2*figures < len(words)
}

// sharedRun gives the first n consecutive words of a text that stand in another;
// "" when there are none.
func sharedRun(s, other string, n int) string {
	words, in := pieces(s), " "+strings.Join(pieces(other), " ")+" "
	for i := 0; i+n <= len(words); i++ {
		if run := strings.Join(words[i:i+n], " "); worded(words[i:i+n]) && strings.Contains(in, " "+run+" ") {
			return run
		}
	}
	return ""
}
