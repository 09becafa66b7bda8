package passage

import (
	"testing"

	"digesto/text"
)

// TestRateIsNoPeriod: "monthly" says how often, and not how long.
func TestRateIsNoPeriod(t *testing.T) {
	var an text.Analyser
	for s, want := range map[string]Presence{
		"Se concederá una ayuda de 250 euros mensuales.": HasRate,
		"La ayuda se concede por el plazo de dos años.":  HasPeriod,
		"La cuota anual se paga en tres meses.":          HasRate | HasPeriod,
		"La ayuda se concede sin condiciones.":           0,
	} {
		if got := presenceOf(an.Terms(s), s) & (HasRate | HasPeriod); got != want {
			t.Errorf("%s: %b, want %b", s, got, want)
		}
	}
}
