package jus_test

import (
	"encoding/json"
	"strings"
	"testing"

	"digesto"
	"digesto/packs/jus"
)

const today = digesto.Date("2026-11-21")

func calc(tb testing.TB) *jus.Calc {
	tb.Helper()
	c, err := jus.New(jus.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

func deref(s *string) string {
	if s == nil {
		return "null"
	}
	return *s
}

func year(t *testing.T, y string) jus.Period {
	t.Helper()
	p, err := jus.Year(y)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestValueOverYear(t *testing.T) {
	r := calc(t).Value(year(t, "2022"), today)
	if got := deref(r.From.Value); got != "3093.84" {
		t.Errorf("start %s", got)
	}
	if got := deref(r.To.Value); got != "4974.09" {
		t.Errorf("end %s", got)
	}
	if len(r.Changes) != 4 || r.Result != nil || deref(r.Low) != "3093.84" || deref(r.High) != "4974.09" {
		t.Errorf("%+v", r)
	}
}

func TestValueOnDay(t *testing.T) {
	tests := []struct {
		day, want, warn string
	}{
		{"2025-12-01", "37714.22", ""},
		{"2025-12-31", "37714.22", ""},
		{"2026-11-21", "37714.22", "después de diciembre de 2025"},
		{"2027-01-01", "37714.22", "fecha futura"},
		{"2020-07-15", "1387.90", "Única baja"},
		{"2020-08-01", "1526.68", ""},
		{"2009-06-01", "62.10", "huecos"},
		{"2010-03-01", "69.59", ""},
		{"2008-01-17", "50.00", ""},
		{"2008-01-16", "null", "24,51"},
		{"2005-01-01", "null", "no es el JUS de esta ley"},
		{"1990-01-01", "null", "empieza"},
	}
	c := calc(t)
	for _, x := range tests {
		r := c.Value(jus.Day(digesto.Date(x.day)), today)
		if got := deref(r.Result); got != x.want {
			t.Errorf("%s: %s, want %s", x.day, got, x.want)
		}
		if !strings.Contains(r.Text(), x.warn) {
			t.Errorf("%s: no %q in %s", x.day, x.warn, r.Text())
		}
		if x.warn == "" && len(r.Warnings) > 0 {
			t.Errorf("%s: unexpected warnings %q", x.day, r.Warnings)
		}
		if r.Result == nil && r.Calculated() {
			t.Errorf("%s: claims a result", x.day)
		}
	}
}

func TestConvertMustShow(t *testing.T) {
	c := calc(t)
	r, err := c.Convert(jus.Conversion{Pesos: "1000000", When: year(t, "2023")}, today)
	if err != nil {
		t.Fatal(err)
	}
	if deref(r.From.Result) != "167.53" || deref(r.To.Result) != "82.40" || deref(r.Low) != "82.40" || deref(r.High) != "167.53" || r.Unit != "JUS" {
		t.Errorf("%+v", r)
	}
	r, err = c.Convert(jus.Conversion{Jus: "30", When: jus.Day("2025-12-10")}, today)
	if err != nil {
		t.Fatal(err)
	}
	if deref(r.Result) != "1131426.60" || r.Unit != "ARS" || deref(r.JusValue) != "37714.22" || *r.ValueDate != "2025-12-01" {
		t.Errorf("%+v", r)
	}
}

func TestQuoteBilateralDivorce(t *testing.T) {
	c := calc(t)
	it, err := jus.ParseItem("divorcio_bilateral")
	if err != nil {
		t.Fatal(err)
	}
	r, err := c.Quote([]jus.Item{it}, nil, today, today)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Cases) != 4 || r.Result != nil || len(r.NotCalculable) != 1 {
		t.Fatalf("%+v", r)
	}
	want := [][2]string{{"1885711.00", "1885711.00"}, {"1131426.60", "1131426.60"}, {"2828566.50", "4525706.40"}, {"1885711.00", "3394279.80"}}
	for i, k := range r.Cases {
		if deref(k.Low) != want[i][0] || deref(k.High) != want[i][1] {
			t.Errorf("%s: %s–%s, want %s–%s", k.Code, deref(k.Low), deref(k.High), want[i][0], want[i][1])
		}
	}
	if n := r.NotCalculable[0].Needs; len(n) != 2 || n[0] != "convenio" || n[1] != "letrados" {
		t.Errorf("needs %v", n)
	}
	facts, err := jus.ParseFacts([]string{"convenio=no", "letrados=1"})
	if err != nil {
		t.Fatal(err)
	}
	r, err = c.Quote([]jus.Item{it}, facts, today, today)
	if err != nil {
		t.Fatal(err)
	}
	if deref(r.Result) != "1885711.00" || len(r.Cases) != 0 {
		t.Errorf("%+v", r)
	}
}

func TestCompareUnknownQuantity(t *testing.T) {
	r, err := calc(t).Compare("divorcio_bilateral", nil, "2020-01-01", today, today)
	if err != nil {
		t.Fatal(err)
	}
	if r.From.Value != nil || r.Difference != nil || r.Percent != nil || len(r.Cases) != 4 {
		t.Errorf("%+v", r)
	}
	if !strings.Contains(r.Text(), "no se conoce") || !strings.Contains(r.Text(), "5 de mayo de 2025") {
		t.Error(r.Text())
	}
	raw, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"difference":null`, `"percent":null`, `"from":{"date":"2020-01-01"`, `"cases":[{`, `"jus":{`} {
		if !strings.Contains(string(raw), want) {
			t.Errorf("no %s in %s", want, raw)
		}
	}
}

func TestCompareUnit(t *testing.T) {
	r, err := calc(t).Compare("jus", nil, "2020-01-01", "2025-12-31", today)
	if err != nil {
		t.Fatal(err)
	}
	if deref(r.Difference) != "36187.54" || deref(r.Percent) != "2370.34" {
		t.Errorf("%s %s", deref(r.Difference), deref(r.Percent))
	}
}

// TestExpertFacts: whether an expert's report was made decides between the neighbours, and
// is no error either way.
func TestExpertFacts(t *testing.T) {
	c := calc(t)
	for said, want := range map[string]string{"perito sorteado que hizo la pericia": "perito_sorteado", "perito sorteado que no hizo la pericia": "perito_no_realizada"} {
		asked, err := c.Read(said, today)
		if err != nil || len(asked.Items) != 1 || asked.Items[0].Code != want {
			t.Fatalf("%s: %+v, %v", said, asked.Items, err)
		}
		if _, err := c.Quote(asked.Items, asked.Facts, today, today); err != nil {
			t.Errorf("%s: %v", said, err)
		}
	}
}
