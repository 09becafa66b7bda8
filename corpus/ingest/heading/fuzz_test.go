package heading_test

import (
	"testing"

	"digesto/corpus/ingest/heading"
)

func FuzzNumber(f *testing.F) {
	for _, s := range []string{"3 bis", "62°-A", "vigésimo primero", "XV", "única", "1.234", "12”.-"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		n, size, ok := heading.ParseNumber(s)
		if size > len(s) || ok && size == 0 || ok && n.Main <= 0 {
			t.Fatalf("parseNumber(%q) = %+v, %d, %v", s, n, size, ok)
		}
		if ok && n.String() == "" {
			t.Fatalf("no spelling for %+v", n)
		}
	})
}
