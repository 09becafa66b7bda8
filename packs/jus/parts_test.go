package jus_test

import (
	"strings"
	"testing"

	"digesto/pack"
)

func TestPartsOfAMixedQuestion(t *testing.T) {
	p, _ := jusPack(t)
	for q, want := range map[string]string{
		"¿Cuánto vale el jus y quién paga los honorarios?":           "Cuánto vale el jus | quién paga los honorarios?",
		"¿Cuánto valía el jus en 2020 y cuánto es 30 jus hoy?":       "Cuánto valía el jus en 2020 | cuánto es 30 jus hoy?",
		"¿Cuánto aumentó el jus desde 2020 y cuánto son 10 jus?":     "Cuánto aumentó el jus desde 2020 | cuánto son 10 jus?",
		"¿Cuánto son 10 jus? ¿Y cuánto son 20 jus?":                  "Cuánto son 10 jus | cuánto son 20 jus?",
		"¿Me conviene apelar? ¿Cuánto son 10 jus y cuándo se pagan?": "Cuánto son 10 jus | cuándo se pagan?",
		"¿Cuánto vale el jus y cuánto sale un divorcio?":             "", // the quote states the value
		"¿Cuánto vale el jus hoy y cuánto son 30 jus?":               "",
		"Sumá una consulta escrita y sumame un contrato":             "",
		"Tengo un juicio de alimentos. ¿Cuántos jus corresponden?":   "",
		"¿Cuánto vale el jus?":                                       "",
		"¿Quién paga los honorarios y cuándo se pagan?":              "",
	} {
		got := strings.Join(p.Classify(pack.ToolQuestion{Text: q, Today: "2026-11-21"}).Parts, " | ")
		if got != want {
			t.Errorf("%q:\n got %q\nwant %q", q, got, want)
		}
	}
}
