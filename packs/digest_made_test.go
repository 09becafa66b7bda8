package packs_test

import (
	"os"
	"reflect"
	"testing"

	"digesto/digest"
	"digesto/packs"
	"digesto/search"
)

// TestArchived: the program carries the digests that stand in the folders of the packs.
func TestArchived(t *testing.T) {
	want, _, err := digest.Load(os.DirFS("."))
	if err != nil {
		t.Fatal(err)
	}
	got, _, err := digest.Load(packs.FS())
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%d files embedded, %d in the folders, not the same: go run ./cmd/digesto pack digest --make packs", len(got), len(want))
	}
}

// TestPrepared: what is prepared of the asks of every pack is of the asks that stand there now, so
// that none is read anew at a start.
func TestPrepared(t *testing.T) {
	vectors, err := search.ReadPacked(packs.DigestVectors)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range load(t) {
		files, err := digest.Lazy(packs.FS(), p.Name)
		if err != nil {
			t.Fatal(err)
		}
		if asks := search.NewAsks(files, vectors, search.Scoring{}); asks.Prepared() != asks.Len() {
			t.Errorf("%s: %d of %d asks prepared: go run ./cmd/digesto pack digest --make packs", p.Name, asks.Prepared(), asks.Len())
		}
	}
}
