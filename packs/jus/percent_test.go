package jus_test

import (
	"strings"
	"testing"

	"digesto"
	"digesto/packs/jus"
)

func quote(t *testing.T, with []string, codes ...string) jus.Result {
	t.Helper()
	var items []jus.Item
	for _, c := range codes {
		it, err := jus.ParseItem(c)
		if err != nil {
			t.Fatal(err)
		}
		items = append(items, it)
	}
	facts, err := jus.ParseFacts(with)
	if err != nil {
		t.Fatal(err)
	}
	r, err := calc(t).Quote(items, facts, "2025-12-15", today)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestQuoteKinds(t *testing.T) {
	tests := []struct {
		name              string
		with, codes       []string
		kind              string
		result, low, high string
	}{
		{"fixed", nil, []string{"perito_no_realizada"}, "fixed", "150856.88", "150856.88", "150856.88"},
		{"range, whole", nil, []string{"prueba_anticipada"}, "range", "null", "226285.32", "754284.40"},
		{"minimum", nil, []string{"consulta_verbal=3"}, "minimum", "null", "226285.32", "null"},
		{"percentage of the base", []string{"base=2000000"}, []string{"cobro_extrajudicial"}, "fixed", "300000.00", "300000.00", "300000.00"},
		{"ceiling", []string{"base=1000000"}, []string{"cuota_litis"}, "maximum", "null", "null", "300000.00"},
		{"percentage above its floor", []string{"base=100000000"}, []string{"estudio_titulos"}, "minimum", "null", "1000000.00", "null"},
		{"percentage below its floor", []string{"base=1000000"}, []string{"estudio_titulos"}, "minimum", "null", "301713.76", "null"},
		{"range of percentages, floor below", []string{"base=10000000"}, []string{"contrato_general"}, "range", "null", "188571.10", "400000.00"},
		{"fixed and range", nil, []string{"perito_no_realizada", "prueba_anticipada"}, "range", "null", "377142.20", "905141.28"},
		{"one minimum opens the whole", nil, []string{"perito_no_realizada", "consulta_verbal"}, "minimum", "null", "226285.32", "null"},
		{"case by facts", []string{"convenio=si", "letrados=2"}, []string{"divorcio_bilateral"}, "range", "null", "1885711.00", "3394279.80"},
		{"case by code", []string{"caso=divorcio_bilateral_distinto_letrado"}, []string{"divorcio_bilateral"}, "fixed", "1131426.60", "1131426.60", "1131426.60"},
	}
	for _, x := range tests {
		r := quote(t, x.with, x.codes...)
		if r.Kind != x.kind || deref(r.Result) != x.result || deref(r.Low) != x.low || deref(r.High) != x.high {
			t.Errorf("%s: %s %s %s–%s, want %s %s %s–%s", x.name, r.Kind, deref(r.Result), deref(r.Low), deref(r.High), x.kind, x.result, x.low, x.high)
		}
	}
}

// TestNotCalculable: an item that lacks a datum leaves the whole without a total, and both lists stand.
func TestNotCalculable(t *testing.T) {
	r := quote(t, nil, "consulta_escrita", "cobro_extrajudicial", "declaratoria_herederos_sin_incidentes")
	if r.Result != nil || r.Low != nil || r.High != nil || len(r.Items) != 1 || len(r.NotCalculable) != 2 {
		t.Fatalf("%+v", r)
	}
	for _, want := range []string{"Se puede calcular", "150.856,88", "UE", "15 %"} {
		if !strings.Contains(r.Text(), want) {
			t.Errorf("no %q in\n%s", want, r.Text())
		}
	}
	if n := r.NotCalculable[0].Needs; len(n) != 1 || n[0] != "base" {
		t.Errorf("needs %v", n)
	}
}

func TestContradictoryFacts(t *testing.T) {
	facts, err := jus.ParseFacts([]string{"convenio=quizas"})
	if err != nil {
		t.Fatal(err)
	}
	it, err := jus.ParseItem("divorcio_bilateral")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := calc(t).Quote([]jus.Item{it}, facts, today, today); err == nil {
		t.Error("a fact that no case has was taken")
	}
}

func TestPerLawyer(t *testing.T) {
	r := quote(t, nil, "divorcio_unilateral")
	if deref(r.Per) != "letrado" || !strings.Contains(r.Text(), "por cada letrado") {
		t.Errorf("%s\n%s", deref(r.Per), r.Text())
	}
	if r := quote(t, nil, "divorcio_unilateral", "acto_procesal"); r.Per != nil {
		t.Errorf("mixed: %s", *r.Per)
	}
}

// TestQuantityBeforeItsDate: the quantities have changed too; an earlier day has none.
func TestQuantityBeforeItsDate(t *testing.T) {
	it, err := jus.ParseItem("consulta_verbal")
	if err != nil {
		t.Fatal(err)
	}
	c := calc(t)
	for day, known := range map[string]bool{"2025-05-04": false, "2025-05-05": true} {
		r, err := c.Quote([]jus.Item{it}, nil, digesto.Date(day), today)
		if err != nil {
			t.Fatal(err)
		}
		if (r.Low != nil) != known {
			t.Errorf("%s: %+v", day, r)
		}
	}
}
