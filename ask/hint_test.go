package ask

import (
	"strings"
	"testing"

	"digesto"
	"digesto/extract"
	"digesto/ground"
	"digesto/pack"
	"digesto/passage"
	"digesto/query"
	"digesto/question"
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

func TestAFicheOfAnotherKindDoesNotVouch(t *testing.T) {
	for _, c := range []struct {
		asked, answered question.Kind
		want            bool
	}{{question.KindPeriod, question.KindPeriod, true}, {question.KindAmount, question.KindPeriod, false}, {question.KindOpen, question.KindAmount, true}, {question.KindHow, question.KindAmount, false}} {
		if question.SameKind(c.asked, c.answered) != c.want {
			t.Errorf("%s %s", c.asked, c.answered)
		}
	}
}

// TestClueTellsSentencesApart weighs what few sentences hold above what all do.
func TestClueTellsSentencesApart(t *testing.T) {
	h := retrieve.Hits{}
	h.An = &text.Analyser{}
	h.Focus = &extract.Focus{Kind: question.KindPeriod}
	u := passage.New(h.An, "", "La torre tiene luz. La torre cierra 40 días. La torre es alta.")
	f := h.FocusOfFiche(pack.Fact{Ask: "¿Cuántos días cierra la torre?", Text: "Cierra 40 días."}, u)
	w := map[string]float64{}
	for _, x := range f.Terms {
		w[x.Stem] = x.Local
	}
	if w["40"] <= w["cierr"] || w["40"] == 0 {
		t.Errorf("%v", w)
	}
}

func TestFigureGroupsMeet(t *testing.T) {
	for in, want := range map[string]string{"1 250 euros": "1250 euros", "de 3 a 400": "de 3 a 400", "12 000": "12000"} {
		if got := ground.Closed(in); got != want {
			t.Errorf("%q → %q", in, got)
		}
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

func TestOnlyTheNearestFicheVouches(t *testing.T) {
	list := []retrieve.Hit{{FicheFit: 1, FicheFocus: &extract.Focus{}, FicheCover: 1}, {FicheFit: .7, FicheFocus: &extract.Focus{}, FicheCover: 1}, {FicheFit: .4}}
	retrieve.NearestFiche(list)
	if list[0].FicheFocus == nil || list[1].FicheFocus != nil || list[1].FicheCover != 0 {
		t.Errorf("%v", list)
	}
}

// TestOnlyTheNearestFicheNarrows: a place that a fiche no longer vouches for is not
// narrowed to the part that this fiche names.
func TestOnlyTheNearestFicheNarrows(t *testing.T) {
	clue, part := &extract.Focus{}, &passage.Span{From: 1, To: 2}
	list := []retrieve.Hit{{FicheFit: .9, FicheFocus: clue, FicheCover: .9, Only: part}, {FicheFit: .7, FicheFocus: clue, FicheCover: .7, Only: part}}
	retrieve.NearestFiche(list)
	if list[0].FicheFocus == nil || list[0].Only == nil {
		t.Error("the nearest fiche does not vouch any more")
	}
	if list[1].FicheFocus != nil || list[1].FicheCover != 0 || list[1].Only != nil {
		t.Errorf("%+v", list[1])
	}
}
