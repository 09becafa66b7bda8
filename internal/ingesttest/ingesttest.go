// Package ingesttest reads files into norms for the tests of the packages of ingest.
package ingesttest

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"digesto"
	"digesto/corpus"
	"digesto/corpus/ingest"
	"digesto/internal/shareddata"
)

// ReadOne reads one shared file into its only document.
func ReadOne(t testing.TB, path string) corpus.Document {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	docs, skipped, err := ingest.ReadFile(context.Background(), path, data, ingest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(docs) != 1 {
		t.Fatalf("%s gave %d documents; skipped: %+v", path, len(docs), skipped)
	}
	return docs[0]
}

// ReadBytes reads a file given as text.
func ReadBytes(name, in string) ([]corpus.Document, []corpus.Defect, error) {
	return ingest.ReadFile(context.Background(), name, []byte(in), ingest.Options{})
}

// UnitNamed finds a unit by its id.
func UnitNamed(t *testing.T, units []digesto.Unit, id string) digesto.Unit {
	t.Helper()
	for _, u := range units {
		if u.ID == id {
			return u
		}
	}
	var ids []string
	for _, u := range units {
		ids = append(ids, u.ID)
	}
	t.Fatalf("no unit %s among %v", id, ids)
	return digesto.Unit{}
}

// Engines is where tests keep the compiled PDF engine.
var Engines = filepath.Join(os.TempDir(), "digesto-test-pdfium")

// Real laws, read where they stand beside the repository.

// read keeps what tests have read already: the large laws take seconds.
var read sync.Map

// Once gives the value kept under key, or makes it.
func Once[V any](key string, make func() V) V {
	if v, ok := read.Load(key); ok {
		return v.(V)
	}
	v := make()
	read.Store(key, v)
	return v
}

// ReadShared reads a file below the shared data into a document.
func ReadShared(t *testing.T, path string) corpus.Document {
	t.Helper()
	return Once("doc "+path, func() corpus.Document { return readNow(t, path) })
}

func readNow(t *testing.T, path string) corpus.Document {
	t.Helper()
	file := shareddata.Dir(t, path)
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	docs, defects, err := ingest.ReadFile(context.Background(), file, data, ingest.Options{CacheDir: Engines})
	if err != nil || len(docs) != 1 {
		t.Fatalf("%s: %d documents, %v, %v", path, len(docs), defects, err)
	}
	return docs[0]
}
