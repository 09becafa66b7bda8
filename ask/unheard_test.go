package ask

import (
	"strings"
	"testing"

	"digesto"
	"digesto/query"
)

// TestUnheard: what no installed text speaks of is refused, and the refusal names it; the
// same question with words that the law or the pack knows is answered.
func TestUnheard(t *testing.T) {
	e := newWorld(t, true).engine(t, nil)
	for _, c := range []struct{ q, lacks string }{
		{"¿Puede el farero tener un loro?", "«loro»"},
		{"¿Puede el farero apagar la luz de noche?", ""},
		{"¿El farero tiene vacaciones?", ""}, // the law calls it by the other name of the pack's synonyms
	} {
		a := ask(t, e, c.q)
		if answered := a.Meta.Outcome == digesto.OutcomeAnswer; answered != (c.lacks == "") {
			t.Errorf("%s: %s %s", c.q, a.Meta.Outcome, a.Answer)
		}
		if c.lacks != "" && (a.Notes == nil || !strings.Contains(*a.Notes, c.lacks)) {
			t.Errorf("%s: the refusal does not name %s", c.q, c.lacks)
		}
	}
}

// TestCountedAndPriced: who asks how many asks for those very things, and who asks for a
// price for a sum.
func TestCountedAndPriced(t *testing.T) {
	e := newWorld(t, true).engine(t, nil)
	for q, want := range map[string]digesto.Outcome{
		"¿Cuántos perros puede tener el farero?":          "refusal",
		"¿Cuántos días descansa el farero al año?":        "answer",
		"¿Cuánto cuesta la tasa de luz?":                  "answer",
		"¿Cuánto cuesta un puesto adjudicado por sorteo?": "refusal",
		"¿Qué precio tiene la guardia por parejas?":       "refusal",
	} {
		if a := ask(t, e, q); a.Meta.Outcome != want {
			t.Errorf("%s: %s, want %s: %s", q, a.Meta.Outcome, want, a.Answer)
		}
	}
}

// TestYearOfFigures: of the figures of several years the one of the year asked for is
// given, that of the day where none is named, and none for a year that has none.
func TestYearOfFigures(t *testing.T) {
	e := realEngine(t, query.View{}, nil)
	for q, want := range map[string]string{
		"¿Cuánto es la UIT en 2026?": "2026", "¿Cuánto vale la UIT este año?": "2026", "¿Cuánto fue la UIT en 2025?": "2025", "UIT de 2023": "2023",
		"¿Cuánto será la UIT en 2031?": "",
	} {
		a := askPack(t, e, "peru", q)
		switch {
		case want == "" && a.Meta.Outcome == digesto.OutcomeAnswer:
			t.Errorf("%s: %s", q, a.Answer)
		case want != "" && (len(a.Citations) != 1 || !strings.Contains(a.Citations[0].Quote, want)):
			t.Errorf("%s: %s", q, a.Answer)
		}
	}
}
