package ask

import (
	"testing"

	"digesto/query"
	"digesto/retrieve"
)

// TestPlaceThatIsNotThere: a place that the installed law does not have is none of the
// list, also where another norm has a unit of that number.
func TestPlaceThatIsNotThere(t *testing.T) {
	e := newWorld(t, true).engine(t, nil)
	h := retrieve.Hits{}
	h.Law = query.View{}
	if at, ok := h.Join("LEY-9", "a1", 1, true); at >= 0 || ok {
		t.Errorf("without law: %d", at)
	}
	law, release, err := e.law()
	if err != nil {
		t.Fatal(err)
	}
	if release != nil {
		defer release()
	}
	h.Law, h.Pack = law, e.opt.Packs[0]
	h.List = []retrieve.Hit{{Law: true}}
	if at, ok := h.Join("LEY-9", "a1", 1, true); at >= 0 || ok {
		t.Errorf("a norm that is not installed: %d", at)
	}
	if at, ok := h.Join("LEY-1", "a99", 1, true); at >= 0 || ok {
		t.Errorf("an article that it does not have: %d", at)
	}
}
