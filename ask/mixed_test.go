package ask

import (
	"slices"
	"strings"
	"testing"

	"digesto"
)

// TestSeparate: two matters are two questions; two sides of one matter are one.
func TestSeparate(t *testing.T) {
	for in, want := range map[string][]string{
		"¿Cuánto mide la torre del faro y quién paga el aceite de la lámpara?":   {"¿Cuánto mide la torre del faro?", "¿quién paga el aceite de la lámpara?"},
		"¿Cuánto mide la torre del faro? ¿Quien paga el aceite de la lámpara?":   {"¿Cuánto mide la torre del faro?", "¿Quien paga el aceite de la lámpara?"},
		"¿Cuánto mide la torre del faro y ante qué oficina se reclama el sello?": {"¿Cuánto mide la torre del faro?", "¿ante qué oficina se reclama el sello?"},
		"¿Cuánto mide la torre del faro y cuánto dura?":                          nil, // no matter of its own
		"¿Cuánto mide la torre del faro y quién la paga?":                        nil, // points back
		"¿Cuánto mide la torre que pinta el farero y que barre el mozo?":         nil, // no question
		"Pinto la torre del faro. ¿Cuánto cobro y quién paga el aceite?":         nil, // a case told before
		"¿Qué es la torre y cómo se construye una torre?":                        nil, // the same matter
		"": nil,
	} {
		if got := separate(in); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
	}
}

// TestMixedQuestions: what has an answer gets it; what has none is named with its refusal.
func TestMixedQuestions(t *testing.T) {
	e, _ := sharedEngine(t)
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
