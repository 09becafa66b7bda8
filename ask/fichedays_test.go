package ask_test

import (
	"strings"
	"testing"

	"digesto"
)

// TestFichesOnOtherDays: a fiche answers on every day; before it was written it says so first.
func TestFichesOnOtherDays(t *testing.T) {
	e := toneEngine(t)
	for _, x := range []struct {
		pack, question string
		day            digesto.Date
		lead           string
	}{
		{"laboral", "¿Cuántos días de vacaciones me corresponden al año?", "2026-01-15", "Según la ley del 21/11/2026"},
		{"laboral", "¿Cuántos días de vacaciones me corresponden al año?", "2026-11-21", "«"},
		{"laboral", "¿Cuántos días de vacaciones me corresponden al año?", "2027-03-01", "«"},
		{"peru", "¿Cuánto es la UIT en 2026?", "2027-03-01", "«"},
		{"peru", "¿Cuánto es la UIT en 2026?", "2026-03-01", "«"},
	} {
		a, err := e.Ask(t.Context(), digesto.Question{Text: x.question, Pack: x.pack, AsOf: x.day}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(a.Citations) == 0 || !strings.HasPrefix(a.Answer, x.lead) {
			t.Errorf("%s on %s: %d citations, %q", x.question, x.day, len(a.Citations), a.Answer)
		}
	}
}
