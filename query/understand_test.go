package query_test

import (
	"testing"

	"digesto"
	"digesto/query"
)

func TestReadTyped(t *testing.T) {
	for in, want := range map[string]query.Typed{
		"NON-LEGAL.":                                 {Outcome: digesto.OutcomeNonLegal},
		"**NON-LEGAL:** Soy un programa.":            {Outcome: digesto.OutcomeNonLegal, Text: "Soy un programa."},
		"non_legal: hola":                            {Outcome: digesto.OutcomeNonLegal, Text: "hola"},
		"CLARIFICATION: ¿Cuál de los dos?":           {Outcome: digesto.OutcomeClarification, Text: "¿Cuál de los dos?"},
		"```\nCLARIFICATION - ¿Cuál?\n```":           {Outcome: digesto.OutcomeClarification, Text: "¿Cuál?"},
		"Aclaración: ¿cuál?":                         {Outcome: digesto.OutcomeClarification, Text: "¿cuál?"},
		"REFORMULATE_REQUEST: dígalo de otra forma":  {Outcome: digesto.OutcomeReformulate, Text: "dígalo de otra forma"},
		"Reformulate request.":                       {Outcome: digesto.OutcomeReformulate},
		"CLARA: préstamo de libros":                  {Outcome: digesto.OutcomeAnswer, Text: "préstamo de libros"},
		"CLARA préstamo de libros":                   {Outcome: digesto.OutcomeAnswer, Text: "préstamo de libros"},
		"Respuesta: \"CLARA: préstamo\"":             {Outcome: digesto.OutcomeAnswer, Text: "préstamo"},
		"Voy a clasificarla.\n\nCLARA: préstamo":     {Outcome: digesto.OutcomeAnswer, Text: "préstamo"},
		"préstamo de libros":                         {Outcome: digesto.OutcomeAnswer, Text: "préstamo de libros"},
		"clara distinción entre préstamo y donación": {Outcome: digesto.OutcomeAnswer, Text: "clara distinción entre préstamo y donación"},
	} {
		if got, ok := query.ReadTyped(in); !ok || got != want {
			t.Errorf("%q: %+v %v, want %+v", in, got, ok, want)
		}
	}
	for _, bad := range []string{"", "  ", "???"} {
		if got, ok := query.ReadTyped(bad); ok {
			t.Errorf("%q: %+v", bad, got)
		}
	}
}

func FuzzReadTyped(f *testing.F) {
	for _, s := range []string{"CLARA: x", "**NON-LEGAL**", "Respuesta: ACLARACIÓN —", "```\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, ok := query.ReadTyped(s)
		if _, known := digesto.Outcomes[got.Outcome]; ok && !known || len(got.Text) > len(s)+8 {
			t.Errorf("%q: %+v", s, got)
		}
	})
}
