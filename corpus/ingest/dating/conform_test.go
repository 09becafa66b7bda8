package dating

import (
	"testing"

	"digesto"
	"digesto/text"
)

func TestConformingReform(t *testing.T) {
	const note = "(*) de conformidad con el articulo 2 de la ley n 31000, publicada el 3 enero 2021, se modifica el inciso b) del articulo 9 de la ley de faroles"
	if r, ok := conformingReform(note, "9"); !ok || r.Name != "Ley 31000" || r.Published != "2021-01-03" || r.Act != digesto.ActAmends {
		t.Errorf("%v %+v", ok, r)
	}
	if _, ok := conformingReform(note, "10"); ok {
		t.Error("a note about article 9 changes article 10")
	}
	if _, ok := conformingReform("de conformidad con la ley n 31000, publicada el 3 enero 2021, se prorroga el plazo del articulo 9", "9"); ok {
		t.Error("a prolongation changes the words")
	}
}

// A note that tells of the end of the article which put a text in tells of the end of the text.
func TestProviderRepealed(t *testing.T) {
	put := digesto.Reform{Name: "Ley 99.345", Act: digesto.ActAdds}
	for _, c := range []struct {
		note string
		want string
	}{
		{"(Artículo incorporado por art. 43 de la Ley N° 99.345 B.O. 17/11/2001. Artículo 43 de la Ley N° 99.345 derogado por art. 56 del Decreto N° 9970/2023 B.O. 21/12/2023.)", "2023-12-21"},
		{"(Artículo incorporado por art. 43 de la Ley N° 99.345 B.O. 17/11/2001. Artículo 9 de la Ley N° 11 derogado por art. 56 del Decreto N° 9970/2023 B.O. 21/12/2023.)", ""},
		{"(Artículo incorporado por art. 43 de la Ley N° 99.345 B.O. 17/11/2001)", ""},
	} {
		r, _ := undone(text.Fold(c.note), []digesto.Reform{put})
		if string(r.Published) != c.want || c.want != "" && r.Act != digesto.ActRepeals {
			t.Errorf("%s: %+v", c.note, r)
		}
	}
}
