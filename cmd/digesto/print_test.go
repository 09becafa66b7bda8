package main

import (
	"context"
	"testing"

	"digesto"
)

func TestNoColour(t *testing.T) {
	for _, c := range []struct {
		vars map[string]string
		term bool
		want bool
	}{
		{nil, true, true},
		{nil, false, false},
		{map[string]string{"NO_COLOR": "1"}, true, false},
		{map[string]string{"NO_COLOR": ""}, true, true},
		{map[string]string{"TERM": "dumb"}, true, false},
	} {
		e, _, _ := testEnv(c.vars)
		e.outTerm = c.term
		if got := (newApp(context.Background(), e)).outStyle().On; got != c.want {
			t.Errorf("%+v: colour %v", c, got)
		}
	}
}

func TestContractForm(t *testing.T) {
	f := fiveFields(digesto.Answer{Answer: "x"})
	if f.Citations == nil {
		t.Error("citations are null")
	}
	page := 4
	if c := fiveFields(digesto.Answer{Citations: []digesto.Citation{{Source: "faros.pdf", Page: &page}}}).Citations[0]; c.Source != "faros.pdf" || *c.Page != 4 {
		t.Errorf("%+v", c)
	}
}
