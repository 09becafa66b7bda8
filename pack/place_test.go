package pack

import "testing"

// TestPlace names jurisdictions from the manifest and places from the gazetteer.
func TestPlace(t *testing.T) {
	p := &Pack{Places: map[string]string{"zz": "Zetalandia"}, Territories: &Gazetteer{rows: []row{{cells: []string{"Betania", "zz-b", "region", "", ""}}, {cells: []string{"Villa Alta", "zz-b/alta", "municipality", "zz-b", ""}}}}}
	for code, want := range map[string]string{"zz": "Zetalandia", "zz-b": "Betania", "zz-b/alta": "Villa Alta", "zz-q": "", "": ""} {
		if got := p.Place(code); got != want {
			t.Errorf("%s: %q, want %q", code, got, want)
		}
	}
	if got := (&Pack{}).Place("zz"); got != "" {
		t.Errorf("of a pack that says nothing: %q", got)
	}
}
