package index

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"digesto"
)

// TestPartsAreOne: terms sorted a few at a time give the bytes of all at once.
func TestPartsAreOne(t *testing.T) {
	words := strings.Fields("faro linterna muelle puente barca niebla marea puerto ancla vela")
	chunks := func(yield func(digesto.Chunk, error) bool) {
		for i := range 300 {
			body := strings.Join(words[i%7:i%7+3], " ")
			if i == 5 {
				body = strings.Repeat("boya ", 70_000) + body // a frequency that stands apart
			}
			if !yield(digesto.Chunk{ID: "n/" + words[i%10] + string(rune('a'+i%26)) + body[:4], Title: words[i%9], Body: body, Current: true}, nil) {
				return
			}
		}
	}
	write := func(most uint64) []byte {
		shards, err := analyse(t.Context(), chunks, BuildOptions{Jobs: 2})
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		a := assembler{shards: shards, order: splitHistory(shards)[0].order, most: most, big: map[uint64]uint32{}}
		if _, err := a.write(&b, BuildOptions{}.spec(), false); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	whole := write(maxSorted)
	for _, most := range []uint64{1, 40, 500} {
		if !bytes.Equal(write(most), whole) {
			t.Errorf("%d at once: other bytes", most)
		}
	}
}

// TestSortRuns: parts that are sorted are merged to what sorting gives.
func TestSortRuns(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	by := func(a, b uint32) int { return int(a) - int(b) }
	for _, runs := range []int{0, 1, 2, 5, 16, 400} {
		var p []uint32
		for i, v := range r.Perm(1000) {
			p = append(p, uint32(v))
			if runs > 0 && (i+1)%max(1, 1000/runs) == 0 {
				slices.Sort(p[i+1-1000/runs:])
			}
		}
		sortRuns(p[:len(p)*min(runs, 1)], by)
		if !slices.IsSorted(p[:len(p)*min(runs, 1)]) {
			t.Errorf("%d runs: not sorted", runs)
		}
	}
}
