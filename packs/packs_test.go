package packs_test

import (
	"testing"

	"digesto/pack"
	"digesto/packs"
)

func TestAllSound(t *testing.T) {
	all, err := packs.Load(packs.Options{})
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

// TestPlaceNames: every place that is offered is the one that its name is taken for.
func TestPlaceNames(t *testing.T) {
	all, err := packs.Load(packs.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range all {
		for _, name := range p.PlaceNames() {
			if got, ok := p.Territory(name); !ok || p.Place(got.Code) != name {
				t.Errorf("%s: %q is taken for %+v", p.Name, name, got)
			}
		}
	}
}
