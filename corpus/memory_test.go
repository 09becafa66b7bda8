package corpus

import (
	"testing"

	"digesto"
)

// sample is a synthetic decree that approves a regulation, both with an article 1.
func sample() Document {
	unit := func(id, num, text string) digesto.Unit {
		return digesto.Unit{ID: id, Kind: digesto.KindArticle, Number: num, Label: "Artículo " + num,
			Versions: []digesto.Version{{ID: "1", Text: text, Current: true}}}
	}
	return Document{
		Norm: digesto.Norm{ID: "DEC-7-2020", IDs: []string{"eli/xx/d/2020/7"}, Title: "Decreto 7/2020 de la feria", Short: "Decreto de la feria",
			Jurisdiction: "xx", Collection: "normativa", Source: "decreto-7.md", Format: "markdown", Supplied: true},
		Units: []digesto.Unit{
			unit("a1", "1", "Se aprueba el reglamento de la feria."),
			unit("a1~2", "1", "La feria abre los martes."),
			unit("a2", "2", "Los puestos pagan cinco monedas."),
			unit("a3", "3", "El canon se paga al entrar."),
		},
		File: "decreto-7.md", ContentHash: "h1",
	}
}

func TestMemoryFinds(t *testing.T) {
	s := Memory(sample())
	defer s.Close()
	for _, id := range []string{"DEC-7-2020", "dec-7-2020", "ELI/xx/d/2020/7"} {
		if n, ok := s.Norm(id); !ok || n.ID != "DEC-7-2020" {
			t.Errorf("Norm(%q) = %v, %v", id, n.ID, ok)
		}
	}
	u, ok := s.Unit("DEC-7-2020", "a2")
	if !ok || u.Norm != "DEC-7-2020" || u.Versions[0].SHA256 != textHash(u.Versions[0].Text) {
		t.Fatalf("Unit = %+v, %v", u, ok)
	}
	if _, err := s.Load("DEC-7-2020", "a9"); digesto.CodeOf(err) != digesto.CodeNotFound {
		t.Errorf("missing unit: %v", err)
	}
	if _, err := s.Load("OTRA", "a1"); digesto.CodeOf(err) != digesto.CodeNotFound {
		t.Errorf("missing norm: %v", err)
	}
}

func TestMemoryHash(t *testing.T) {
	a, b := Memory(sample()), Memory(sample())
	if a.Hash() == "" || a.Hash() != b.Hash() {
		t.Errorf("hashes %q and %q of the same documents", a.Hash(), b.Hash())
	}
	d := sample()
	d.Units[2].Versions[0].Text += " Y una más."
	if Memory(d).Hash() == a.Hash() {
		t.Error("a changed text has the same hash")
	}
	if h := Memory().Hash(); h != "" {
		t.Errorf("hash of nothing = %q", h)
	}
}

func TestChunks(t *testing.T) {
	var got []digesto.Chunk
	for c, err := range Memory(sample()).Chunks() {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, c)
	}
	if len(got) != 4 {
		t.Fatalf("%d chunks, want 4", len(got))
	}
	c := got[1]
	if c.ID != "DEC-7-2020/a1~2/1" || c.Unit != "DEC-7-2020/a1~2" || c.Title != "Decreto de la feria. Artículo 1" || !c.Current {
		t.Errorf("chunk = %+v", c)
	}
}
