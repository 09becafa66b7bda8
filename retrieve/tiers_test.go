package retrieve

import (
	"testing"

	"digesto/pack"
)

// Units of one tier never stand before those of an earlier one, and no tier
// gives more than its count.
func TestTiersKeepTheirOrderAndCount(t *testing.T) {
	mk := func(id, collection string, order float64, law, exact bool) Hit {
		h := Hit{Order: order, Law: law, Exact: exact}
		h.Norm.ID, h.Norm.Collection = id, collection
		return h
	}
	h := Hits{}
	h.Tiers = []pack.Tier{{Collection: "tabla", K: 2}, {Collection: "normativa", K: 1}}
	got := ""
	for _, x := range h.InTiers([]Hit{mk("n1", "normativa", 9, true, false), mk("t1", "tabla", 3, true, false), mk("x", "otra", 2, true, false),
		mk("t2", "tabla", 2, true, false), mk("t3", "tabla", 1, true, false), mk("e", "normativa", 0, true, true), mk("f", "tabla", 8, false, false)}) {
		got += x.Norm.ID + " "
	}
	if got != "e t1 t2 n1 f " {
		t.Error(got)
	}
}
