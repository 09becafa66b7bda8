package pgvector_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"digesto"
	"digesto/index"
	"digesto/index/indextest"
	"digesto/index/pgvector"
	"digesto/internal/pgtest"
	"digesto/pg"
)

// told checks that an error says in Spanish what is wrong and what to do, and no password.
func told(t *testing.T, what string, err error, code digesto.Code) {
	t.Helper()
	var e *digesto.Error
	if !errors.As(err, &e) || e.Code != code || e.Hint == "" || strings.Contains(err.Error(), "prueba") {
		t.Errorf("%s: %v, want %s", what, err, code)
	}
}

// whole checks that the index gives all 40 chunks of that version and no others, and
// that nothing stands beside it.
func whole(t *testing.T, address string, x *pgvector.Index, version string) {
	t.Helper()
	res, err := x.Search(t.Context(), digesto.Query{Text: "plazo", K: 100})
	if err != nil || len(res.Hits) != 40 || res.Total != 40 || !strings.HasPrefix(res.Hits[0].ID, version+"/") {
		t.Errorf("%d hits of %d, %v; want 40 of %s", len(res.Hits), res.Total, err, version)
	}
	if n := pgtest.Count(t, address, "SELECT count(*) FROM pg_class WHERE relkind = 'r' AND relname ~ '^(docs|postings)_[0-9]+$' AND relnamespace = current_schema()::regnamespace"); n != 2 {
		t.Errorf("%d tables of docs and postings, want 2", n)
	}
}

func version(name string) (list []digesto.Chunk) {
	for i := range 40 {
		id := fmt.Sprintf("%s/%d", name, i)
		list = append(list, digesto.Chunk{ID: id, Unit: id, Body: "plazo de alzada", Current: true})
	}
	return list
}

// TestCrash kills the server under searches and in the middle of builds: an answer
// is whole or refused, the live version stays, and the same Index goes on.
func TestCrash(t *testing.T) {
	server := pgtest.Own(t)
	address := server.Address + "&search_path=digesto"
	opt := pgvector.Options{Database: pg.Options{Patience: 20 * time.Second}}
	x, other := open(t, address, opt), open(t, address, opt)
	build(t, x, version("a"), index.BuildOptions{})
	var stop atomic.Bool
	var answered, refused atomic.Int64
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for !stop.Load() {
				res, err := other.Search(t.Context(), digesto.Query{Text: "plazo", K: 100})
				switch {
				case err != nil:
					refused.Add(1)
					told(t, "search", err, digesto.CodeUnavailable)
				case len(res.Hits) != 40:
					t.Errorf("%d hits", len(res.Hits))
				default:
					answered.Add(1)
				}
			}
		})
	}
	long := indextest.Chunks(rand.New(rand.NewPCG(1, 2)), 9000)
	for range 2 {
		err := x.Build(t.Context(), func(yield func(digesto.Chunk, error) bool) {
			for i, c := range long {
				if i == 6000 {
					server.Crash(t)
					server.Resume(t)
				}
				if !yield(c, nil) {
					return
				}
			}
		}, index.BuildOptions{})
		told(t, "build", err, digesto.CodeUnavailable)
	}
	stop.Store(true)
	wg.Wait()
	build(t, x, version("b"), index.BuildOptions{})
	whole(t, address, x, "b")
	whole(t, address, other, "b")
	t.Logf("2 crashes in the middle of builds, %d searches answered, %d refused", answered.Load(), refused.Load())
}

// TestCut cuts all connections of searches and of a build.
func TestCut(t *testing.T) {
	address := pgtest.Schema(t)
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	schema := u.Query().Get("search_path")
	named := address + "&application_name=" + schema
	x := open(t, named, pgvector.Options{})
	build(t, x, version("a"), index.BuildOptions{})
	cut := func() {
		pgtest.Exec(t, address, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '"+schema+"'")
	}
	for range 5 {
		cut()
		if res, err := x.Search(t.Context(), digesto.Query{Text: "plazo", K: 100}); err != nil || len(res.Hits) != 40 {
			t.Fatalf("after a cut: %d hits, %v", len(res.Hits), err)
		}
	}
	long := indextest.Chunks(rand.New(rand.NewPCG(1, 2)), 5000)
	err = x.Build(t.Context(), func(yield func(digesto.Chunk, error) bool) {
		for i, c := range long {
			if i == 4500 {
				cut()
			}
			if !yield(c, nil) {
				return
			}
		}
	}, index.BuildOptions{Jobs: 1})
	if err != nil { // who built may have got another connection in time
		told(t, "build", err, digesto.CodeUnavailable)
		build(t, x, version("b"), index.BuildOptions{})
		whole(t, address, x, "b")
	}
}

// TestFullDisk: a disk that fills in the middle of a build is told, the live version
// stays, and with room again the same Index builds.
func TestFullDisk(t *testing.T) {
	server := pgtest.Own(t)
	if server.Small == "" {
		t.Skip("no small disk could be mounted here")
	}
	pgtest.Exec(t, server.Address, "CREATE TABLESPACE small LOCATION '"+server.Small+"'")
	address := server.Address + "&search_path=digesto"
	x := open(t, address+"&default_tablespace=small", pgvector.Options{})
	build(t, x, version("a"), index.BuildOptions{})
	pgtest.Exec(t, server.Address, "CREATE TABLE public.filler (x text) TABLESPACE small; ALTER TABLE public.filler ALTER x SET STORAGE EXTERNAL; INSERT INTO public.filler SELECT repeat('x', 1000000) FROM generate_series(1, 26)")
	long := indextest.Chunks(rand.New(rand.NewPCG(1, 2)), 9000)
	err := x.Build(t.Context(), each(long), index.BuildOptions{})
	told(t, "full", err, digesto.CodeUnavailable)
	if err == nil || !strings.Contains(err.Error(), "lleno") {
		t.Errorf("says %v", err)
	}
	if res, err := x.Search(t.Context(), digesto.Query{Text: "plazo", K: 100}); err != nil || len(res.Hits) != 40 {
		t.Errorf("live version: %d hits, %v", len(res.Hits), err)
	}
	pgtest.Exec(t, server.Address, "DROP TABLE public.filler")
	build(t, x, version("b"), index.BuildOptions{})
	whole(t, address, x, "b")
}

// TestSlow: a search that is held up is told after the time allowed, and the next one answers.
func TestSlow(t *testing.T) {
	address := pgtest.Schema(t)
	x := open(t, address, pgvector.Options{Database: pg.Options{Timeout: 500 * time.Millisecond}})
	build(t, open(t, address, pgvector.Options{}), version("a"), index.BuildOptions{})
	free, locked := make(chan struct{}), make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() { pgtest.Locked(t, address, "postings", locked, free) })
	<-locked
	_, err := x.Search(t.Context(), digesto.Query{Text: "plazo"})
	told(t, "held up", err, digesto.CodeUnavailable)
	close(free)
	wg.Wait()
	whole(t, address, open(t, address, pgvector.Options{}), "a")
}

// TestUnusable: a wrong password, a role that may not install pgvector, and a base
// that pgvector was taken from while it was in use: words are searched, vectors told.
func TestUnusable(t *testing.T) {
	server := pgtest.Own(t)
	pgtest.Exec(t, server.Address, "CREATE ROLE pobre LOGIN PASSWORD 'prueba'; GRANT CREATE ON DATABASE postgres TO pobre")
	u, err := url.Parse(server.Address)
	if err != nil {
		t.Fatal(err)
	}
	tried := func(user, password string) error {
		v := *u
		v.User = url.UserPassword(user, password)
		x, err := pgvector.Open(t.Context(), v.String(), pgvector.Options{})
		if err == nil {
			_ = x.Close()
		}
		return err
	}
	told(t, "password", tried("digesto", "mala"), digesto.CodeForbidden)
	err = tried("pobre", "prueba")
	told(t, "no right", err, digesto.CodeForbidden)
	var e *digesto.Error
	if !errors.As(err, &e) || !strings.Contains(e.Hint, "CREATE EXTENSION vector") {
		t.Errorf("says %v", err)
	}
	x := open(t, server.Address, pgvector.Options{})
	build(t, x, version("a"), index.BuildOptions{Model: "letras", Vectors: func(digesto.Chunk) ([]float32, error) { return []float32{1, 2}, nil }})
	pgtest.Exec(t, server.Address, "DROP EXTENSION vector CASCADE")
	_, err = x.Search(t.Context(), digesto.Query{Text: "plazo", Vector: []float32{1, 0}})
	told(t, "extension gone", err, digesto.CodeUnavailable)
	if !errors.As(err, &e) || !strings.Contains(e.Hint, "pgvector") {
		t.Errorf("says %v", err)
	}
	if res, err := x.Search(t.Context(), digesto.Query{Text: "plazo"}); err != nil || len(res.Hits) != 10 {
		t.Errorf("words need no extension: %d hits, %v", len(res.Hits), err)
	}
}

// TestWithoutExtension: a server where pgvector was never installed.
func TestWithoutExtension(t *testing.T) {
	_, err := pgvector.Open(t.Context(), pgtest.Bare(t).Address, pgvector.Options{})
	told(t, "no pgvector", err, digesto.CodeUnavailable)
	if err == nil || !strings.Contains(err.Error(), "le falta la extensión «vector»") {
		t.Errorf("says %v", err)
	}
}
