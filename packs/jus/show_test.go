package jus_test

import (
	"strings"
	"testing"
	"time"

	"digesto"
	"digesto/packs/jus"
)

// TestStretches: the runs follow each other, and over each the value looked up
// day by day is the same, with a warning exactly where it is not known.
func TestStretches(t *testing.T) {
	c := calc(t)
	runs := c.Stretches(today)
	if len(runs) <= len(c.Values()) || runs[len(runs)-1].To != today || runs[len(runs)-1].Known {
		t.Fatalf("%d runs, the last %+v", len(runs), runs[len(runs)-1])
	}
	supposed := 0
	for i, r := range runs {
		if i > 0 && runs[i-1].To != r.From || r.From >= r.To {
			t.Errorf("run %d, %s to %s, does not follow", i, r.From, r.To)
		}
		if !r.Known {
			supposed++
		}
		from, _ := time.Parse(time.DateOnly, string(r.From))
		middle := digesto.Date(from.AddDate(0, 0, 1).Format(time.DateOnly))
		got := c.Value(jus.Day(middle), today)
		unsure := strings.Contains(strings.Join(got.Warnings, " "), "conocido")
		if deref(got.Result) != r.Amount.Pad(2).String() || unsure == r.Known {
			t.Errorf("%s: %s, known %v, but looked up %s with %q", middle, r.Amount, r.Known, deref(got.Result), got.Warnings)
		}
	}
	if supposed != 2 {
		t.Errorf("%d runs are supposed: the gap of 2008 and what follows the last value", supposed)
	}
}

// TestParts: the parts are those of the text, also of a refusal.
func TestParts(t *testing.T) {
	c := calc(t)
	for _, when := range []jus.Period{jus.Day(today), mustYear(t, "2005"), mustYear(t, "2022")} {
		r := c.Value(when, today)
		p := r.Parts()
		for _, s := range append(append(p.Direct, p.Norms...), "provincia: "+p.Province, "valor del JUS: "+p.Value) {
			if s == "" || !strings.Contains(r.Text(), s) {
				t.Errorf("%v: %q is not in the text", when, s)
			}
		}
		if len(p.Direct) == 0 || len(p.Norms) == 0 {
			t.Errorf("%v: empty parts %+v", when, p)
		}
	}
}

// TestFormer: no value of the regime before is in the series.
func TestFormer(t *testing.T) {
	c := calc(t)
	f := c.Former()
	if len(f) != 1 || f[0].Date >= c.Values()[0].Date {
		t.Errorf("%+v", f)
	}
}
