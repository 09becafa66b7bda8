package main

import (
	"strings"
	"testing"

	"digesto/eval"
	"digesto/packs"
	webevaluation "digesto/web/evaluation"
)

// TestEvaluationPage shows every golden mean with its command, in Spanish, and says
// with which law it was taken.
func TestEvaluationPage(t *testing.T) {
	all, err := packs.Load(packs.Options{})
	if err != nil {
		t.Fatal(err)
	}
	_, law := eval.GoldenMeans(eval.Golden("laboral"))
	v := webevaluation.View(all, law)
	if len(v.Packs) != len(all) || len(v.Searches) == 0 {
		t.Fatalf("%d packs, %d searches", len(v.Packs), len(v.Searches))
	}
	for i, p := range v.Packs {
		if len(p.Rows) == 0 || p.Command != "digesto eval pack "+all[i].Name {
			t.Errorf("%s: %d rows, %s", p.Name, len(p.Rows), p.Command)
		}
		if want := map[string]string{"laboral": "Esta ley", "clara": "Fichas", "peru": "Otra ley"}[p.Name]; want != "" && p.Word != want {
			t.Errorf("%s says %q", p.Name, p.Word)
		}
		means, _ := eval.GoldenMeans(eval.Golden(p.Name))
		for _, m := range means {
			if _, ok := webevaluation.KindWords[m.Kind]; !ok {
				t.Errorf("%s: the kind %s has no name", p.Name, m.Kind)
			}
		}
	}
	_, page := newVisit(t, serveLaw(t, t.TempDir())).get("/evaluacion")
	for _, want := range []string{"Negativas", "digesto eval pack peru", "nDCG@10", "sin tildes", " %</strong>", "Contestar o callar", "<polyline points="} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}
