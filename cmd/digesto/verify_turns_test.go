package main

import (
	"context"
	"runtime/debug"
	"testing"

	"digesto"
	"digesto/app"
	webverify "digesto/web/verify"
)

// TestVerifyTurns: there is room for so many texts, each waits its turn, and who leaves waits
// no more.
func TestVerifyTurns(t *testing.T) {
	c := app.NewChecks()
	var leave func()
	for range cap(c.Room) {
		var err error
		if leave, err = c.Enter(); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := c.Enter(); digesto.CodeOf(err) != digesto.CodeUnavailable {
		t.Errorf("one text too many: %v", err)
	}
	leave()
	if _, err := c.Enter(); err != nil {
		t.Error(err)
	}
	for range cap(c.Turns) {
		if _, err := c.Turn(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.Turn(ctx); digesto.CodeOf(err) != digesto.CodeCancelled {
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
	before, c := growth(), app.NewChecks()
	one, two := c.Spare(), c.Spare()
	for _, end := range []func(){one, two} {
		if n := growth(); n != app.SparingGrowth {
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
	a := newApp(context.Background(), e)
	for _, r := range webverify.Routes(a.App, &app.Workspace{Checks: app.NewChecks()}) {
		if post := r.Pattern[:4] == "POST"; post != r.Counts {
			t.Errorf("%s: counts %v", r.Pattern, r.Counts)
		}
	}
}
