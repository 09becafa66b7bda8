package ask

import (
	"context"
	"strings"
	"testing"

	"digesto"
	"digesto/corpus"
	"digesto/verify"
)

// reformed is a law with a reform of known dates and one of unknown.
func reformed() []corpus.Document {
	norm := digesto.Norm{ID: "LEY-3", Title: "Ley 3/2003, de 5 de mayo, de Pesca con Red", Rank: "ley", Jurisdiction: "xx", Collection: "normativa", Packs: []string{"costa"},
		Published: "2003-05-05", TextAsOf: "2018-01-01", Source: "LEY-3.md", Format: "markdown", Official: true}
	version := func(id, text string, from, to digesto.Date, current bool) digesto.Version {
		return digesto.Version{ID: id, Text: text, Published: from, ValidFrom: from, ValidTo: to, Current: current}
	}
	return []corpus.Document{{Norm: norm, Units: []digesto.Unit{
		{ID: "a1", Kind: digesto.KindArticle, Number: "1", Label: "Artículo 1", Rubric: "Veda de la red", Versions: []digesto.Version{
			version("2003-06-01", "La veda de la red durará cuarenta días cada primavera.", "2003-06-01", "2018-01-01", false),
			version("2018-01-01", "La veda de la red durará sesenta días cada primavera.", "2018-01-01", "", true),
		}},
		{ID: "a2", Kind: digesto.KindArticle, Number: "2", Label: "Artículo 2", Rubric: "Malla de la red", Versions: []digesto.Version{
			{ID: "1", Text: "La malla de la red medirá doce milímetros como mínimo.", Current: false},
			{ID: "2", Text: "La malla de la red medirá veinte milímetros como mínimo.", Current: true},
		}},
	}}}
}

func TestAnswersAsOfADay(t *testing.T) {
	w := newWorld(t, true)
	w.law = view(t, reformed())
	e := w.engine(t, nil)
	at := func(q string, day digesto.Date) digesto.Answer {
		a, err := e.Ask(context.Background(), digesto.Question{Text: q, Pack: "costa", AsOf: day}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range a.Citations {
			if v := verify.Quote(c, w.law.Snapshot, day); v != verify.Proved {
				t.Errorf("%s on %s: %s", q, day, v)
			}
		}
		return a
	}
	const veda = "¿Cuántos días dura la veda de la red?"
	for day, holds := range map[digesto.Date]string{"": "sesenta", "2026-11-21": "sesenta", "2018-01-01": "sesenta", "2017-12-31": "cuarenta", "2003-06-01": "cuarenta"} {
		a := at(veda, day)
		if !strings.Contains(a.Answer, holds) || day != "" && a.Meta.AsOf != day {
			t.Errorf("%q: %s (%s)", day, a.Answer, a.Meta.AsOf)
		}
	}
	if a := at(veda, "2001-01-01"); a.Meta.Outcome == digesto.OutcomeAnswer {
		t.Errorf("answered from a law of later: %s", a.Answer)
	}
	if a := at("¿Cuánto mide la malla de la red?", "2010-01-01"); strings.Contains(a.Answer, "doce") {
		t.Errorf("a wording of unknown dates was taken for past law: %s", a.Answer)
	}
	a := at("¿Cuánto mide la malla de la red?", "")
	if a.Notes == nil || !strings.Contains(*a.Notes, "vigencia no acreditada") {
		t.Errorf("unknown validity not said: %v", a.Notes)
	}
	if a := at(veda, ""); a.Notes != nil && strings.Contains(*a.Notes, "vigencia no acreditada") {
		t.Errorf("known validity called unknown: %s", *a.Notes)
	}
}

func TestRepealedNormIsNotQuoted(t *testing.T) {
	docs := reformed()
	docs[0].Norm.Status, docs[0].Norm.RepealedFrom = digesto.StatusRepealed, "2020-01-01"
	w := newWorld(t, true)
	w.law = view(t, docs)
	e := w.engine(t, nil)
	if a := ask(t, e, "¿Cuántos días dura la veda de la red?"); a.Meta.Outcome == digesto.OutcomeAnswer {
		t.Errorf("quoted a repealed law: %s", a.Answer)
	}
}
