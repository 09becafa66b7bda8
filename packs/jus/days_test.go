package jus_test

import (
	"context"
	"math/big"
	"testing"

	"digesto"
	"digesto/pack"
	"digesto/packs/jus"
)

// days are asked as "today": two before the tables were looked at, that day, and two after.
var days = []digesto.Date{"2024-03-10", "2026-01-15", "2026-11-21", "2026-11-23", "2027-06-30"}

// TestEvalFiguresOnDays asks every question on several days: the figures are
// those of the oracle for the dates that were understood.
func TestEvalFiguresOnDays(t *testing.T) {
	_, tool := jusPack(t)
	o := newOracle(t)
	checked := 0
	for _, c := range evalCases(t) {
		for _, day := range days {
			call, ok := tool.Detect(pack.ToolQuestion{Text: c.Question, Today: day})
			if ok != (c.Function != "") || call.Function != c.Function {
				t.Errorf("%s on %s: %q, want %q", c.Question, day, call.Function, c.Function)
				continue
			}
			if !ok {
				continue
			}
			r, err := tool.Calculate(context.Background(), call)
			if err != nil {
				t.Errorf("%s on %s: %v", c.Question, day, err)
				continue
			}
			if o.check(t, call, r, string(day)) {
				checked++
			}
		}
	}
	t.Logf("%d results compared with the oracle", checked)
	if checked < 400 {
		t.Errorf("only %d results could be compared", checked)
	}
}

// check compares a value, conversion or comparison of the JUS; false: not one of these.
func (o *oracle) check(t *testing.T, call pack.ToolCall, r pack.ToolResult, day string) bool {
	t.Helper()
	from, to := o.period(call.Args, day)
	differ := func(what string, got *string, want *big.Rat) {
		if want == nil && got != nil || want != nil && deref(got) != cents(want) {
			t.Errorf("%s on %s: %s %s, want %v", call.Question, day, what, deref(got), want)
		}
	}
	switch d := r.Data.(type) {
	case jus.Comparison:
		if len(call.Items) > 0 {
			return false
		}
		a, b := o.at(call.Args["from"]), o.at(call.Args["to"])
		if a == nil || b == nil {
			return false
		}
		differ("difference", d.Difference, new(big.Rat).Sub(b, a))
	case jus.Result:
		if call.Function != "valor" && call.Function != "convertir" || r.Outcome == digesto.OutcomeClarification {
			return false
		}
		first, last := d.Result, d.Result
		if d.From != nil {
			first, last = d.From.Value, d.To.Value
			if call.Function == "convertir" {
				first, last = d.From.Result, d.To.Result
			}
		}
		differ("from", first, converted(call.Args, o.at(from)))
		differ("to", last, converted(call.Args, o.at(to)))
	default:
		return false
	}
	return true
}

// period gives the first and last day of what a call asks, cut at the day on
// which it is asked and at the beginning of the series.
func (o *oracle) period(args map[string]string, day string) (from, to string) {
	switch {
	case args["date"] != "":
		return args["date"], args["date"]
	case args["month"] != "":
		from, to = args["month"]+"-01", args["month"]+"-31"
	case args["year"] != "":
		from, to = args["year"]+"-01-01", args["year"]+"-12-31"
	default:
		return day, day
	}
	if from <= day && to > day {
		to = day
	}
	if o.at(from) == nil && o.at(to) != nil {
		from = o.days[0]
	}
	return from, to
}

// converted is the value itself, or the amount of the call at it.
func converted(args map[string]string, v *big.Rat) *big.Rat {
	if v == nil {
		return nil
	}
	if n, ok := new(big.Rat).SetString(args["jus"]); ok {
		return n.Mul(n, v)
	}
	if n, ok := new(big.Rat).SetString(args["pesos"]); ok {
		return n.Quo(n, v)
	}
	return v
}
