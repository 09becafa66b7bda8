package jus_test

import (
	"context"
	"strings"
	"testing"

	"digesto"
	"digesto/pack"
)

// TestAmountsInQuestions: an amount is read in every customary form, and its unit.
func TestAmountsInQuestions(t *testing.T) {
	_, tool := jusPack(t)
	tests := []struct{ in, jus, pesos string }{
		{"$1.000.000 a jus", "", "1000000"},
		{"$ 1.000.000,50 en jus", "", "1000000.50"},
		{"1 millón de pesos en jus", "", "1000000"},
		{"dos millones y medio de pesos a jus", "", "2500000"},
		{"un palo y medio en jus", "", "1500000"},
		{"1 millón 200 mil pesos a jus", "", "1200000"},
		{"2,5 millones de pesos a jus", "", "2500000"},
		{"500 mil pesos a jus", "", "500000"},
		{"200 lucas en jus", "", "200000"},
		{"1,000,000.50 pesos a jus", "", "1000000.50"},
		{"37714.22 pesos a jus", "", "37714.22"},
		{"convertí 500000 a jus", "", "500000"},
		{"30 jus a pesos", "30", ""},
		{"treinta JUS a pesos", "30", ""},
		{"2,5 JUS en pesos", "2.5", ""},
		{"30jus en pesos", "30", ""},
		{"pasame a pesos 12,5 jus", "12.5", ""},
		{"1.500 jus en pesos", "1500", ""},
		{"ciento veinte jus en pesos", "120", ""},
		{"cuánto son 2 mil jus", "2000", ""},
		{"pasame 8 juz a pesos", "8", ""},
		{"según el art. 36 de la ley 9459, ¿cuánto son 10 jus?", "10", ""},
	}
	for _, x := range tests {
		call, ok := tool.Detect(pack.ToolQuestion{Text: x.in, Today: today})
		if !ok || call.Function != "convertir" || call.Args["jus"] != x.jus || call.Args["pesos"] != x.pesos {
			t.Errorf("%q: %v %s %v, want %q JUS or %q pesos", x.in, ok, call.Function, call.Args, x.jus, x.pesos)
		}
	}
}

// TestDatesInQuestions: a date is read in every customary form.
func TestDatesInQuestions(t *testing.T) {
	_, tool := jusPack(t)
	tests := []struct{ in, date, month, year string }{
		{"valor del jus hoy", "2026-11-21", "", ""},
		{"valor del jus ayer", "2026-11-20", "", ""},
		{"valor del jus en 2022", "", "", "2022"},
		{"valor del jus en marzo de 2023", "", "2023-03", ""},
		{"valor del jus en marzo del 2023", "", "2023-03", ""},
		{"valor del jus setiembre 2022", "", "2022-09", ""},
		{"valor del jus 01/03/2023", "2023-03-01", "", ""},
		{"valor del jus 1-3-23", "2023-03-01", "", ""},
		{"valor del jus 2023-03-01", "2023-03-01", "", ""},
		{"valor del jus el 1 de marzo de 2023", "2023-03-01", "", ""},
		{"valor del jus el 1° de marzo de 2023", "2023-03-01", "", ""},
		{"valor del jus el primero de marzo de 2023", "2023-03-01", "", ""},
		{"valor del jus 03/2023", "", "2023-03", ""},
		{"valor del jus del año pasado", "", "", "2025"},
		{"valor del jus este año", "", "", "2026"},
		{"valor del jus el mes pasado", "", "2026-10", ""},
		{"valor del jus hace dos años", "2024-11-21", "", ""},
		{"valor del jus hace 6 meses", "2026-05-21", "", ""},
		{"valor del jus en diciembre", "", "2025-12", ""},
		{"valor del jus en marzo", "", "2026-03", ""},
		{"valor del jus 31/02/2023", "31/02/2023", "", ""},
	}
	for _, x := range tests {
		call, ok := tool.Detect(pack.ToolQuestion{Text: x.in, Today: today})
		if !ok || call.Function != "valor" || call.Args["date"] != x.date || call.Args["month"] != x.month || call.Args["year"] != x.year {
			t.Errorf("%q: %v %s %v", x.in, ok, call.Function, call.Args)
		}
	}
}

// TestMissingDatum: a question that lacks a datum is asked back, never answered with a guess.
func TestMissingDatum(t *testing.T) {
	_, tool := jusPack(t)
	for q, want := range map[string]string{
		"valor del jus al 31/02/2023": "no es una fecha",
		"convertir pesos a jus":       "cantidad",
		"necesito un presupuesto":     "servicio",
		"¿cuánto ha subido el jus?":   "Desde qué fecha",
	} {
		call, ok := tool.Detect(pack.ToolQuestion{Text: q, Today: today})
		if !ok {
			t.Errorf("%q was not taken", q)
			continue
		}
		r, err := tool.Calculate(context.Background(), call)
		if err != nil || r.Outcome != digesto.OutcomeClarification || !strings.Contains(r.Text, want) || len(r.Missing) == 0 {
			t.Errorf("%q: %+v %v", q, r, err)
		}
	}
}

// TestMinusIsNoAmount: a minus sign is asked about, not dropped; a hyphen is none.
func TestMinusIsNoAmount(t *testing.T) {
	_, tool := jusPack(t)
	for in, want := range map[string]string{"¿Cuánto es -30 JUS en pesos?": "-30", "¿Cuánto son −2,5 JUS en pesos?": "-2.5", "¿Cuánto es 30 JUS en pesos?": "30"} {
		call, ok := tool.Detect(pack.ToolQuestion{Text: in, Today: today})
		if !ok || call.Args["jus"] != want {
			t.Errorf("%q: %v %v", in, ok, call.Args)
			continue
		}
		r, err := tool.Calculate(t.Context(), call)
		if err != nil || (r.Outcome == digesto.OutcomeClarification) != (want[0] == '-') {
			t.Errorf("%q: %s %s %v", in, r.Outcome, r.Text, err)
		}
	}
}
