package ingest

import (
	"testing"

	"digesto"
	"digesto/text/cite"
)

// TestPlace: a norm that does not say its jurisdiction gets the one that its
// identifier or its title can only be of.
func TestPlace(t *testing.T) {
	p := newPlacer(Options{
		Known: []digesto.Norm{{ID: "GAC-A-2001-7", Jurisdiction: "aa"}, {ID: "BOL-B-2001-7", Jurisdiction: "aa"}, {ID: "BOL-C-1999-1", Jurisdiction: "bb"}},
		Aliases: []cite.Alias{
			{Name: "Código de Faros", Norm: "x", Jurisdiction: "aa"},
			{Name: "Código de Faros de la Nación", Norm: "y", Jurisdiction: "bb"},
			{Name: "Ley de Puertos", Norm: "x", Jurisdiction: "aa"},
			{Name: "Ley de Puertos", Norm: "y", Jurisdiction: "bb"},
			{Name: "Consejo de Boyas", Norm: "y", Jurisdiction: "bb", Weak: true},
			{Name: "Faros", Norm: "y", Jurisdiction: "bb"},
			{Name: "Estatuto de Islas", Norm: "z", Jurisdiction: "aa-n"},
			{Name: "Ley 7301", Norm: "x", Jurisdiction: "aa"},
		},
	})
	for _, c := range []struct{ id, title, had, want, territory string }{
		{"GAC-A-2020-15", "Orden de algo", "", "aa", ""},
		{"BOL-B-2020-15", "Orden de algo", "", "", ""}, // two jurisdictions write so
		{"f1", "Código de Faros, texto ordenado", "", "aa", ""},
		{"f2", "CODIGO DE FAROS DE LA NACION", "", "bb", ""}, // the longer name
		{"f3", "Ley de Puertos", "", "", ""},
		{"f4", "Reglamento del Consejo de Boyas", "", "", ""},
		{"f5", "Faros", "", "", ""}, // one word is no name
		{"f6", "Estatuto de Islas", "", "aa", "aa-n"},
		{"f7", "REGIMEN DE BOYAS (Ley 7301)", "", "", ""}, // another country has its law of that number
		{"GAC-A-2020-15", "Código de Faros de la Nación", "cc", "cc", ""},
	} {
		n := digesto.Norm{ID: c.id, Title: c.title, Jurisdiction: c.had}
		p.place(&n)
		if n.Jurisdiction != c.want || n.Territory != c.territory {
			t.Errorf("%s «%s»: %q %q, want %q %q", c.id, c.title, n.Jurisdiction, n.Territory, c.want, c.territory)
		}
	}
}

// TestServed: a saved page is of the jurisdiction whose service it names.
func TestServed(t *testing.T) {
	opt := Options{Known: []digesto.Norm{
		{ID: "a", URL: "http://textos.faro.gob.aa/norma/1", Jurisdiction: "aa"},
		{ID: "b", URL: "https://www.gaceta.bb/act?id=1", Jurisdiction: "bb"},
		{ID: "c", URL: "https://www.comun.org/1", Jurisdiction: "aa"},
		{ID: "d", URL: "https://www.comun.org/2", Jurisdiction: "bb"},
		{ID: "e", URL: "https://sola.bb/2", Jurisdiction: "cc"},
		{ID: "f", URL: "::", Jurisdiction: "cc"},
	}}
	for page, want := range map[string]string{
		`<a href="http://otro.FARO.gob.aa/x">Ver</a>`: "aa",
		"Texto de www.gaceta.bb":                      "bb",
		"correo@gaceta.bb":                            "bb",
		`<a href="https://www.gaceta.bb/1"></a><a href="https://textos.faro.gob.aa/"></a>`: "", // two services
		"https://www.comun.org/1":                            "", // serves both
		"https://minigaceta.bb/":                             "",
		"https://www.gaceta.bbc/ https://www.gaceta.bb.org/": "",
		"sola.bb, gob.aa":                                    "",
		"":                                                   "",
	} {
		if got := opt.served([]byte(page)); got != want {
			t.Errorf("%q: %q, want %q", page, got, want)
		}
	}
	const page = "<title>t</title><h1>Ley 7301</h1><p>Art\u00edculo 1. Todo faro lucir\u00e1 de noche.</p><a href='http://textos.faro.gob.aa/2'>otra</a>"
	docs, _, err := ReadFile(t.Context(), "p.html", []byte(page), opt)
	if err != nil || len(docs) != 1 || docs[0].Norm.Jurisdiction != "aa" {
		t.Fatalf("%+v %v", docs, err)
	}
	opt.Jurisdiction = "bb"
	if docs, _, _ = ReadFile(t.Context(), "p.html", []byte(page), opt); docs[0].Norm.Jurisdiction != "bb" {
		t.Errorf("what the caller says goes first: %+v", docs[0].Norm)
	}
}
