package indextest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"digesto"
	"digesto/index"

	"github.com/google/go-cmp/cmp"
)

// Suite runs what every Searcher must do: the hits, scores, explanations and figures of the
// twin, to the bit. open gives a Searcher over the chunks, with the default scoring; it
// closes it by t.Cleanup. tries is how many queries each part puts.
func Suite(t *testing.T, tries int, open func(t *testing.T, chunks []digesto.Chunk) digesto.Searcher) {
	r := rand.New(rand.NewPCG(21, 22))
	chunks := Chunks(r, 3000)
	twin := NewNaive(index.Scoring{}, chunks...)
	x := open(t, chunks)
	t.Run("ranking", func(t *testing.T) { ranking(t, tries, x, twin, r) })
	t.Run("filters", func(t *testing.T) { filters(t, tries, x, chunks, r) })
	t.Run("order", func(t *testing.T) { order(t, tries, x, r) })
	t.Run("same answer", func(t *testing.T) { repeatable(t, x, r) })
	t.Run("cancelled", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := x.Search(ctx, Query(r)); err == nil {
			t.Error("a cancelled search gave an answer")
		}
	})
	t.Run("empty", func(t *testing.T) {
		none := open(t, nil)
		if res, err := none.Search(t.Context(), Query(r)); err != nil || len(res.Hits) > 0 {
			t.Error(res, err)
		}
	})
}

func ranking(t *testing.T, tries int, x, twin digesto.Searcher, r *rand.Rand) {
	for range tries {
		q := Query(r)
		want, got := ask(t, twin, q), ask(t, x, q)
		if q.NoTotal {
			want.Total, got.Total = 0, 0
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Fatalf("%+v: twin (-), searcher (+):\n%s", q, d)
		}
	}
}

// filters: nothing comes through that the definition keeps out.
func filters(t *testing.T, tries int, x digesto.Searcher, chunks []digesto.Chunk, r *rand.Rand) {
	byID := map[string]digesto.Chunk{}
	for _, c := range chunks {
		byID[c.ID] = c
	}
	for range tries {
		q := Query(r)
		for _, h := range ask(t, x, q).Hits {
			c, ok := byID[h.ID]
			if !ok || !Passes(q.Filter, c) {
				t.Fatalf("%+v let %+v through", q.Filter, c)
			}
			if h.Unit != c.Unit || h.Norm != c.Norm {
				t.Fatalf("hit %+v of chunk %+v", h, c)
			}
		}
	}
}

// order: best first, ties by id, one hit a unit, no more than asked for.
func order(t *testing.T, tries int, x digesto.Searcher, r *rand.Rand) {
	for range tries {
		q := Query(r)
		hits := ask(t, x, q).Hits
		if most := max(q.K, 10); q.K > 0 && len(hits) > q.K || len(hits) > most {
			t.Fatalf("%d hits for k = %d", len(hits), q.K)
		}
		units := map[string]bool{}
		for i, h := range hits {
			if i > 0 && (hits[i-1].Score < h.Score || hits[i-1].Score == h.Score && hits[i-1].ID >= h.ID) {
				t.Fatalf("%+v before %+v", hits[i-1], h)
			}
			if units[h.Unit] {
				t.Fatalf("two hits of %s", h.Unit)
			}
			units[h.Unit] = true
		}
	}
}

// repeatable: eight goroutines at once get what one gets.
func repeatable(t *testing.T, x digesto.Searcher, r *rand.Rand) {
	for range 10 {
		q := Query(r)
		want := ask(t, x, q)
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				got, err := x.Search(t.Context(), q)
				if err != nil || cmp.Diff(want, got) != "" {
					t.Error("another answer at the same time: ", err)
				}
			})
		}
		wg.Wait()
	}
}

func ask(t *testing.T, x digesto.Searcher, q digesto.Query) digesto.Results {
	t.Helper()
	res, err := x.Search(t.Context(), q)
	if err != nil {
		t.Fatalf("%+v: %v", q, err)
	}
	return res
}

var suiteWords = strings.Fields(`plazo recurso alzada silencio permiso permisos jornada multa sanción sanciones cuantía solicitud
notificación interesado treinta y ocho 38 62-A 48.4 ley orden decreto registro órgano acto nulo no sin excepto hasta`)

// Chunks gives n synthetic chunks, some of them history, some units in two versions.
func Chunks(r *rand.Rand, n int) []digesto.Chunk {
	var out []digesto.Chunk
	for i := range n {
		norm := fmt.Sprintf("N%d", i/25)
		unit := fmt.Sprintf("%s/a%d", norm, i%25/2)
		c := digesto.Chunk{ID: fmt.Sprintf("%s/%d", unit, i%25%2), Norm: norm, Unit: unit, Title: Words(r, 3), Path: Words(r, 2), Body: Words(r, 4+r.IntN(50)),
			Collection: []string{"normativa", "tablas"}[i/400%2], Rank: []string{"ley", "orden", ""}[i/25%3],
			Territory: []string{"", "x-a", "x-b"}[i/75%3], Official: i%7 != 0, Current: i%9 != 0}
		if i%4 == 0 {
			c.Packs = []string{"uno", "dos"}[:1+i/4%2]
			c.Meta = map[string]string{"tipo": string(rune('a' + i%3))}
		}
		if i%5 == 0 {
			c.ValidFrom = "2018-01-01"
		}
		if !c.Current && i%2 == 0 {
			c.ValidTo = "2021-06-30"
		}
		out = append(out, c)
	}
	return out
}

// Words gives n words, early ones of the list more often, some of them rare.
func Words(r *rand.Rand, n int) string {
	var b strings.Builder
	for range n {
		f := r.Float64()
		b.WriteString(suiteWords[int(f*f*f*float64(len(suiteWords)))])
		b.WriteByte(' ')
		if r.IntN(15) == 0 {
			fmt.Fprintf(&b, "voz%d ", r.IntN(3000))
		}
	}
	return b.String()
}

// Query gives a query with or without filters, norms, units and synonyms.
func Query(r *rand.Rand) digesto.Query {
	q := digesto.Query{Text: Words(r, 1+r.IntN(9)), K: []int{0, 1, 5, 40}[r.IntN(4)]}
	one := func(field string, values ...string) {
		if r.IntN(4) > 0 {
			return
		}
		if q.Filter.In == nil {
			q.Filter.In = map[string][]string{}
		}
		q.Filter.In[field] = values
	}
	one("rank", "orden")
	one("territory", "x-a")
	one("pack", "dos")
	one("tipo", "a", "c")
	one("collection", "normativa")
	one("official", "true")
	if r.IntN(2) == 0 {
		q.Filter.Wider = []string{"territory"}
	}
	switch r.IntN(6) {
	case 0:
		q.Filter.AsOf = "2020-02-29"
	case 1:
		q.Filter.History = true
	}
	if r.IntN(4) == 0 {
		q.Norms, q.Units = []string{"N7", "N9"}, []string{"N3/a2", "N99/a1"}
	}
	if r.IntN(8) == 0 {
		q.Require = []string{Words(r, 2)}
	}
	if r.IntN(8) == 0 {
		q.Phrases = []string{Words(r, 2)}
	}
	if r.IntN(2) == 0 {
		q.Explain, q.TermsOnly, q.NoTotal = true, true, true
	}
	if r.IntN(4) == 0 {
		q.Also, q.AlsoWeight = []string{Words(r, 2)}, float64(r.IntN(5))/4
	}
	return q
}
