package dialogue

import (
	"strings"

	"digesto/pack"
	"digesto/text"
)

// Vague says that a message asks for help and tells neither what happened nor what is
// asked ("tengo un problema con el banco, ¿me pueden ayudar?"); matter is what it names,
// as written; "" = nothing.
func Vague(said string) (matter string, ok bool) {
	words := pack.Words(said)
	if len(words) == 0 || !matches(helps, words) {
		return "", false
	}
	w := Read(said)
	from, to, n := -1, -1, 0
	for i, t := range w.List {
		if text.IsStop(t.Text) || helpWords[t.Text] || emptyWords[t.Text] || Interrogatives[t.Text] || ties[t.Text] {
			continue
		}
		if strings.ContainsAny(t.Text, "0123456789") {
			return "", false // who tells figures tells the case
		}
		if n++; from < 0 {
			from, to = i, i
		} else if i == to+1 || i == to+2 && text.IsStop(w.List[to+1].Text) {
			to = i
		}
	}
	if n > MatterWords {
		return "", false
	}
	if from >= 0 {
		matter = said[w.List[from].Start:w.List[to].End]
	}
	return matter, true
}

// helps are the ways to ask for help at large.
var helps = language.patterns("helps")

// helpWords carry such a message and name nothing.
var helpWords = language.words("helpWords")
