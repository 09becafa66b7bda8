package pgvector_test

import (
	"context"
	"fmt"
	"iter"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"digesto"
	"digesto/index"
	"digesto/index/indextest"
	"digesto/index/pgvector"
	"digesto/internal/pgtest"

	"github.com/google/go-cmp/cmp"
)

func each(chunks []digesto.Chunk) iter.Seq2[digesto.Chunk, error] {
	return func(yield func(digesto.Chunk, error) bool) {
		for _, c := range chunks {
			if !yield(c, nil) {
				return
			}
		}
	}
}

func open(t *testing.T, address string, opt pgvector.Options) *pgvector.Index {
	t.Helper()
	x, err := pgvector.Open(t.Context(), address, opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = x.Close() })
	return x
}

func build(t *testing.T, x *pgvector.Index, chunks []digesto.Chunk, opt index.BuildOptions) {
	t.Helper()
	if err := x.Build(t.Context(), each(chunks), opt); err != nil {
		t.Fatal(err)
	}
}

func TestSuite(t *testing.T) {
	pgtest.Address(t)
	indextest.Suite(t, 150, func(t *testing.T, chunks []digesto.Chunk) digesto.Searcher {
		x := open(t, pgtest.Schema(t), pgvector.Options{})
		build(t, x, chunks, index.BuildOptions{})
		return x
	})
}

// TestAsTwin: the same units with the same scores but for the last bits, whether
// blocks are left out or not.
func TestAsTwin(t *testing.T) {
	address := pgtest.Schema(t)
	r := rand.New(rand.NewPCG(5, 6))
	chunks := indextest.Chunks(r, 9000) // more than one block
	twin := indextest.NewNaive(index.Scoring{}, chunks...)
	x := open(t, address, pgvector.Options{})
	build(t, x, chunks, index.BuildOptions{})
	for i := range 60 {
		q := indextest.Query(r)
		q.NoTotal = i%2 == 1
		want, err := twin.Search(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		got, err := x.Search(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		if q.NoTotal {
			want.Total = 0
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Fatalf("%+v: twin (-), PostgreSQL (+):\n%s", q, d)
		}
	}
}

// vectorOf makes a vector out of the letters of a text.
func vectorOf(s string) []float32 {
	v := make([]float32, 16)
	for i, c := range s {
		v[(i+int(c))%16] += float32(c%7) + 1
	}
	return v
}

// TestHybrid: words and vectors joined as the embedded index joins them.
func TestHybrid(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	chunks := indextest.Chunks(r, 1500)
	opt := index.BuildOptions{Model: "letras", Full: true, Vectors: func(c digesto.Chunk) ([]float32, error) { return vectorOf(c.Body), nil }}
	for _, rule := range []string{index.FusionMeasured, index.FusionStatic} {
		opt.Fusion = rule
		near, err := index.Memory(t.Context(), each(chunks), opt)
		if err != nil {
			t.Fatal(err)
		}
		defer near.Close()
		far := open(t, pgtest.Schema(t), pgvector.Options{Fusion: rule, HNSW: rule == index.FusionStatic})
		build(t, far, chunks, opt)
		same, all := 0, 0
		for range 25 {
			q := indextest.Query(r)
			q.Vector, q.K = vectorOf(q.Text), 10
			want, err := near.Search(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			got, err := far.Search(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			if got.Means != want.Means {
				t.Errorf("%s: means %+v, want %+v", rule, got.Means, want.Means)
			}
			for _, h := range want.Hits {
				all++
				if slices.ContainsFunc(got.Hits, func(g digesto.Hit) bool { return g.Unit == h.Unit }) {
					same++
				}
			}
		}
		if same < all*98/100 { // the embedded index multiplies bytes, PostgreSQL floats
			t.Errorf("%s: %d of %d of the embedded index's hits", rule, same, all)
		}
	}
	x := open(t, pgtest.Schema(t), pgvector.Options{})
	build(t, x, chunks[:50], opt)
	if _, err := x.Search(t.Context(), digesto.Query{Text: "plazo", Vector: []float32{1, 2, 3}}); digesto.CodeOf(err) != digesto.CodeInvalid {
		t.Errorf("a vector of other dimensions: %v", err)
	}
}

// TestNeverBuilt: an index that was never built is empty, and not ready.
func TestNeverBuilt(t *testing.T) {
	x := open(t, pgtest.Schema(t), pgvector.Options{})
	if res, err := x.Search(t.Context(), digesto.Query{Text: "plazo", Vector: []float32{1}}); err != nil || len(res.Hits) > 0 {
		t.Error(res, err)
	}
	if err := x.Ready(t.Context()); digesto.CodeOf(err) != digesto.CodeUnavailable {
		t.Error(err)
	}
}

// TestSwap: while new versions are built, searches see all of one or all of
// another; a builder that fails leaves the live one as it is.
func TestSwap(t *testing.T) {
	address := pgtest.Schema(t)
	version := func(n int) (list []digesto.Chunk) {
		for i := range 50 {
			list = append(list, digesto.Chunk{ID: fmt.Sprintf("v%d/%d", n, i), Unit: fmt.Sprintf("v%d/%d", n, i), Body: "plazo de alzada", Current: true})
		}
		return list
	}
	x, other := open(t, address, pgvector.Options{}), open(t, address, pgvector.Options{})
	build(t, x, version(0), index.BuildOptions{})
	ctx, stop := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	searches := 0
	wg.Go(func() {
		for ctx.Err() == nil {
			res, err := other.Search(t.Context(), digesto.Query{Text: "plazo", K: 100})
			if err != nil || len(res.Hits) != 50 || res.Hits[0].Unit[:2] != res.Hits[49].Unit[:2] {
				t.Errorf("%d hits in the middle of a change, %v", len(res.Hits), err)
				return
			}
			searches++
		}
	})
	for n := 1; n < 5; n++ {
		build(t, x, version(n), index.BuildOptions{})
	}
	stop()
	wg.Wait()
	broken := append(version(7), version(7)...)
	if err := x.Build(t.Context(), each(broken), index.BuildOptions{}); digesto.CodeOf(err) != digesto.CodeInvalid {
		t.Errorf("an id twice: %v", err)
	}
	res, err := x.Search(t.Context(), digesto.Query{Text: "plazo", K: 1})
	if err != nil || len(res.Hits) != 1 || res.Hits[0].Unit[:2] != "v4" || searches == 0 {
		t.Errorf("after a failure: %+v %v; %d searches", res.Hits, err, searches)
	}
}

// TestTenants: each sees its own and everybody's. A role that is no superuser is
// shown no more by any statement.
func TestTenants(t *testing.T) {
	address := pgtest.Schema(t)
	one := func(id string) []digesto.Chunk {
		return []digesto.Chunk{{ID: id, Unit: id, Body: "plazo", Current: true}}
	}
	for tenant, id := range map[string]string{"": "ley", "ana": "contrato", "berta": "convenio"} {
		build(t, open(t, address, pgvector.Options{Tenant: tenant}), one(id), index.BuildOptions{})
	}
	u, _ := url.Parse(address)
	schema := u.Query().Get("search_path")
	role := schema + "_r"
	pgtest.Exec(t, address, "CREATE ROLE "+role+" LOGIN PASSWORD 'prueba'; GRANT USAGE ON SCHEMA "+schema+" TO "+role+"; GRANT SELECT ON ALL TABLES IN SCHEMA "+schema+" TO "+role)
	t.Cleanup(func() { pgtest.Exec(t, address, "DROP OWNED BY "+role+"; DROP ROLE "+role) })
	u.User = url.UserPassword(role, "prueba")
	for tenant, want := range map[string]string{"": "ley", "ana": "contrato ley", "berta": "convenio ley"} {
		x := open(t, u.String(), pgvector.Options{Tenant: tenant})
		res, err := x.Search(t.Context(), digesto.Query{Text: "plazo"})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, h := range res.Hits {
			got = append(got, h.ID)
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%q finds %q, want %q", tenant, s, want)
		}
		if n := pgtest.Count(t, u.String()+"&digesto.tenant="+tenant, "SELECT count(*) FROM docs"); n != len(got) {
			t.Errorf("%q is shown %d rows, want %d", tenant, n, len(got))
		}
	}
}
