package sentence

import "testing"

func TestAsked(t *testing.T) {
	for in, want := range map[string]string{
		"Vivo en un pueblo. Pagué 1.000 euros. ¿Es legal según el art. 5 de la ley? Gracias.": "Es legal según el art. 5 de la ley",
		"llevo 2 años. cuanto me toca?? y a mi socio?":                                        "cuanto me toca. y a mi socio",
		"¿Puedo? Eso dicen.\n¿Y si no quiero?":                                                "Puedo. Y si no quiero",
		"cobré 1.000 de más, los devuelvo?":                                                   "cobré 1.000 de más, los devuelvo",
		"Nada se pregunta.":                                                                   "",
		"¿Queda abierta":                                                                      "",
		"?":                                                                                   "",
	} {
		if got := Asked(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
