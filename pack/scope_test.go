package pack

import (
	"testing"

	"digesto"
)

func TestSees(t *testing.T) {
	p := &Pack{Name: "mar", Jurisdictions: []string{"es"}}
	for _, c := range []struct {
		norm       digesto.Norm
		sees, same bool
	}{
		{digesto.Norm{Jurisdiction: "es"}, true, true},
		{digesto.Norm{Jurisdiction: "es", Packs: []string{"mar"}}, true, true},
		{digesto.Norm{Jurisdiction: "es", Packs: []string{"tierra"}}, false, true},
		{digesto.Norm{Jurisdiction: "es-ga"}, true, true},
		{digesto.Norm{Jurisdiction: "est"}, false, false},
		{digesto.Norm{Jurisdiction: "pe", Packs: []string{"mar"}}, false, false},
		{digesto.Norm{}, true, true},
	} {
		if p.Sees(c.norm) != c.sees || p.SameLaw(c.norm) != c.same {
			t.Errorf("%+v: sees %v, same law %v", c.norm, p.Sees(c.norm), p.SameLaw(c.norm))
		}
	}
	if !(&Pack{Name: "x"}).SameLaw(digesto.Norm{Jurisdiction: "pe"}) {
		t.Error("a pack without countries takes any")
	}
}
