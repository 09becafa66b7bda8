package index

import (
	"reflect"
	"strings"
	"testing"

	"digesto"
)

func TestRequire(t *testing.T) {
	x := memory(t, BuildOptions{}, sample...)
	for name, c := range map[string]struct {
		q    digesto.Query
		want string
	}{
		"word":             {digesto.Query{Text: "plazo solicitud", Require: []string{"hábiles"}}, "N1/a2/1"},
		"several words":    {digesto.Query{Text: "plazo", Require: []string{"solicitud escrito"}}, "N2/a1/1"},
		"number in words":  {digesto.Query{Text: "plazo", Require: []string{"38"}}, "N1/a2/1"},
		"unknown word":     {digesto.Query{Text: "plazo", Require: []string{"hipoteca"}}, ""},
		"stop words":       {digesto.Query{Text: "plazo", K: 1, Require: []string{"de la"}}, "N2/a1/1"},
		"phrase":           {digesto.Query{Text: "plazo", Phrases: []string{"plazo de la solicitud"}}, "N1/a2/1"},
		"phrase elsewhere": {digesto.Query{Text: "plazo", Phrases: []string{"solicitud del plazo"}}, ""},
		"one word phrase":  {digesto.Query{Text: "plazo", Phrases: []string{"escrito"}}, "N2/a1/1"},
		"with filter":      {digesto.Query{Text: "plazo", Require: []string{"solicitud"}, Filter: digesto.Filter{In: map[string][]string{"rank": {"ley"}}}}, "N1/a2/1"},
		"history":          {digesto.Query{Text: "plazo", Phrases: []string{"plazo breve"}, Filter: digesto.Filter{History: true}}, "N2/a1/0"},
		"unit without it":  {digesto.Query{Text: "plazo", Require: []string{"hábiles"}, Units: []string{"N2/a1"}}, "N1/a2/1"},
	} {
		if got := ids(t, x, c.q); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	alone := memory(t, BuildOptions{Scoring: Scoring{Bigram: -1}}, sample...)
	if _, err := alone.Search(t.Context(), digesto.Query{Text: "plazo", Phrases: []string{"plazo breve"}}); digesto.CodeOf(err) != digesto.CodeInvalid {
		t.Error("a phrase without bigrams: ", err)
	}
}

func TestWhyNot(t *testing.T) {
	x := memory(t, BuildOptions{}, sample...)
	orden := digesto.Filter{In: map[string][]string{"rank": {"orden"}}}
	for name, c := range map[string]struct {
		q    digesto.Query
		unit string
		note string
		rank int
	}{
		"shown":      {digesto.Query{Text: "plazo"}, "N1/a2", "es el resultado 2", 2},
		"outranked":  {digesto.Query{Text: "plazo", K: 1}, "N1/a2", "puesto 2", 2},
		"no words":   {digesto.Query{Text: "plazo"}, "N1/a1", "ninguna palabra", 0},
		"filtered":   {digesto.Query{Text: "plazo", Filter: orden}, "N1/a2", "filtro rank: tiene ley", 0},
		"unknown":    {digesto.Query{Text: "plazo"}, "N9/a9", "Ningún fragmento", 0},
		"required":   {digesto.Query{Text: "plazo", Require: []string{"escrito"}}, "N1/a2", "Le falta lo exigido: escrit", 0},
		"missing":    {digesto.Query{Text: "plazo breve", K: 1}, "N1/a2", "No contiene", 2},
		"not so old": {digesto.Query{Text: "plazo", Filter: digesto.Filter{AsOf: "2019-01-01", In: map[string][]string{"id": {"N2/a1/0"}}}}, "N2/a1", "es el resultado 1", 1},
	} {
		w, err := x.WhyNot(t.Context(), c.q, c.unit)
		if err != nil {
			t.Fatal(err)
		}
		if all := strings.Join(w.Notes, " "); !strings.Contains(all, c.note) || w.Rank != c.rank || w.Unit != c.unit {
			t.Errorf("%s: rank %d, %q", name, w.Rank, all)
		}
	}
	old := memory(t, BuildOptions{}, sample[3])
	w, err := old.WhyNot(t.Context(), digesto.Query{Text: "plazo"}, "N2/a1")
	if want := []string{"", "2020-01-01"}; err != nil || !reflect.DeepEqual(w.Filtered["as_of"], want) {
		t.Error("repealed text: ", w, err)
	}
	v := memory(t, BuildOptions{Vectors: madeVector}, made(30, 8)...)
	vec, _ := madeVector(made(30, 8)[4])
	if w, err := v.WhyNot(t.Context(), digesto.Query{Text: "plazo", Vector: vec}, made(30, 8)[4].Unit); err != nil || w.Cosine < .99 {
		t.Error("cosine with itself: ", w.Cosine, err)
	}
}
