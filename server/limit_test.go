package server

import (
	"testing"
	"time"

	"digesto/store"
)

func TestLimiter(t *testing.T) {
	now := time.Date(2030, 1, 1, 12, 0, 0, 0, time.UTC)
	s := store.Memory(func() time.Time { return now.Add(-30 * time.Minute) })
	if _, err := s.Begin(t.Context(), store.Begin{User: "ana", Text: "antes"}); err != nil {
		t.Fatal(err)
	}
	var l limiter
	plan := Plan{Minute: 2, Hour: 4}
	ask := func(user string, at time.Duration, want time.Duration) {
		t.Helper()
		if got, err := l.allow(t.Context(), s, user, plan, now.Add(at)); err != nil || got != want {
			t.Errorf("%s at %s: wait %s, want %s (%v)", user, at, got, want, err)
		}
	}
	ask("ana", 0, 0)
	ask("ana", time.Second, 0)
	ask("ana", 2*time.Second, 58*time.Second) // two in this minute
	ask("berta", 2*time.Second, 0)            // another user
	ask("ana", 61*time.Second, 0)             // the fourth in this hour, with the one of the store
	ask("ana", 3*time.Minute, 27*time.Minute)
	ask("ana", 31*time.Minute, 0)
	if w, _ := l.allow(t.Context(), s, "ana", Plan{}, now); w != 0 {
		t.Error("a plan without limits limits")
	}
}

func TestParsePlan(t *testing.T) {
	if p, err := ParsePlan("1/20/300"); err != nil || p != (Plan{1, 20, 300}) {
		t.Errorf("%v %v", p, err)
	}
	for _, bad := range []string{"", "1", "1/2", "1/2/x", "-1/2/3", "1/2/3/4"} {
		if _, err := ParsePlan(bad); err == nil {
			t.Errorf("%q passes", bad)
		}
	}
}
