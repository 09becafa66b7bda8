package corpus

import (
	"testing"

	"digesto"
)

func TestRemainder(t *testing.T) {
	for _, c := range []struct {
		note  string
		known bool
		unit  digesto.Unit
		kept  bool
	}{
		{"Norma derogada, excepto los arts. 45, 46 y 47 en materia de fiestas, con efectos de 1 de enero de 2000, por el Real Decreto 1/1999", true, digesto.Unit{ID: "a46", Kind: digesto.KindArticle, Number: "46"}, true},
		{"Norma derogada, excepto los arts. 45, 46 y 47 en materia de fiestas, con efectos de 1 de enero de 2000, por el Real Decreto 1/1999", true, digesto.Unit{ID: "a38", Kind: digesto.KindArticle, Number: "38"}, false},
		{"Norma derogada, excepto los artículos 5 a 9, por la Ley 1/1999", true, digesto.Unit{ID: "a7", Kind: digesto.KindArticle, Number: "7"}, true},
		{"Norma derogada, salvo las disposiciones adicionales 10 y 11, por la disposición derogatoria única.18 de la Ley 1/1999", true, digesto.Unit{ID: "da10", Number: "10"}, true},
		{"Norma derogada por la Ley 1/1999. No obstante, mantendrá su vigencia en lo referido a los faroles", true, digesto.Unit{ID: "a1", Number: "1"}, false},
		{"Norma derogada, salvo el capítulo II, por la Ley 1/1999", false, digesto.Unit{}, false},
		{"Norma parcialmente derogada por la Ley 1/1999", false, digesto.Unit{}, false},
	} {
		r, ok := remainderOf(&digesto.Norm{Status: digesto.StatusPartial, StatusNote: c.note, RepealedFrom: "2000-01-01"})
		if ok != c.known {
			t.Errorf("%s: known %t", c.note, ok)
			continue
		}
		if ok && r.keeps(&c.unit) != c.kept {
			t.Errorf("%s: %s kept %t", c.note, c.unit.ID, !c.kept)
		}
	}
}
