package main

import (
	"bytes"
	"context"
	"fmt"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"digesto"
	"digesto/index"
	"digesto/index/pgvector"
	"digesto/index/qdrant"
	"digesto/internal/pgtest"
	"digesto/internal/qdrantfake"
	"digesto/store"
	"digesto/store/sqlite"
)

// digestoDoes runs the program and gives what it printed.
func digestoDoes(t *testing.T, args ...string) (int, string) {
	t.Helper()
	var out bytes.Buffer
	e := env{in: strings.NewReader(""), out: &out, err: &out, lookup: func(string) (string, bool) { return "", false }}
	code := run(t.Context(), args, e)
	return code, out.String()
}

// TestMigrateConversations: from a file to PostgreSQL and back, taken up again
// after a break, nothing changed on the way.
func TestMigrateConversations(t *testing.T) {
	address := pgtest.Schema(t)
	dir := t.TempDir()
	s, err := sqlite.Open(t.Context(), filepath.Join(dir, "conversations.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	const n = 30
	fill(t, s, n)
	s.Close()
	back := "sqlite:" + filepath.Join(t.TempDir(), "vuelta.db")
	for i, step := range []struct{ from, to, want string }{
		{dir, address, fmt.Sprintf("%d en total: %[1]d movidos, 0 ya estaban", n)},
		{dir, address, fmt.Sprintf("%d en total: 0 movidos, %[1]d ya estaban", n)},
		{address, back, fmt.Sprintf("%d en total: %[1]d movidos", n)},
		{dir, back, fmt.Sprintf("%d en total: 0 movidos, %[1]d ya estaban", n)}, // byte for byte what it was
	} {
		if i == 1 { // a break: some are gone, one is half there
			pgtest.Exec(t, address, "DELETE FROM messages WHERE seq = 2 AND conversation = (SELECT min(id) FROM conversations)")
			code, out := digestoDoes(t, "migrate", "--from", step.from, "--to", step.to)
			if want := fmt.Sprintf("%d en total: 1 movidos, %d ya estaban", n, n-1); code != 0 || !strings.Contains(out, want) {
				t.Errorf("taken up again: %d %s", code, out)
			}
		}
		if code, out := digestoDoes(t, "migrate", "--from", step.from, "--to", step.to); code != 0 || !strings.Contains(out, step.want) {
			t.Fatalf("step %d: %d %s", i, code, out)
		}
	}
	x, err := sqlite.Open(t.Context(), strings.TrimPrefix(back, "sqlite:"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	if bad, err := x.Check(t.Context()); err != nil || len(bad) > 0 {
		t.Errorf("check: %v %v", bad, err)
	}
	if k, u, err := x.Key(t.Context(), "k1"); err != nil || u.ID != "ana" || k.Hash != "h" {
		t.Errorf("keys: %+v %+v %v", k, u, err)
	}
	asked, err := x.Asked(t.Context(), "ana", time.Now().Add(-time.Hour))
	if err != nil || len(asked) != n {
		t.Errorf("%d questions for the limits, %v", len(asked), err)
	}
}

func fill(t *testing.T, s store.Store, n int) {
	t.Helper()
	ctx := t.Context()
	err := s.PutUser(ctx, store.User{ID: "ana", Name: "Ana", Plan: "libre"})
	if err == nil {
		err = s.PutKey(ctx, store.Key{ID: "k1", User: "ana", Hash: "h", Scopes: []string{"ask"}})
	}
	for i := range n {
		var x store.Turn
		if err == nil {
			x, err = s.Begin(ctx, store.Begin{User: "ana", Text: fmt.Sprint("¿pregunta ", i, "?"), Title: "título", Key: fmt.Sprint("clave", i)})
		}
		if err == nil {
			_, err = s.Finish(ctx, store.Finish{Conversation: x.Conversation.ID, Turn: x.Message.Turn, Text: "sí", Meta: store.Metadata{store.TypeKey: []byte(`"answer"`), "z": []byte(`{"a":[1, 2]}`)}, Run: store.Run{Trace: fmt.Sprint(i), Type: "answer"}})
		}
		if err == nil && i%3 == 0 {
			err = s.Rate(ctx, "ana", store.Feedback{Conversation: x.Conversation.ID, Seq: 2, Rating: 1})
		}
		if err == nil && i%5 == 0 {
			err = s.DeleteMessage(ctx, "ana", x.Conversation.ID, 2)
		}
		yes := true
		if err == nil && i%7 == 0 {
			_, err = s.Change(ctx, "ana", x.Conversation.ID, store.Change{Deleted: &yes})
		}
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestMigrateIndexes: from PostgreSQL to Qdrant (a fake) and back to another
// schema; what is found stays the same.
func TestMigrateIndexes(t *testing.T) {
	first, second := pgtest.Schema(t), pgtest.Schema(t)
	fake := httptest.NewServer(qdrantfake.New())
	defer fake.Close()
	chunks := func(yield func(digesto.Chunk, error) bool) {
		for i := range 300 {
			if !yield(digesto.Chunk{ID: fmt.Sprint("n/a", i), Unit: fmt.Sprint("n/a", i), Norm: "n", Body: fmt.Sprint("plazo de la voz", i), Current: i%9 > 0, Meta: map[string]string{"tipo": "a"}}, nil) {
				return
			}
		}
	}
	x, err := pgvector.Open(t.Context(), first, pgvector.Options{Name: "ley"})
	if err == nil {
		defer x.Close()
		err = x.Build(t.Context(), chunks, index.BuildOptions{Model: "m", Vectors: func(c digesto.Chunk) ([]float32, error) { return []float32{1, float32(len(c.ID))}, nil }})
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct{ from, to, want string }{{first, fake.URL, "1 movidos"}, {first, fake.URL, "1 ya estaban"}, {fake.URL, second, "1 movidos"}, {first, second, "1 ya estaban"}} {
		if code, out := digestoDoes(t, "migrate", "--what", "indexes", "--from", step.from, "--to", step.to); code != 0 || !strings.Contains(out, step.want) {
			t.Fatalf("%s → %s: %d %s", step.from, step.to, code, out)
		}
	}
	y, err := qdrant.Open(t.Context(), fake.URL, qdrant.Options{Name: "ley"})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []digesto.Searcher{x, y} {
		res, err := s.Search(context.Background(), digesto.Query{Text: "voz7"})
		if err != nil || len(res.Hits) == 0 || res.Hits[0].ID != "n/a7" {
			t.Errorf("%T: %+v %v", s, res.Hits, err)
		}
	}
}

// TestMigrateRefuses: each wrong address is told with what to do.
func TestMigrateRefuses(t *testing.T) {
	for _, c := range []struct {
		args string
		code int
		say  string
	}{
		{"--from mysql://x --to sqlite:/tmp/x", 2, "postgres://"},
		{"--from /nada --to sqlite:/tmp/x", 4, "--from"},
		{"--what indexes --from /datos --to postgres://x/y", 2, "--index"},
		{"--from postgres://x@127.0.0.1:1/y --to sqlite:/tmp/x", 5, "en marcha"},
	} {
		code, out := digestoDoes(t, append([]string{"migrate"}, strings.Fields(strings.Replace(c.args, "/nada", t.TempDir(), 1))...)...)
		if code != c.code || !strings.Contains(out, c.say) {
			t.Errorf("%s: %d %s", c.args, code, out)
		}
	}
}
