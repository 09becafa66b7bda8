package sentence

import "testing"

func TestAround(t *testing.T) {
	const text = "Se paga así:\n1) Lo primero, dos;\n2) Lo segundo, cuatro; y lo tercero, si es de noche, ocho. Nada más.\nFin."
	for _, x := range []struct {
		words, want string
		max         int
	}{
		{"Lo primero, dos", "1) Lo primero, dos;", 100},
		{"Lo segundo", "2) Lo segundo, cuatro; y lo tercero, si es de noche, ocho.", 100},
		{"lo tercero", "y lo tercero, si es de noche, ocho.", 40},
		{"lo tercero", "lo tercero", 12},
		{"Se paga", "Se paga así:\n1) Lo primero, dos;", 40},
		{"Lo primero … cuatro", "1) Lo primero, dos;\n2) Lo segundo, cuatro; y lo tercero, si es de noche, ocho.", 100},
		{"Fin", "Fin.", 100},
		{"no está", "", 100},
		{"Lo primero … nunca", "", 100},
	} {
		from, to, ok := Around(text, x.words, x.max)
		if ok != (x.want != "") || text[from:to] != x.want {
			t.Errorf("%q: %q, want %q", x.words, text[from:to], x.want)
		}
	}
}
