package write

import (
	"fmt"
	"strings"
	"testing"

	"digesto"
	"digesto/retrieve"
	"digesto/verify"
)

// TestKeep: what decides leads, all that the model quoted stays with its marks, and the rest
// of what extraction quoted as far as there is room.
func TestKeep(t *testing.T) {
	cite := func(unit string, start, end int, label string) digesto.Citation {
		return digesto.Citation{Quote: fmt.Sprintf("%s:%d-%d", unit, start, end), Ref: &digesto.Ref{Document: "LEY-1", Unit: unit, Version: "v", Start: start, End: end, Label: label}}
	}
	list := func(unit string, n int) (out []digesto.Citation) {
		for k := range n {
			out = append(out, cite(unit, 100*k, 100*k+90, LabelOf(k)))
		}
		return out
	}
	for name, c := range map[string]struct {
		own, quoted []digesto.Citation
		answer      string
		want        string
	}{
		"part of what decides": {[]digesto.Citation{cite("a2", 10, 50, "C1")}, list("a2", 2), "Dice esto [C1].", "a2:0-90 a2:100-190 | Dice esto [C1]."},
		"all of the model's":   {list("a3", 4), list("a2", 4), "Uno [C1]. Cuatro [C4].", "a2:0-90 a3:0-90 a3:100-190 a3:200-290 a3:300-390 | Uno [C2]. Cuatro [C5]."},
		"no room":              {append(list("a3", 4), cite("a2", 300, 390, "C5")), list("a2", 1), "Uno [C1]. Cinco [C5].", "a2:300-390 a3:0-90 a3:100-190 a3:200-290 a3:300-390 | Uno [C2]. Cinco [C1]."},
	} {
		x := retrieve.Hit{Ground: verify.Ground{Norm: digesto.Norm{ID: "LEY-1"}, Unit: digesto.Unit{ID: "a2"}}}
		d := Draft{Answer: c.answer, Citations: c.own, Confidence: .9}
		d.Govern = []retrieve.Hit{x}
		d.Keep(Draft{Citations: c.quoted, Confidence: .8})
		var got []string
		for k, q := range d.Citations {
			if got = append(got, q.Quote); q.Ref.Label != LabelOf(k) {
				t.Errorf("%s: %s is %s", name, q.Quote, q.Ref.Label)
			}
		}
		said, clause, _ := strings.Cut(d.Answer, "\n\n")
		if s := strings.Join(got, " ") + " | " + said; s != c.want || d.Confidence != .8 || clause != "«"+got[0]+"» [C1]" {
			t.Errorf("%s: %s\nwant %s; %q", name, s, c.want, clause)
		}
	}
}
