package index

import (
	"context"
	"testing"

	"digesto"
	"digesto/text"
)

func TestFrequency(t *testing.T) {
	chunks := func(yield func(digesto.Chunk, error) bool) {
		for _, c := range []digesto.Chunk{
			{ID: "a", Title: "Faros", Body: "La tasa de faros se liquida cada trimestre.", Current: true},
			{ID: "b", Title: "Muelles", Body: "La tasa de muelle.", Current: true},
			{ID: "c", Title: "Antiguo", Body: "La gabela de muelle.", Current: false},
		} {
			if !yield(c, nil) {
				return
			}
		}
	}
	x, err := Memory(context.Background(), chunks, BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for word, want := range map[string]int{"tasa": 2, "faros": 1, "gabela": 0, "nada": 0, "": 0, "muelle": 1} {
		if got := x.Frequency(word, false); got != want {
			t.Errorf("Frequency(%q) = %d, want %d", word, got, want)
		}
	}
	if got := x.Frequency(text.Stem("muelles"), true); got != 1 {
		t.Errorf("stem of muelles: %d, want the chunk with muelles and muelle", got)
	}
	fixed, changes := text.Correct("¿Cuándo se liqiuda la tsaa de faros?", x.Frequency)
	if fixed != "¿Cuándo se liquida la tsaa de faros?" || len(changes) != 1 {
		t.Errorf("corrected to %q %v", fixed, changes)
	}
}
