package jus_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"digesto/packs/jus"
)

// TestWire: the JSON form that scripts rely on keeps its fields and its strings.
func TestWire(t *testing.T) {
	c := calc(t)
	y, err := jus.Year("2023")
	if err != nil {
		t.Fatal(err)
	}
	conv, err := c.Convert(jus.Conversion{Pesos: "1000000", When: y}, today)
	if err != nil {
		t.Fatal(err)
	}
	it, err := jus.ParseItem("divorcio_bilateral")
	if err != nil {
		t.Fatal(err)
	}
	quote, err := c.Quote([]jus.Item{it}, nil, today, today)
	if err != nil {
		t.Fatal(err)
	}
	comp, err := c.Compare("jus", nil, "2020-01-01", today, today)
	if err != nil {
		t.Fatal(err)
	}
	always := []string{"unit", "result", "low", "high", "per", "value_date", "jus_value", "cases", "not_calculable", "steps", "sources", "warnings"}
	for _, x := range []struct {
		name  string
		value any
		also  []string
	}{
		{"valor of a day", c.Value(jus.Day(today), today), nil},
		{"valor of a year", c.Value(y, today), []string{"from", "to", "changes"}},
		{"valor of a year without changes", c.Value(mustYear(t, "2009"), today), []string{"from", "to", "changes"}},
		{"convertir over a year", conv, []string{"from", "to", "changes"}},
		{"presupuesto", quote, nil},
		{"comparar", comp, []string{"from", "to", "difference", "percent"}},
	} {
		raw, err := json.Marshal(x.value)
		if err != nil {
			t.Fatal(err)
		}
		var got map[string]json.RawMessage
		if err := json.Unmarshal(raw, &got); err != nil {
			t.Fatal(err)
		}
		for _, k := range slices.Concat(always, x.also) {
			if _, ok := got[k]; !ok {
				t.Errorf("%s: no field %q in %s", x.name, k, raw)
			}
		}
		for _, list := range []string{"cases", "not_calculable", "steps", "sources", "warnings"} {
			if !strings.HasPrefix(string(got[list]), "[") {
				t.Errorf("%s: %s is %s, not a list", x.name, list, got[list])
			}
		}
		for _, amount := range []string{"result", "low", "high", "jus_value"} {
			if s := string(got[amount]); s != "null" && !strings.HasPrefix(s, `"`) {
				t.Errorf("%s: %s is %s, not a string", x.name, amount, s)
			}
		}
	}
}

func mustYear(t *testing.T, y string) jus.Period {
	t.Helper()
	p, err := jus.Year(y)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestPeriods: months, unfinished years and years that begin before the series.
func TestPeriods(t *testing.T) {
	c := calc(t)
	m, err := jus.Month("2020-07")
	if err != nil {
		t.Fatal(err)
	}
	r := c.Value(m, today)
	if deref(r.From.Value) != "1387.90" || deref(r.To.Value) != "1387.90" || len(r.Changes) != 0 {
		t.Errorf("july 2020: %+v", r)
	}
	r = c.Value(mustYear(t, "2026"), today)
	if r.To.Date != today || !strings.Contains(r.Text(), "no ha terminado") || !strings.Contains(r.Text(), "después de diciembre de 2025") {
		t.Errorf("this year: %s", r.Text())
	}
	r = c.Value(mustYear(t, "2008"), today)
	if r.From.Date != "2008-01-17" || deref(r.From.Value) != "50.00" || !strings.Contains(r.Text(), "no es el JUS de esta ley") {
		t.Errorf("the first year: %s", r.Text())
	}
	r = c.Value(mustYear(t, "2005"), today)
	if r.From != nil || r.Low != nil || r.Calculated() {
		t.Errorf("2005: %+v", r)
	}
}

// TestQuoteOverPeriod: a budget over a year gives both ends and chooses none.
func TestQuoteOverPeriod(t *testing.T) {
	it, err := jus.ParseItem("contrato_general")
	if err != nil {
		t.Fatal(err)
	}
	r, err := calc(t).QuoteOver([]jus.Item{it}, nil, mustYear(t, "2023"), today)
	if err != nil {
		t.Fatal(err)
	}
	if r.Result != nil || r.Kind != "period" || deref(r.From.Low) != "29844.55" || deref(r.To.Low) != "60680.15" {
		t.Errorf("%+v", r)
	}
}
