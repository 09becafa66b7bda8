package index

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"digesto"
)

// TestHybrid: with lists deeper than the corpus, the fused order is the rule
// applied to every chunk's two scores.
func TestHybrid(t *testing.T) {
	chunks := made(70, 8)
	for i := range chunks {
		chunks[i].Current = true
	}
	for _, full := range []bool{true, false} {
		x := memory(t, BuildOptions{Vectors: madeVector, Full: full}, chunks...)
		r := rand.New(rand.NewPCG(4, 4))
		for range 40 {
			q := digesto.Query{Text: "plazo recurso multa palabra3", K: 10}
			q.Vector = []float32{}
			for range 40 {
				q.Vector = append(q.Vector, float32(r.NormFloat64()))
			}
			if r.IntN(2) == 0 {
				q.Norms = []string{"N1"}
			}
			got, err := x.Search(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			want := fusedByHand(t, x, q, chunks)
			for i, h := range got.Hits {
				tolerance := 1e-6
				if !full {
					tolerance = 0.02 // bytes
				}
				if math.Abs(h.Score-want[i].Score) > tolerance {
					t.Fatalf("full %v, hit %d: %+v, want %+v", full, i, h, want[i])
				}
				if full && h.ID != want[i].ID {
					t.Fatalf("hit %d: %+v, want %+v", i, h, want[i])
				}
			}
		}
	}
}

func fusedByHand(t *testing.T, x *Index, q digesto.Query, chunks []digesto.Chunk) []digesto.Hit {
	lexical := q
	lexical.Vector, lexical.K = nil, len(chunks)
	res, err := x.Search(t.Context(), lexical)
	if err != nil {
		t.Fatal(err)
	}
	lex := map[string]float64{}
	for _, h := range res.Hits {
		lex[h.ID] = h.Score
	}
	var signals []Signal
	for _, c := range chunks {
		v, _ := madeVector(c)
		signals = append(signals, Signal{Lex: lex[c.ID], Vec: cosineOf(v, q.Vector)})
		if lex[c.ID] == 0 && slices.Contains(q.Norms, c.Norm) {
			signals[len(signals)-1].Lex = res.Best / 2
		}
	}
	fused, err := Fuse("", Asked{Cover: res.Best / res.Reach, Norm: len(q.Norms) > 0, Words: 4}, signals)
	if err != nil {
		t.Fatal(err)
	}
	var hits []digesto.Hit
	for i, c := range chunks {
		hits = append(hits, digesto.Hit{ID: c.ID, Score: fused[i]})
	}
	slices.SortFunc(hits, func(a, b digesto.Hit) int { return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.ID, b.ID)) })
	return hits
}

func cosineOf(a, b []float32) float64 {
	var dot, x, y float64
	for i := range a {
		dot += float64(a[i]) * float64(b[i])
		x += float64(a[i]) * float64(a[i])
		y += float64(b[i]) * float64(b[i])
	}
	return dot / math.Sqrt(x*y)
}

func TestFuse(t *testing.T) {
	s := []Signal{{Lex: 10, Vec: 0.2}, {Lex: 5, Vec: 0.8}, {Vec: -1}}
	for _, c := range []struct {
		rule string
		q    Asked
		want []float64
	}{
		{"", Asked{Cover: 1}, []float64{0.5 + 0.125, 0.25 + 0.5, 0}},
		{FusionMeasured, Asked{Cover: 0.5, Norm: true}, []float64{0.4 + 0.05, 0.2 + 0.2, 0}},
		{FusionMeasured, Asked{Cover: 0, Words: 9}, []float64{0.05, 0.2, 0}},
		{FusionStatic, Asked{Words: 9}, []float64{0.7 + 0.2, 0.35 + 0.3, 0}},
		{FusionStatic, Asked{Norm: true}, []float64{1, 0.5, 0}},
		{FusionStatic, Asked{Words: 3}, []float64{0.7 + 0.2, 0.35 + 0.3, 0}},
	} {
		got, err := Fuse(c.rule, c.q, s)
		if err != nil {
			t.Fatal(err)
		}
		for i := range got {
			if math.Abs(got[i]-c.want[i]) > 1e-12 {
				t.Errorf("%s: %v, want %v", c.rule, got, c.want)
			}
		}
	}
	if _, err := Fuse("other", Asked{}, nil); digesto.CodeOf(err) != digesto.CodeInvalid {
		t.Error(err)
	}
}
