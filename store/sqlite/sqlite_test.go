package sqlite_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"digesto"
	"digesto/store"
	"digesto/store/sqlite"
	"digesto/store/storetest"
)

func open(t *testing.T, path string, clock func() time.Time) *sqlite.Store {
	t.Helper()
	s, err := sqlite.Open(t.Context(), path, sqlite.Options{Clock: clock})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func TestSQLite(t *testing.T) {
	storetest.Run(t, func(t *testing.T, clock func() time.Time) store.Store {
		dir, err := os.MkdirTemp(t.TempDir(), "")
		if err != nil {
			t.Fatal(err)
		}
		return open(t, filepath.Join(dir, "a b.db"), clock)
	})
}

func TestUnusable(t *testing.T) {
	dir := t.TempDir()
	blocked := filepath.Join(dir, "no")
	if err := os.WriteFile(blocked, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	foreign := filepath.Join(dir, "foreign.db")
	if err := os.WriteFile(foreign, []byte(strings.Repeat("no es una base de datos ", 400)), 0o600); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]digesto.Code{filepath.Join(blocked, "x.db"): digesto.CodeUnavailable, foreign: digesto.CodeInvalid} {
		_, err := sqlite.Open(t.Context(), path, sqlite.Options{})
		var e *digesto.Error
		if !errors.As(err, &e) || e.Code != want || e.Hint == "" {
			t.Errorf("%s: %v", path, err)
		}
		if copied := sqlite.Copy(t.Context(), path, filepath.Join(dir, "copia.db")); copied == nil {
			t.Errorf("%s is copied", path)
		}
	}
}

func TestReopen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c.db")
	s := open(t, path, nil)
	x, err := s.Begin(t.Context(), store.Begin{User: "ana", Text: "q", Title: "q"})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	again := open(t, path, nil)
	list, err := again.Messages(t.Context(), "ana", x.Conversation.ID)
	if err != nil || len(list) != 1 || list[0].Content != "q" {
		t.Errorf("%+v %v", list, err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v %v", info.Mode(), err)
	}
}

// TestInUse: who would put another in the place of a database is told that a program has it open.
func TestInUse(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c.db")
	if sqlite.InUse(t.Context(), path) {
		t.Error("a file that is not there is in use")
	}
	s := open(t, path, nil)
	if !sqlite.InUse(t.Context(), path) {
		t.Error("an open one is not in use")
	}
	if _, err := s.Begin(t.Context(), store.Begin{User: "ana", Text: "q", Title: "q"}); err != nil {
		t.Error("looking keeps others from writing:", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if sqlite.InUse(t.Context(), path) {
		t.Error("a closed one is in use")
	}
}
