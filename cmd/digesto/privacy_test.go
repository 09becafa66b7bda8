package main

import (
	"context"
	"strings"
	"testing"
	"time"

	"digesto"
	"digesto/app"
	"digesto/store"
)

// TestSweep erases what is older than its plan lets it be, and nothing else.
func TestSweep(t *testing.T) {
	now := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	e, _, _ := testEnv(map[string]string{"DIGESTO_RETENTION": "90, libre=10", "DIGESTO_PLAN": "visita"})
	e.clock = func() time.Time { return now }
	a := newApp(context.Background(), e)
	var err error
	if a.Settings, err = a.LoadSettings("", ""); err != nil {
		t.Fatal(err)
	}
	keep, err := a.Retention()
	if err != nil || keep.Of("libre") != 240*time.Hour || keep.Of("otro") != 90*24*time.Hour {
		t.Fatalf("%v %v", keep, err)
	}
	s := store.Memory(a.Now)
	for _, u := range []string{"ana", "berta"} {
		if err := s.PutUser(a.Context, store.User{ID: u, Plan: map[string]string{"ana": "libre", "berta": "profesional"}[u]}); err != nil {
			t.Fatal(err)
		}
	}
	ask := func(user, conv string) string {
		t.Helper()
		x, err := s.Begin(a.Context, store.Begin{User: user, Conversation: conv, Text: "q", Title: "q"})
		if err == nil {
			_, err = s.Finish(a.Context, store.Finish{Conversation: x.Conversation.ID, Turn: x.Message.Turn, Text: "a", Run: store.Run{Type: "answer"}})
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
	if n, err := a.Sweep(a.Context, s, keep); err != nil || n != 1 {
		t.Errorf("%d erased, %v", n, err)
	}
	there := func(user, id string, want bool) {
		t.Helper()
		if _, err := s.Get(a.Context, user, id); (err == nil) != want {
			t.Errorf("%s: %v", id, err)
		}
	}
	there("ana", old, false)
	there("ana", live, true)
	there("berta", berta, true)
	there("v-1", visitor, true)
	now = now.AddDate(0, 0, 90)
	if n, err := a.Sweep(a.Context, s, keep); err != nil || n != 3 {
		t.Errorf("%d erased, %v", n, err)
	}
	if n, err := a.Sweep(a.Context, s, app.Retention{}); err != nil || n != 0 {
		t.Errorf("%d erased without a term, %v", n, err)
	}
	for _, bad := range []string{"0", "libre=-1", "x"} {
		e.lookup = func(k string) (string, bool) { return bad, k == "DIGESTO_RETENTION" }
		b := newApp(a.Context, e)
		if b.Settings, err = b.LoadSettings("", ""); err != nil {
			t.Fatal(err)
		}
		if _, err := b.Retention(); digesto.CodeOf(err) != digesto.CodeInvalid {
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
			a := newApp(context.Background(), e)
			var err error
			if a.Settings, err = a.LoadSettings("", ""); err != nil {
				t.Fatal(err)
			}
			if err := a.StaysHere(); (err == nil) != want {
				t.Errorf("%s %q: %v", key, at, err)
			} else if err != nil && strings.Contains(err.Error(), "u:p") {
				t.Error("the address is shown")
			}
		}
	}
}
