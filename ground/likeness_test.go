package ground

import "testing"

// TestTheGateCountsLikeness: the likeness of a place answers by its lead or by its
// margin, and alone never for what is not installed.
func TestTheGateCountsLikeness(t *testing.T) {
	th := ThresholdsOf(nil)
	base := Evidence{Law: true, Principal: true, Terms: 12, Coverage: .05, Unit: .1, Lexical: .05}
	for _, c := range []struct {
		like, margin float64
		absent       bool
		want         Reason
	}{{.9, 0, false, ""}, {.7, .9, false, ""}, {.7, .1, false, ReasonThin}, {0, 1, false, ReasonThin}, {.9, 1, true, ReasonAbsent}} {
		e := base
		e.Like, e.Margin, e.Absent = c.like, c.margin, c.absent
		if v := Gate(e, th); v.Reason != c.want {
			t.Errorf("like %v, margin %v: %q", c.like, c.margin, v.Reason)
		}
	}
}
