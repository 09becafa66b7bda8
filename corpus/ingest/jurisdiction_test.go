package ingest

import (
	"testing"

	"digesto"
	"digesto/text/cite"
)

// TestPlace: a norm that does not say its jurisdiction gets the one that its
// identifier or its title can only be of.
func TestPlace(t *testing.T) {
	p := newPlacer(Options{
		Known: []digesto.Norm{{ID: "GAC-A-2001-7", Jurisdiction: "aa"}, {ID: "BOL-B-2001-7", Jurisdiction: "aa"}, {ID: "BOL-C-1999-1", Jurisdiction: "bb"}},
		Aliases: []cite.Alias{
			{Name: "Código de Faros", Norm: "x", Jurisdiction: "aa"},
			{Name: "Código de Faros de la Nación", Norm: "y", Jurisdiction: "bb"},
			{Name: "Ley de Puertos", Norm: "x", Jurisdiction: "aa"},
			{Name: "Ley de Puertos", Norm: "y", Jurisdiction: "bb"},
			{Name: "Consejo de Boyas", Norm: "y", Jurisdiction: "bb", Weak: true},
			{Name: "Faros", Norm: "y", Jurisdiction: "bb"},
			{Name: "Estatuto de Islas", Norm: "z", Jurisdiction: "aa-n"},
			{Name: "Ley 7301", Norm: "x", Jurisdiction: "aa"},
		},
	})
	for _, c := range []struct{ id, title, had, want, territory string }{
		{"GAC-A-2020-15", "Orden de algo", "", "aa", ""},
		{"BOL-B-2020-15", "Orden de algo", "", "", ""}, // two jurisdictions write so
		{"f1", "Código de Faros, texto ordenado", "", "aa", ""},
		{"f2", "CODIGO DE FAROS DE LA NACION", "", "bb", ""}, // the longer name
		{"f3", "Ley de Puertos", "", "", ""},
		{"f4", "Reglamento del Consejo de Boyas", "", "", ""},
		{"f5", "Faros", "", "", ""}, // one word is no name
		{"f6", "Estatuto de Islas", "", "aa", "aa-n"},
		{"f7", "REGIMEN DE BOYAS (Ley 7301)", "", "", ""}, // another country has its law of that number
		{"GAC-A-2020-15", "Código de Faros de la Nación", "cc", "cc", ""},
	} {
		n := digesto.Norm{ID: c.id, Title: c.title, Jurisdiction: c.had}
		p.place(&n)
		if n.Jurisdiction != c.want || n.Territory != c.territory {
			t.Errorf("%s «%s»: %q %q, want %q %q", c.id, c.title, n.Jurisdiction, n.Territory, c.want, c.territory)
		}
	}
}
