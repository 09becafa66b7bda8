package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"io"
	"iter"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"digesto"
	"digesto/app/law"
	"digesto/eval"
	"digesto/index"
	"digesto/index/qdrant"
	"digesto/internal/pgtest"
	"digesto/internal/qdrantfake"
	"digesto/internal/shareddata"
)

// TestRemoteHits: on real questions the index of a server finds by words what the
// embedded one finds: hit@10 within .01. DIGESTO_HITS=all asks all 1,146 (three wordings
// of each: as it is, without the number of the article, and so with all the answers to
// choose from) of each server, DIGESTO_HITS=postgres or =qdrant of that one alone; 60
// otherwise. Qdrant is a fake unless DIGESTO_QDRANT_URL names a server.
func TestRemoteHits(t *testing.T) {
	if testing.Short() {
		t.Skip("loads 15,212 articles into each server")
	}
	dir := shareddata.Dir(t, "evals/examen-dev")
	places := map[string]string{}
	all := os.Getenv("DIGESTO_HITS")
	if a := os.Getenv("DIGESTO_TEST_POSTGRES_URL"); a != "" && all != "qdrant" {
		places["PostgreSQL"] = pgtest.Schema(t)
	} else {
		t.Log("no PostgreSQL here (see .ci/postgres)")
	}
	if a := os.Getenv("DIGESTO_QDRANT_URL"); a != "" && all != "postgres" {
		u, err := url.Parse(a)
		if err != nil {
			t.Fatal(err)
		}
		if key := os.Getenv("DIGESTO_QDRANT_KEY"); key != "" {
			u.User = url.UserPassword("", key)
		}
		places["Qdrant"] = u.String()
	} else if all == "all" || all == "qdrant" { // a fake compares with everything: minutes
		fake := httptest.NewServer(qdrantfake.New())
		defer fake.Close()
		places["Qdrant, a fake"] = fake.URL
	}
	var files []string
	for _, name := range []string{"queries.jsonl", "queries_verbatim.jsonl", "whole.jsonl"} {
		var raw []byte
		var err error
		if name == "whole.jsonl" {
			raw, err = wholeQuestions(filepath.Join(dir, "questions.jsonl"))
		} else {
			raw, err = os.ReadFile(filepath.Join(dir, name))
		}
		if err != nil {
			t.Fatal(err)
		}
		if all == "" {
			raw = bytes.Join(bytes.SplitAfterN(raw, []byte("\n"), 21)[:20], nil)
		}
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, raw, 0o600); err != nil {
			t.Fatal(err)
		}
		files = append(files, path)
	}
	near := hits(t, dir, files, func(ctx context.Context, _ string, chunks iter.Seq2[digesto.Chunk, error]) (digesto.Searcher, func() error, error) {
		x, err := index.Memory(ctx, chunks, index.BuildOptions{})
		if err != nil {
			return nil, nil, err
		}
		return x, x.Close, nil
	})
	run := "prueba-" + strings.ToLower(rand.Text())[:12] + "-" // what others keep on that server stays as it is
	for name, address := range places {
		far := hits(t, dir, files, func(ctx context.Context, hash string, chunks iter.Seq2[digesto.Chunk, error]) (digesto.Searcher, func() error, error) {
			x, err := law.Ensure(ctx, address, run+hash, chunks, index.BuildOptions{}, t.Logf)
			if err != nil {
				return nil, nil, err
			}
			if q, ok := x.(*qdrant.Index); ok {
				t.Cleanup(func() {
					if err := q.Drop(context.Background()); err != nil {
						t.Errorf("the collection of this test stays on the server: %v", err)
					}
				})
			}
			return x, x.Close, nil
		})
		for i := range files {
			d := far[i].Metrics["hit@10"] - near[i].Metrics["hit@10"]
			t.Logf("%s, %s: hit@10 %.4f, embedded %.4f; nDCG@10 %.4f, embedded %.4f; %d questions", name, filepath.Base(files[i]), far[i].Metrics["hit@10"], near[i].Metrics["hit@10"], far[i].Metrics["nDCG@10"], near[i].Metrics["nDCG@10"], far[i].Queries)
			if d > .01 || d < -.01 {
				t.Errorf("%s: hit@10 differs by %.4f", name, d)
			}
		}
	}
}

// wholeQuestions writes the questions with the answers to choose from as queries:
// what somebody asks who pastes all of it.
func wholeQuestions(path string) ([]byte, error) {
	raw, err := os.ReadFile(path)
	var out bytes.Buffer
	for line := range bytes.Lines(raw) {
		var q struct {
			ID      string   `json:"id"`
			Text    string   `json:"question_masked"`
			Options []string `json:"options"`
		}
		if err := json.Unmarshal(line, &q); err != nil {
			return nil, err
		}
		one, err := json.Marshal(map[string]string{"_id": q.ID, "text": q.Text + "\n" + strings.Join(q.Options, "\n")})
		if err != nil {
			return nil, err
		}
		out.Write(append(one, '\n'))
	}
	return out.Bytes(), err
}

func hits(t *testing.T, dir string, files []string, build eval.BuildFunc) (out []eval.RetrievalReport) {
	t.Helper()
	for _, f := range files {
		r, err := eval.Retrieval(t.Context(), dir, eval.RetrievalOptions{Build: build, Queries: f})
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, r)
	}
	return out
}

// TestAddressParameters: what an address says of an index reaches the server, and
// what it does not mean is told.
func TestAddressParameters(t *testing.T) {
	one := func(yield func(digesto.Chunk, error) bool) {
		yield(digesto.Chunk{ID: "a", Unit: "a", Body: "plazo", Current: true}, nil)
	}
	opt := index.BuildOptions{Model: "m", Vectors: func(digesto.Chunk) ([]float32, error) { return []float32{1, 2}, nil }}
	fake := qdrantfake.New()
	made := ""
	fake.Before = func(r *http.Request) (int, string) {
		if r.Method == "PUT" && strings.Count(r.URL.Path, "/") == 2 {
			raw, _ := io.ReadAll(r.Body)
			r.Body, made = io.NopCloser(bytes.NewReader(raw)), string(raw)
		}
		return 0, ""
	}
	s := httptest.NewServer(fake)
	defer s.Close()
	x, err := law.Ensure(t.Context(), s.URL+"?shards=2&replicas=3", "x", one, opt, t.Logf)
	if err != nil {
		t.Fatal(err)
	}
	_ = x.Close()
	if !strings.Contains(made, `"shard_number":2`) || !strings.Contains(made, `"replication_factor":3`) {
		t.Errorf("made by %s", made)
	}
	for _, bad := range []string{s.URL + "?shards=dos", "postgres://x/y?hnsw=quizá"} {
		if _, err := law.OpenRemote(t.Context(), bad, "x", ""); digesto.CodeOf(err) != digesto.CodeUsage {
			t.Errorf("%s: %v", bad, err)
		}
	}
	address := pgtest.Schema(t)
	if x, err = law.Ensure(t.Context(), address+"&hnsw=on&tenant=ana", "x", one, opt, t.Logf); err != nil {
		t.Fatal(err)
	}
	_ = x.Close()
	if n := pgtest.Count(t, address, "SELECT count(*) FROM pg_indexes WHERE schemaname = current_schema() AND indexdef LIKE '%USING hnsw%'"); n != 1 {
		t.Errorf("%d graphs", n)
	}
	if n := pgtest.Count(t, address+"&digesto.tenant=ana", "SELECT count(*) FROM versions WHERE tenant = 'ana' AND live"); n != 1 {
		t.Errorf("%d versions of the tenant", n)
	}
}
