package text

import (
	"math/rand/v2"
	"testing"
)

// TestSeenTable: whatever the length, the table tells words apart as a map does.
func TestSeenTable(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	var table seenTable
	want := map[string]uint32{}
	for i := range uint32(20_000) {
		b := make([]byte, 1+r.IntN(39))
		for j := range b {
			b[j] = "ab\x00"[r.IntN(3)] // few letters: words share their ends and parts
		}
		w := string(b)
		got := table.get(w)
		plain, ok := want[w]
		if ok != (got != nil) || ok && got.plain != plain {
			t.Fatalf("%q: %v, want %v %v", w, got, plain, ok)
		}
		if !ok {
			want[w] = i
			if got := table.put(w, word{plain: i}); got.plain != i {
				t.Fatal("put gave another entry")
			}
		}
	}
}
