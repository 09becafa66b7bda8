package app

import (
	"bytes"
	"testing"

	"digesto/packs"
)

// TestFiches: the index that the program carries is that of what its packs hold now.
func TestFiches(t *testing.T) {
	made, err := PackFiches(t.Context())
	if err != nil || !bytes.Equal(made, packs.Fiches) {
		t.Errorf("fiches.idx is of other fiches; make it anew with go generate ./packs: %v", err)
	}
}
