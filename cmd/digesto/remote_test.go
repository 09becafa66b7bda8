package main

import (
	"bytes"
	"context"
	"iter"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"testing"

	"digesto"
	"digesto/eval"
	"digesto/index"
	"digesto/internal/pgtest"
	"digesto/internal/qdrantfake"
	"digesto/internal/shareddata"
)

// TestRemoteHits: on real questions the index of a server finds by words what the
// embedded one finds: hit@10 within .01. DIGESTO_HITS=all asks all 764 (both wordings
// of each); 40 otherwise. Qdrant is a fake unless DIGESTO_QDRANT_URL names a server.
func TestRemoteHits(t *testing.T) {
	if testing.Short() {
		t.Skip("loads 15,212 articles into each server")
	}
	dir := shareddata.Dir(t, "evals/examen-dev")
	places := map[string]string{}
	if a := os.Getenv("DIGESTO_TEST_POSTGRES_URL"); a != "" {
		places["PostgreSQL"] = pgtest.Schema(t)
	} else {
		t.Log("no PostgreSQL here (see .ci/postgres)")
	}
	if a := os.Getenv("DIGESTO_QDRANT_URL"); a != "" {
		u, err := url.Parse(a)
		if err != nil {
			t.Fatal(err)
		}
		if key := os.Getenv("DIGESTO_QDRANT_KEY"); key != "" {
			u.User = url.UserPassword("", key)
		}
		places["Qdrant"] = u.String()
	} else if os.Getenv("DIGESTO_HITS") == "all" { // a fake compares with everything: minutes
		fake := httptest.NewServer(qdrantfake.New())
		defer fake.Close()
		places["Qdrant, a fake"] = fake.URL
	}
	var files []string
	for _, name := range []string{"queries.jsonl", "queries_verbatim.jsonl"} {
		raw, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if os.Getenv("DIGESTO_HITS") != "all" {
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
	for name, address := range places {
		far := hits(t, dir, files, func(ctx context.Context, hash string, chunks iter.Seq2[digesto.Chunk, error]) (digesto.Searcher, func() error, error) {
			x, err := ensure(ctx, address, hash, chunks, index.BuildOptions{}, t.Logf)
			if err != nil {
				return nil, nil, err
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
