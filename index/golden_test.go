package index

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"digesto"
)

var updateGolden = flag.Bool("golden", false, "write testdata/hybrid.tsv anew")

// evenVector is made of whole numbers alone: normal deviates come through logarithms,
// of which not every CPU gives the same last bit.
func evenVector(c digesto.Chunk) ([]float32, error) {
	r := rand.New(rand.NewPCG(uint64(unitHash(c.ID)), 9))
	v := make([]float32, 48)
	for i := range v {
		v[i] = float32(r.IntN(2001)-1000) / 8
	}
	return v, nil
}

// TestGoldenRanks holds ranks and scores, to the bit, of words alone, of vectors fused
// with them by each rule, and of filtered searches: the same after every change of
// the code, on every CPU (.ci/run runs it on arm64 too) and with every kernel.
func TestGoldenRanks(t *testing.T) {
	chunks := made(160, 21)
	var b strings.Builder
	b.WriteString("query\tkind\trank\tid\tscore\tbits\n")
	for _, full := range []bool{true, false} {
		x := memory(t, BuildOptions{Vectors: evenVector, Full: full}, chunks...)
		for _, kind := range []string{"", FusionMeasured, FusionStatic, FusionPassage} {
			x.snap.fusion = kind
			r := rand.New(rand.NewPCG(31, 32))
			for i := range 12 {
				q := madeQuery(r)
				q.Vector, q.K = nil, 5
				if kind != "" {
					q.Vector, _ = evenVector(digesto.Chunk{ID: q.Text})
				}
				res, err := x.Search(t.Context(), q)
				if err != nil {
					t.Fatal(err)
				}
				for rank, h := range res.Hits {
					fmt.Fprintf(&b, "%d\t%s\t%d\t%s\t%.6f\t%016x\n", i, goldenKind(kind, full), rank+1, h.ID, h.Score, math.Float64bits(h.Score))
				}
			}
		}
	}
	compareGolden(t, "testdata/hybrid.tsv", b.String())
}

func goldenKind(kind string, full bool) string {
	switch {
	case kind == "":
		kind = "words"
	case full:
		kind += "+float32"
	}
	return kind
}

func compareGolden(t *testing.T, file, got string) {
	t.Helper()
	if *updateGolden {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	w, g := strings.Split(string(want), "\n"), strings.Split(got, "\n")
	for i := range min(len(w), len(g)) {
		if w[i] != g[i] {
			t.Fatalf("%s, line %d:\n%s, want\n%s\n(after a wanted change: go test ./index -run TestGoldenRanks -args -golden)", file, i+1, g[i], w[i])
		}
	}
	if len(w) != len(g) {
		t.Fatalf("%s: %d lines, want %d", file, len(g), len(w))
	}
}
