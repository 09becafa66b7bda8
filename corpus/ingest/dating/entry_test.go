package dating

import (
	"testing"

	"digesto"
	"digesto/corpus"
)

func TestEntryIntoForce(t *testing.T) {
	for clause, want := range map[string]digesto.Date{
		"Esta ley de faros entrará en vigor el día siguiente al de su publicación en «Diario».":                           "2031-02-01",
		"Este reglamento entrará en vigor el mismo día de su publicación en el «Diario».":                                 "2031-01-31",
		"La presente orden y el texto que aprueba entrarán en vigor el día 1 de octubre de 2032.":                         "2032-10-01",
		"Esta ley de faros entrará en vigor a los veinte días de su publicación en «Diario».":                             "2031-02-20",
		"El presente decreto entrará en vigor al mes de su publicación en el «Diario».":                                   "",
		"Este decreto de faros entrará en vigor a los dos meses de su publicación.":                                       "2031-03-31",
		"El presente decreto entrará en vigor a los trece meses de su publicación en el «Diario».":                        "",
		"El presente decreto entrará en vigor el día uno del mes siguiente al de su publicación en «Diario».":             "2031-02-01",
		"Este decreto de faros entrará en vigor el primer día del segundo mes siguiente a la publicación.":                "2031-03-01",
		"Esta ley de faros entrará en vigor tres meses después de su publicación en «Diario».":                            "2031-04-30",
		"La presente ley entrará en vigor el día siguiente al de su publicación, salvo el artículo 3, que lo hará luego.": "",
		"1. La presente ley entrará en vigor mañana.\n2. Otra cosa.":                                                      "",
	} {
		d := corpus.Document{Norm: digesto.Norm{ID: "N", Published: "2031-01-31"},
			Units: []digesto.Unit{{ID: "df1", Rubric: "Entrada en vigor", Versions: []digesto.Version{{ID: "1", Text: clause, Current: true}}}}}
		setEntry(&d)
		if d.Norm.InForce != want {
			t.Errorf("%s: %q, want %q", clause, d.Norm.InForce, want)
		}
	}
}

func TestPeriodOfANorm(t *testing.T) {
	d := corpus.Document{Norm: digesto.Norm{ID: "N", Published: "2031-02-15", Status: digesto.StatusRepealed}, Units: []digesto.Unit{{ID: "df3", Rubric: "Entrada en vigor y periodo de vigencia", Versions: []digesto.Version{{ID: "1", Current: true,
		Text: "Este decreto entrará en vigor al día siguiente y vale por el período comprendido entre el 1 de febrero y el 30 de noviembre de 2031, salvo lo dicho."}}}}}
	setEntry(&d)
	if d.Norm.InForce != "2031-02-01" || d.Norm.RepealedFrom != "2031-12-01" {
		t.Errorf("%s – %s", d.Norm.InForce, d.Norm.RepealedFrom)
	}
}

func TestReformsTakeTheDatesOfTheirNorm(t *testing.T) {
	d := corpus.Document{Norm: digesto.Norm{ID: "N"}, Units: []digesto.Unit{{ID: "a1", Versions: []digesto.Version{{ID: "1", Text: "T", Current: true,
		Reforms: []digesto.Reform{{Norm: "M", Name: "Ley 1/2031", Enacted: "2031-01-30"}}}}}}}
	NewReformers([]digesto.Norm{{ID: "M", Published: "2031-01-31", InForce: "2031-02-01"}}).Complete(&d)
	if v := d.Units[0].Versions[0]; v.Published != "2031-01-31" || v.ValidFrom != "2031-02-01" {
		t.Errorf("%+v", v)
	}
}
