package verify

import (
	"strings"
	"testing"

	"digesto/text"
)

const harbour = `1. La tasa de amarre se paga cada tres meses al encargado del muelle. No se devolverá la tasa pagada de más.
2. El permiso de faro lo concede el consejo de puertos y dura cuatro años.
3. Podrán pedir el permiso quienes reúnan estos requisitos:
a) Tener barca propia.
b) No haber sido sancionados en los dos años anteriores.
4. Las sanciones leves las impone el patrón mayor y las graves, el consejo de puertos.`

func check(t *testing.T, about, said string) Support {
	t.Helper()
	an := &text.Analyser{}
	s, ok := NewPassage(an, "Artículo 7. Tasas y permisos del muelle", harbour).Check(NewClaim(an, about, said, nil))
	if !ok {
		t.Fatalf("no support computed for %q", said)
	}
	return s
}

// Statements that differ in one figure, one negation, one body or in who does
// what: the true one scores more.
func TestClaimToldApart(t *testing.T) {
	for _, c := range []struct{ name, about, right, wrong string }{
		{"figure", "El permiso de faro dura:", "Cuatro años.", "Dos años."},
		{"figure with unit", "La tasa de amarre se paga:", "Cada tres meses.", "Cada tres años."},
		{"negation", "Según la norma, la tasa pagada de más:", "No se devolverá.", "Se devolverá."},
		{"negation the other way", "La tasa de amarre:", "Se paga cada tres meses.", "No se paga cada tres meses."},
		{"body", "El permiso de faro lo concede:", "El consejo de puertos.", "El patrón mayor."},
		{"order", "¿Quién impone las sanciones?", "Las leves el patrón mayor y las graves el consejo de puertos.", "Las graves el patrón mayor y las leves el consejo de puertos."},
		{"limit", "El permiso de faro:", "Lo concede el consejo de puertos.", "Lo concede solo el consejo de puertos, siempre."},
		{"item of a list", "Requisitos para pedir el permiso:", "Tener barca propia.", "Tener barca arrendada."},
		{"not there at all", "La tasa de amarre se paga:", "Al encargado del muelle.", "En la oficina de correos."},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, w := check(t, c.about, c.right), check(t, c.about, c.wrong)
			if r.Score <= w.Score {
				t.Errorf("right %.3f %+v\nwrong %.3f %+v", r.Score, r, w.Score, w)
			}
		})
	}
}

func TestClaimPlace(t *testing.T) {
	s := check(t, "¿Cuánto dura el permiso de faro?", "cuatro años")
	got, _ := Slice(harbour, s.Start, s.End)
	if !strings.HasPrefix(got, "2. El permiso de faro") {
		t.Errorf("decided by %q", got)
	}
	if s.Figure != 0 || s.Cover < .9 {
		t.Errorf("a figure that is there counts as missing: %+v", s)
	}
	if s := check(t, "¿Cuánto dura el permiso de faro?", "nueve años"); s.Figure != 1 {
		t.Errorf("a figure that is not there: %+v", s)
	}
}

func TestClaimEmpty(t *testing.T) {
	an := &text.Analyser{}
	if _, ok := NewPassage(an, "", "").Check(NewClaim(an, "a", "La tasa.", nil)); ok {
		t.Error("a passage without text supports nothing")
	}
	if _, ok := NewPassage(an, "", harbour).Check(NewClaim(an, "La tasa", " … ", nil)); ok {
		t.Error("a claim without words is no claim")
	}
}

// Support is a share: no input drives it out of its range.
func FuzzClaim(f *testing.F) {
	f.Add(harbour, "la tasa", "No se devolverá")
	f.Add("a)\nb) 1.º:", "", "no no no")
	f.Fuzz(func(t *testing.T, body, about, said string) {
		if len(body)+len(about)+len(said) > 1<<13 {
			t.Skip()
		}
		body = strings.ToValidUTF8(body, "?")
		an := &text.Analyser{}
		s, ok := NewPassage(an, about, body).Check(NewClaim(an, about, said, nil))
		if !ok {
			return
		}
		for _, v := range []float64{s.Cover, s.Order, s.About, s.Whole} {
			if v < 0 || v > 1+1e-9 {
				t.Fatalf("share out of range: %+v", s)
			}
		}
		if _, ok := Slice(body, s.Start, s.End); !ok {
			t.Fatalf("no such place: %+v", s)
		}
	})
}
