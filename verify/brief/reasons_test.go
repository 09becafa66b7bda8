package brief

import (
	"slices"
	"strings"
	"testing"
)

// TestRows: each reason has a row of its own, with a verdict that there is and words for people.
func TestRows(t *testing.T) {
	if len(Rows) != int(contradicted)+1 {
		t.Fatalf("%d rows for %d reasons", len(Rows), contradicted+1)
	}
	seen := map[string]bool{}
	for _, r := range Rows {
		if seen[r.Code] || !slices.Contains([]Verdict{Verified, Superseded, Misattributed, NotFound, Unresolved}, r.Verdict) || r.Text == "" || strings.Contains(strings.ReplaceAll(r.Text, "%s", ""), "%") {
			t.Errorf("%+v", r)
		}
		seen[r.Code] = true
	}
	f := Finding{}
	if f.say(noUnit, "Ley de Faros", "artículo 90"); f.Verdict != NotFound || f.Reason != "«Ley de Faros» no tiene artículo 90." {
		t.Errorf("%+v", f)
	}
}
