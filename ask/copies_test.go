package ask

import (
	"slices"
	"testing"

	"digesto"
	"digesto/retrieve"
)

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
