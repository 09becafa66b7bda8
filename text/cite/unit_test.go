package cite

import (
	"testing"

	"digesto"
)

func TestNumber(t *testing.T) {
	for in, want := range map[string]string{
		"primero": "1", "Primera": "1", "1.º": "1", "1º": "1", "1°": "1", "1o": "1", "3 BIS": "3bis", "3bis": "3bis",
		"3 bis.": "3bis", "62°-A": "62-A", "62-A": "62-A", "62.º-A": "62-A", "62 - A": "62-A", "62-a": "62-A", "XV": "XV", "xv": "XV",
		"ÚNICA": "unica", "único": "unica", "trigésimo octavo": "38", "Vigésimoprimera": "21", "cuarenta y dos": "42",
		"127 ter": "127ter", "127 quáter": "127quater", "007": "7", "décima bis": "10bis", "Sétima": "7",
		"": "", "hola": "", "1 dos tres": "", "48.4": "", "IIII": "", "artículo 3": "", "1 y": "", "1234567": "",
	} {
		got, ok := Number(in)
		if !ok {
			got = ""
		}
		if got != want {
			t.Errorf("Number(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestUnitID(t *testing.T) {
	for _, c := range []struct {
		kind         digesto.UnitKind
		number, want string
	}{
		{"a", "38", "a38"}, {"a", "3 bis", "a3bis"}, {"a", "62°-A", "a62-A"}, {"a", "primero", "a1"}, {"a", "IV", "aIV"},
		{"a", "único", "aunica"}, {"dt", "quinta", "dt5"}, {"dt", "5.ª", "dt5"}, {"dt", "V", "dt5"}, {"da", "Única", "daunica"},
		{"n", "XV", "nXV"}, {"n", "15", "nXV"}, {"n", "decimoquinta", "nXV"}, {"an", "II", "an2"}, {"an", "2", "an2"},
		{"an", "II bis", "an2bis"}, {"s", "Cómo solicitar", "scomo-solicitar"}, {"pr", "", "pr"}, {"da", "vigésima tercera", "da23"},
	} {
		if got := UnitID(c.kind, c.number); got != c.want {
			t.Errorf("UnitID(%s, %q) = %s, want %s", c.kind, c.number, got, c.want)
		}
	}
}

func TestRomanRoundTrip(t *testing.T) {
	for v := 1; v < 4000; v++ {
		if got := romanValue(lower(roman(v))); got != v && len(roman(v)) <= 10 {
			t.Fatalf("%d → %s → %d", v, roman(v), got)
		}
	}
}

func lower(s string) string {
	b := []byte(s)
	for i := range b {
		b[i] |= 0x20
	}
	return string(b)
}

func FuzzNumber(f *testing.F) {
	for _, s := range []string{"3 bis", "62°-A", "trigésimo octavo", "XV", "única"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		n, ok := Number(s)
		if !ok {
			return
		}
		if again, ok := Number(n); !ok || again != n {
			t.Fatalf("Number(%q) = %q, but Number of that is %q, %v", s, n, again, ok)
		}
	})
}
