package store

import (
	"testing"
	"time"
)

// TestOrderedID: ids of one minute share their beginning, later ones sort after them,
// and none repeats.
func TestOrderedID(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	a, b, later := OrderedID(now), OrderedID(now.Add(50*time.Second)), OrderedID(now.Add(time.Minute))
	if a == b || a[:6] != b[:6] || a[:6] >= later[:6] || len(a) != 32 || len(later) != 32 {
		t.Errorf("%s, %s, %s", a, b, later)
	}
	if old := OrderedID(time.Unix(-60, 0)); old[:6] != "000000" {
		t.Errorf("before 1970: %s", old)
	}
}
