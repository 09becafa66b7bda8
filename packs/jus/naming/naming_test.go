package naming_test

import (
	"testing"

	"digesto/packs/jus/naming"
	"digesto/text"
)

func reader() *naming.Reader {
	return naming.New([]naming.Ways{
		{Code: "desalojo", Place: "a66", Asks: []string{"desalojo", "echar al inquilino", "que el inquilino desocupe la casa"}},
		{Code: "alquiler", Place: "a107", Asks: []string{"contrato de alquiler", "alquilar una casa con contrato"}},
		{Code: "matrimonio", Place: "a70", Asks: []string{"nulidad de matrimonio", "anular el casamiento"}},
		{Code: "-", Asks: []string{"¿cuánto tarda un desalojo?"}},
	}, map[string][]string{"a66": {"mi inquilino no se va y no paga"}}, text.Stem)
}

// TestRank: a service is found by its words in any order and form, and by those that
// others asked of its place with.
func TestRank(t *testing.T) {
	r := reader()
	for _, c := range []struct {
		words []string
		want  string
	}{
		{[]string{"inquilino", "echaron", "casa"}, "desalojo"},
		{[]string{"casa", "contrato", "alquilan"}, "alquiler"},
		{[]string{"matrimonial", "nulidad"}, "matrimonio"},
		{[]string{"inquilino", "va", "paga"}, "desalojo"},
		{[]string{"tarda", "desalojo"}, "-"},
	} {
		got := r.Rank(c.words)
		if len(got) == 0 || got[0].Code != c.want {
			t.Errorf("%v: %v, want %s first", c.words, got, c.want)
		}
	}
	if got := r.Rank([]string{"xilofón", "el", "42"}); len(got) != 0 {
		t.Errorf("words that nobody asks with are asked: %v", got)
	}
}

// TestStrange: what is said of something else takes from every service.
func TestStrange(t *testing.T) {
	r := reader()
	plain, mixed := r.Rank([]string{"desalojo"})[0], r.Rank([]string{"desalojo", "xilofón", "sinfonía"})[0]
	if mixed.Score >= plain.Score {
		t.Errorf("%v beside strange words, %v without", mixed, plain)
	}
	if one := r.Rank([]string{"casa"})[0]; one.Firm {
		t.Errorf("one word of several services is firm: %v", one)
	}
}

// TestSpread: a word is the wider the more places it is said in, those that only are heard too.
func TestSpread(t *testing.T) {
	r := reader()
	before := r.Spread("casa")
	r.Hear(map[string][]string{"x": {"una casa"}, "y": {"la casa y la casa"}})
	if got := r.Spread("casa"); got != before+2 {
		t.Errorf("%d places, want %d", got, before+2)
	}
	if r.Own("desalojo", "inquilino") <= r.Own("desalojo", "paga") || r.Own("otro", "casa") != 0 {
		t.Error("a service's own words are not told from its place's")
	}
}
