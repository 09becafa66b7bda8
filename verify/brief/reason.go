package brief

import (
	"slices"
	"strings"
	"unicode"

	"digesto"
	"digesto/text/lazyregexp"
	"digesto/verify/read"
)

// added says what of a quotation is its author's.
func added(parts []read.Stretch) string {
	put := read.PutIn(parts)
	if len(put) == 0 {
		return ""
	}
	return " Lo que va entre corchetes («" + strings.Join(put, "», «") + "») es de quien cita, no de la ley."
}

// exception begins what limits the sentence before it.
var exception = lazyregexp.New(`^,? (?:salvo|excepto|a menos que|a no ser que|siempre que|siempre y cuando|sin perjuicio|con excepción|con la excepción|a excepción)\b[^.;:\n]*`)

// goesOn warns of an exception right behind the words quoted.
func (s spot) goesOn() string {
	rest := []rune(s.Version.Text)
	rest = rest[min(s.match.End, len(rest)):]
	m := exception.FindString(string(rest[:min(len(rest), 160)]))
	if m == "" {
		return ""
	}
	if len(m) > 120 {
		m = strings.TrimSpace(m[:strings.LastIndexByte(m[:120], ' ')]) + "…"
	}
	return " Atención: la frase sigue en la ley: «" + strings.TrimLeft(m, ", ") + "»."
}

// ceases warns of a repeal that is still to come.
func (j *checker) ceases(n digesto.Norm) string {
	if n.Status != digesto.StatusInForce || n.RepealedFrom <= j.day() {
		return ""
	}
	return " Atención: la norma deja de regir el " + string(n.RepealedFrom) + noted(n) + "."
}

// noted gives what the source says of a repeal.
func noted(n digesto.Norm) string {
	r := []rune(strings.TrimRight(strings.TrimSpace(n.StatusNote), "."))
	if len(r) == 0 {
		return ""
	}
	if len(r) > maxNoted {
		r = append(r[:maxNoted], '…')
	}
	return " (la fuente dice: «" + string(r) + "»)"
}

const maxNoted = 160 // code points

// advice says what to do about words that are nowhere.
func advice(n *Nearest, places []place) string {
	switch {
	case n == nil:
		return " Tampoco hay nada parecido: no las cite sin comprobar de dónde salen."
	case slices.ContainsFunc(places, func(p place) bool { return p.norm.ID == n.Ref.Document && p.unit == n.Ref.Unit }):
		return " Ese lugar dice algo parecido: compárelo y copie el texto de la ley."
	}
	return " Lo más parecido está en " + n.Ref.Title + ": compruebe si es lo que quería citar."
}

// wider gives the place of the words with what the law says around them, so that what
// was left out shows: some words before, and the rest of a number behind.
func (s spot) wider() (start, end int) {
	r := []rune(s.Version.Text)
	start, end = min(s.match.Start, len(r)), min(s.match.End, len(r))
	for k := 0; k < wordsBefore && start > 0 && !strings.ContainsRune(".;:\n", r[start-1]); k++ {
		for start--; start > 0 && !unicode.IsSpace(r[start-1]); start-- {
		}
	}
	for k := 0; k < wordsBehind && end < len(r) && r[end] == ' '; k++ {
		for end++; end < len(r) && read.Wordy(r[end]); end++ {
		}
	}
	return start, end
}

// How many words of the law are shown around words whose sense is turned.
const (
	wordsBefore = 3
	wordsBehind = 2
)

func since(d digesto.Date) string {
	if d == "" {
		return ""
	}
	return " desde el " + string(d)
}
