package ask_test

import (
	"testing"

	"digesto"
	"digesto/ask"
)

func TestReadTyped(t *testing.T) {
	for in, want := range map[string]ask.Typed{
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
		if got, ok := ask.ReadTyped(in); !ok || got != want {
			t.Errorf("%q: %+v %v, want %+v", in, got, ok, want)
		}
	}
	for _, bad := range []string{"", "  ", "???"} {
		if got, ok := ask.ReadTyped(bad); ok {
			t.Errorf("%q: %+v", bad, got)
		}
	}
}

func FuzzReadTyped(f *testing.F) {
	for _, s := range []string{"CLARA: x", "**NON-LEGAL**", "Respuesta: ACLARACIÓN —", "```\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, ok := ask.ReadTyped(s)
		if _, known := digesto.Outcomes[got.Outcome]; ok && !known || len(got.Text) > len(s)+8 {
			t.Errorf("%q: %+v", s, got)
		}
	})
}

func TestComplete(t *testing.T) {
	history := []digesto.Message{{Role: "user", Text: "¿Cuánto dura el préstamo de libros?"}, {Role: "assistant", Text: "Diez días.", Type: "answer", Norms: []string{"LIB-1"}}}
	for in, want := range map[string]string{
		"¿y las sanciones?":                "¿las sanciones en relación con el préstamo de libros?",
		"¿y si soy menor?":                 "¿Cuánto dura el préstamo de libros, si soy menor?",
		"¿y en ese caso?":                  "¿Cuánto dura el préstamo de libros, en ese caso?",
		"¿desde cuándo?":                   "¿desde cuándo en relación con el préstamo de libros?",
		"¿y el artículo 5?":                "¿el artículo 5 de LIB-1?",
		"¿y quién paga la pérdida?":        "¿quién paga la pérdida en relación con el préstamo de libros?",
		"¿y qué es una errata?":            "",
		"¿Quién cuida la sala de lectura?": "",
		"gracias":                          "",
		"":                                 "",
	} {
		c, ok := ask.Complete(in, history)
		if got := c.Text; ok != (want != "") || got != want {
			t.Errorf("%q: %q %v, want %q", in, got, ok, want)
		}
	}
	if _, ok := ask.Complete("¿y las sanciones?", nil); ok {
		t.Error("completed from nothing")
	}
}
