package corpus

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"digesto"
)

// stateOn is a copy of one norm as it stood on a day: the texts of its articles.
func stateOn(day digesto.Date, reforms map[string][]digesto.Reform, texts map[string]string) Document {
	d := Document{File: fmt.Sprintf("n@%s.md", day), ContentHash: string(day)}
	d.Norm = digesto.Norm{ID: "N-1", Title: "Norma de prueba", Jurisdiction: "xx", Collection: "normativa", Format: "markdown", Supplied: true,
		Published: "2010-01-10", TextAsOf: day, Status: digesto.StatusInForce, Source: d.File}
	for i := range 9 {
		id := fmt.Sprintf("a%d", i+1)
		if t, ok := texts[id]; ok {
			v := digesto.Version{ID: string(day), Text: t, Current: true, Reforms: reforms[id]}
			d.Units = append(d.Units, digesto.Unit{ID: id, Kind: digesto.KindArticle, Number: fmt.Sprint(i + 1), Label: "Artículo " + fmt.Sprint(i+1), Versions: []digesto.Version{v}})
		}
	}
	return d
}

func ley(n string, published, from digesto.Date, parts ...string) digesto.Reform {
	return digesto.Reform{Name: "Ley " + n, Published: published, From: from, Parts: parts}
}

func threeStates() []Document {
	notes := map[string][]digesto.Reform{
		"a1": {ley("3/2020", "2020-05-05", "2020-07-01"), ley("1/2014", "2014-02-02", "")},
		"a2": {ley("9/2021", "2020-03-03", ""), ley("8/2018", "2018-08-08", "", "2")},
	}
	same := "Quedan igual las reglas comunes de esta norma de prueba."
	return []Document{
		stateOn("2010-01-10", nil, map[string]string{"a1": "La tasa es de cinco monedas.", "a2": "1. Uno viejo.\n2. Dos viejo.", "a3": same, "a4": "Este artículo se irá.", "a5": same + " Y otra.", "a6": same + " Y más."}),
		stateOn("2014-02-02", nil, map[string]string{"a1": "La tasa es de seis monedas.", "a2": "1. Uno viejo.\n2. Dos viejo.", "a3": same, "a5": same + " Y otra.", "a6": same + " Y más."}),
		stateOn("2020-05-05", notes, map[string]string{"a1": "La tasa es de siete monedas.", "a2": "1. Uno nuevo.\n2. Dos nuevo.", "a3": same, "a5": same + " Y otra.", "a6": same + " Y más.", "a7": "Artículo añadido."}),
	}
}

func TestEarlierStatesBecomeVersions(t *testing.T) {
	docs := threeStates()
	hash := ""
	for _, order := range [][]int{{0, 1, 2}, {2, 0, 1}, {1, 2, 0}} {
		l, err := Open(t.TempDir(), Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range order {
			if _, err := l.Update(context.Background(), UpdateOptions{}, func(tx *Tx) error { return tx.Put(docs[k]) }); err != nil {
				t.Fatal(err)
			}
		}
		s, err := l.Current()
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Check(context.Background()); err != nil {
			t.Error(err)
		}
		if hash == "" {
			hash = s.Hash()
		}
		if s.Hash() != hash {
			t.Errorf("%v: another snapshot than in the first order", order)
		}
		for _, c := range []struct {
			unit  string
			at    digesto.Date
			want  string // words of the text; "" = none in force
			force Force
		}{
			{"a1", "", "siete", ForceKnown},
			{"a1", "2010-01-09", "", ""},
			{"a1", "2010-01-10", "cinco", ForceKnown},
			{"a1", "2014-02-01", "cinco", ForceKnown},
			{"a1", "2014-02-02", "seis", ForceAssumed},
			{"a1", "2020-06-30", "seis", ForceAssumed},
			{"a1", "2020-07-01", "siete", ForceKnown},
			{"a2", "2018-08-07", "Uno viejo", ForceKnown},
			{"a2", "2018-08-08", "Uno viejo", ForceKnown}, // paragraph 2 is unseen
			{"a2", "2020-03-03", "Uno nuevo", ForceAssumed},
			{"a3", "2012-01-01", "comunes", ForceAssumed},
			{"a4", "2010-06-01", "", ""}, // gone by 2014, on a day nobody notes
			{"a4", "", "", ""},
			{"a7", "2020-05-04", "", ""},
			{"a7", "", "añadido", ForceKnown},
		} {
			v, f, err := s.At("N-1", c.unit, c.at)
			if c.want == "" {
				if digesto.CodeOf(err) != digesto.CodeNotFound {
					t.Errorf("%v %s %s: %q, %v", order, c.unit, c.at, v.Text, err)
				}
				continue
			}
			if err != nil || !strings.Contains(v.Text, c.want) || f != c.force {
				t.Errorf("%v %s %s: %q %s %v, want %q %s", order, c.unit, c.at, v.Text, f, err, c.want, c.force)
			}
		}
		u, _ := s.Unit("N-1", "a2")
		if len(u.Versions) != 2 || len(u.Versions[0].Unseen) != 1 || u.Versions[0].Replaced != "2020-03-03" {
			t.Errorf("%+v", u.Versions)
		}
		if d := s.Defects(); len(d) != 0 {
			t.Errorf("an earlier state is no defect: %v", d)
		}
		for c, err := range s.Chunks() {
			if err != nil || c.Current != (c.Version == "2020-05-05") {
				t.Errorf("%s: current %v, %v", c.ID, c.Current, err)
			}
		}
		s.Close()
		if _, err := l.Update(context.Background(), UpdateOptions{}, func(tx *Tx) error { return tx.Remove("N-1") }); err != nil {
			t.Error(err)
		}
		l.Close()
	}
}

// TestUndatedWordingsOfTheCopyStay keeps what the copy itself brings, between the
// dated wordings and the text in force.
func TestUndatedWordingsOfTheCopyStay(t *testing.T) {
	docs := threeStates()
	u := &docs[2].Units[0]
	u.Versions = append([]digesto.Version{{ID: "anterior-1", Text: "Antes era otra cosa."}}, u.Versions...)
	l, _ := Open(t.TempDir(), Options{})
	defer l.Close()
	if _, err := l.Update(context.Background(), UpdateOptions{}, func(tx *Tx) error {
		for _, d := range docs {
			if err := tx.Put(d); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	s, _ := l.Current()
	defer s.Close()
	got, _ := s.Unit("N-1", "a1")
	if len(got.Versions) != 4 || got.Versions[2].ID != "anterior-1" {
		t.Errorf("%+v", got.Versions)
	}
	for at, want := range map[digesto.Date]string{"": "siete", "2012-01-01": "cinco", "2015-01-01": "seis", "2021-01-01": "siete"} {
		if v, err := s.Text("N-1", "a1", at); err != nil || !strings.Contains(v.Text, want) {
			t.Errorf("%s: %q, %v", at, v.Text, err)
		}
	}
}

// TestAnotherTextIsNoState keeps copies apart that share an id and little else.
func TestAnotherTextIsNoState(t *testing.T) {
	l, _ := Open(t.TempDir(), Options{})
	defer l.Close()
	now, other := threeStates()[2], threeStates()[0]
	for i := range other.Units {
		other.Units[i].Versions[0].Text = fmt.Sprintf("Otro texto distinto, número %d, de otra norma.", i)
	}
	if _, err := l.Update(context.Background(), UpdateOptions{}, func(tx *Tx) error {
		if err := tx.Put(now); err != nil {
			return err
		}
		return tx.Put(other)
	}); err != nil {
		t.Fatal(err)
	}
	s, _ := l.Current()
	defer s.Close()
	u, _ := s.Unit("N-1", "a1")
	if len(u.Versions) != 1 || len(s.Defects()) != 1 {
		t.Errorf("%d versions, defects %v", len(u.Versions), s.Defects())
	}
}

// TestPrintedFormerBesideCopies: a former wording that the newest text prints does not
// put earlier copies aside; what a copy has too stands once.
func TestPrintedFormerBesideCopies(t *testing.T) {
	docs := threeStates()
	now := &docs[2].Units[0]
	now.Versions = append([]digesto.Version{{ID: PrintedFormer + "1", Text: "La tasa es de seis monedas.", Published: "2014-02-02", ValidTo: "2020-07-01"}}, now.Versions...)
	l, err := Open(t.TempDir(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.Update(context.Background(), UpdateOptions{}, func(tx *Tx) error {
		for _, d := range docs {
			if err := tx.Put(d); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	s, err := l.Current()
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for day, want := range map[digesto.Date]string{"2012-01-01": "cinco", "2015-01-01": "seis", "2021-01-01": "siete"} {
		if v, err := s.Text("N-1", "a1", day); err != nil || !strings.Contains(v.Text, want) {
			t.Errorf("%s: %q, %v", day, v.Text, err)
		}
	}
	if u, _ := s.Unit("N-1", "a1"); len(u.Versions) != 3 {
		t.Errorf("%d versions", len(u.Versions))
	}
}
