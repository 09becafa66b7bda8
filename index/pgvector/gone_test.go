package pgvector

import (
	"testing"
	"time"

	"digesto"
	"digesto/index"
	"digesto/internal/pgtest"

	"github.com/jackc/pgx/v5"
)

// opened is an index of a schema of the test's own, and what builds it anew of one chunk.
func opened(t *testing.T, address string) (x *Index, build func() error) {
	t.Helper()
	x, err := Open(t.Context(), address, Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = x.Close() })
	build = func() error {
		return x.Build(t.Context(), func(yield func(digesto.Chunk, error) bool) {
			yield(digesto.Chunk{ID: "a", Unit: "a", Body: "plazo", Current: true}, nil)
		}, index.BuildOptions{})
	}
	if err := build(); err != nil {
		t.Fatal(err)
	}
	return x, build
}

// TestGone: a state that goes while a search is between its statements is told, and not
// taken for one without chunks.
func TestGone(t *testing.T) {
	x, build := opened(t, pgtest.Schema(t))
	st := x.state.Load()
	s := &search{x: x, st: st, a: index.Ask(digesto.Query{Text: "plazo"}, st.Scoring)}
	if same, err := s.fetch(t.Context()); err != nil || !same {
		t.Fatal(same, err)
	}
	docs := []int64{int64(st.versions[0]) << 32}
	if found, same, err := s.found(t.Context(), docs); err != nil || !same || len(found) != 1 {
		t.Errorf("while it is live: %v, live %v, %v", found, same, err)
	}
	if err := build(); err != nil {
		t.Fatal(err)
	}
	if found, same, err := s.found(t.Context(), docs); err != nil || same {
		t.Errorf("after a change: %v, live %v, %v", found, same, err)
	}
}

// TestSweep: who sweeps and waits for a search to let go of one table keeps no other from it.
func TestSweep(t *testing.T) {
	address := pgtest.Schema(t)
	_, build := opened(t, address)
	c, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close(t.Context()) }()
	if _, err := c.Exec(t.Context(), "BEGIN; LOCK TABLE postings IN ACCESS SHARE MODE; SET LOCAL lock_timeout = '500ms'"); err != nil {
		t.Fatal(err)
	}
	built := make(chan error, 1)
	go func() { built <- build() }()
	for until := time.Now().Add(20 * time.Second); pgtest.Count(t, address, "SELECT count(*) FROM pg_locks WHERE relation = 'postings'::regclass AND NOT granted") == 0; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(until) {
			t.Fatal("nobody sweeps")
		}
	}
	if _, err := c.Exec(t.Context(), "SELECT FROM docs; COMMIT"); err != nil {
		t.Errorf("a search that holds postings: %v", err)
	}
	if err := <-built; err != nil {
		t.Error(err)
	}
}
