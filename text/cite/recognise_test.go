package cite

import (
	"testing"

	"digesto"
)

// The matter of a law and the organ in its title are no names of it.
func TestMatterIsNoName(t *testing.T) {
	table := NewTable(nil, []digesto.Norm{
		{ID: "L-36-2011", Title: "Ley 36/2011, de 10 de octubre, reguladora de la jurisdicción social", Jurisdiction: "es"},
		{ID: "LEY-29816", Title: "Ley de Fortalecimiento de la SUNAT", Jurisdiction: "pe"},
	})
	for question, want := range map[string]string{
		"¿qué plazos hay en la jurisdicción social?": "",
		"¿qué plazo tiene la SUNAT?":                 "",
		"SUNAT":                                      "",
		"ley de la jurisdicción social":              "L-36-2011",
		"ley reguladora de la jurisdicción social":   "L-36-2011",
		"artículo 64 de la jurisdicción social":      "L-36-2011",
		"Ley de Fortalecimiento de la SUNAT":         "LEY-29816",
	} {
		norms, _ := table.Recognise(question)
		if got := append(norms, "")[0]; got != want {
			t.Errorf("%q: %v, want %q", question, norms, want)
		}
	}
	for _, s := range []string{"La jurisdicción social conoce de los pleitos.", "La SUNAT resuelve."} {
		if m := table.Find(s); len(m) > 0 {
			t.Errorf("%q: %+v", s, m)
		}
	}
}
