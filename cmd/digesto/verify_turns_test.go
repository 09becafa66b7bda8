package main

import (
	"context"
	"runtime/debug"
	"testing"

	"digesto"
)

// TestVerifyTurns: there is room for so many texts, each waits its turn, and who leaves waits
// no more.
func TestVerifyTurns(t *testing.T) {
	c := newChecks()
	var leave func()
	for range cap(c.room) {
		var err error
		if leave, err = c.enter(); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := c.enter(); digesto.CodeOf(err) != digesto.CodeUnavailable {
		t.Errorf("one text too many: %v", err)
	}
	leave()
	if _, err := c.enter(); err != nil {
		t.Error(err)
	}
	for range cap(c.turns) {
		if _, err := c.turn(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.turn(ctx); digesto.CodeOf(err) != digesto.CodeCancelled {
		t.Errorf("who left waits: %v", err)
	}
}

// TestSparingCollector: while any large text is checked the heap grows little between two
// collections, and as before when none is.
func TestSparingCollector(t *testing.T) {
	growth := func() int {
		n := debug.SetGCPercent(100)
		debug.SetGCPercent(n)
		return n
	}
	before, c := growth(), newChecks()
	one, two := c.spare(), c.spare()
	for _, end := range []func(){one, two} {
		if n := growth(); n != sparingGrowth {
			t.Errorf("the heap grows by %d %%", n)
		}
		end()
	}
	if n := growth(); n != before {
		t.Errorf("the heap grows by %d %%, before by %d", n, before)
	}
}

// TestVerifyCounts: each way in by which a text is checked counts in the plan.
func TestVerifyCounts(t *testing.T) {
	e, _, _ := testEnv(nil)
	a := &app{env: e}
	for _, r := range verifyRoutes(a, &world{checks: newChecks()}) {
		if post := r.Pattern[:4] == "POST"; post != r.Counts {
			t.Errorf("%s: counts %v", r.Pattern, r.Counts)
		}
	}
}
