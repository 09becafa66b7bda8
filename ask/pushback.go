package ask

import (
	"strings"

	"digesto"
	"digesto/pack"
)

// Insisted is what an answer says to a correction that the law does not bear out
// or contradicts: the question is answered again from the text, whatever was said.
const Insisted = "Lo que se afirma en la pregunta no cambia lo que dice la norma: compruébelo en la cita."

// pushback gives the question that a correction goes against: a message that
// denies the last answer and states something else is no question of its own.
func pushback(text string, last digesto.Message) (string, bool) {
	if last.Query == "" || last.Type != "" && last.Type != string(digesto.OutcomeAnswer) || strings.ContainsAny(text, "?¿") {
		return "", false
	}
	words := pack.Words(text)
	if len(words) == 0 || len(words) > 24 {
		return "", false
	}
	for _, p := range denials {
		if p.Match(words) {
			return last.Query, true
		}
	}
	return "", false
}

// denials are the ways to contradict.
var denials = func() []pack.Pattern {
	var out []pack.Pattern
	for _, s := range []string{
		"^ ?pero no _ ?_ ?_ son|es|eran|era|hay|dura|duran|tengo|tienen|tiene|corresponden|ya|puede|pueden|dice|pone",
		"^ no son|es|eran|era|hay|dura|duran|ya|puede|pueden|dice|pone", "^ mentira|falso|incorrecto|error", "^ te|se equivocas|equivoca|confundes|confunde",
		"^ ?pero eso|esto es|esta mal|falso|mentira|incorrecto", "^ ?pero eso|esto no es asi|cierto|verdad|correcto", "^ no es asi|cierto|verdad|correcto", "^ estas|esta equivocado|equivocada|confundido|mal",
		"^ que va", "^ no|pues yo|mi ... ?dice|dicen|dijo|leido|se ?que", "^ no ?me ?lo creo", "^ imposible",
	} {
		out = append(out, mustPattern(s))
	}
	return out
}()
