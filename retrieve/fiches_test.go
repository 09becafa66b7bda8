package retrieve

import (
	"testing"

	"digesto/extract"
	"digesto/pack"
	"digesto/passage"
	"digesto/question"
	"digesto/text"
)

// TestClueTellsSentencesApart weighs what few sentences hold above what all do.
func TestClueTellsSentencesApart(t *testing.T) {
	h := Hits{}
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

func TestOnlyTheNearestFicheVouches(t *testing.T) {
	list := []Hit{{FicheFit: 1, FicheFocus: &extract.Focus{}, FicheCover: 1}, {FicheFit: .7, FicheFocus: &extract.Focus{}, FicheCover: 1}, {FicheFit: .4}}
	NearestFiche(list)
	if list[0].FicheFocus == nil || list[1].FicheFocus != nil || list[1].FicheCover != 0 {
		t.Errorf("%v", list)
	}
}

// TestOnlyTheNearestFicheNarrows: a place that a fiche no longer vouches for is not
// narrowed to the part that this fiche names.
func TestOnlyTheNearestFicheNarrows(t *testing.T) {
	clue, part := &extract.Focus{}, &passage.Span{From: 1, To: 2}
	list := []Hit{{FicheFit: .9, FicheFocus: clue, FicheCover: .9, Only: part}, {FicheFit: .7, FicheFocus: clue, FicheCover: .7, Only: part}}
	NearestFiche(list)
	if list[0].FicheFocus == nil || list[0].Only == nil {
		t.Error("the nearest fiche does not vouch any more")
	}
	if list[1].FicheFocus != nil || list[1].FicheCover != 0 || list[1].Only != nil {
		t.Errorf("%+v", list[1])
	}
}
