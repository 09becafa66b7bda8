package corpus

import (
	"context"
	"fmt"
	"os"
	"slices"
	"testing"

	"digesto"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

// naive is the library as one would write it in an afternoon: all copies of
// all norms in a list, the best of each id shown.
type naive map[[2]string]Document // norm, file

func (m naive) put(docs []Document) {
	for _, d := range docs {
		for k := range m {
			if k[1] == d.File {
				delete(m, k)
			}
		}
	}
	for _, d := range docs {
		m[[2]string{d.Norm.ID, d.File}] = d
	}
}

func (m naive) shown() map[string]Document {
	out := map[string]Document{}
	for k := range m {
		var best *Candidate
		most := 0
		for k2, d := range m {
			if k2[0] == k[0] {
				most = max(most, len(d.Units))
			}
		}
		for k2, d := range m {
			c := Candidate{Norm: d.Norm, File: d.File, Units: len(d.Units), Poor: 2*len(d.Units) < most}
			if k2[0] == k[0] && (best == nil || Prefer(c, *best) < 0) {
				best = &c
				out[k[0]] = d
			}
		}
	}
	return out
}

func drawDocs(t *rapid.T) []Document {
	file := rapid.SampledFrom([]string{"x.md", "y.md", "z.pdf"}).Draw(t, "file")
	ids := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"N-1", "N-2", "N-3", "eli/n/4"}), 1, 2, rapid.ID[string]).Draw(t, "ids")
	var out []Document
	for _, id := range ids {
		d := Document{File: file, ContentHash: rapid.StringMatching(`[a-z]{4}`).Draw(t, "hash")}
		d.Norm = digesto.Norm{ID: id, Title: "Norma " + id, Jurisdiction: "xx", Collection: "normativa", Source: file, Supplied: true,
			Format:   file, // copies of several formats are never states of one text: see weave_test.go
			TextAsOf: rapid.SampledFrom([]digesto.Date{"", "2020-01-01", "2021-01-01"}).Draw(t, "asof")}
		for i := range rapid.IntRange(1, 5).Draw(t, "units") {
			u := digesto.Unit{ID: fmt.Sprintf("a%d", i+1), Kind: digesto.KindArticle, Number: fmt.Sprint(i + 1)}
			for j := range rapid.IntRange(1, 2).Draw(t, "versions") {
				u.Versions = append(u.Versions, digesto.Version{ID: fmt.Sprint(j + 1), Current: j == 0,
					Text: "T" + rapid.StringOfN(rapid.RuneFrom([]rune("aeñ \n€😀")), 0, 20, -1).Draw(t, "text")})
			}
			d.Units = append(d.Units, u)
		}
		out = append(out, d)
	}
	return out
}

// TestAgainstNaive puts, removes and reopens at random; library and naive twin
// must show the same after each step.
func TestAgainstNaive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dir, err := os.MkdirTemp("", "digesto-test-")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(dir)
		l, _ := Open(dir, Options{})
		defer func() { l.Close() }()
		model := naive{}
		update := func(fn func(*Tx) error) error {
			_, err := l.Update(context.Background(), UpdateOptions{}, fn)
			return err
		}
		t.Repeat(map[string]func(*rapid.T){
			"put": func(t *rapid.T) {
				docs := drawDocs(t)
				err := update(func(tx *Tx) error {
					for _, d := range docs {
						if err := tx.Put(d); err != nil {
							return err
						}
					}
					return nil
				})
				if err != nil {
					t.Fatal(err)
				}
				model.put(docs)
			},
			"fail": func(t *rapid.T) {
				docs := drawDocs(t)
				err := update(func(tx *Tx) error {
					if err := tx.Put(docs[0]); err != nil {
						t.Fatal(err)
					}
					return os.ErrInvalid
				})
				if err == nil {
					t.Fatal("the failure was lost")
				}
			},
			"remove": func(t *rapid.T) {
				id := rapid.SampledFrom([]string{"N-1", "N-2", "N-3", "eli/n/4"}).Draw(t, "id")
				_, there := model.shown()[id]
				err := update(func(tx *Tx) error { return tx.Remove(id) })
				if there != (err == nil) || err != nil && digesto.CodeOf(err) != digesto.CodeNotFound {
					t.Fatalf("remove %s: %v", id, err)
				}
				for k := range model {
					if k[0] == id {
						delete(model, k)
					}
				}
			},
			"reopen": func(t *rapid.T) {
				l.Close()
				l, _ = Open(dir, Options{})
			},
			"": func(t *rapid.T) { compare(t, l, model.shown()) },
		})
	})
}

func compare(t *rapid.T, l *Library, want map[string]Document) {
	s, err := l.Current()
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.Check(context.Background()); err != nil {
		t.Fatal(err)
	}
	var ids, wanted []string
	for _, n := range s.Norms() {
		ids = append(ids, n.ID)
		var got []digesto.Unit
		for u, err := range s.All(n.ID) {
			if err != nil {
				t.Fatal(err)
			}
			one, err := s.Load(n.ID, u.ID)
			if err != nil || !cmp.Equal(one, u) {
				t.Fatalf("%s/%s alone differs from the whole: %v", n.ID, u.ID, err)
			}
			got = append(got, u)
		}
		ignore := []cmp.Option{cmpopts.IgnoreFields(digesto.Version{}, "SHA256"), cmpopts.IgnoreFields(digesto.Unit{}, "Norm")}
		if d := cmp.Diff(want[n.ID].Units, got, ignore...); d != "" {
			t.Fatalf("%s (-want +got):\n%s", n.ID, d)
		}
	}
	for id := range want {
		wanted = append(wanted, id)
	}
	slices.Sort(wanted)
	if !slices.Equal(ids, wanted) {
		t.Fatalf("norms %v, want %v", ids, wanted)
	}
}
