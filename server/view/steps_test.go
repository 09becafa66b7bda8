package view

import "testing"

// TestFiguresIn writes arithmetic as people do, and leaves what is no operand.
func TestFiguresIn(t *testing.T) {
	for in, want := range map[string]string{
		"Divorcio: 50 JUS × 37.714,22 = 1.885.711,5, redondeado": "Divorcio: 50 JUS × 37.714,22 = 1.885.711,5, redondeado",
		"Divorcio: 50 JUS × 37714.22 = 1885711":                  "Divorcio: 50 JUS × 37.714,22 = 1.885.711",
		"Valor de 1 JUS al 21 de noviembre de 2026":              "Valor de 1 JUS al 21 de noviembre de 2026",
		"Ley 9459, artículo 70":                                  "Ley 9459, artículo 70",
		"1800 × 14 / 365 = 69.04 (desde 2020-01-01)":             "1800 × 14 / 365 = 69,04 (desde 2020-01-01)",
	} {
		if got := figuresIn(in, ','); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// TestOnce: two labels of one source are one mark.
func TestOnce(t *testing.T) {
	place := func(label string) (int, string) { return map[string]int{"C1": 1, "C2": 1, "C3": 2}[label], "x" }
	var got string
	for _, s := range once(spans("Fuente: ley. [C1] [C2] [C3]", place)) {
		if s.N > 0 {
			got += string(rune('0' + s.N))
		} else {
			got += s.Text
		}
	}
	if got != "Fuente: ley.12" {
		t.Errorf("%q", got)
	}
}
