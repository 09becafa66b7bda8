package ask

import (
	"maps"
	"strings"
	"testing"
	"testing/fstest"

	"digesto"
	"digesto/corpus"
	"digesto/digest"
	"digesto/ground"
	"digesto/pack"
)

// TestSummaries: without law the digest answers with what it says of a place, labelled as
// ours; with law it does not.
func TestSummaries(t *testing.T) {
	files := maps.Clone(manifest)
	files["costa/pack.yaml"] = &fstest.MapFile{Data: []byte(string(manifest["costa/pack.yaml"].Data) + "  sources: [sources.tsv]\n")}
	files["costa/sources.tsv"] = &fstest.MapFile{Data: []byte("id\ttitle\tshort\trank\turl\tarticles\tterritory\nLEY-1\tLey 1/2001, de 3 de marzo, de Faros y Balizas\tLey de Faros\tley\thttps://example.org/ley1\t7\t\n")}
	files["costa/digest/LEY-1.txt"] = &fstest.MapFile{Data: []byte(coast)}
	p, err := pack.Load(files, "costa")
	if err != nil {
		t.Fatal(err)
	}
	norms, units := digest.Summaries(files, p)
	if len(norms) != 1 {
		t.Fatalf("%+v", norms)
	}
	w := newWorld(t, false)
	w.packs = []*pack.Pack{p}
	w.own.Snapshot = corpus.Memory(corpus.Document{Norm: norms[0], Late: func() []digesto.Unit { return units(norms[0].ID) }})
	a := ask(t, w.engine(t, withDigest(t, sharp(-4))), "¿me quitan dias libres en la torre?")
	if len(a.Citations) != 1 || a.Citations[0].Ref.Official || a.Citations[0].Ref.Document != norms[0].ID || !strings.Contains(a.Citations[0].Quote, "veintidós días") || !strings.Contains(a.Citations[0].Ref.Title, "no es el texto oficial") {
		t.Errorf("%+v", a)
	}
	if a.Confidence > ground.OwnMost || a.Notes == nil || !strings.Contains(*a.Notes, "Lugar oficial: artículo 2 de ") {
		t.Errorf("confidence %v, notes %v", a.Confidence, a.Notes)
	}
	if a := ask(t, w.engine(t, withDigest(t, sharp(-4))), "quiero apuntarme a la regata de traineras"); !a.Refusal || !strings.Contains(a.Answer, "pregunte allí") {
		t.Errorf("what is elsewhere: %+v", a)
	}
	w.law = view(t, lawDocs())
	a = ask(t, w.engine(t, withDigest(t, sharp(-4))), "¿me quitan dias libres en la torre?")
	if len(a.Citations) == 0 || a.Citations[0].Ref.Document != "LEY-1" {
		t.Errorf("with law %s", places(a))
	}
}
