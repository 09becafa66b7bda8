package markup_test

import (
	"context"
	"testing"

	"digesto/corpus/ingest"
)

// A set in BEIR layout names norm, title and article in words of its own.
func TestJSONLReadsEvaluationSets(t *testing.T) {
	const lines = `{"_id":"LEY-7:a3bis","title":"Ley 7/2001, de Puertos — Artículo 3 bis. Tasas","text":"La tasa se paga por día.","metadata":{"law":"LEY-7","law_title":"Ley 7/2001, de 4 de mayo, de Puertos","article":"a3bis","path":"TÍTULO I > CAPÍTULO II","updated":"2024-02-03"}}
{"_id":"LEY-7:s0-a1","title":"Ley 7/2001, de Puertos — Artículo único","text":"Se aprueba el reglamento.","metadata":{"law":"LEY-7"}}
{"_id":"guia:requisitos","title":"Ayuda al amarre — requisitos","text":"Tener un barco."}`
	docs, bad, err := ingest.ReadFile(context.Background(), "set.jsonl", []byte(lines), ingest.Options{Jurisdiction: "es"})
	if err != nil || len(bad) != 0 || len(docs) != 2 {
		t.Fatalf("%d documents, %v, %v", len(docs), bad, err)
	}
	n, u := docs[0].Norm, docs[0].Units[0]
	if n.ID != "LEY-7" || n.Title != "Ley 7/2001, de 4 de mayo, de Puertos" || n.TextAsOf != "2024-02-03" || n.Jurisdiction != "es" {
		t.Errorf("norm %+v", n)
	}
	if u.ID != "a3bis" || u.Label != "Artículo 3 bis" || u.Rubric != "Tasas" || len(u.Path) != 2 {
		t.Errorf("unit %+v", u)
	}
	if g := docs[1]; g.Norm.ID != "guia" || g.Norm.Title != "Ayuda al amarre" || g.Units[0].Label != "requisitos" {
		t.Errorf("guide %+v", g)
	}
}
