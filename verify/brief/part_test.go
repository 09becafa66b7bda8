package brief

import (
	"fmt"
	"testing"
)

func TestParts(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"1. Uno.\na) Alfa.\nb) Beta.\n2. Dos.\na) Gama.", "1 2 | a b a"},
		{"a) Alfa.\n1.º Primero.\n2.º Segundo.\nb) Beta.", "1 2 | a b"},
		{"1. Uno:\na) Alfa.\nb) Beta:\n1.º Primero.\n2.º Segundo.\n2. Dos.", "1 2 | a b"},
		{"1. Uno:\na) Alfa:\n1. Primero.\n2. Segundo.\nb) Beta.\n2. Dos.", " | a b"}, // which 1?
		{"a) Alfa.\nb) Beta.\na) Otra.", " | "},
		{"a) Alfa.\nb) Beta.\nb) [sic] Otra.\nc) Gama.", " | a b b c"},
		{"1. Uno.\n2) Dos.\n3.- Tres.", "1 2 3 | "},
		{"Sin partes.", " | "},
		{"6.1 Uno.\n6.2 Dos:\n6.2.1 Chico.\n6.3 Tres.", "6.1 6.2 6.2.1 6.3 | "},
	} {
		numbers, letters := parts(c.text)
		got, end := "", len([]rune(c.text))
		for i, list := range [][]part{numbers, letters} {
			for k, p := range list {
				if p.from < 0 || p.to <= p.from || p.to > end {
					t.Errorf("%q: part %v", c.text, p)
				}
				if k > 0 {
					got += " "
				}
				got += p.label
			}
			if i == 0 {
				got += " | "
			}
		}
		if got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

func TestLabels(t *testing.T) {
	for detail, want := range map[string]string{
		"4": "[4] [] true", "inc. b": "[] [b] true", "apartado 2, letra a)": "[2] [a] true", "2.b)": "[2] [b] true", "4 y 5": "[4 5] [] true",
		"apartados 1 a 3": "[1 2 3] [] true", "letras a) y c)": "[] [a c] true", "párrafo segundo": "[] [] false", "ordinal 2º": "[2] [] true", "in fine": "[] [] false",
		"88.4": "[88.4] [] true",
	} {
		numbers, letters, ok := labels(detail)
		if got := fmt.Sprint(numbers, letters, ok); got != want {
			t.Errorf("%q: %s, want %s", detail, got, want)
		}
	}
}
