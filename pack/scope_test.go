package pack

import (
	"slices"
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

// A search of a pack never ranks another country's law, but that which names no
// country; a caller's own choice stays.
func TestNarrowKeepsToTheJurisdictions(t *testing.T) {
	p := &Pack{Name: "p", Jurisdictions: []string{"xx-a", "xx"}, Filter: map[string]string{"territory": "xx-a"}}
	f := p.Narrow(digesto.Filter{Wider: []string{"territory"}})
	if !slices.Equal(f.In["jurisdiction"], p.Jurisdictions) || !slices.Contains(f.Wider, "jurisdiction") || slices.Contains(f.Wider, "territory") || f.In["territory"][0] != "xx-a" {
		t.Errorf("%+v", f)
	}
	own := digesto.Filter{In: map[string][]string{"jurisdiction": {"xx"}}}
	if f := p.Narrow(own); len(f.In["jurisdiction"]) != 1 || slices.Contains(f.Wider, "jurisdiction") || len(own.In) != 1 {
		t.Errorf("%+v, of %+v", f, own)
	}
}
