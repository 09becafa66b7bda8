package store_test

import (
	"math"
	"testing"
	"time"

	"digesto/store"
)

func TestAnalyse(t *testing.T) {
	day := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	run := func(kind, topic, version string, at time.Time) store.Run {
		return store.Run{Type: kind, Topic: topic, Prompt: "initial", Variant: version, At: at}
	}
	a := store.Analyse([]store.Run{run("answer", "a", "1", day), run("clarification", "b", "1", day), run("refusal", "c", "2", day.AddDate(0, 0, 1)), run("refusal", "c", "2", day.AddDate(0, 0, 1)), run("refusal", "d", "2", day)})
	if a.Questions != 5 || a.Types["refusal"] != 3 || a.Clarification != .2 || len(a.Days) != 2 || a.Days[1].Types["refusal"] != 2 {
		t.Errorf("%+v", a)
	}
	if len(a.Unanswered) != 2 || a.Unanswered[0] != (store.Topic{Topic: "c", Count: 2}) {
		t.Errorf("%+v", a.Unanswered)
	}
	if len(a.Variants) != 2 || a.Variants[0].Clarification.Value != .5 || a.Variants[1].Success.Value != 0 {
		t.Errorf("%+v", a.Variants)
	}
}

func TestWilson(t *testing.T) {
	for _, c := range []struct {
		k, n      int
		low, high float64
	}{{0, 10, 0, .2775}, {5, 10, .2366, .7634}, {10, 10, .7225, 1}, {0, 0, 0, 1}} {
		s := store.Wilson(c.k, c.n)
		if math.Abs(s.Low-c.low) > 1e-3 || math.Abs(s.High-c.high) > 1e-3 {
			t.Errorf("%d of %d: %+v", c.k, c.n, s)
		}
	}
}
