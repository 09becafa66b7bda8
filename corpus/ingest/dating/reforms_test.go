package dating

import (
	"reflect"
	"strings"
	"testing"

	"digesto"
)

func TestReformsOf(t *testing.T) {
	for _, c := range []struct {
		name  string
		notes []string
		want  []digesto.Reform
	}{
		{"number and date", []string{"Se modifican los apartados 1 y 2 por el art. 7 de la Ley 12/2031, de 4 de mayo. Ref. BOE-A-2031-555#a7"},
			[]digesto.Reform{{Act: digesto.ActAmends, Norm: "BOE-A-2031-555", Name: "Ley 12/2031", Parts: []string{"1", "2"}, Enacted: "2031-05-04"}}},
		{"effects", []string{"Se añade, con efectos de 1 de enero de 2032, por la disposición final 3.2 del Real Decreto-ley 9/2031, de 30 de noviembre. Ref. BOE-A-2031-900"},
			[]digesto.Reform{{Act: digesto.ActAdds, Norm: "BOE-A-2031-900", Name: "Real Decreto-ley 9/2031", Enacted: "2031-11-30", From: "2032-01-01"}}},
		{"effects of a part", []string{"Se modifica el apartado 2, y con efectos de 17 de mayo de 2032 se deroga el 3, por el art. 1 del Real Decreto-ley 9/2031, de 30 de noviembre."},
			[]digesto.Reform{{Act: digesto.ActAmends, Name: "Real Decreto-ley 9/2031", Parts: []string{"2", "3"}, Enacted: "2031-11-30"}}},
		{"said in the next note", []string{"Se modifica por el art. 1 de la Ley 2/2031, de 3 de abril.", "Esta modificación entra en vigor el 5 de octubre de 2031, según establece la disposición final 8 de la citada Ley."},
			[]digesto.Reform{{Act: digesto.ActAmends, Name: "Ley 2/2031", Enacted: "2031-04-03", From: "2031-10-05"}}},
		{"corrected", []string{"Redactado conforme a la corrección de errores publicada en BOE núm. 916, de 19 de enero de 2032."}, nil},
		{"no reform", []string{"Téngase en cuenta la disposición transitoria única de la Ley 2/2031, de 3 de abril."}, nil},
		{"gazette day in figures", []string{"(Artículo sustituido por art. 5° de la Ley N° 99.123 B.O. 8/7/2031. Vigencia: desde el día siguiente al de su publicación)"},
			[]digesto.Reform{{Act: digesto.ActAmends, Name: "Ley 99.123", Published: "2031-07-08", From: "2031-07-09"}}},
		{"published", []string{"(12) Artículo modificado por el Artículo 3 del Decreto Legislativo N° 1999, publicado el 10 diciembre 2031, el mismo que entró en vigencia el 1 de enero de 2032."},
			[]digesto.Reform{{Act: digesto.ActAmends, Name: "Decreto Legislativo 1999", Published: "2031-12-10", From: "2032-01-01"}}},
		{"order without number", []string{"Se deroga por la disposición derogatoria de la Orden de 20 de mayo de 2031."},
			[]digesto.Reform{{Act: digesto.ActRepeals, Name: "Orden de 20 de mayo de 2031", Enacted: "2031-05-20"}}},
	} {
		got := ReformsOf(c.notes)
		if len(got) != len(c.want) {
			t.Errorf("%s: %+v", c.name, got)
			continue
		}
		for i := range got {
			if !reflect.DeepEqual(got[i], c.want[i]) {
				t.Errorf("%s: %+v\nwant %+v", c.name, got[i], c.want[i])
			}
		}
	}
}

func TestActIn(t *testing.T) {
	for in, want := range map[string]digesto.Act{
		"se modifica el apartado 2":                       digesto.ActAmends,
		"se anade la letra d)":                            digesto.ActAdds,
		"se suprime el parrafo segundo":                   digesto.ActRepeals,
		"se deroga":                                       digesto.ActRepeals,
		"se anade el apartado 3 y se suprime el 4":        digesto.ActAmends,
		"articulo incorporado":                            digesto.ActAdds,
		"segundo parrafo substituido":                     digesto.ActAmends,
		"la referencia ha de entenderse hecha a otra ley": "",
	} {
		if got := actIn(in); got != want {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
	}
}

func TestPartsIn(t *testing.T) {
	for in, want := range map[string]string{
		"se modifican los apartados 4 y 5":                    "4 5",
		"se modifica el apartado 2":                           "2",
		"se anade un parrafo final al apartado 4":             "4",
		"se modifican los apartados 4 a 7 y se suprime el 10": "4 5 6 7 10",
		"se deroga el apartado 1.h)":                          "1",
		"se modifica la letra c) del apartado 2":              "2",
		"se modifica, con efectos de 1 de enero de 2023,":     "",
		"se modifica la letra c)":                             "",
		"se modifica":                                         "",
		"se modifica el apartado 2, y con efectos de 17 de mayo de 2032 se deroga el apartado 3,": "2 3",
		"se modifican los apartados 1.1, 2 y 8":                                                   "1 2 8",
	} {
		if got := strings.Join(partsIn(in), " "); got != want {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
	}
}

// Notes whose words are glued, that name no day, that speak of another unit. Invented.
func TestReformsOfGluedNotes(t *testing.T) {
	for _, c := range []struct {
		note      string
		name      string // "" = no change of the unit
		published digesto.Date
		from      digesto.Date
	}{
		{"(Artículosustituidopor art. 5 de laLey N° 1.234B.O. 8/7/2014. Vigencia: a partir del día siguiente al de su publicación.)", "Ley 1.234", "2014-07-08", "2014-07-09"},
		{"(Artículosustituido por art. 5 de laLey N° 1.234B.O. 8/7/2014)", "Ley 1.234", "2014-07-08", ""},
		{"(Incisoderogado por art. 9 de laLey N° 1.234B.O. 8/7/2014)", "Ley 1.234", "2014-07-08", ""},
		{"(Artículo derogado por art. 1º delDecreto Nacional N° 77/1996B.O. 16/7/1996).", "Decreto 77/1996", "1996-07-16", ""},
		{"(según art. 1º.13, ley 5.678)", "Ley 5.678", "", ""},
		{"(Capítulo VIII derogadopor art. 26 de laLey Nº 9.876B.O. 6/3/2016)", "", "", ""},
		{"(Artículo sustituido por art. 5 de la Ley N° 1.234 B.O. 8/7/2014)", "Ley 1.234", "2014-07-08", ""},
		{"(artículo 5 de la ley 1.234)", "", "", ""},
	} {
		got := ReformsOf([]string{spacedNote(c.note)})
		if c.name == "" {
			if len(got) > 0 {
				t.Errorf("%s: %+v", c.note, got)
			}
			continue
		}
		if len(got) != 1 || got[0].Name != c.name || got[0].Published != c.published || got[0].From != c.from {
			t.Errorf("%s: %+v", c.note, got)
		}
	}
}
