package pack_test

import (
	"strings"
	"testing"

	"digesto/pack"
)

func TestPattern(t *testing.T) {
	tests := []struct {
		pattern, text string
		want          bool
	}{
		{"salta", "asaltaron el banco", false},
		{"salta", "valor en Salta", true},
		{"misiones", "las comisiones médicas", false},
		{"tucuman", "en TUCUMÁN", true},
		{"corrientes", "cuentas corrientes", true}, // telling these apart is the pack's rule, not the pattern's
		{"a|b c", "b c", true},
		{"a|b c", "b d", false},
		{"conv*", "convertime", true},
		{"conv*", "reconvertir", false},
		{"que _ vale", "que jus vale", true},
		{"que _ vale", "que vale", false},
		{"cuanto ... jus", "cuánto vale hoy el JUS", true},
		{"cuanto ... jus", "cuánto uno dos tres cuatro cinco seis jus", false},
		{"^ hola $", "¡Hola!", true},
		{"^ hola $", "hola, ¿qué tal?", false},
		{"^ hola", "digo hola", false},
		{"hola $", "digo hola", true},
		{"un ?solo abogado", "un abogado", true},
		{"un ?solo abogado", "un solo abogado", true},
		{"un ?solo abogado", "un buen abogado", false},
		{"a ... b $", "a b c b", true},
		{"ley 39/2015", "la Ley 39/2015, de 1 de octubre", true},
	}
	for _, x := range tests {
		p, err := pack.ParsePattern(x.pattern)
		if err != nil {
			t.Errorf("%q: %v", x.pattern, err)
			continue
		}
		if got := p.Match(pack.Words(x.text)); got != x.want {
			t.Errorf("%q in %q: %v", x.pattern, x.text, got)
		}
		if p.String() != x.pattern {
			t.Errorf("%q is shown as %q", x.pattern, p)
		}
	}
}

func TestPatternFaults(t *testing.T) {
	for _, s := range []string{"", " ", "...", "_", "^ $", "?a", "a ^ b", "a $ b", "a||b", "|", "?", "*", "a|b-c d|?!"} {
		if p, err := pack.ParsePattern(s); err == nil {
			t.Errorf("%q was taken as %+v", s, p)
		}
	}
}

func TestPatternFind(t *testing.T) {
	p, err := pack.ParsePattern("cuanto ... jus")
	if err != nil {
		t.Fatal(err)
	}
	from, to, ok := p.Find(pack.Words("dígame cuánto vale el jus hoy"))
	if !ok || from != 1 || to != 5 || p.Size() != 2 {
		t.Errorf("%d–%d %v size %d", from, to, ok, p.Size())
	}
}

// FuzzPattern: any pattern and any text end quickly, and a pattern that was
// taken never matches the empty question.
func FuzzPattern(f *testing.F) {
	f.Add("a|b ... c* ?d _ $", "a x c")
	f.Add("^ ... ... ... x", strings.Repeat("y ", 50))
	f.Fuzz(func(t *testing.T, pattern, text string) {
		if len(pattern) > 60 || len(text) > 300 {
			return
		}
		p, err := pack.ParsePattern(pattern)
		if err != nil {
			return
		}
		words := pack.Words(text)
		from, to, ok := p.Find(words)
		if ok && (from < 0 || to > len(words) || from > to) {
			t.Fatalf("%q in %q: %d–%d of %d", pattern, text, from, to, len(words))
		}
		if p.Match(nil) {
			t.Fatalf("%q matches nothing at all", pattern)
		}
	})
}
