package jus_test

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/govalues/decimal"

	"digesto"
	"digesto/packs/jus"
)

// TestOracleScale holds the scale of article 36 against rationals: its most, the band
// of the base where the unit's value is said, the floor in JUS.
func TestOracleScale(t *testing.T) {
	c, o := calc(t), newOracle(t)
	rng := rand.New(rand.NewPCG(9, 9))
	type scaled struct {
		code   string
		lo, hi *big.Rat
		min    *big.Rat
		capped bool // the share is of the least, and the most that may be asked
	}
	var list []scaled
	for _, r := range read(t, "data/services.tsv") {
		share, ok := strings.CutPrefix(r[6], "scale:")
		if !ok {
			continue
		}
		share, capped := strings.CutPrefix(share, "<")
		a, b, ranged := strings.Cut(share, "-")
		if !ranged {
			b = a
		}
		m, ok := new(big.Rat).SetString(r[3])
		if !ok || r[2] == "range" { // a range is for where there is no base
			m = new(big.Rat)
		}
		list = append(list, scaled{r[0], part(t, a), part(t, b), m, capped})
	}
	if len(list) < 25 {
		t.Fatalf("%d services of the scale", len(list))
	}
	for range cases(t, 20000) {
		s := list[rng.IntN(len(list))]
		base, ue := 1+rng.Int64N(pow10(1+rng.IntN(9))), 1+rng.Int64N(pow10(1+rng.IntN(7)))
		it, err := jus.ParseItem(s.code)
		if err != nil {
			t.Fatal(err)
		}
		day := digesto.Date("2025-12-15")
		r, err := c.Quote([]jus.Item{it}, jus.Facts{"base": fmt.Sprint(base), "ue": fmt.Sprint(ue)}, day, today)
		if err != nil {
			t.Fatal(err)
		}
		of := func(share *big.Rat, pct int64) *big.Rat {
			x := new(big.Rat).Mul(big.NewRat(base*pct, 100), share)
			out, _ := new(big.Rat).SetString(cents(x))
			return out
		}
		pct := int64(10)
		for _, b := range []struct{ ue, pct int64 }{{100, 12}, {50, 16}, {20, 20}} {
			if base <= b.ue*ue {
				pct = b.pct
			}
		}
		floor, most, least := rounded(s.min, 1, o.at(string(day))), of(s.hi, 25), of(s.lo, pct)
		if s.capped {
			most, least = least, floor
		}
		if least.Cmp(floor) < 0 {
			least = floor
		}
		if s.min.Sign() > 0 && floor.Cmp(most) >= 0 {
			if r.Kind != "minimum" || deref(r.Low) != cents(floor) || r.High != nil {
				t.Fatalf("%s of %d: %s %s, want the floor %s", s.code, base, r.Kind, deref(r.Low), cents(floor))
			}
			continue
		}
		if deref(r.Low) != cents(least) || deref(r.High) != cents(most) {
			t.Fatalf("%s of %d with the UE at %d: %s–%s, want %s–%s", s.code, base, ue, deref(r.Low), deref(r.High), cents(least), cents(most))
		}
	}
}

func part(t *testing.T, s string) *big.Rat {
	t.Helper()
	x, ok := new(big.Rat).SetString(s)
	if !ok {
		t.Fatal(s)
	}
	if strings.Contains(s, "/") {
		return x
	}
	return x.Quo(x, big.NewRat(100, 1))
}

// TestScaleInBands: without a value of the unit each band is told and none is chosen.
func TestScaleInBands(t *testing.T) {
	r := quote(t, []string{"base=10000000"}, "declarativo_ordinario_oral")
	if r.Result != nil || r.Low != nil || len(r.NotCalculable) != 1 {
		t.Fatalf("a figure was chosen: %+v", r)
	}
	for _, want := range []string{"Como máximo $ 2.500.000,00", "hasta 20 UE: $ 2.000.000,00", "hasta 50 UE: $ 1.600.000,00", "hasta 100 UE: $ 1.200.000,00", "más de 100 UE: $ 1.000.000,00", "el valor de la UE no está cargado"} {
		if !strings.Contains(r.Text(), want) {
			t.Errorf("no %q in\n%s", want, r.Text())
		}
	}
}

// TestCircumstances: what the facts of a case change.
func TestCircumstances(t *testing.T) {
	for _, x := range []struct{ with, code, low, high string }{
		{"controversia=no", "insania", "50", "150"},
		{"controversia=si", "insania", "100", "150"},
		{"controversia=si", "autorizacion_comparecer", "40", "60"},
		{"controversia=si", "informacion_sumaria=2", "80", "120"},
		{"excepciones=si", "ejecucion_sentencia", "10", ""},
		{"excepciones=no", "ejecucion_sentencia", "5", ""},
		{"base_jus=40", "perito_control", "20", "20"},
	} {
		r := quote(t, []string{x.with}, x.code)
		want := func(n string) string {
			if n == "" {
				return "null"
			}
			d, err := decimal.MustParse(n).Mul(decimal.MustParse("37714.22"))
			if err != nil {
				t.Fatal(err)
			}
			return d.Pad(2).String()
		}
		if deref(r.Low) != want(x.low) || deref(r.High) != want(x.high) {
			t.Errorf("%s with %s: %s–%s, want %s–%s JUS", x.code, x.with, deref(r.Low), deref(r.High), x.low, x.high)
		}
	}
	for with, want := range map[string]string{ // the base stands once, whatever the number of meetings
		"base=5000000": "Como máximo $ 850.000,00 (20 % × 85 % de $ 5.000.000,00) y como mínimo $ 452.570,64",
		"base=500000":  "Es el piso",
	} {
		if r := quote(t, []string{with}, "mediacion_con_acuerdo=4"); !strings.Contains(r.Text(), want) {
			t.Errorf("mediation with %s: no %q in\n%s", with, want, r.Text())
		}
	}
	for with, want := range map[string]string{ // never over 1 % of the estate
		"base=150000000": "1131426.60 1500000.00", "base=50000000": "null 500000.00", "base=900000000": "1131426.60 1885711.00",
	} {
		if r := quote(t, []string{with}, "inventario_avaluo"); deref(r.Low)+" "+deref(r.High) != want {
			t.Errorf("inventory with %s: %s %s, want %s", with, deref(r.Low), deref(r.High), want)
		}
	}
	if r := quote(t, []string{"misma_parte=si", "letrados=2"}, "amparo_sin_base"); !strings.Contains(r.Text(), "un solo patrocinio") || !strings.Contains(r.Text(), "artículo 22") {
		t.Errorf("two lawyers of one party: %s", r.Text())
	}
	if r := quote(t, []string{"vivienda=si"}, "usucapion"); r.Low != nil || strings.Contains(r.Text(), "100 JUS, ") {
		t.Errorf("the floor holds for the only home: %s", r.Text())
	}
	if r := quote(t, []string{"letrados=2", "convenio=si"}, "divorcio"); !strings.Contains(r.Text(), "los dos juntos: 100 a 180 JUS") {
		t.Errorf("no sum for both: %s", r.Text())
	}
}
