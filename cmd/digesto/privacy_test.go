package main

import (
	"context"
	"strings"
	"testing"
	"time"

	"digesto"
	"digesto/store"
)

// TestSweep erases what is older than its plan lets it be, and nothing else.
func TestSweep(t *testing.T) {
	now := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	e, _, _ := testEnv(map[string]string{"DIGESTO_RETENTION": "90, libre=10", "DIGESTO_PLAN": "visita"})
	a := &app{env: e, ctx: context.Background(), now: func() time.Time { return now }}
	var err error
	if a.conf, err = a.loadSettings("", ""); err != nil {
		t.Fatal(err)
	}
	keep, err := a.retention()
	if err != nil || keep.of("libre") != 240*time.Hour || keep.of("otro") != 90*24*time.Hour {
		t.Fatalf("%v %v", keep, err)
	}
	s := store.Memory(a.now)
	for _, u := range []string{"ana", "berta"} {
		if err := s.PutUser(a.ctx, store.User{ID: u, Plan: map[string]string{"ana": "libre", "berta": "profesional"}[u]}); err != nil {
			t.Fatal(err)
		}
	}
	ask := func(user, conv string) string {
		t.Helper()
		x, err := s.Begin(a.ctx, store.Begin{User: user, Conversation: conv, Text: "q", Title: "q"})
		if err == nil {
			_, err = s.Finish(a.ctx, store.Finish{Conversation: x.Conversation.ID, Turn: x.Message.Turn, Text: "a", Run: store.Run{Type: "answer"}})
		}
		if err != nil {
			t.Fatal(err)
		}
		return x.Conversation.ID
	}
	old, berta, visitor, live := ask("ana", ""), ask("berta", ""), ask("v-1", ""), ask("ana", "")
	now = now.AddDate(0, 0, 9)
	ask("ana", live) // goes on
	now = now.AddDate(0, 0, 2)
	if n, err := a.sweep(a.ctx, s, keep); err != nil || n != 1 {
		t.Errorf("%d erased, %v", n, err)
	}
	there := func(user, id string, want bool) {
		t.Helper()
		if _, err := s.Get(a.ctx, user, id); (err == nil) != want {
			t.Errorf("%s: %v", id, err)
		}
	}
	there("ana", old, false)
	there("ana", live, true)
	there("berta", berta, true)
	there("v-1", visitor, true)
	now = now.AddDate(0, 0, 90)
	if n, err := a.sweep(a.ctx, s, keep); err != nil || n != 3 {
		t.Errorf("%d erased, %v", n, err)
	}
	if n, err := a.sweep(a.ctx, s, retention{}); err != nil || n != 0 {
		t.Errorf("%d erased without a term, %v", n, err)
	}
	for _, bad := range []string{"0", "libre=-1", "x"} {
		e.lookup = func(k string) (string, bool) { return bad, k == "DIGESTO_RETENTION" }
		b := &app{env: e, ctx: a.ctx, now: a.now}
		if b.conf, err = b.loadSettings("", ""); err != nil {
			t.Fatal(err)
		}
		if _, err := b.retention(); digesto.CodeOf(err) != digesto.CodeInvalid {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// TestStaysHere: with local_only no database of another machine is opened.
func TestStaysHere(t *testing.T) {
	for at, want := range map[string]bool{
		"": true, "sqlite:/srv/c.db": true, "postgres://u:p@127.0.0.1:5432/d": true, "postgresql://localhost/d": true, "https://[::1]:6333": true,
		"postgres://u:p@bd.example/d": false, "https://:k@qdrant.example": false, "postgres:///d?host=bd.example": false, "https://127.0.0.1.bd.example": false, "postgres://%zz": false,
	} {
		for _, key := range []string{"DIGESTO_STORE", "DIGESTO_INDEX"} {
			e, _, _ := testEnv(map[string]string{"DIGESTO_LOCAL_ONLY": "yes", key: at})
			a := &app{env: e, ctx: context.Background(), now: time.Now}
			var err error
			if a.conf, err = a.loadSettings("", ""); err != nil {
				t.Fatal(err)
			}
			if err := a.staysHere(); (err == nil) != want {
				t.Errorf("%s %q: %v", key, at, err)
			} else if err != nil && strings.Contains(err.Error(), "u:p") {
				t.Error("the address is shown")
			}
		}
	}
}
