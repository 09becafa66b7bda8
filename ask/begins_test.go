package ask

import (
	"slices"
	"testing"

	"digesto"
	"digesto/corpus"
	"digesto/index"
	"digesto/query"
	"digesto/retrieve"
)

// chaptered is the invented world with a law of one chapter about the buoys: its first
// article says what they are and does not name them.
func chaptered(t *testing.T) world {
	t.Helper()
	w := newWorld(t, true)
	docs := lawDocs()
	d := corpus.Document{Norm: digesto.Norm{ID: "LEY-3", Title: "Ley 3/2003, de 5 de mayo, de cosas del mar", Rank: "ley", Jurisdiction: "xx", Packs: []string{"costa"}, Collection: "normativa"}}
	for k, x := range []struct{ rubric, text, chapter string }{
		{"Concepto", "Es el cuerpo que flota sujeto al fondo y que señala un paso.", "CAPÍTULO I. Boyas"},
		{"Color", "De color rojo o verde se pintarán las boyas.", "CAPÍTULO I. Boyas"},
		{"Luz", "Las boyas llevarán una luz que se vea a dos millas.", "CAPÍTULO I. Boyas"},
		{"Redes", "Nadie atará redes a las boyas.", "CAPÍTULO II. Prohibiciones"},
	} {
		n := string(rune('1' + k))
		d.Units = append(d.Units, digesto.Unit{Norm: "LEY-3", ID: "a" + n, Kind: digesto.KindArticle, Number: n, Label: "Artículo " + n, Rubric: x.rubric, Path: []string{x.chapter},
			Versions: []digesto.Version{{ID: "1", Text: x.text, Current: true}}})
	}
	snap := corpus.Memory(append(docs, d)...)
	ix, err := index.Memory(t.Context(), snap.Chunks(), index.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	w.law = query.View{Snapshot: snap, Searcher: ix}
	return w
}

// TestAChapterBeginsWithWhatItIs: what a thing is stands where its chapter begins, though
// the article does not name it; what else is asked of it is looked for by its words.
func TestAChapterBeginsWithWhatItIs(t *testing.T) {
	e := chaptered(t).engine(t, nil)
	for q, unit := range map[string]string{"¿Qué son las boyas?": "a1", "¿Qué color tienen las boyas?": "a2", "¿Se pueden atar redes a las boyas?": "a4"} {
		a := askPack(t, e, "costa", q)
		if len(a.Citations) == 0 || a.Citations[0].Ref.Unit != unit || a.Citations[0].Ref.Document != "LEY-3" {
			t.Errorf("%s: %s %v", q, a.Answer, a.Citations)
		}
	}
}

// TestCopiesAreOne: of the same article in two files the one of a known source stays;
// articles that only begin alike, of two sources, stay both.
func TestCopiesAreOne(t *testing.T) {
	long := "Toda persona que encuentre un objeto arrojado por el mar lo entregará en el puesto más cercano dentro de los tres días siguientes, y recibirá por ello un resguardo firmado con la fecha."
	unit := func(norm, jurisdiction, id, text string) retrieve.Hit {
		x := retrieve.Hit{Law: true}
		x.Norm, x.Unit, x.Version = digesto.Norm{ID: norm, Jurisdiction: jurisdiction}, digesto.Unit{ID: id}, digesto.Version{Text: text}
		return x
	}
	h := retrieve.Hits{}
	p := *newWorld(t, true).packs[0]
	h.Pack = &p
	for _, c := range []struct {
		list []retrieve.Hit
		want []string
	}{
		{[]retrieve.Hit{unit("copia", "", "a1", long), unit("LEY-1", "xx", "a1", "  "+long+" (Nota del editor.)")}, []string{"LEY-1/a1"}},
		{[]retrieve.Hit{unit("LEY-1", "xx", "a1", long), unit("copia", "", "a1", long)}, []string{"LEY-1/a1"}},
		{[]retrieve.Hit{unit("LEY-1", "xx", "a1", long), unit("copia", "", "a2", long)}, []string{"LEY-1/a1", "copia/a2"}},
		{[]retrieve.Hit{unit("LEY-1", "xx", "a1", "Sin contenido."), unit("LEY-2", "xx", "a1", "Sin contenido. Véase la nota.")}, []string{"LEY-1/a1", "LEY-2/a1"}},
	} {
		h.List = slices.Clone(c.list)
		h.DropCopies()
		var got []string
		for k := range h.List {
			got = append(got, h.List[k].Key())
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%v, want %v", got, c.want)
		}
	}
}
