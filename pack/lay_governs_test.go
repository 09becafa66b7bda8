package pack

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestLayGoverns(t *testing.T) {
	l := &Lay{found: newPhrases()}
	for _, e := range []LayEntry{
		{Forms: []string{"mi barca | barca"}, Legal: []string{"embarcación"}, Note: "Ley de Puertos: de quien la arma"},
		{Forms: []string{"cobro por faro"}, Legal: []string{"tasa"}, Note: "Ley de Faros y Ley de Puertos"},
		{Forms: []string{"lonja"}, Legal: []string{"mercado"}},
	} {
		for _, f := range cells(e.Forms[0], "|") {
			l.found.add(f, len(l.Entries))
		}
		l.Entries = append(l.Entries, e)
	}
	for q, want := range map[string][]string{
		"¿Dónde amarro mi barca?":                  {"Ley de Puertos"},
		"¿Hay cobro por faro para una barca?":      {"Ley de Faros y Ley de Puertos", "Ley de Puertos"},
		"barca, barca y más barca en la lonja":     {"Ley de Puertos"},
		"¿Cuánto se paga por un permiso de pesca?": nil,
	} {
		if d := cmp.Diff(want, l.Governs(q)); d != "" {
			t.Errorf("%s: %s", q, d)
		}
	}
	if (*Lay)(nil).Governs("barca") != nil {
		t.Error("no lexicon governs nothing")
	}
}
