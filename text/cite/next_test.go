package cite

import (
	"testing"

	"digesto"
)

// The official title that may follow a name ends where another norm begins.
func TestTitleEndsAtTheNextNorm(t *testing.T) {
	tb := NewTable([]Alias{{Name: "LFB", Norm: "L1"}}, []digesto.Norm{
		{ID: "L1", Title: "Ley 1/2001, de 3 de marzo, de la Ley de Faros y Balizas"}, {ID: "L2", Title: "Ley 2/2002, de 4 de abril, de Mercados"}})
	for s, want := range map[string][]string{
		"los artículos 8 y 9 de la LFB y la Ley 2/2002, art. 21":                              {"L1/a8", "L1/a9", "L2/a21"},
		"el artículo 8 de la LFB, y la Ley 7/2077":                                            {"L1/a8", "/"},
		"el artículo 8 de la Ley 1/2001, de 3 de marzo, de la Ley de Faros y Balizas, obliga": {"L1/a8"},
	} {
		var got []string
		for _, m := range tb.Find(s) {
			got = append(got, m.Norm+"/"+m.Unit)
		}
		if len(got) != len(want) {
			t.Errorf("%q: %q, want %q", s, got, want)
			continue
		}
		for i := range got {
			if got[i] != want[i] {
				t.Errorf("%q: %q, want %q", s, got, want)
			}
		}
	}
}
