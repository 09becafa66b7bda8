package sentence

import (
	"slices"
	"strings"
	"testing"
)

func TestPlain(t *testing.T) {
	long := strings.Repeat("palabra ", 31) + "final."
	for _, c := range []struct {
		text  string
		known []string
		want  int
	}{
		{"Se pide en quince días.", nil, 0},
		{long, nil, 1},
		{"Según el art. 12 se pide.", nil, 1},
		{"El límite son dos veces el IPREM.", nil, 1},
		{"El límite son dos veces el IPREM.", []string{"IPREM"}, 0},
		{"El artículo XIV del libro II.", nil, 0},
		{"", nil, 0},
	} {
		if got := Plain(c.text, Limits{Known: c.known}); len(got) != c.want {
			t.Errorf("%q: %v", c.text, got)
		}
	}
}

func TestAbbreviations(t *testing.T) {
	if got := Abbreviations("El NIE (número) y la TIE, núm. 3, otra vez el NIE; Unión Europea."); !slices.Equal(got, []string{"NIE", "TIE", "núm."}) {
		t.Errorf("%q", got)
	}
}

func TestSyllables(t *testing.T) {
	for w, n := range map[string]int{"casa": 2, "día": 2, "ciudad": 2, "aéreo": 4, "paro": 2, "prestación": 3, "residencia": 4, "país": 2, "leer": 2, "12": 1, "": 0, "huida": 2} {
		if got := Syllables(w); got != n {
			t.Errorf("%s: %d, want %d", w, got, n)
		}
	}
}

// TestPerspicuity: short plain sentences read more easily than one long legal one.
func TestPerspicuity(t *testing.T) {
	plain := Perspicuity("Pida cita. Lleve el libro de familia. Le dan una hoja. Se firma y ya está.")
	legal := Perspicuity("La acreditación documental de las circunstancias habilitantes procederá ineludiblemente con anterioridad a la cumplimentación electrónica normalizada correspondiente.")
	if plain < 80 || legal > 40 || Perspicuity("") != 0 {
		t.Errorf("%.1f, %.1f", plain, legal)
	}
}
