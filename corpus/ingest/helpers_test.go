package ingest

import (
	"context"
	"testing"

	"digesto"
	"digesto/corpus"
)

// readBytes reads a file given as text.
func readBytes(name, in string) ([]corpus.Document, []corpus.Defect, error) {
	return ReadFile(context.Background(), name, []byte(in), Options{})
}

// unitNamed finds a unit by its id.
func unitNamed(t *testing.T, units []digesto.Unit, id string) digesto.Unit {
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
