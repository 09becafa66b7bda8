package ingest

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"digesto/corpus"
)

// Whoever adds a bad file twice is told twice, and it never counts as installed.
func TestRefusedFilesAreSaidAgain(t *testing.T) {
	dir := t.TempDir()
	files := map[string]string{"bien.md": "# Ley de Pesca\n\n## Artículo 1. Objeto.\n\nEsta ley regula la pesca.\n", "mal.md": "\x00\x01\x02\x00binario", "nada.md": ""}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	lib, err := corpus.Open(t.TempDir(), corpus.Options{})
	if err != nil {
		t.Fatal(err)
	}
	first, err := Add(context.Background(), lib, []string{dir}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	again, err := Add(context.Background(), lib, []string{dir}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(first.Skipped) != 2 || len(again.Skipped) != 2 {
		t.Errorf("refused %d, then %d; want 2 both times", len(first.Skipped), len(again.Skipped))
	}
	if again.Changed != 0 || again.Unchanged != 1 || again.Snapshot != first.Snapshot {
		t.Errorf("second time: %d changed, %d unchanged, same snapshot %v", again.Changed, again.Unchanged, again.Snapshot == first.Snapshot)
	}
}
