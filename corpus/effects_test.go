package corpus

import (
	"context"
	"testing"

	"digesto"
)

// lawOf is an invented norm with one article, which may say things of others.
func lawOf(id, title, published string, says ...Statement) Document {
	return Document{File: id + ".md", ContentHash: id, Says: says,
		Norm: digesto.Norm{ID: id, Title: title, Jurisdiction: "es", Collection: "normativa", Source: id, Format: "markdown", Official: true,
			Published: digesto.Date(published), TextAsOf: digesto.Date(published), Status: digesto.StatusInForce},
		Units: []digesto.Unit{
			{ID: "a1", Kind: digesto.KindArticle, Number: "1", Label: "Artículo 1", Versions: []digesto.Version{{ID: "1", Text: "Los faros de " + id + " se encienden al anochecer.", Current: true}}},
			{ID: "a2", Kind: digesto.KindArticle, Number: "2", Label: "Artículo 2", Versions: []digesto.Version{{ID: "1", Text: "Los faros de " + id + " se apagan al alba.", Current: true}}},
		}}
}

func repealOf(name string, more ...func(*Statement)) Statement {
	s := Statement{Act: digesto.ActRepeals, By: "a2", Name: name}
	for _, f := range more {
		f(&s)
	}
	return s
}

// A repeal that one norm tells of ends the other, whichever came first, and as long as
// the norm that repeals is there.
func TestEffectOrder(t *testing.T) {
	old := lawOf("OLD", "Ley 3/2001, de 4 de mayo, de faros", "2001-05-05")
	next := lawOf("NEW", "Ley 9/2020, de 1 de enero, de faros", "2020-01-02", repealOf("Ley 3/2001, de 4 de mayo", func(s *Statement) { s.From = "2020-06-01" }))
	var hash string
	for _, order := range [][]Document{{old, next}, {next, old}} {
		l := open(t, t.TempDir())
		for _, d := range order {
			put(t, l, d)
		}
		s, err := l.Current()
		if err != nil {
			t.Fatal(err)
		}
		n, _ := s.Norm("OLD")
		if n.Status != digesto.StatusRepealed || n.RepealedFrom != "2020-06-01" || n.StatusNote == "" {
			t.Errorf("%s %s %q", n.Status, n.RepealedFrom, n.StatusNote)
		}
		if hash != "" && s.Hash() != hash {
			t.Error("the order of arrival changes the snapshot")
		}
		hash = s.Hash()
		if _, err := s.Text("OLD", "a1", ""); err == nil {
			t.Error("text of a repealed norm given as current")
		}
		s.Close()
		if _, err := l.Update(context.Background(), UpdateOptions{}, func(tx *Tx) error { return tx.Remove("NEW") }); err != nil {
			t.Fatal(err)
		}
		s, _ = l.Current()
		if n, _ = s.Norm("OLD"); n.Status != digesto.StatusInForce || n.RepealedFrom != "" {
			t.Errorf("without the norm that repealed it: %s %s", n.Status, n.RepealedFrom)
		}
		s.Close()
	}
}

// What becomes of what a norm says of another.
func TestEffectOutcomes(t *testing.T) {
	limited := func(s *Statement) { s.Excepted = true }
	of := func(units ...string) func(*Statement) {
		return func(s *Statement) {
			for _, u := range units {
				s.Places = append(s.Places, Place{Unit: u})
			}
		}
	}
	for _, c := range []struct {
		name   string
		says   Statement
		change func(old, next *Document)
		want   Outcome // "" = no effect
		unit   string
	}{
		{"whole", repealOf("Ley 3/2001, de 4 de mayo"), nil, EffectApplied, ""},
		{"by title alone", repealOf("Ley de faros"), nil, EffectApplied, ""},
		{"another day", repealOf("Ley 3/2001, de 9 de mayo"), nil, "", ""},
		{"another class", repealOf("Ley Orgánica 3/2001"), nil, "", ""},
		{"another country", repealOf("Ley 3/2001, de 4 de mayo"), func(old, _ *Document) { old.Norm.Jurisdiction = "pe" }, "", ""},
		{"of a region against the state", repealOf("Ley 3/2001, de 4 de mayo"), func(_, next *Document) { next.Norm.Territory = "es-xx" }, "", ""},
		{"with exceptions", repealOf("Ley 3/2001, de 4 de mayo", limited), nil, EffectLimited, ""},
		{"article", repealOf("Ley 3/2001, de 4 de mayo", of("a1")), nil, EffectApplied, "a1"},
		{"part of an article", repealOf("Ley 3/2001", func(s *Statement) { s.Places = []Place{{Unit: "a1", Detail: "2"}} }), nil, EffectPart, "a1"},
		{"a chapter", repealOf("Ley 3/2001", func(s *Statement) { s.Of, s.Heading = true, "el capitulo ii de la" }), nil, EffectPart, ""},
		{"article, text of a later day", repealOf("Ley 3/2001", of("a1")), func(old, _ *Document) { old.Norm.TextAsOf = "2021-01-01" }, EffectKnown, "a1"},
		{"article, whose own note tells of the repeal", repealOf("Ley 3/2001", of("a1")), func(old, _ *Document) {
			old.Norm.TextAsOf = "2020-01-02"
			old.Units[0].Versions[0].Reforms = []digesto.Reform{{Norm: "NEW", Name: "Ley 9/2020", Act: digesto.ActRepeals, Published: "2020-01-02"}}
		}, EffectApplied, "a1"},
		{"repealed by its source", repealOf("Ley 3/2001"), func(old, _ *Document) { old.Norm.Status = digesto.StatusRepealed }, EffectKnown, ""},
		{"changed after its end", repealOf("Ley 3/2001"), func(old, _ *Document) { old.Norm.TextAsOf = "2021-01-01" }, EffectDoubtful, ""},
		{"older than what it repeals", repealOf("Ley 3/2001"), func(_, next *Document) { next.Norm.Published = "1999-01-01" }, EffectDoubtful, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			old := lawOf("OLD", "Ley 3/2001, de 4 de mayo, de faros", "2001-05-05")
			next := lawOf("NEW", "Ley 9/2020, de 1 de enero, de balizas", "2020-01-02", c.says)
			if c.change != nil {
				c.change(&old, &next)
			}
			l := open(t, t.TempDir())
			put(t, l, old, next)
			s, err := l.Current()
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			all := s.Effects()
			if c.want == "" {
				if len(all) > 0 {
					t.Errorf("%+v", all)
				}
				return
			}
			if len(all) != 1 || all[0].Outcome != c.want || all[0].Unit != c.unit {
				t.Fatalf("%+v", all)
			}
			_, err = s.Text("OLD", "a1", "")
			if held := err == nil; held == (c.want == EffectApplied) && old.Norm.Status == digesto.StatusInForce {
				t.Errorf("held=%v for %s", held, c.want)
			}
			if c.want == EffectApplied {
				if _, err := s.Text("OLD", "a2", ""); (err == nil) != (c.unit != "") {
					t.Errorf("a2: %v", err)
				}
			}
		})
	}
}

// A repeal of an article that is still to come leaves it in force until its day.
func TestEffectStillToCome(t *testing.T) {
	dir := t.TempDir()
	put(t, open(t, dir), lawOf("OLD", "Ley 3/2001, de 4 de mayo, de faros", "2001-05-05"),
		lawOf("NEW", "Ley 9/2020, de 1 de enero, de balizas", "2020-01-02", repealOf("Ley 3/2001", func(s *Statement) { s.Places, s.From = []Place{{Unit: "a1"}}, "2030-01-01" })))
	today := digesto.Date("2029-12-31")
	l, err := Open(dir, Options{Today: func() digesto.Date { return today }})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		day  digesto.Date
		held bool
	}{{"2029-12-31", true}, {"2030-01-01", false}} {
		today = c.day
		s, err := l.Current()
		if err != nil {
			t.Fatal(err)
		}
		v, err := s.Text("OLD", "a1", "")
		if (err == nil) != c.held || c.held && v.ValidTo != "2030-01-01" {
			t.Errorf("%s: %v %+v", c.day, err, v)
		}
		s.Close()
	}
}
