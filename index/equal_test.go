package index

import (
	"bufio"
	"encoding/json"
	"flag"
	"math/rand/v2"
	"os"
	"reflect"
	"strings"
	"sync"
	"testing"

	"digesto"
	"digesto/index/kernel"
	"digesto/internal/shareddata"
)

var generated = flag.Int("generated", 1000, "generated queries to compare, beside those of the evaluation sets")

type evalLine struct {
	ID    string `json:"_id"`
	Title string `json:"title"`
	Text  string `json:"text"`
}

func evalLines(t testing.TB, path string) (out []evalLine) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	s := bufio.NewScanner(f)
	s.Buffer(nil, 1<<26)
	for s.Scan() {
		var l evalLine
		if err := json.Unmarshal(s.Bytes(), &l); err != nil {
			t.Fatal(err)
		}
		out = append(out, l)
	}
	return out
}

func evalChunks(t testing.TB, dir string) (out []digesto.Chunk) {
	for i, l := range evalLines(t, dir+"/corpus.jsonl") {
		norm, _, _ := strings.Cut(l.ID, ":")
		out = append(out, digesto.Chunk{ID: l.ID, Unit: l.ID, Norm: norm, Title: l.Title, Body: l.Text, Current: true,
			Rank: []string{"ley", "orden", "decreto"}[len(norm)*i/500%3]})
	}
	return out
}

// generatedQueries draws words from the texts themselves, common ones more often.
func generatedQueries(chunks []digesto.Chunk, n int) (out []digesto.Query) {
	r := rand.New(rand.NewPCG(11, 12))
	for range n {
		var w []string
		for range 1 + r.IntN(20) {
			words := strings.Fields(chunks[r.IntN(len(chunks))].Body)
			if len(words) > 0 {
				w = append(w, words[r.IntN(len(words))])
			}
		}
		out = append(out, digesto.Query{Text: strings.Join(w, " ")})
	}
	return out
}

// variants are the ways one question is asked.
func variants(q digesto.Query, i int, norm string) []digesto.Query {
	q.K = []int{10, 1, 100}[i%3]
	filtered, raised := q, q
	filtered.Filter.In = map[string][]string{"rank": {"orden"}}
	raised.Norms = []string{norm}
	return []digesto.Query{q, filtered, raised}
}

// TestPrunedEqualsExhaustive: skipping blocks, filters, writing,
// opening, goroutines and the portable kernels change no result, to the bit.
// The reference counts every match, so it can skip nothing.
func TestPrunedEqualsExhaustive(t *testing.T) {
	for _, set := range []string{"examen-dev", "ar-es", "tramites-65", "xquad-es"} {
		t.Run(set, func(t *testing.T) {
			if testing.Short() && set == "examen-dev" {
				t.Skip("15,212 articles, 1,300 queries in 18 ways: too long for -short")
			}
			dir := shareddata.Dir(t, "evals/"+set)
			chunks := evalChunks(t, dir)
			var queries []digesto.Query
			asked := generatedQueries(chunks, *generated/4)
			for _, l := range evalLines(t, dir+"/queries.jsonl") {
				asked = append(asked, digesto.Query{Text: l.Text})
			}
			for i, q := range asked {
				queries = append(queries, variants(q, i, chunks[i%len(chunks)].Norm)...)
			}
			whole := memory(t, BuildOptions{Jobs: 1}, chunks...)
			want := answers(t, whole, queries, 1)
			for i := range queries {
				queries[i].NoTotal = true
			}
			compare(t, "pruned", want, answers(t, whole, queries, 2))
			compare(t, "8 goroutines", want, answers(t, whole, queries, 8))
			dir = t.TempDir()
			if err := Build(t.Context(), seq(chunks...), dir, BuildOptions{Jobs: 3}); err != nil {
				t.Fatal(err)
			}
			compare(t, "written and opened", want, answers(t, opened(t, dir), queries, 2))
			kernel.Portable(func() {
				compare(t, "portable", want, answers(t, whole, queries, 2))
			})
		})
	}
}

func opened(t testing.TB, dir string) *Index {
	t.Helper()
	x, err := Open(dir, OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { x.Close() })
	return x
}

// answers asks all queries on so many goroutines.
func answers(t *testing.T, x *Index, queries []digesto.Query, jobs int) []digesto.Results {
	t.Helper()
	out := make([]digesto.Results, len(queries))
	var wg sync.WaitGroup
	for j := range jobs {
		wg.Go(func() {
			for i := j; i < len(queries); i += jobs {
				var err error
				if out[i], err = x.Search(t.Context(), queries[i]); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	return out
}

func compare(t *testing.T, name string, want, got []digesto.Results) {
	t.Helper()
	for i := range want {
		w := want[i]
		w.Total = 0
		if !reflect.DeepEqual(w, got[i]) {
			t.Fatalf("%s: query %d: %+v, want %+v", name, i, got[i], w)
		}
	}
}
