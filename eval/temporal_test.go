package eval

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"digesto"
	"digesto/corpus"
)

func TestTemporal(t *testing.T) {
	v := func(id string, from, to digesto.Date, text string) digesto.Version {
		return digesto.Version{ID: id, ValidFrom: from, ValidTo: to, Text: text, Current: to == ""}
	}
	law := corpus.Memory(corpus.Document{Norm: digesto.Norm{ID: "N", Published: "2010-01-01"}, Units: []digesto.Unit{{ID: "a1", Kind: "a",
		Versions: []digesto.Version{v("1", "2010-01-01", "2020-01-01", "La tasa es de cinco monedas."), v("2", "2020-01-01", "", "La tasa es de seis monedas.")}}}})
	cases, err := ReadTemporal([]byte(`{"_id":"x","pack":"p","question":"¿Cuál es la tasa?","at":[{"as_of":"2015-01-01","norm":"N","unit":"a1","says":["cinco"],"state":"2010-01-01"},{"as_of":"2021-01-01","norm":"N","says":["seis"]},{"as_of":"2009-01-01","never":["N"]}]}` + "\n"))
	if err != nil || len(cases) != 1 {
		t.Fatalf("%v, %v", cases, err)
	}
	answer := func(version, quote string) digesto.Answer {
		return digesto.Answer{Answer: quote, Citations: []digesto.Citation{{Quote: quote, Ref: &digesto.Ref{Document: "N", Unit: "a1", Version: version}}}}
	}
	copyOf := func(_, _ string) (string, error) { return "La tasa es\nde CINCO monedas.", nil }
	right := func(_ context.Context, q digesto.Question) (digesto.Answer, error) {
		switch {
		case q.AsOf < "2010":
			return digesto.Answer{Refusal: true}, nil
		case q.AsOf < "2020":
			return answer("1", "La tasa es de cinco monedas."), nil
		}
		return answer("2", "La tasa es de seis monedas."), nil
	}
	n, err := Temporal(t.Context(), cases, TemporalOptions{Ask: right, Law: law, Copy: copyOf})
	if err != nil || n.Dates != 3 || n.Right != 3 || n.States != 1 || n.Repealed != 0 {
		t.Errorf("%+v, %v", n, err)
	}
	stale := func(context.Context, digesto.Question) (digesto.Answer, error) {
		return answer("2", "La tasa es de seis monedas."), nil
	}
	var out bytes.Buffer
	n, err = Temporal(t.Context(), cases, TemporalOptions{Ask: stale, Law: law, Out: &out})
	if err != nil || n.Right != 1 || n.Wrong != 2 || n.Repealed != 2 || strings.Count(out.String(), "\n") != 2 {
		t.Errorf("%+v, %v: %s", n, err, out.String())
	}
	astray := func(context.Context, digesto.Question) (digesto.Answer, error) {
		return digesto.Answer{Citations: []digesto.Citation{{Quote: "q", Ref: &digesto.Ref{Document: "M", Unit: "a1"}}}}, nil
	}
	if n, _ = Temporal(t.Context(), cases, TemporalOptions{Ask: astray, Law: law}); n.Elsewhere != 2 || n.Repealed != 0 {
		t.Errorf("%+v", n)
	}
	silent := func(context.Context, digesto.Question) (digesto.Answer, error) {
		return digesto.Answer{Refusal: true}, nil
	}
	if n, _ = Temporal(t.Context(), cases, TemporalOptions{Ask: silent, Law: law}); n.Refused != 2 || n.Right != 1 {
		t.Errorf("%+v", n)
	}
}

func TestReadTemporalSaysWhichLine(t *testing.T) {
	_, err := ReadTemporal([]byte("\n{\"_id\":\"1\"}\n"))
	if digesto.CodeOf(err) != digesto.CodeInvalid || !strings.Contains(err.Error(), "2") {
		t.Error(err)
	}
}
