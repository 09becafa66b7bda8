package text

import (
	"strings"
	"testing"
)

func TestCorrect(t *testing.T) {
	known := map[string]int{"despido": 9, "despidos": 2, "plazo": 8, "trabajo": 50, "trabajos": 3, "impugnar": 4, "notificacion": 7, "perno": 5}
	stems := map[string]int{}
	for w, n := range known {
		stems[Stem(w)] += n
	}
	frequency := func(w string, stem bool) int {
		if stem {
			return stems[w]
		}
		return known[w]
	}
	for in, want := range map[string]string{
		"el depsido del trabjo": "el despido del trabajo",
		"¿Plazo para ipmugnar?": "¿Plazo para impugnar?",
		"notificaciónn":         "notificacion",
		"notificaciones":        "notificaciones", // another form of a known word
		"artículo 62-A y 2015":  "artículo 62-A y 2015",
		"xespido":               "xespido", // the first letter stays
		"plzao":                 "plazo",
		"palz":                  "palz", // too short
		"desconocida":           "desconocida",
		"un perro":              "un perro", // an everyday word
		"":                      "",
	} {
		got, changes := Correct(in, frequency)
		if got != want {
			t.Errorf("Correct(%q) = %q, want %q", in, got, want)
		}
		for _, c := range changes {
			if Fold(in[c.Start:c.End]) != c.Word || !strings.Contains(got, c.Instead) {
				t.Errorf("change %+v of %q", c, in)
			}
		}
	}
}
