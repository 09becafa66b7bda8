package corpus

import (
	"reflect"
	"strings"
	"testing"

	"digesto"
)

// TestRecentUnits: a unit read again is the one read first, and what is kept is bounded.
func TestRecentUnits(t *testing.T) {
	var r recent
	text := strings.Repeat("La torre cierra. ", 4000)
	for i := range 2000 {
		u := digesto.Unit{ID: "a1", Versions: []digesto.Version{{Text: text}}}
		r.put(unitPlace{i, 0}, u)
		if got, ok := r.get(unitPlace{i, 0}); !ok || !reflect.DeepEqual(got, u) {
			t.Fatalf("%d is not there", i)
		}
		held := 0
		for _, m := range []map[unitPlace]digesto.Unit{r.young, r.old} {
			for _, x := range m {
				held += sizeOf(&x)
			}
		}
		if i%100 == 0 && held > 2*recentBytes {
			t.Fatalf("%d bytes", held)
		}
	}
	if _, ok := r.get(unitPlace{0, 0}); ok {
		t.Error("the first one is still there")
	}
	big := digesto.Unit{Versions: []digesto.Version{{Text: strings.Repeat("x", recentBytes/4)}}}
	if r.put(unitPlace{-1, 0}, big); len(r.young) == 0 {
		t.Error("a big unit threw out the others")
	}
	if _, ok := r.get(unitPlace{-1, 0}); ok {
		t.Error("a unit of a quarter of the room is kept")
	}
}
