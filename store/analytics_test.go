package store_test

import (
	"math"
	"strconv"
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

// TestTrials compares two versions of a prompt over conversations that go on,
// end with the clarification, or are asked back by one and answered by another.
func TestTrials(t *testing.T) {
	at := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	var runs []store.Run
	say := func(conv int, prompt, version, kind string) {
		at = at.Add(time.Second)
		runs = append(runs, store.Run{Conversation: strconv.Itoa(conv), Prompt: prompt, Variant: version, Type: kind, At: at})
	}
	for c := range 200 {
		v := strconv.Itoa(1 + c%2)
		asks := c%2 == 0 && c%4 == 0 || c%2 == 1 && c%20 == 1 // 1 asks back half of the time, 2 one in ten
		if !asks {
			say(c, "initial", v, "answer")
			continue
		}
		say(c, "initial", v, "clarification")
		switch c % 3 {
		case 0: // nothing more was said
		case 1:
			say(c, "followup", "1", "answer")
		default:
			say(c, "followup", "1", "refusal")
			say(c, "initial", v, "answer") // is no answer to the clarification
		}
	}
	a := store.Analyse(runs)
	if len(a.Variants) != 3 || len(a.Trials) != 1 {
		t.Fatalf("%+v %+v", a.Variants, a.Trials)
	}
	one, two := a.Variants[1], a.Variants[2]
	if one.Clarifications != 50 || two.Clarifications != 10 || one.FollowUp.Value != 17.0/50 || two.FollowUp.Value != 4.0/10 {
		t.Errorf("%+v\n%+v", one, two)
	}
	c := a.Trials[0]
	if c.A != "1" || c.B != "2" || !c.Clarification.Sure || c.Clarification.High >= 0 || c.FollowUp.Sure || c.FollowUp.Low > c.FollowUp.Value || c.FollowUp.High < c.FollowUp.Value {
		t.Errorf("%+v", c)
	}
}

// TestDiffer compares with the examples of Newcombe's paper, table II, method 10.
func TestDiffer(t *testing.T) {
	for _, c := range []struct {
		k, n, j, m int
		low, high  float64
	}{{56, 70, 48, 80, .0524, .3339}, {9, 10, 3, 10, .1705, .8090}, {10, 10, 0, 10, .6075, 1}, {0, 10, 0, 10, -.2775, .2775}, {0, 0, 1, 2, -1, 1}} {
		d := store.Differ(c.k, c.n, c.j, c.m)
		if c.n > 0 && (math.Abs(d.Low-c.low) > 1e-3 || math.Abs(d.High-c.high) > 1e-3) || d.Sure != (c.n > 0 && c.low > 0) {
			t.Errorf("%d/%d less %d/%d: %+v", c.k, c.n, c.j, c.m, d)
		}
	}
}
