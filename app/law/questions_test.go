package law

import (
	"cmp"
	"context"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"digesto/model"
	"digesto/model/vectorfile"
	"digesto/packs"
	"digesto/retrieve"
)

var updateAsked = flag.Bool("update-asked", false, "make packs/asked.vec anew")

// TestAskedVectors: every question that a fiche answers has its vector in the
// file that the binary carries, and no other has.
func TestAskedVectors(t *testing.T) {
	all, err := packs.Load(packs.Options{})
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
			t.Errorf("«%s» has no vector: go test ./app/law -run TestAskedVectors -update-asked", a)
		}
	}
	if kept.Len() != len(distinct) {
		t.Errorf("%d vectors for %d questions", kept.Len(), len(distinct))
	}
}

func makeAsked(t *testing.T, asks []string) {
	m := OwnEmbedding(false)
	if m == nil {
		t.Fatal("built without the model")
	}
	vectors, err := m.First.Embed(t.Context(), asks, model.Query)
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
	l := &Installed{Say: t.Logf}
	alike, _ := l.ByQuestions()
	if alike == nil {
		t.Skip("built without the model")
	}
	all, err := packs.Load(packs.Options{})
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

// alone is an embedder that gives one vector.
type alone struct {
	model.Embedder
	v []float32
}

func (a alone) Embed(context.Context, []string, model.Mode) ([][]float32, error) {
	return [][]float32{a.v}, nil
}

// TestAlikeOrder: the fiches given are those with the greatest product, in order, those
// that are alike in the order of the pack.
func TestAlikeOrder(t *testing.T) {
	all, err := packs.Load(packs.Options{})
	if err != nil {
		t.Fatal(err)
	}
	kept, err := vectorfile.Read(packs.Asked, "packs/asked.vec", askedSpace())
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range all {
		var want []retrieve.Like
		var v []float32
		for _, f := range p.Fiches {
			for _, x := range f.Facts {
				if v == nil {
					v = kept.Vector(vectorfile.KeyOf(x.Ask))
				}
				c, _ := kept.Dot(vectorfile.KeyOf(x.Ask), v)
				want = append(want, retrieve.Like{Norm: f.Norm.ID, Unit: x.Unit, Cosine: c})
			}
		}
		slices.SortStableFunc(want, func(a, b retrieve.Like) int { return cmp.Compare(b.Cosine, a.Cosine) })
		q := &ficheQuestions{VectorCache: VectorCache{Model: alone{v: v}}, kept: kept}
		for range 2 { // the second time with the keys at hand
			got, err := q.similar(t.Context(), p, "lo que sea")
			if err != nil || !slices.Equal(got, want[:min(len(want), similarCount)]) {
				t.Errorf("%s: %v %v", p.Name, got, err)
			}
		}
	}
}
