package packs_test

import (
	"bytes"
	"io/fs"
	"os"
	"testing"

	"digesto/digest"
	"digesto/packs"
	"digesto/search"
)

// TestArchived: the program carries what is made of the digests in the folders of the packs.
func TestArchived(t *testing.T) {
	dir := os.DirFS(".")
	names, err := digest.Packs(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range names {
		var want bytes.Buffer
		if err := digest.WriteArchive(&want, dir, n); err != nil {
			t.Fatal(err)
		}
		if got, err := fs.ReadFile(packs.FS(), n+"/"+digest.Archive); err != nil || !bytes.Equal(got, want.Bytes()) {
			t.Errorf("%s: %v: not what its folder gives: go run ./cmd/digesto pack digest --make packs", n, err)
		}
	}
}

// TestKept: the keys are those of the vectors, so that only new asks get new ones.
func TestKept(t *testing.T) {
	vectors, err := search.ReadPacked(packs.DigestVectors)
	if err != nil {
		t.Fatal(err)
	}
	keys, err := os.ReadFile("digest.keys")
	if err != nil || vectors.Codes(packs.DigestVectors, keys) == nil {
		t.Errorf("%v: digest.keys is not of digest.vec: go run ./cmd/digesto pack digest --make packs", err)
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
