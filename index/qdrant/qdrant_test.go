package qdrant_test

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"math"
	mrand "math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"digesto"
	"digesto/index"
	"digesto/index/indextest"
	"digesto/index/qdrant"
	"digesto/internal/long"
	"digesto/internal/qdrantfake"
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

// server gives a fake one; a real one, and no fake, where DIGESTO_QDRANT_URL names it.
// On that one every test makes collections of its own and takes them away again.
func server(t *testing.T) (address string, fake *qdrantfake.Fake) {
	t.Helper()
	if a := os.Getenv("DIGESTO_QDRANT_URL"); a != "" {
		return a, nil
	}
	fake = qdrantfake.New()
	s := httptest.NewServer(fake)
	t.Cleanup(s.Close)
	return s.URL, fake
}

func open(t *testing.T, address string, opt qdrant.Options) *qdrant.Index {
	t.Helper()
	opt.Key = os.Getenv("DIGESTO_QDRANT_KEY")
	x, err := qdrant.Open(t.Context(), address, opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = x.Close() })
	return x
}

func build(t *testing.T, x *qdrant.Index, chunks []digesto.Chunk, opt index.BuildOptions) {
	t.Helper()
	t.Cleanup(func() { // a failed build of several collections may have made some
		if err := x.Drop(context.Background()); err != nil {
			t.Errorf("the collections of this test stay on the server: %v", err)
		}
	})
	if err := x.Build(t.Context(), each(chunks), opt); err != nil {
		t.Fatal(err)
	}
}

// rest gives a request to the address as HTTP knows it: host with port, key in a header.
func rest(t *testing.T, address, method, path, body string) *http.Request {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	if u.Port() == "" {
		u.Host += ":6333"
	}
	scheme := "http"
	if u.Scheme == "https" || u.Scheme == "qdrants" {
		scheme = "https"
	}
	req, err := http.NewRequestWithContext(t.Context(), method, scheme+"://"+u.Host+strings.TrimSuffix(u.Path, "/")+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	key, _ := u.User.Password()
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("api-key", cmp.Or(os.Getenv("DIGESTO_QDRANT_KEY"), key))
	return req
}

// unique is a name that no other test has on a shared server.
func unique() string { return "prueba-" + strings.ToLower(rand.Text())[:12] }

func TestSuite(t *testing.T) {
	t.Parallel()
	address, _ := server(t)
	indextest.Suite(t, long.Of(150, 12), func(t *testing.T, chunks []digesto.Chunk) digesto.Searcher {
		x := open(t, address, qdrant.Options{Name: unique()})
		build(t, x, chunks, index.BuildOptions{})
		return x
	})
}

func vectorOf(s string) []float32 {
	v := make([]float32, 16)
	for i, c := range s {
		v[(i+int(c))%16] += float32(c%7) + 1
	}
	return v
}

// TestHybrid: words and vectors joined as the embedded index joins them.
func TestHybrid(t *testing.T) {
	t.Parallel()
	address, _ := server(t)
	r := mrand.New(mrand.NewPCG(7, 8))
	chunks := indextest.Chunks(r, 800)
	opt := index.BuildOptions{Model: "letras", Full: true, Vectors: func(c digesto.Chunk) ([]float32, error) { return vectorOf(c.Body), nil }}
	for _, rule := range []string{index.FusionMeasured, index.FusionStatic} {
		opt.Fusion = rule
		near, err := index.Memory(t.Context(), each(chunks), opt)
		if err != nil {
			t.Fatal(err)
		}
		defer near.Close()
		far := open(t, address, qdrant.Options{Name: unique(), Fusion: rule})
		build(t, far, chunks, opt)
		same, all := 0, 0
		for range 20 {
			q := indextest.Query(r)
			q.Vector, q.K, q.NoTotal = vectorOf(q.Text), 10, true
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
		if same < all*98/100 {
			t.Errorf("%s: %d of %d of the embedded index's hits", rule, same, all)
		}
	}
}

// TestSwap: searches see one version or the other; a build that fails leaves
// the one in use, and nothing of its own.
func TestSwap(t *testing.T) {
	address, _ := server(t)
	name := unique()
	version := func(n int) (list []digesto.Chunk) {
		for i := range 30 {
			list = append(list, digesto.Chunk{ID: fmt.Sprintf("v%d/%d", n, i), Unit: fmt.Sprintf("v%d/%d", n, i), Body: "plazo de alzada", Current: true})
		}
		return list
	}
	x, other := open(t, address, qdrant.Options{Name: name}), open(t, address, qdrant.Options{Name: name})
	build(t, x, version(0), index.BuildOptions{})
	ctx, stop := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	wg.Go(func() {
		for ctx.Err() == nil {
			res, err := other.Search(t.Context(), digesto.Query{Text: "plazo", K: 100})
			if err != nil || len(res.Hits) != 30 || res.Hits[0].Unit[:2] != res.Hits[29].Unit[:2] {
				t.Errorf("%d hits in the middle of a change, %v", len(res.Hits), err)
				return
			}
		}
	})
	for n := 1; n < 4; n++ {
		if err := x.Build(t.Context(), each(version(n)), index.BuildOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	stop()
	wg.Wait()
	if err := x.Build(t.Context(), each(append(version(7), version(7)...)), index.BuildOptions{}); digesto.CodeOf(err) != digesto.CodeInvalid {
		t.Errorf("an id twice: %v", err)
	}
	if res, err := x.Search(t.Context(), digesto.Query{Text: "plazo", K: 1}); err != nil || len(res.Hits) != 1 || res.Hits[0].Unit[:2] != "v3" {
		t.Errorf("after a failure: %+v %v", res.Hits, err)
	}
	n := 0
	for r, err := range x.Rows(t.Context()) {
		if err != nil || r.Chunk.Body != "plazo de alzada" {
			t.Fatal(r, err)
		}
		n++
	}
	if n != 30 {
		t.Errorf("%d chunks to move", n)
	}
}

// TestLeftBehind: what a builder that died left long ago goes with the next build;
// what another may be at work on, and what an alias points at, stays.
func TestLeftBehind(t *testing.T) {
	address, _ := server(t)
	name := unique()
	x := open(t, address, qdrant.Options{Name: name})
	one := []digesto.Chunk{{ID: "a", Unit: "a", Body: "plazo", Current: true}}
	build(t, x, one, index.BuildOptions{})
	long, recent := name+"-v1000", fmt.Sprintf("%s-v%d", name, time.Now().UnixNano())
	ask := func(method, path, body string) int {
		res, err := http.DefaultClient.Do(rest(t, address, method, path, body))
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
		return res.StatusCode
	}
	for _, c := range []string{long, recent} {
		if got := ask("PUT", "/collections/"+c, `{"sparse_vectors":{"text-sparse":{}}}`); got != 200 {
			t.Fatalf("%s: %d", c, got)
		}
		defer ask("DELETE", "/collections/"+c, "") // before t.Context ends
	}
	if err := x.Build(t.Context(), each(one), index.BuildOptions{}); err != nil {
		t.Fatal(err)
	}
	for c, want := range map[string]int{long: 404, recent: 200, name: 200} {
		if got := ask("GET", "/collections/"+c, ""); got != want {
			t.Errorf("%s: %d, want %d", c, got, want)
		}
	}
}

// TestForeign: a collection that this program did not make is told as such, whatever
// its points hold, and is left alone.
func TestForeign(t *testing.T) {
	address, _ := server(t)
	name := unique()
	ask := func(method, path, body string) {
		t.Helper()
		res, err := http.DefaultClient.Do(rest(t, address, method, path, body))
		if err != nil {
			t.Fatal(err)
		}
		if _ = res.Body.Close(); res.StatusCode != 200 {
			t.Fatalf("%s %s: %d", method, path, res.StatusCode)
		}
	}
	ask("PUT", "/collections/"+name, `{"sparse_vectors":{"text-sparse":{}}}`)
	defer ask("DELETE", "/collections/"+name, "")
	for _, point := range []string{"", `{"id":0,"vector":{},"payload":{"state":"abierto"}}`, `{"id":0,"vector":{},"payload":{"state":{"chunks":3}}}`} {
		if point != "" {
			ask("PUT", "/collections/"+name+"/points?wait=true", `{"points":[`+point+`]}`)
		}
		if _, err := qdrant.Open(t.Context(), address, qdrant.Options{Name: name, Key: os.Getenv("DIGESTO_QDRANT_KEY")}); digesto.CodeOf(err) != digesto.CodeConflict {
			t.Errorf("%s: %v", point, err)
		}
	}
}

// TestLong: points that together are too long for one request go in several.
func TestLong(t *testing.T) {
	t.Parallel()
	address, fake := server(t)
	most := int64(0)
	if fake != nil {
		fake.Before = func(r *http.Request) (int, string) { most = max(most, r.ContentLength); return 0, "" }
	}
	var chunks []digesto.Chunk
	for i := range 30 {
		id := fmt.Sprint("largo", i)
		chunks = append(chunks, digesto.Chunk{ID: id, Unit: id, Body: "plazo " + strings.Repeat("de alzada ", 75_000), Current: true})
	}
	x := open(t, address, qdrant.Options{Name: unique()})
	build(t, x, chunks, index.BuildOptions{})
	if res, err := x.Search(t.Context(), digesto.Query{Text: "plazo", K: 50}); err != nil || len(res.Hits) != 30 || most > 32<<20 {
		t.Errorf("%d hits, %v; %d bytes in one request", len(res.Hits), err, most)
	}
}

// TestPartial: a load of which requests fail once is whole in the end; one that fails
// for good leaves the version in use, and nothing of its own.
func TestPartial(t *testing.T) {
	fake := qdrantfake.New()
	s := httptest.NewServer(fake)
	t.Cleanup(s.Close)
	x := open(t, s.URL, qdrant.Options{})
	version := func(name string) (list []digesto.Chunk) {
		for i := range 900 {
			id := fmt.Sprintf("%s/%d", name, i)
			list = append(list, digesto.Chunk{ID: id, Unit: id, Body: "plazo de alzada", Current: true})
		}
		return list
	}
	collections := func() string {
		res, err := http.Get(s.URL + "/collections")
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		var got struct{ Result any }
		if err := json.NewDecoder(res.Body).Decode(&got); err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(got.Result)
	}
	n := 0
	fake.Before = func(r *http.Request) (int, string) {
		if r.Method == "PUT" && strings.HasSuffix(r.URL.Path, "/points") {
			if n++; n%2 == 1 {
				return 500, "Service internal error: half done"
			}
		}
		return 0, ""
	}
	build(t, x, version("a"), index.BuildOptions{})
	there := collections()
	for _, path := range []string{"/points", "/index", "/aliases", "/points/count"} {
		fake.Before = func(r *http.Request) (int, string) {
			if r.Method != "DELETE" && r.Method != "GET" && strings.HasSuffix(r.URL.Path, path) && (path != "/points" || r.Method == "PUT") {
				return 507, "No space left"
			}
			return 0, ""
		}
		err := x.Build(t.Context(), each(version("b")), index.BuildOptions{})
		var e *digesto.Error
		if !errors.As(err, &e) || e.Code != digesto.CodeUnavailable || e.Hint == "" {
			t.Errorf("%s: %v", path, err)
		}
		fake.Before = nil
		res, err := x.Search(t.Context(), digesto.Query{Text: "plazo"})
		if err != nil || res.Total != 900 || !strings.HasPrefix(res.Hits[0].ID, "a/") {
			t.Errorf("after %s failed: %d hits, %v", path, res.Total, err)
		}
		if now := collections(); now != there {
			t.Errorf("%s: left behind: %s, was %s", path, now, there)
		}
	}
}

// TestFaults: each fault of the server is told in Spanish with what to do, and
// those that pass are waited for.
func TestFaults(t *testing.T) {
	t.Parallel()
	fake := qdrantfake.New()
	fake.Key, fake.ReadOnly = "buena", "lectora"
	s := httptest.NewServer(fake)
	defer s.Close()
	with := func(key string, timeout time.Duration) (*qdrant.Index, error) {
		return qdrant.Open(t.Context(), strings.Replace(s.URL, "http://", "qdrant://:"+key+"@", 1), qdrant.Options{Timeout: timeout})
	}
	check := func(what string, err error, code digesto.Code) {
		t.Helper()
		var e *digesto.Error
		if !errors.As(err, &e) || e.Code != code || e.Hint == "" || strings.Contains(err.Error(), "buena") {
			t.Errorf("%s: %v, want %s", what, err, code)
		}
	}
	_, err := with("mala", 0)
	check("wrong key", err, digesto.CodeForbidden)
	_, err = qdrant.Open(t.Context(), "ftp://x", qdrant.Options{})
	check("address", err, digesto.CodeUsage)
	reader, err := with("lectora", 0)
	if err != nil {
		t.Fatal(err)
	}
	one := []digesto.Chunk{{ID: "a", Unit: "a", Body: "plazo", Current: true}}
	check("read-only key", reader.Build(t.Context(), each(one), index.BuildOptions{}), digesto.CodeForbidden)
	x, err := with("buena", time.Second)
	if err != nil {
		t.Fatal(err)
	}
	if err := x.Build(t.Context(), each(one), index.BuildOptions{Model: "m", Vectors: func(digesto.Chunk) ([]float32, error) { return []float32{1, 2}, nil }}); err != nil {
		t.Fatal(err)
	}
	plazo := digesto.Query{Text: "plazo"}
	other := plazo
	other.Vector = []float32{1, 2, 3}
	_, err = x.Search(t.Context(), other)
	check("other dimensions", err, digesto.CodeInvalid)
	bad := index.BuildOptions{Vectors: func(digesto.Chunk) ([]float32, error) { return []float32{float32(math.NaN())}, nil }}
	check("NaN", x.Build(t.Context(), each(one), bad), digesto.CodeInvalid)

	for what, c := range map[string]struct {
		status, times int
		text          string
		code          digesto.Code // "" = it passes
	}{
		"busy once":       {429, 1, "Too many requests", ""},
		"failing twice":   {503, 2, "unavailable", ""},
		"no more disk":    {500, 99, "Service internal error: No space left on device", digesto.CodeUnavailable},
		"time limit":      {500, 99, "Service internal error: Timeout error: Operation 'Search' timed out", digesto.CodeUnavailable},
		"strict mode":     {400, 99, `Bad request: Index required but not found for "facets"`, digesto.CodeInvalid},
		"older interface": {404, 99, "", digesto.CodeUnavailable},
		"elsewhere":       {307, 99, "", digesto.CodeUnavailable},
	} {
		left := c.times
		fake.Before = func(r *http.Request) (int, string) {
			if !strings.Contains(r.URL.Path, "/points/query") || left == 0 {
				return 0, ""
			}
			left--
			return c.status, c.text
		}
		res, err := x.Search(t.Context(), plazo)
		if c.code != "" {
			check(what, err, c.code)
		} else if err != nil || len(res.Hits) != 1 {
			t.Errorf("%s: %+v %v", what, res, err)
		}
	}
	fake.Before = func(*http.Request) (int, string) { time.Sleep(1500 * time.Millisecond); return 0, "" }
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	_, err = x.Search(ctx, plazo)
	check("slow", err, digesto.CodeUnavailable)
	fake.Before = nil
	s.Close()
	_, err = x.Search(t.Context(), plazo)
	check("gone", err, digesto.CodeUnavailable)
}

// TestHosts: of several hosts in the address one that is gone is passed over, whatever
// its place, and the key goes to all.
func TestHosts(t *testing.T) {
	t.Parallel()
	fake := qdrantfake.New()
	fake.Key = "buena"
	one, two, gone := httptest.NewServer(fake), httptest.NewServer(fake), httptest.NewServer(fake)
	defer two.Close()
	gone.Close()
	host := func(s *httptest.Server) string { return strings.TrimPrefix(s.URL, "http://") }
	x, err := qdrant.Open(t.Context(), "qdrant://:buena@"+host(gone)+","+host(one)+","+host(two), qdrant.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	if err := x.Ready(t.Context()); digesto.CodeOf(err) != digesto.CodeUnavailable {
		t.Errorf("nothing built yet: %v", err)
	}
	if err := x.Build(t.Context(), each([]digesto.Chunk{{ID: "a", Unit: "a", Body: "plazo", Current: true}}), index.BuildOptions{}); err != nil {
		t.Fatal(err)
	}
	one.Close()
	for range 3 {
		if res, err := x.Search(t.Context(), digesto.Query{Text: "plazo"}); err != nil || len(res.Hits) != 1 {
			t.Errorf("%+v %v", res, err)
		}
	}
	if err := x.Ready(t.Context()); err != nil {
		t.Error(err)
	}
	two.Close()
	if err := x.Ready(t.Context()); digesto.CodeOf(err) != digesto.CodeUnavailable {
		t.Errorf("all gone: %v", err)
	}
}

// TestOneRequest: a search is one request, once the words of its pairs are known.
func TestOneRequest(t *testing.T) {
	t.Parallel()
	address, fake := server(t)
	if fake == nil {
		t.Skip("the requests to a real server cannot be counted")
	}
	x := open(t, address, qdrant.Options{})
	r := mrand.New(mrand.NewPCG(9, 10))
	build(t, x, indextest.Chunks(r, 500), index.BuildOptions{})
	q := indextest.Query(r)
	q.NoTotal = true
	for again := range 2 {
		n := 0
		fake.Before = func(*http.Request) (int, string) { n++; return 0, "" }
		if _, err := x.Search(t.Context(), q); err != nil {
			t.Fatal(err)
		}
		if again == 1 && n != 1 {
			t.Errorf("%d requests", n)
		}
	}
}
