package law

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"digesto"
	"digesto/index"
	"digesto/model"
	"digesto/model/vectorfile"
)

// planned gives texts that hold a word the vector planned for it: along one axis,
// with a share of another. It counts what it embeds.
type planned struct {
	name   string
	shares map[string]float64 // word → cosine with every question
	calls  atomic.Int64
	fail   error
}

func (p *planned) Name() string { return p.name }
func (p *planned) Dims() int    { return 2 }
func (p *planned) Embed(_ context.Context, texts []string, mode model.Mode) ([][]float32, error) {
	if p.fail != nil {
		return nil, p.fail
	}
	out := make([][]float32, len(texts))
	for i, t := range texts {
		c := 1.0
		if mode == model.Passage {
			p.calls.Add(1)
			c = 0
			for word, share := range p.shares {
				if strings.Contains(t, word) {
					c = share
				}
			}
		}
		out[i] = []float32{float32(c), float32(math.Sqrt(1 - c*c))}
	}
	return out, nil
}

// huts are articles that share one word with the question, and differ in another.
func huts(n int) iter.Seq2[digesto.Chunk, error] {
	return func(yield func(digesto.Chunk, error) bool) {
		for i := range n {
			id := fmt.Sprintf("N/a%02d", i)
			c := digesto.Chunk{ID: id + "/v", Unit: id, Norm: "N", Current: true,
				Body: fmt.Sprintf("La cabaña número%02d %s", i, strings.Repeat("tiene una puerta de madera. ", 1+i))}
			if !yield(c, nil) {
				return
			}
		}
	}
}

type stages struct {
	search        digesto.Searcher
	kept          *vectorfile.File
	first, second *planned
	asked         []string
}

// twoStages is a search over huts in which the second model prefers the words given.
func twoStages(t *testing.T, n int, budget time.Duration, shares map[string]float64) *stages {
	t.Helper()
	s := &stages{first: &planned{name: "uno"}, second: &planned{name: "dos", shares: shares}}
	m := &Embedding{First: s.first, Rule: index.FusionStatic, Second: s.second, Own: true, Space: vectorfile.Space{Name: "dos", Dims: 2, Hash: "x"}}
	opt, chunks := m.Vectored(t.Context(), huts(n))
	ix, err := index.Memory(t.Context(), chunks, opt)
	if err != nil {
		t.Fatal(err)
	}
	if s.kept, err = vectorfile.Open(filepath.Join(t.TempDir(), "x.vec"), m.Space); err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for c := range huts(n) {
		texts[c.ID] = TextOf(c)
	}
	s.search = m.Searcher(ix, &SecondStage{Model: s.second, Open: func() *vectorfile.File { return s.kept }, Budget: budget,
		Text:   func(h digesto.Hit) (string, bool) { text, ok := texts[h.ID]; return text, ok },
		wanted: func(text string) { s.asked = append(s.asked, text) }})
	return s
}

// lost is a question whose words hardly meet the huts.
var lost = digesto.Query{Text: "cabaña perdida entre montañas nevadas lejanas"}

func ids(r digesto.Results) (out []string) {
	for _, h := range r.Hits {
		out = append(out, h.Unit)
	}
	return out
}

func searched(t *testing.T, s digesto.Searcher, q digesto.Query) digesto.Results {
	t.Helper()
	r, err := s.Search(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.IsSortedFunc(r.Hits, func(a, b digesto.Hit) int {
		if a.Score < b.Score {
			return 1
		}
		return -1
	}) {
		t.Errorf("scores out of order: %v", r.Hits)
	}
	return r
}

// TestSecondStage: the first ten are put in order by their own vectors, the rest
// stays below as it was, and what was used is told.
func TestSecondStage(t *testing.T) {
	s := twoStages(t, 15, -1, map[string]float64{"número08": .9})
	q := lost
	q.K, q.Explain = 15, true
	r := searched(t, s.search, q)
	plain := twoStages(t, 15, -1, nil)
	before := searched(t, Hybrid{plain.search.(Hybrid).Searchable, plain.search.(Hybrid).Embedding, nil}, q)
	if slices.Index(ids(before), "N/a08") == 0 || r.Hits[0].Unit != "N/a08" {
		t.Errorf("%v, before %v", ids(r), ids(before))
	}
	if !slices.Equal(ids(r)[secondDepth:], ids(before)[secondDepth:]) {
		t.Errorf("the rest moved: %v, before %v", ids(r), ids(before))
	}
	if r.Means.Vectors != "dos" || r.Means.Near != secondDepth || r.Means.Fusion != index.FusionPassage || r.Means.Alpha != .3 {
		t.Errorf("means %+v", r.Means)
	}
	last := r.Hits[0].Explain.Lists[len(r.Hits[0].Explain.Lists)-1]
	if last.List != "passage" || last.Rank != 1 || last.Score < .85 {
		t.Errorf("explained as %+v", last)
	}
	q.K = 1
	if one := searched(t, s.search, q); len(one.Hits) != 1 || one.Hits[0].Unit != "N/a08" {
		t.Errorf("asked for one: %v", ids(one))
	}
	if n := s.second.calls.Load(); n != secondDepth {
		t.Errorf("%d vectors made, want %d, once", n, secondDepth)
	}
}

// TestNeverTwoKinds: while a vector is missing none is looked at; it is asked for.
func TestNeverTwoKinds(t *testing.T) {
	s := twoStages(t, 15, 0, map[string]float64{"número08": .9})
	r := searched(t, s.search, lost)
	if r.Means.Vectors != "uno" || r.Means.Near != 0 || !strings.Contains(r.Means.Why, "faltan") || len(s.asked) != secondDepth {
		t.Errorf("%+v, %d asked for", r.Means, len(s.asked))
	}
	for _, text := range s.asked[1:] {
		if err := EmbedInto(t.Context(), s.second, s.kept, []string{text}, model.Passage); err != nil {
			t.Fatal(err)
		}
	}
	s.asked = nil
	if r := searched(t, s.search, lost); r.Means.Near != 0 || len(s.asked) != 1 {
		t.Errorf("one is missing: %+v, %d asked for", r.Means, len(s.asked))
	}
	if err := EmbedInto(t.Context(), s.second, s.kept, s.asked, model.Passage); err != nil {
		t.Fatal(err)
	}
	if r := searched(t, s.search, lost); r.Means.Near != secondDepth || r.Means.Why != "" {
		t.Errorf("all are there: %+v", r.Means)
	}
}

// TestNamedNorm: a question that names its norm waits for no vector, and uses them when they are there.
func TestNamedNorm(t *testing.T) {
	s := twoStages(t, 12, time.Hour, map[string]float64{"número08": .9})
	q := lost
	q.Norms = []string{"N"}
	if r := searched(t, s.search, q); r.Means.Vectors != "" || s.second.calls.Load() != 0 || len(s.asked) == 0 {
		t.Errorf("%+v, %d made", r.Means, s.second.calls.Load())
	}
	if err := EmbedInto(t.Context(), s.second, s.kept, s.asked, model.Passage); err != nil {
		t.Fatal(err)
	}
	if r := searched(t, s.search, q); r.Means.Vectors != "dos" || r.Means.Alpha != .15 {
		t.Errorf("%+v", r.Means)
	}
	q.Units = []string{"N/a03"}
	if r := searched(t, s.search, q); r.Hits[0].Unit != "N/a03" || r.Means.Near != 0 {
		t.Errorf("a named unit: %v %+v", ids(r), r.Means)
	}
}

// TestServiceThatDoesNotAnswer: words alone, and that is told; the binary's own model failing is an error.
func TestServiceThatDoesNotAnswer(t *testing.T) {
	s := twoStages(t, 5, 0, nil)
	s.first.fail = errors.New("no hay nadie")
	if _, err := s.search.Search(t.Context(), lost); err == nil {
		t.Error("no error")
	}
	h := s.search.(Hybrid)
	m := *h.Embedding
	m.Own = false
	r := searched(t, Hybrid{h.Searchable, &m, nil}, lost)
	if len(r.Hits) == 0 || r.Means.Vectors != "" || !strings.Contains(r.Means.Why, "no hay nadie") {
		t.Errorf("%+v", r)
	}
	if w, err := (Hybrid{h.Searchable, &m, nil}).WhyNot(t.Context(), lost, "N/a01"); err != nil || !w.Known {
		t.Errorf("%+v %v", w, err)
	}
}
