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

// Words that point back to a norm by its rank mean the last one of that rank.
func TestPointsBackByRank(t *testing.T) {
	tb := NewTable(nil, []digesto.Norm{{ID: "D5", Title: "Decreto Legislativo 5/2001"}, {ID: "L6", Title: "Ley 6/2002"}, {ID: "O7", Title: "Ley Orgánica 7/2003"}})
	for s, want := range map[string]string{
		"el Decreto Legislativo 5/2001, modificado por la Ley 6/2002, según el artículo 16 del Decreto Legislativo antes citado": "D5/ L6/ D5/a16",
		"el Decreto Legislativo 5/2001 y la Ley 6/2002; el artículo 2 de dicha Ley y el artículo 3 de la citada Ley":             "D5/ L6/ L6/a2 L6/a3",
		"la Ley 6/2002 y la Ley Orgánica 7/2003; el artículo 2 de dicha Ley":                                                     "L6/ O7/ O7/a2",
		"la Ley 6/2002; el artículo 2 de dicho Decreto":                                                                          "L6/ L6/a2",
	} {
		got := ""
		for _, m := range tb.Find(s) {
			got += " " + m.Norm + "/" + m.Unit
		}
		if got != " "+want {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
}

// A customary name in a text older than the norm that bears it now is of another.
func TestYounger(t *testing.T) {
	tb := NewTable(nil, []digesto.Norm{{ID: "L1", Title: "Ley 1/2015, de la Ley General de Faros y Muelles", Published: "2015-03-04"}})
	for _, c := range []struct {
		name string
		day  digesto.Date
		want bool
	}{{"Ley de Faros y Muelles", "1981-02-03", true}, {"Ley de Faros y Muelles", "2016-02-03", false}, {"Ley General de Faros", "1981-02-03", false},
		{"Ley 1/2015 de Faros", "1981-02-03", false}, {"LGFM", "1981-02-03", false}, {"Ley de Faros y Muelles", "", false}} {
		if got := tb.Younger("l1", c.name, c.day); got != c.want {
			t.Errorf("%q on %s: %v", c.name, c.day, got)
		}
	}
	if tb.Younger("L2", "Ley de Otras Cosas", "1981-02-03") {
		t.Error("a norm that is not there")
	}
}
