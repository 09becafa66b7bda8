package ask

import (
	"strings"
	"testing"

	"digesto"
)

// TestNamedUnitOfAnotherDay: where the wording of the day asked for is not there, a named
// article is told of; its neighbours do not answer in its place.
func TestNamedUnitOfAnotherDay(t *testing.T) {
	e, _ := sharedEngine(t)
	for _, x := range []struct {
		pack, question string
		day            digesto.Date
		outcome        digesto.Outcome
		says           string
	}{
		{"argentina", "¿Cuánto dura el período de prueba según el artículo 92 bis de la LCT?", "2020-01-01", digesto.OutcomeRefusal, "la redacción del 01/01/2020 no está instalada"},
		{"argentina", "¿Qué dice el artículo 92 bis de la Ley 20.744?", "2020-01-01", digesto.OutcomeRefusal, "la redacción del 01/01/2020 no está instalada"},
		{"argentina", "¿Cuánto dura el período de prueba según el artículo 92 bis de la LCT?", "2026-11-23", digesto.OutcomeAnswer, "seis"},
		{"argentina", "¿Qué dice el artículo 92 de la Ley 20.744?", "2020-01-01", digesto.OutcomeAnswer, "carga de la prueba"},
		{"jus", "¿Qué dice el artículo 36 de la Ley 9459?", "2020-01-01", digesto.OutcomeRefusal, "no está instalada"},
	} {
		a, err := e.Ask(t.Context(), digesto.Question{Text: x.question, Pack: x.pack, AsOf: x.day}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if a.Meta.Outcome != x.outcome || !strings.Contains(a.Answer, x.says) {
			t.Errorf("%s on %s: %s: %s", x.question, x.day, a.Meta.Outcome, a.Answer)
		}
	}
}
