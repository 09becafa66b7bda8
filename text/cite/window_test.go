package cite

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"

	"digesto"
)

// TestFindInWindows: a text longer than a window has the citations of its parts, in their
// places, and what is said back and forth over the end of a window is read.
func TestFindInWindows(t *testing.T) {
	table := NewTable(nil, []digesto.Norm{{ID: "FARO-1", Title: "Ley 1/2001, de los Faros"}, {ID: "FARO-2", Title: "Real Decreto 2/2002, de los Puertos"}})
	const one = "Según el artículo 5 de la Ley 1/2001, de los Faros, y el art. 6 del Real Decreto 2/2002, vale. Lo dice el artículo 7 de la citada Ley y el citado artículo 6. "
	first := table.Find(one)
	if len(first) < 4 {
		t.Fatalf("%d citations", len(first))
	}
	for _, pad := range []int{0, 1, 7, 40, 60, 90, 130, 200} {
		before := strings.Repeat("palabra ", (window-200)/8) + strings.Repeat("x", pad) + " "
		got := table.Find(before + one)
		for i := range got {
			got[i].Start -= len(before)
			got[i].End -= len(before)
		}
		if !reflect.DeepEqual(got, first) {
			t.Errorf("%d bytes more: %+v, want %+v", pad, got, first)
		}
	}
	n := 3 * window / len(one)
	if got := table.Find(strings.Repeat(one, n)); len(got) != n*len(first) {
		t.Errorf("%d citations, want %d", len(got), n*len(first))
	}
	for _, s := range []string{strings.Repeat("\x00", 3*window), strings.Repeat("a", 3*window), strings.Repeat("a", window) + " " + strings.Repeat(strings.Repeat("b", window/4)+" ", 12)} {
		if got := table.Find(s); len(got) != 0 {
			t.Errorf("%.10q…: %d citations", s, len(got))
		}
	}
}

// TestFindSome stops at as many citations as are wanted, and when nobody waits for them.
func TestFindSome(t *testing.T) {
	table := NewTable(nil, []digesto.Norm{{ID: "FARO-1", Title: "Ley 1/2001, de los Faros"}})
	s := strings.Repeat("art. 5 de la Ley 1/2001. ", 1000)
	list, read, err := table.FindSome(t.Context(), s, 10)
	if err != nil || len(list) != 10 || read != 250 {
		t.Errorf("%d citations up to %d, %v", len(list), read, err)
	}
	if list, read, err = table.FindSome(t.Context(), s, 1000); err != nil || len(list) != 1000 || read != len(s) {
		t.Errorf("%d citations up to %d, %v", len(list), read, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err = table.FindSome(ctx, s, 10); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
