package corpus

import (
	"context"
	"strings"
	"testing"

	"digesto"
	"digesto/text"
)

// TestPutIsHarmless: what a document brings that would act where it is shown is not
// stored, and what points into its text still points at the same words.
func TestPutIsHarmless(t *testing.T) {
	const marks = "\u202e\u2066\u200f"
	d := sample()
	d.Norm.Title, d.Norm.URL, d.Norm.IDs = "Ley "+marks+"de ferias", "javascript:alert(1)", []string{"javascript:alert(1)", "ELI-1"}
	v := &d.Units[0].Versions[0]
	v.SHA256 = ""
	v.Text = marks + "La feria [dura](javascript:alert(1)) tres " + marks + "días <data:text/html,x>(data: 3 de mayo).\nFin" + marks + "."
	start := strings.Index(v.Text, "tres")
	from := len([]rune(v.Text[:start]))
	v.Refs = []digesto.Reference{{Start: from, End: from + 4, Unit: "a2"}, {Start: 0, End: 2}}
	v.Pages = []digesto.PageMark{{Start: 0, Page: 1}, {Start: len([]rune(v.Text[:strings.Index(v.Text, "Fin")])), Page: 2}}
	v.Notes = []string{"Véase [aquí](JavaScript:x)."}
	l := open(t, t.TempDir())
	put(t, l, d)
	s := current(t, l)
	n := s.Norms()[0]
	if n.Title != "Ley de ferias" || n.URL != "" || len(n.IDs) != 1 {
		t.Errorf("%+v", n)
	}
	u, ok := s.Unit(n.ID, d.Units[0].ID)
	if !ok {
		t.Fatal("the unit is not there")
	}
	got := u.Versions[0]
	const want = "La feria [dura] tres días (data: 3 de mayo).\nFin."
	if got.Text != want || got.Notes[0] != "Véase [aquí]." || got.SHA256 != textHash(want) {
		t.Errorf("%q %q", got.Text, got.Notes)
	}
	runes := []rune(got.Text)
	if len(got.Refs) != 1 || string(runes[got.Refs[0].Start:got.Refs[0].End]) != "tres" {
		t.Errorf("references: %+v", got.Refs)
	}
	if string(runes[got.Pages[1].Start:]) != "Fin." {
		t.Errorf("pages: %+v", got.Pages)
	}
	if err := s.Check(context.Background()); err != nil {
		t.Error(err)
	}
	if text.InOrder(got.Text) != got.Text {
		t.Error("something reorders still")
	}

	d = sample() // only such characters: there is nothing to store
	d.Units[0].Versions[0].Text, d.Units[0].Versions[0].SHA256 = marks, ""
	if _, err := l.Update(t.Context(), UpdateOptions{}, func(tx *Tx) error { return tx.Put(d) }); digesto.CodeOf(err) != digesto.CodeInvalid {
		t.Errorf("a text of nothing but marks: %v", err)
	}
}

// TestPutLeavesTheRest: a document without any of it is stored as it came.
func TestPutLeavesTheRest(t *testing.T) {
	d := sample()
	d.Norm.URL = "https://ley.example/x?a=b"
	if harmless(&d) || d.Norm.URL != "https://ley.example/x?a=b" || d.Norm.Title != sample().Norm.Title {
		t.Errorf("%+v", d.Norm)
	}
}
