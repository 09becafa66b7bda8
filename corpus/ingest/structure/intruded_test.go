package structure_test

import (
	"slices"
	"strings"
	"testing"

	"digesto"
	"digesto/corpus/ingest/dating"
	"digesto/internal/ingesttest"
)

// The page of another norm pasted into an article: the file's own articles keep their
// numbers, the others stand apart without force. Invented.
func TestIntrudedArticles(t *testing.T) {
	const head = "---\ntitle: \"FAROS\"\nidentifier: \"LEY-1234\"\ncountry: \"ar\"\nrank: \"ley\"\npublication_date: \"1990-01-01\"\nstatus: \"in_force\"\n---\n# FAROS\n\n"
	own := func(n, text string) string { return "**ARTICULO " + n + ".**— " + text + "\n\n" }
	orders := "ARTÍCULO 4°.- Sustitúyese el artículo 57 de la Ley N° 20 por el siguiente:\n\n“ARTÍCULO 57.- El aceite es de oliva”.\n\nARTÍCULO 5°.- Derógase el artículo 8° de la Ley N° 20.\n\nARTÍCULO 6°.- Sustitúyese el artículo 1° de la Ley N° 30 por el siguiente:\n\n“ARTÍCULO 1°.- La sal es blanca”.\n\n"
	before := own("1", "El farero enciende la luz al anochecer.") + own("2", "Incorpóranse en la Ley Nº 9 los artículos siguientes.")
	after := own("3", "El aceite se compra en octubre.") + own("4", "La luz se apaga al alba.") + own("5", "El aceite sobrante vuelve al almacén.") + own("6", "Comuníquese.")
	rules := strings.NewReplacer("Sustitúyese el artículo 57 de la Ley N° 20 por el siguiente:", "Los puertos tienen faro.", "Derógase el artículo 8° de la Ley N° 20.", "Los faros tienen puerta.", "Sustitúyese el artículo 1° de la Ley N° 30 por el siguiente:", "Las puertas tienen llave.")
	for _, c := range []struct {
		name, text string
		apart      []string // units of the other norm
	}{
		{"orders of another norm between 2 and 3", before + orders + after, []string{"a4~2", "a5~2", "a6~2"}},
		{"two of them may be a quotation", before + strings.Split(orders, "ARTÍCULO 6°")[0] + after, nil},
		{"articles that order nothing", before + rules.Replace(orders) + after, nil},
		{"the norm does not go on after them", before + orders, nil},
	} {
		docs, _, err := ingesttest.ReadBytes("LEY-1234.md", head+c.text)
		if err != nil || len(docs) != 1 {
			t.Fatal(c.name, err, len(docs))
		}
		var apart []string
		for _, u := range docs[0].Units {
			v := u.Versions[len(u.Versions)-1]
			if slices.ContainsFunc(v.Defects, func(d digesto.TextDefect) bool { return d.Kind == digesto.DefectNotOwn }) && !v.Current {
				apart = append(apart, u.ID)
			}
			if host := u.ID == "a2" && c.apart != nil; dating.Foreign(v) && v.Current != host {
				t.Errorf("%s: %s is told: %+v", c.name, u.ID, v.Defects)
			}
			if u.ID == "a4" && c.apart != nil && !strings.HasPrefix(v.Text, "La luz") {
				t.Errorf("%s: article 4 is %q", c.name, v.Text)
			}
		}
		if !slices.Equal(apart, c.apart) {
			t.Errorf("%s: apart %q, want %q", c.name, apart, c.apart)
		}
	}
}
