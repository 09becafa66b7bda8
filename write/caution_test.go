package write

import (
	"strings"
	"testing"

	"digesto"
	"digesto/retrieve"
	"digesto/verify"
)

// What speaks against a text is said before it and lowers what the answer claims.
func TestCautions(t *testing.T) {
	change := digesto.Reform{Name: "Ley 9/2020", Published: "2020-01-02"}
	for _, c := range []struct {
		name string
		v    digesto.Version
		n    digesto.Norm
		day  digesto.Date
		want string // "" = nothing is said
	}{
		{"sound", digesto.Version{}, digesto.Norm{}, "2026-01-01", ""},
		{"changed since", digesto.Version{Unseen: []digesto.Reform{change}}, digesto.Norm{}, "2026-01-01", "Ley 9/2020 (02/01/2020)"},
		{"changed later than the day asked", digesto.Version{Unseen: []digesto.Reform{change}}, digesto.Norm{}, "2019-06-01", ""},
		{"of another page", digesto.Version{Defects: []digesto.TextDefect{{Kind: digesto.DefectBorrowed, Detail: "De otra página."}}}, digesto.Norm{}, "2026-01-01", "De otra página"},
		{"on a condition", digesto.Version{Defects: []digesto.TextDefect{{Kind: digesto.DefectConditional, Detail: "x"}}}, digesto.Norm{}, "2026-01-01", "condición"},
		{"on two conditions", digesto.Version{Defects: []digesto.TextDefect{{Kind: digesto.DefectConditional, Detail: "x"}, {Kind: digesto.DefectConditional, Detail: "y"}}}, digesto.Norm{}, "2026-01-01", "condición"},
		{"cut short: told among the notes", digesto.Version{Defects: []digesto.TextDefect{{Kind: digesto.DefectCutText, Detail: "x"}}}, digesto.Norm{}, "2026-01-01", ""},
		{"repealed in part", digesto.Version{}, digesto.Norm{Status: digesto.StatusPartial, StatusNote: "Derogada, salvo su artículo 4."}, "2026-01-01", "salvo su artículo 4"},
	} {
		d := Draft{Confidence: .95}
		d.Q.AsOf = c.day
		got := d.Caution(retrieve.Hit{Law: true, Ground: verify.Ground{Norm: c.n, Version: c.v}})
		if (got == "") != (c.want == "") || !strings.Contains(got, c.want) || strings.Count(got, "Atención") > 1 || (d.Confidence == .95) != (got == "") {
			t.Errorf("%s: %q, %.2f", c.name, got, d.Confidence)
		}
	}
}
