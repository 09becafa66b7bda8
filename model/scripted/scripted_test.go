package scripted_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"digesto/judge"
	"digesto/model"
	"digesto/model/scripted"
)

// TestChooses: it is right as often as it was told to be, sees what it is offered, and says
// that none answers where none does.
func TestChooses(t *testing.T) {
	s := scripted.New(.9)
	right, none := 0, 0
	const n = 300
	for i := range n {
		q := fmt.Sprintf("Pregunta número %d: ¿cuánto descansa el farero?", i)
		list := make([]judge.Candidate, 6)
		for k := range list {
			list[k] = judge.Candidate{Title: fmt.Sprintf("Artículo %d, Ley de Faros", k), Line: "Dice algo.", Text: "Algo dice."}
		}
		s.Learn(q, scripted.Known{Titles: []string{list[i%6].Title}})
		v, err := judge.Generator(s, judge.Large).Judge(t.Context(), q, list)
		if err != nil {
			t.Fatal(err)
		}
		if v.Best() == i%6 {
			right++
		}
		if !s.Offered(q) {
			t.Errorf("%s: not seen", q)
		}
		o := q + " Y esta no la responde nada."
		s.Learn(o, scripted.Known{})
		if v, err = judge.Generator(s, judge.Small).Judge(t.Context(), o, list); err != nil {
			t.Fatal(err)
		}
		if v.Best() == -1 {
			none++
		}
		if s.Offered(o) {
			t.Errorf("%s: offered", o)
		}
	}
	if share := float64(right) / n; share < .86 || share > .94 {
		t.Errorf("right in %.2f", share)
	}
	if share := float64(none) / n; share < .84 {
		t.Errorf("none in %.2f", share)
	}
}

// TestWrites: drafts quote what answers, and each fault of strong models is among them.
func TestWrites(t *testing.T) {
	s := scripted.New(.9)
	const text = "El servicio es público. Nunca durará menos de veintidós días naturales. El resto lo dice el convenio."
	whole := 0
	for i := range 400 {
		q := fmt.Sprintf("¿Cuánto descansa el farero? (%d)", i)
		s.Learn(q, scripted.Known{Contains: []string{"veintidós días"}})
		r, err := s.Generate(t.Context(), model.Request{Messages: []model.Message{
			{Role: model.System, Text: "Respondes."}, {Role: model.System, Text: "CONTEXTO DE NORMATIVA VIGENTE:\n\n[Fuente 1 — normativa]\nDocumento: OTRA.md\nLey: Otra\nSección: a1\nTexto: Nada de esto.\n\n---\n\n[Fuente 2 — normativa]\nDocumento: LEY-1.md\nLey: Ley de Faros\nSección: a2\nTexto: " + text + "\n"},
			{Role: model.User, Text: q}}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		var d struct {
			Answer    string
			Citations []struct{ Quote, Source string }
		}
		if err := json.Unmarshal([]byte(r.Text), &d); err != nil || len(d.Citations) != 1 || d.Citations[0].Source != "LEY-1.md" {
			t.Fatalf("%s, %v", r.Text, err)
		}
		if d.Citations[0].Quote == "Nunca durará menos de veintidós días naturales." && !strings.Contains(d.Answer, "987") && !strings.Contains(d.Answer, "4.321") && len(d.Answer) < 500 {
			whole++
		}
	}
	faults := s.Faults()
	if len(faults) != 5 || whole != faults[""] {
		t.Errorf("%d without fault, %v", whole, faults)
	}
}
