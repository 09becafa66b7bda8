package jus_test

import (
	"testing"

	"digesto"
	"digesto/packs/jus"
)

// A value that no case has must not pick the case that is left over.
func TestFactsThatNoCaseHasAreRefused(t *testing.T) {
	c := calc(t)
	one, err := jus.ParseItem("divorcio")
	if err != nil {
		t.Fatal(err)
	}
	for _, c2 := range []struct {
		facts jus.Facts
		want  digesto.Code
	}{
		{jus.Facts{"letrados": "nueve"}, digesto.CodeInvalid},
		{jus.Facts{"convenio": "quizas"}, digesto.CodeInvalid},
		{jus.Facts{"caso": "no_existe"}, digesto.CodeInvalid},
		{jus.Facts{"letrados": "1"}, ""},
		{jus.Facts{"convenio": "si", "letrados": "2"}, ""},
		{jus.Facts{"base": "100000"}, ""},
	} {
		_, err := c.Quote([]jus.Item{one}, c2.facts, "2025-12-01", "2025-12-15")
		if digesto.CodeOf(err) != c2.want {
			t.Errorf("%v: err = %v", c2.facts, err)
		}
		if _, err := c.Compare("divorcio", c2.facts, "2025-12-01", "2025-12-02", "2025-12-15"); digesto.CodeOf(err) != c2.want {
			t.Errorf("compare %v: err = %v", c2.facts, err)
		}
	}
}
