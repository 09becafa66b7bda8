package corpus

import (
	"testing"

	"digesto"
)

func TestNameOf(t *testing.T) {
	for _, c := range []struct {
		norm digesto.Norm
		want string
	}{
		{digesto.Norm{ID: "LEY-1", Title: "NORMAS", Name: "Ley 1 de Ferias", Short: "Ferias"}, "Ley 1 de Ferias"},
		{digesto.Norm{ID: "LEY-1", Title: "NORMAS", Short: "Ley de Ferias"}, "Ley de Ferias"},
		{digesto.Norm{ID: "LEY-1", Title: "Ley 1/2001, de 3 de marzo, de Ferias", Short: "Ley de Ferias"}, "Ley de Ferias (Ley 1/2001)"},
		{digesto.Norm{ID: "LEY-26529", Title: "SALUD PÚBLICA", Rank: "ley"}, "Salud pública (Ley 26529)"},
		{digesto.Norm{ID: "DEC-170-1996", Title: "FERIAS", Rank: "decreto"}, "Ferias (Decreto 170/1996)"},
		{digesto.Norm{ID: "LEY-26529", Title: "SALUD PÚBLICA"}, "Salud pública (LEY-26529)"},
		{digesto.Norm{ID: "f", Title: "LEY DE FERIAS (Ley 27430)"}, "Ley de ferias (Ley 27430)"},
		{digesto.Norm{ID: "BOE-A-2026-16010", Title: "Real Decreto 609/2026, de 22 de julio, por el que se regula la concesión directa de ayudas a los puestos de feria y a los carros de mano"}, "Real Decreto 609/2026, de 22 de julio"},
		{digesto.Norm{ID: "acta.pdf", Title: ""}, "acta.pdf"},
	} {
		if got := NameOf(c.norm); got != c.want {
			t.Errorf("%+v: %q, want %q", c.norm, got, c.want)
		}
	}
}

func TestLinks(t *testing.T) {
	page := "https://boletin.example/act?id=1"
	article := digesto.Unit{ID: "a38", Kind: digesto.KindArticle, Label: "Artículo 38"}
	for name, c := range map[string]struct {
		norm       digesto.Norm
		unit       digesto.Unit
		link, page string
	}{
		"anchored":         {digesto.Norm{Official: true, URL: "https://boletin.example/api/1", Page: page, Anchors: true}, article, page + "#a38", page + "#a38"},
		"no anchors":       {digesto.Norm{Official: true, URL: "https://otro.example/1.htm", Page: page}, article, "https://otro.example/1.htm", page},
		"an odd number":    {digesto.Norm{Official: true, URL: page, Page: page, Anchors: true}, digesto.Unit{ID: "a38bis", Kind: digesto.KindArticle}, page, page},
		"no article":       {digesto.Norm{Official: true, URL: page, Page: page, Anchors: true}, digesto.Unit{ID: "da1", Kind: digesto.KindAdditional}, page, page},
		"second series":    {digesto.Norm{Official: true, URL: page, Page: page, Anchors: true}, digesto.Unit{ID: "a1~2", Kind: digesto.KindArticle}, page, page},
		"nothing is known": {digesto.Norm{Supplied: true}, article, "", ""},
	} {
		if l, p := LinkTo(c.norm, c.unit), PageOf(c.norm, c.unit); l != c.link || p != c.page {
			t.Errorf("%s: %q %q", name, l, p)
		}
	}
	if got := PlaceOf(digesto.Norm{Name: "Ley 1 de Ferias"}, article); got != "Ley 1 de Ferias, art. 38" {
		t.Error(got)
	}
}

// TestNothingShouts: titles and headings in capitals are written as sentences; numbers and
// identifiers keep theirs.
func TestNothingShouts(t *testing.T) {
	for in, want := range map[string]string{"TEXTO REFUNDIDO DE LA LEY": "Texto refundido de la ley", "CAPÍTULO II": "CAPÍTULO II", "TÍTULO I. De los faros": "TÍTULO I. De los faros", "PREÁMBULO": "PREÁMBULO", "DISPOSICIONES FINALES": "Disposiciones finales"} {
		if got := HeadingOf(in); got != want {
			t.Errorf("%q is written %q", in, got)
		}
	}
	if got := NameOf(digesto.Norm{ID: "BOE-A-2020-14046", Title: "BOE-A-2020-14046"}); got != "BOE-A-2020-14046" {
		t.Error(got)
	}
	u := digesto.Unit{Label: "Artículo 1"}
	for title, want := range map[string]string{"NORMAS": "Artículo 1 de Normas (N-1).", "LEY DE FAROS": "Artículo 1 de la Ley de faros (N-1).", "Código de Faros": "Artículo 1 del Código de Faros (N-1)."} {
		if got, err := Formal(digesto.Norm{ID: "N-1", Title: title}, u, digesto.Version{}, FormES, ""); err != nil || got != want {
			t.Errorf("%s is cited %q, %v", title, got, err)
		}
	}
}
