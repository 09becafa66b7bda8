package cite

import "testing"

// What an authority decides in a case has a number and is no norm; nor is a year in brackets one.
func TestActs(t *testing.T) {
	tab := NewTable([]Alias{{Name: "C.P. y C.", Norm: "LEY-5"}, {Name: "CPX", Norm: "LEY-5"}, {Name: "Código de Prueba", Norm: "COD-1"}, {Name: "Constitución", Norm: "CON-1"}}, nil)
	for _, c := range []struct{ in, want string }{
		{"La Resolución de Multa N° 012-002-0043210 y la Orden de Pago N° 5 no son normas; la Resolución de Superintendencia N° 7-99/SUNAT, sí.", "?Resolución de Superintendencia N° 7-99/SUNAT/"},
		{"Resolución de Intendencia N° 0260140 y Resolución de Intendencia Nacional N° 3-2017.", "?Resolución de Intendencia Nacional N° 3-2017/"},
		{"Constitución (1993), art. 5", "CON-1/ | /a5"},
		{"art. 4 C.P. y C.", "LEY-5/a4"},
		{"art. 4 del C.P.yC. y nada", "LEY-5/a4"},
	} {
		if got := show(tab.Find(c.in)); got != c.want {
			t.Errorf("%q: %q, want %q", c.in, got, c.want)
		}
	}
}
