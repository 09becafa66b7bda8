package corpus

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"testing"

	"digesto"
)

// marketLaw makes a text of n articles; those from changed on have other words.
func marketLaw(id, title string, n, changed int, about string) Document {
	d := Document{File: id + ".md", Norm: digesto.Norm{ID: id, Title: title, Jurisdiction: "xx", Collection: "normativa", Source: id + ".md", Format: "markdown", Supplied: true}}
	for i := 1; i <= n; i++ {
		words := fmt.Sprintf("El puesto número %d de la feria %s paga cada mañana al guarda del mercado las monedas que le tocan.", i, about)
		if i >= changed {
			words = fmt.Sprintf("Quedan exentos en la feria %s los puestos de la fila %d mientras dure la obra de la plaza mayor, según el plano.", about, i)
		}
		no := fmt.Sprint(i)
		d.Units = append(d.Units, digesto.Unit{ID: "a" + no, Kind: digesto.KindArticle, Number: no, Label: "Artículo " + no,
			Versions: []digesto.Version{{ID: "1", Text: words, Current: true}}})
	}
	return d
}

// TestSameText: which of two texts without a common identifier are one norm, and that
// the one under the norm's identifier leads whatever the order.
func TestSameText(t *testing.T) {
	law := marketLaw("LEY-4321", "LEY DE FERIAS", 40, 99, "grande")
	law.Named, law.Norm.TextAsOf = true, "2020-01-01"
	for name, c := range map[string]struct {
		other Document
		one   bool
	}{
		"by its file's name, newer": {func() Document {
			d := marketLaw("ferias", "Ley de Ferias", 40, 30, "grande")
			d.Norm.TextAsOf = "2024-01-01"
			return d
		}(), true},
		"a part of it":                     {marketLaw("titulo-I", "Ley de Ferias", 15, 99, "grande"), true},
		"too few articles":                 {marketLaw("resumen", "Sobre las ferias", 6, 99, "grande"), false},
		"half changed, same number":        {marketLaw("copia", "Ley 4.321", 40, 19, "grande"), true},
		"half changed, no number":          {marketLaw("copia", "Ley de Ferias", 40, 19, "grande"), false},
		"a reform that repeats it in part": {marketLaw("reforma", "Ley 7.777", 12, 99, "grande"), false},
		"the whole under another number":   {marketLaw("copia-1111", "Ley 1.111", 40, 99, "grande"), true},
		"other words":                      {marketLaw("otra", "Ley de Ferias", 40, 99, "chica"), false},
		"another norm by its identifier": {func() Document {
			d := marketLaw("LEY-5555", "LEY DE FERIAS", 40, 99, "grande")
			d.Named = true
			return d
		}(), false},
		"another country's": {func() Document {
			d := marketLaw("ajena", "Ley", 40, 99, "grande")
			d.Norm.Jurisdiction = "yy"
			return d
		}(), false},
		"words about it": {func() Document {
			d := marketLaw("glosa", "Ley", 40, 99, "grande")
			d.Norm.Supplied, d.Norm.Secondary = true, true
			return d
		}(), false},
	} {
		for _, docs := range [][]Document{{law, c.other}, {c.other, law}} {
			lib := open(t, t.TempDir())
			put(t, lib, docs...)
			s, err := lib.Current()
			if err != nil {
				t.Fatal(err)
			}
			n, _ := s.Norm(c.other.Norm.ID)
			if got := n.ID == "LEY-4321"; got != c.one {
				t.Errorf("%s: %s stands for %s", name, n.ID, c.other.Norm.ID)
			}
			s.Close()
		}
	}
}

// TestDisplaced: which documents would take the place of an installed copy.
func TestDisplaced(t *testing.T) {
	law := marketLaw("LEY-4321", "Ley de Ferias", 40, 99, "grande")
	law.Named, law.Norm.TextAsOf = true, "2020-01-01"
	dated := func(day digesto.Date, change func(*Document)) Document {
		d := marketLaw("LEY-4321", "Ley de Ferias", 40, 39, "grande")
		d.Named, d.Norm.TextAsOf, d.File = true, day, "nueva.md"
		change(&d)
		return d
	}
	lib := open(t, t.TempDir())
	put(t, lib, law)
	for name, c := range map[string]struct {
		doc  Document
		want bool
	}{
		"later":                  {dated("2024-01-01", func(*Document) {}), true},
		"earlier":                {dated("2010-01-01", func(*Document) {}), false},
		"the same file, changed": {dated("2024-01-01", func(d *Document) { d.File = law.File }), false},
		"the same text":          {func() Document { d := law; d.File = "a.md"; return d }(), false},
		"another norm":           {dated("2024-01-01", func(d *Document) { d.Norm.ID = "LEY-1" }), false},
	} {
		_, err := lib.Update(context.Background(), UpdateOptions{}, func(tx *Tx) error {
			if old, got := tx.Displaced([]Document{c.doc})[0]; got != c.want || got && old.ID != "LEY-4321" {
				t.Errorf("%s: displaces %v %s", name, got, old.ID)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestSameTextsInOrder: a copy that shares half of its articles with one and half with
// another has their identifiers in one order, whatever the order in which they are met.
func TestSameTextsInOrder(t *testing.T) {
	prints := func(from, to uint32) (s string) {
		for h := from; h < to; h++ {
			s += string(binary.BigEndian.AppendUint32(nil, h))
		}
		return s
	}
	copies := make([]copyEntry, 3)
	for i, p := range []string{prints(0, 12), prints(0, 24), prints(12, 24)} {
		name := string(rune('a' + i))
		copies[i] = copyEntry{norm: digesto.Norm{ID: name, Title: name, Supplied: true}, file: name, prints: p}
	}
	want := []string{foldID(copies[0].key()), foldID(copies[0].key()), foldID(copies[1].key())} // of a with b, of b with a, of c with b
	for range 100 {
		if got := sameTexts(copies)[1]; !slices.Equal(got, want) {
			t.Fatalf("%q, want %q", got, want)
		}
	}
}
