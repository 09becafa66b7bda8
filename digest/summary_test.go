package digest

import (
	"strings"
	"testing"
	"testing/fstest"

	"digesto/pack"
)

func TestSummariesOfPlaces(t *testing.T) {
	dir := fstest.MapFS{
		"p/digest/N-1.txt":      {Data: []byte("norm: N-1\n== a3\ntext: Se paga en mayo.\nwords: en el mes de mayo\nshort: ¿Cuándo se paga?\n== a3\ntext: No pagan los menores.\nwords: quedan exentos los menores\nshort: ¿Pagan los menores?\n")},
		"p/digest/N-1.more.txt": {Data: []byte("norm: N-1\n== tt1-2\ntext: La fila.\nwords: tres por ciento\nshort: ¿Cuánto?\n")},
		"p/digest/N-2.txt":      {Data: []byte("norm: N-2\n== a1\ntext: Nadie sabe su título.\nwords: tres palabras más\nshort: ¿Qué?\n")},
	}
	p := &pack.Pack{Name: "p", Jurisdictions: []string{"xx"}, Anchors: []string{"https://boletin.example/"},
		Sources: []pack.Source{{ID: "N-1", Title: "Ley 1/2000, de 1 de mayo, de Tasas", Short: "Ley de Tasas", URL: "https://boletin.example/n1", Territory: "xx-a"}}}
	norms, units := Summaries(dir, p)
	if len(norms) != 1 || norms[0].Official || norms[0].Territory != "xx-a" || !strings.Contains(norms[0].Title, pack.SummaryLabel) {
		t.Fatalf("%+v", norms)
	}
	list := units(norms[0].ID)
	if len(list) != 3 {
		t.Fatalf("%+v", list)
	}
	seen := map[string]bool{}
	for _, u := range list {
		if seen[u.ID] || u.Versions[0].Text == "" {
			t.Errorf("%+v", u)
		}
		seen[u.ID] = true
	}
	file, _ := Parse("p/digest/N-1.txt", string(dir["p/digest/N-1.txt"].Data))
	if norm, unit := SummaryPlace(p, &file.Entries[1]); norm != norms[0].ID || !seen[unit] {
		t.Errorf("%s %s", norm, unit)
	}
	var notes string
	for _, u := range list {
		notes += u.Versions[0].Notes[0]
	}
	if !strings.Contains(notes, "artículo 3 de Ley 1/2000 de Tasas, https://boletin.example/n1#a3.") || strings.Contains(notes, "#tt1") {
		t.Error(notes)
	}
}
