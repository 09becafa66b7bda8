package query

import (
	"testing"

	"digesto"
)

// TestDamageCountsOnlyDamage: a unit that is not there is no damage.
func TestDamageCountsOnlyDamage(t *testing.T) {
	d := &Damage{}
	d.Note(digesto.Norm{ID: "X"}, &digesto.Error{Code: digesto.CodeNotFound})
	d.Note(digesto.Norm{ID: "X"}, nil)
	if d.Told() != "" {
		t.Error(d.Told())
	}
}
