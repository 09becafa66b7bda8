package main

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"digesto/model"
	"digesto/model/vectorfile"
	"digesto/packs"
)

var updateAsked = flag.Bool("update-asked", false, "make packs/asked.vec anew")

// TestAskedVectors: every question that a fiche answers has its vector in the
// file that the binary carries, and no other has.
func TestAskedVectors(t *testing.T) {
	all, err := packs.All()
	if err != nil {
		t.Fatal(err)
	}
	var asks []string
	for _, p := range all {
		for _, f := range p.Fiches {
			for _, x := range f.Facts {
				asks = append(asks, x.Ask)
			}
		}
	}
	if *updateAsked {
		makeAsked(t, asks)
		return
	}
	kept, err := vectorfile.Read(packs.Asked, "packs/asked.vec", askedSpace())
	if err != nil {
		t.Fatal(err)
	}
	distinct := map[string]bool{}
	for _, a := range asks {
		distinct[a] = true
		if !kept.Has(vectorfile.KeyOf(a)) {
			t.Errorf("«%s» has no vector: go test ./cmd/digesto -run TestAskedVectors -update-asked", a)
		}
	}
	if kept.Len() != len(distinct) {
		t.Errorf("%d vectors for %d questions", kept.Len(), len(distinct))
	}
}

func makeAsked(t *testing.T, asks []string) {
	m := ownMeaning(false)
	if m == nil {
		t.Fatal("built without the model")
	}
	vectors, err := m.first.Embed(t.Context(), asks, model.Query)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	f, err := vectorfile.Open(filepath.Join(dir, "asked.vec"), askedSpace())
	if err != nil {
		t.Fatal(err)
	}
	for i, a := range asks {
		if err := f.Put(vectorfile.KeyOf(a), vectors[i]); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Save(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(f.Path())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("../../packs/asked.vec", data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestAlike: what is asked in other words finds the fiche that answers it, and
// what no fiche answers finds none that is nearly like it.
func TestAlike(t *testing.T) {
	l := &laws{say: t.Logf}
	alike, _ := l.byQuestions()
	if alike == nil {
		t.Skip("built without the model")
	}
	all, err := packs.All()
	if err != nil {
		t.Fatal(err)
	}
	laboral, _ := packs.One(all, "laboral")
	for question, place := range map[string]string{
		"cuánto tiempo tengo para reclamar un despido":       "a59",
		"¿qué tiene que poner una carta de despido?":         "a55",
		"me voy yo de la empresa, ¿con cuánto tiempo aviso?": "a49",
	} {
		likes, err := alike(t.Context(), laboral, question)
		if err != nil || len(likes) == 0 {
			t.Fatal(question, likes, err)
		}
		if _, fact, _ := laboral.FicheOf(likes[0].Norm, likes[0].Unit); fact.Place != place {
			t.Errorf("%s: %.2f %s (%s), not %s", question, likes[0].Cosine, fact.Ask, fact.Place, place)
		}
	}
	for _, question := range []string{"receta de tortilla de patatas", "¿quién ganó la liga?", "horarios del tren a Sevilla"} {
		if likes, err := alike(t.Context(), laboral, question); err != nil || likes[0].Cosine > .6 {
			t.Errorf("%s: %v %v", question, likes, err)
		}
	}
}
