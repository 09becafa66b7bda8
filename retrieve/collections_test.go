package retrieve

import (
	"strings"
	"testing"

	"digesto"
)

func TestFuseRanks(t *testing.T) {
	hits := func(units ...string) []digesto.Hit {
		var out []digesto.Hit
		for k, u := range units {
			out = append(out, digesto.Hit{Unit: u, Score: float64(100 - k)})
		}
		return out
	}
	got := FuseRanks([][]digesto.Hit{hits("a", "b", "c"), hits("c", "d")}, 3)
	var names []string
	for _, h := range got {
		names = append(names, h.Unit)
	}
	// c: 1/63 + 1/61; a: 1/61; b and d: 1/62 each, ties by unit
	if strings.Join(names, "") != "cab" {
		t.Errorf("%v", names)
	}
	if d := got[0].Score - (1./63 + 1./61); d > 1e-12 || d < -1e-12 {
		t.Errorf("score %v", got[0].Score)
	}
	if len(FuseRanks(nil, 3)) != 0 {
		t.Error("nothing fused gives something")
	}
}
