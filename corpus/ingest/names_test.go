package ingest

import (
	"strings"
	"testing"

	"digesto/corpus/ingest/line"
)

// TestPageNames: a page that bears the name of its service is called by what stands
// above its rank and number.
func TestPageNames(t *testing.T) {
	const body = "<p>ARTICULO 1º.- El faro se enciende al caer la tarde y se apaga al alba.</p><p>ARTICULO 2º.- El farero anota las horas.</p>"
	for _, c := range []struct{ page, title, rank string }{
		{"<title>Servicio - Ministerio del Mar</title><p>ORGANIZACIÓN</p><p>REGIMEN DE LOS FAROS</p><p>Ley Nº 7.301</p>" + body, "REGIMEN DE LOS FAROS (Ley Nº 7.301)", "ley"},
		{"<title>Servicio</title><p><b>Faros y balizas</b></p><p>Decreto 7/2020</p>" + body, "Faros y balizas (Decreto 7/2020)", "decreto"},
		{"<title>Servicio</title><p>Decreto-ley 7/2020</p>" + body, "Decreto-ley 7/2020", "decreto_ley"},
		{"<title>Ley 7301 de faros</title><p>REGIMEN DE LOS FAROS</p><p>Ley 7301</p>" + body, "Ley 7301 de faros", "ley"},
		{"<title>Reglamento del puerto viejo</title>" + body, "Reglamento del puerto viejo", ""},
		{"<h4>TÍTULO I</h4><h4>De las disposiciones generales</h4><h5>Artículo 1. Objeto.</h5><p>El faro se enciende al caer la tarde.</p>", "pagina", ""},
	} {
		docs, _, err := ReadFile(t.Context(), "pagina.html", []byte(c.page), Options{})
		if err != nil || len(docs) != 1 {
			t.Fatalf("%d documents, %v", len(docs), err)
		}
		if n := docs[0].Norm; n.Title != c.title || n.Rank != c.rank {
			t.Errorf("%q %q, want %q %q", n.Title, n.Rank, c.title, c.rank)
		}
	}
}

// TestSummaryOfAnIssue: a PDF that lists norms is none.
func TestSummaryOfAnIssue(t *testing.T) {
	var lines []line.Line
	for _, s := range strings.Fields("XYZ-A-2020-1 XYZ-A-2020-2 XYZ-A-2020-3 XYZ-A-2020-4 XYZ-A-2020-5") {
		if listsNorms(lines) {
			t.Errorf("%d are a list", len(lines))
		}
		lines = append(lines, line.Line{Text: s + " Orden por la que se enciende un faro."})
	}
	if !listsNorms(lines) {
		t.Error("five are no list")
	}
	if listsNorms(append(lines, line.Line{Text: "Artículo 1. Del faro."})) {
		t.Error("a norm with articles is a list")
	}
}
