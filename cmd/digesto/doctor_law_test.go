package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"digesto/app"
	"digesto/store"
)

// TestDoctorLaw: a text whose bytes have changed is told, with what to do.
func TestDoctorLaw(t *testing.T) {
	data := filepath.Join(t.TempDir(), "datos")
	addLaw(t, data, "veintidós")
	e, out, _ := testEnv(map[string]string{"DIGESTO_DATA": data})
	if code := run(context.Background(), []string{"doctor"}, e); code != 0 || !strings.Contains(out.String(), "enteras, con su índice") {
		t.Fatalf("exit %d: %s", code, out)
	}
	files, err := filepath.Glob(filepath.Join(data, "corpus", "norms", "*"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		text[len(text)/2] ^= 1
		if err := os.WriteFile(f, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	e, out, _ = testEnv(map[string]string{"DIGESTO_DATA": data})
	if code := run(context.Background(), []string{"doctor"}, e); code != 7 || !strings.Contains(out.String(), "FALLO  ley instalada") {
		t.Errorf("exit %d: %s", code, out)
	}
}

// TestDoctorVectors: vectors that are not as they were written are told; nothing fails for them.
func TestDoctorVectors(t *testing.T) {
	data := filepath.Join(t.TempDir(), "datos")
	addLaw(t, data, "veintidós")
	doctor := func() string {
		e, out, _ := testEnv(map[string]string{"DIGESTO_DATA": data})
		if code := run(context.Background(), []string{"doctor"}, e); code != 0 {
			t.Errorf("exit %d", code)
		}
		return out.String()
	}
	e, _, errs := testEnv(map[string]string{"DIGESTO_DATA": data})
	if code := run(context.Background(), []string{"corpus", "vectors"}, e); code != 0 {
		t.Skipf("a program without its model makes no vectors: %s", errs)
	}
	if out := doctor(); !strings.Contains(out, "bien   vectores de los artículos") {
		t.Error(out)
	}
	files, err := filepath.Glob(filepath.Join(data, "vectors", "*.vec"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	if err := os.Truncate(files[0], 30); err != nil {
		t.Fatal(err)
	}
	if out := doctor(); !strings.Contains(out, "ojo    vectores de los artículos") || !strings.Contains(out, "corpus vectors --new") {
		t.Error(out)
	}
}

// TestErasingDropsWordsOfModels: what models wrote repeats what was asked, and goes with it.
func TestErasingDropsWordsOfModels(t *testing.T) {
	dir := t.TempDir()
	words := filepath.Join(dir, "models", "cache")
	s := app.ErasingStore{Store: store.Memory(nil), Traces: app.TracesIn(dir), Words: words}
	for name, erase := range map[string]func(id string) error{
		"a conversation": func(id string) error { return s.Erase(t.Context(), "ana", id) },
		"a person":       func(string) error { return s.DropUser(t.Context(), "ana") },
	} {
		if err := os.MkdirAll(words, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(words, "x.json"), []byte("lo que dijo ana"), 0o600); err != nil {
			t.Fatal(err)
		}
		x, err := s.Begin(t.Context(), store.Begin{User: "ana", Text: "q", Title: "q"})
		if err == nil {
			err = s.PutUser(t.Context(), store.User{ID: "ana"})
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := erase(x.Conversation.ID); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := os.Stat(words); !os.IsNotExist(err) {
			t.Errorf("%s: what models wrote is still there", name)
		}
	}
}
