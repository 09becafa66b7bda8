package ask

import (
	"strings"
	"testing"

	"digesto"
	"digesto/ground"
	"digesto/query"
	"digesto/retrieve"
	"digesto/text"
)

// TestTheLawSpeaksForAFiche asks in the words of a fiche that its article does
// not have: the quotation is of the article, not of the fiche.
func TestTheLawSpeaksForAFiche(t *testing.T) {
	e := newWorld(t, true).engine(t, nil)
	a := askPack(t, e, "costa", "¿Cuántos días de vacaciones tiene el farero?")
	if a.Meta.Outcome != digesto.OutcomeAnswer || len(a.Citations) == 0 {
		t.Fatalf("%s: %s", a.Meta.Outcome, a.Answer)
	}
	if c := a.Citations[0]; c.Ref.Document != "LEY-1" || c.Ref.Unit != "a2" || !strings.Contains(a.Answer, "veintidós días") {
		t.Errorf("%s/%s: %s", c.Ref.Document, c.Ref.Unit, a.Answer)
	}
}

// TestAPlaceIsNoContent asks with the name of a place: the law need not hold it.
func TestAPlaceIsNoContent(t *testing.T) {
	i := query.Intent{Territory: query.Territory{Name: "Puerto Alto"}}
	i.An = &text.Analyser{}
	if m := retrieve.Cited(i); !m[text.Stem("puerto")] || !m[text.Stem("alto")] {
		t.Errorf("%v", m)
	}
}

func TestNotesAreSentences(t *testing.T) {
	if s := joinNotes([]string{"Falta el texto", "Se instala con: orden"}); *s != "Falta el texto. Se instala con: orden" {
		t.Error(*s)
	}
}

func TestANormInForceIsNotDoubted(t *testing.T) {
	x := retrieve.Hit{Law: true}
	x.Norm.Status, x.Norm.Published = digesto.StatusInForce, "2001-03-03"
	if n := ground.TimeNotes(ground.Grounds{}, x); len(n) == 0 || !strings.Contains(n[0], "la fuente lo da por vigente") {
		t.Errorf("%q", n)
	}
	x.Norm.Status = ""
	if n := ground.TimeNotes(ground.Grounds{}, x); len(n) == 0 || !strings.Contains(n[0], "vigencia no acreditada") {
		t.Errorf("%q", n)
	}
}
