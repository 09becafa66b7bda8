package index

import (
	"context"
	"testing"

	"digesto"
)

// TestWants: a vector is asked for only where it would count.
func TestWants(t *testing.T) {
	chunks := func(yield func(digesto.Chunk, error) bool) {
		yield(digesto.Chunk{ID: "N1/a1/v", Norm: "N1", Unit: "N1/a1", Body: "El pozo se tapa.", Current: true}, nil)
	}
	vector := func(digesto.Chunk) ([]float32, error) { return []float32{1, 0}, nil }
	for _, c := range []struct {
		opt  BuildOptions
		q    digesto.Query
		want bool
	}{
		{BuildOptions{}, digesto.Query{Text: "pozo"}, false},
		{BuildOptions{Vectors: vector, Model: "m", Fusion: FusionStatic}, digesto.Query{Text: "pozo"}, true},
		{BuildOptions{Vectors: vector, Model: "m", Fusion: FusionStatic}, digesto.Query{Text: "pozo", Norms: []string{"N1"}}, false},
		{BuildOptions{Vectors: vector, Model: "m"}, digesto.Query{Text: "pozo", Norms: []string{"N1"}}, true},
	} {
		x, err := Memory(context.Background(), chunks, c.opt)
		if err != nil {
			t.Fatal(err)
		}
		if got := x.Wants(c.q); got != c.want {
			t.Errorf("%+v %v: %v", c.opt.Fusion, c.q.Norms, got)
		}
		if got := x.Model(); got != c.opt.Model {
			t.Errorf("model %q, want %q", got, c.opt.Model)
		}
	}
	if _, err := Memory(context.Background(), chunks, BuildOptions{Fusion: "otra"}); digesto.CodeOf(err) != digesto.CodeInvalid {
		t.Errorf("unknown rule: %v", err)
	}
}
