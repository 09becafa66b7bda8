package dating

import (
	"testing"

	"digesto"
)

// TestReformsTogether: a note that tells of one reform after another, and one with a list below it.
func TestReformsTogether(t *testing.T) {
	for _, c := range []struct {
		name  string
		notes []string
		want  []digesto.Reform
	}{
		{"one after another", []string{"Artículo incorporado por el artículo 2 del DL 77, publicado el 5 de julio de 2012. Luego, el artículo fue modificado por el Decreto Legislativo 88, publicado el 4 de febrero de 2020."},
			[]digesto.Reform{{Name: "DL 77", Act: digesto.ActAdds, Published: "2012-07-05"}, {Name: "Decreto Legislativo 88", Act: digesto.ActAmends, Published: "2020-02-04"}}},
		{"a list below", []string{"Artículo modificado por los siguientes dispositivos:", "Artículo único de la Ley 4, publicada el 8 de setiembre de 2009.", "2. Decreto Legislativo 5, publicado el 5 de mayo de 2022. Se modificó el artículo 7 de la Ley 1."},
			[]digesto.Reform{{Name: "Ley 4", Act: digesto.ActAmends, Published: "2009-09-08"}, {Name: "Decreto Legislativo 5", Act: digesto.ActAmends, Published: "2022-05-05"}}},
		{"no list announced", []string{"Artículo único de la Ley 4, publicada el 8 de setiembre de 2009."}, nil},
	} {
		got := ReformsOf(c.notes)
		if len(got) != len(c.want) {
			t.Errorf("%s: %+v", c.name, got)
			continue
		}
		for i, r := range got {
			if w := c.want[i]; r.Name != w.Name || r.Act != w.Act || r.Published != w.Published {
				t.Errorf("%s: %+v, want %+v", c.name, r, w)
			}
		}
	}
}

// TestRepealedByNote: the text of a unit is printed though its last note repeals it.
func TestRepealedByNote(t *testing.T) {
	for _, c := range []struct {
		note         string
		current      bool
		to, replaced digesto.Date
	}{
		{"(*) Artículo derogado por la Ley N° 9, publicada el 18 febrero 2022. La citada ley entra en vigencia el 1 de julio de 2023.", false, "2023-07-01", ""},
		{"(*) Artículo derogado por la Ley N° 9, publicada el 18 febrero 2022.", false, "", "2022-02-18"},
		{"Artículo incorporado por la Ley 8, publicada el 10 de enero de 2019. Posteriormente, fue derogado por la Ley 9, publicada el 20 de marzo de 2024. La reforma entra en vigor a partir de las próximas elecciones generales de 2026.", false, "", "2026-01-01"},
		{"(*) Inciso derogado por la Ley N° 9, publicada el 18 febrero 2022.", true, "", ""},
		{"(*) Artículo derogado por la Ley N° 9, publicada el 18 febrero 2022. Luego, fue restablecido por la Ley 10, publicada el 1 de marzo de 2023.", true, "", ""},
	} {
		v := digesto.Version{Current: true, Text: "El riego es de noche.", Notes: []string{c.note}}
		v.Reforms = ReformsOf(v.Notes)
		DateVersion(&v)
		endRepealed(&v)
		if v.Current != c.current || v.ValidTo != c.to || v.Replaced != c.replaced {
			t.Errorf("%s: current %v, to %q, replaced %q", c.note, v.Current, v.ValidTo, v.Replaced)
		}
	}
}
