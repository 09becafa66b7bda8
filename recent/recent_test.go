package recent

import "testing"

// TestBounded: what is used stays, what is not goes, and no more is held than
// two halves.
func TestBounded(t *testing.T) {
	r := Cache[int, int]{Most: 100}
	for i := range 1000 {
		r.Put(i, i, 10)
		if v, ok := r.Get(0); !ok || v != 0 {
			t.Fatalf("the entry in use is gone after %d", i)
		}
		if n := len(r.young) + len(r.old); n > 20 {
			t.Fatalf("%d entries", n)
		}
	}
	if _, ok := r.Get(500); ok {
		t.Error("an entry that nobody used is still there")
	}
	if r.Put(5000, 1, 50); len(r.young) == 0 {
		t.Error("a big one threw out the others")
	}
	if _, ok := r.Get(5000); ok {
		t.Error("what takes half of the room is kept")
	}
}
