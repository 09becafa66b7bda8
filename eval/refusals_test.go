package eval

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"digesto"
)

// TestRefusals: two laws; the twin answers what its law says, and without the
// law only what does not name it.
func TestRefusals(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"corpus.jsonl": `{"_id":"FARO:a1","title":"Artículo 1","text":"La tasa es de dos euros.","metadata":{"law_title":"Ley 1/2000, de 1 de enero, de Faros"}}
{"_id":"RED:a1","title":"Artículo 1","text":"La red mide tres metros.","metadata":{"law_title":"Ley 2/2000, de 1 de enero, de Redes"}}`,
		"queries.jsonl": `{"_id":"1","text":"¿Qué tasa fija la Ley 1/2000, de Faros?"}
{"_id":"2","text":"¿Cuánto mide la red?"}`,
		"qrels.tsv": "query-id\tcorpus-id\tscore\n1\tFARO:a1\t1\n2\tRED:a1\t1\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	opt := RefusalOptions{Engine: func(_ context.Context, without string) (AskFunc, func(), error) {
		return func(_ context.Context, q digesto.Question) (digesto.Answer, error) {
			law := "FARO"
			if strings.Contains(q.Text, "red") {
				law = "RED"
			}
			if law == without && strings.Contains(q.Text, "Ley") {
				return digesto.Answer{Refusal: true}, nil
			}
			return digesto.Answer{Confidence: .8, Citations: []digesto.Citation{{Ref: &digesto.Ref{Document: law, Unit: "a1"}}}}, nil
		}, func() {}, nil
	}}
	rep, err := Refusals(t.Context(), dir, opt)
	if err != nil {
		t.Fatal(err)
	}
	m := rep.Metrics
	if m.Questions != 2 || m.FalseRefusals != 0 || m.Right != 1 || m.Named != 1 || m.AnsweredNamed != 0 || m.Unnamed != 1 || m.AnsweredOther != 1 {
		t.Errorf("%+v", m)
	}
	if len(rep.Laws) != 2 || len(rep.Bands) != 3 || rep.Bands[2].Answers == 0 || rep.Curve[0].Coverage != 1 || rep.Curve[19].Coverage != 0 {
		t.Errorf("%+v", rep)
	}
	for _, html := range []bool{false, true} {
		if p := string(Plot(rep, html)); !strings.Contains(p, "<polyline") || strings.Contains(p, "<table") != html || strings.Contains(p, "NaN") {
			t.Errorf("html=%v: %.200s", html, p)
		}
	}
	opt.Laws = []string{"NADA"}
	if _, err := Refusals(t.Context(), dir, opt); digesto.CodeOf(err) != digesto.CodeNotFound {
		t.Errorf("%v", err)
	}
}
