package packs_test

import (
	"testing"

	"digesto/pack"
	"digesto/packs"
)

func TestAllSound(t *testing.T) {
	all, err := packs.All()
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != 5 {
		t.Fatalf("%d packs", len(all))
	}
	for _, p := range all {
		for _, b := range pack.Check(p) {
			t.Errorf("%s: %s", p.Name, b)
		}
	}
}
