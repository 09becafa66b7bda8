package ask

import (
	"strings"
	"testing"

	"digesto"
)

// TestMixedQuestions: what has an answer gets it; what has none is named with its refusal.
func TestMixedQuestions(t *testing.T) {
	e, _ := wholeEngine(t)
	for _, c := range []struct {
		pack, question, unit, refused string
	}{
		{"laboral", "¿Cuántos días de vacaciones tengo y cuánto cuesta un billete de metro en Marte?", "a38", "billete de metro"},
		{"laboral", "¿Cuánto cuesta un billete de metro en Marte y cuántos días de vacaciones me corresponden al año?", "a38", "billete de metro"},
		{"peru", "¿Qué plazo hay para presentar una reclamación tributaria? ¿Cuánto pesa una ballena azul adulta?", "a137", "ballena"},
	} {
		a := askPack(t, e, c.pack, c.question)
		if a.Meta.Outcome != digesto.OutcomeAnswer || len(a.Citations) == 0 || a.Citations[0].Ref.Unit != c.unit {
			t.Errorf("%s: %s: %s", c.question, a.Meta.Outcome, a.Answer)
			continue
		}
		if a.Notes == nil || !strings.Contains(*a.Notes, "A «¿") || !strings.Contains(*a.Notes, c.refused) {
			t.Errorf("%s: the part without an answer is not named: %v", c.question, a.Notes)
		}
	}
}
