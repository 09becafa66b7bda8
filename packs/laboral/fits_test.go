package laboral

import (
	"testing"

	"digesto/pack"
)

// TestFits: an answer from an article leads to the calculation whose rule stands in it, when
// a sum or a day is asked for, with what the question tells.
func TestFits(t *testing.T) {
	calc, err := New()
	if err != nil {
		t.Fatal(err)
	}
	tool := &Tool{calc: calc}
	for _, c := range []struct {
		question, unit string
		function       string // "" = none
		whole          bool
		arg, value     string
	}{
		{"¿Cuánto me tienen que pagar si me echan?", "BOE-A-2015-11430/a56", FnSeverance, false, "tipo", "improcedente"},
		{"Llevo diez años trabajando, ¿cuánto me toca si me despiden por causas objetivas?", "BOE-A-2015-11430/a53", FnSeverance, false, "hasta", "2026-11-28"},
		{"¿Cuántos días tengo para reclamar el despido?", "BOE-A-2015-11430/a59", FnDeadline, false, "tipo", "despido"},
		{"Me despidieron el 3 de noviembre de 2026, ¿hasta qué día puedo demandar?", "", FnDeadline, true, "desde", "2026-11-03"},
		{"¿Cuántos días de vacaciones me corresponden?", "BOE-A-2015-11430/a38", FnHolidays, false, "", ""},
		{"¿Quién fija las fechas de las vacaciones?", "BOE-A-2015-11430/a38", "", false, "", ""},
		{"¿Cuánto me tienen que pagar?", "OTRA/a1", "", false, "", ""},
	} {
		call, whole, ok := tool.Fits(pack.ToolQuestion{Text: c.question, Today: "2026-11-28"}, []string{c.unit})
		if ok != (c.function != "") || call.Function != c.function || whole != c.whole || c.arg != "" && call.Args[c.arg] != c.value {
			t.Errorf("%s: %+v whole %v ok %v", c.question, call, whole, ok)
		}
	}
}
