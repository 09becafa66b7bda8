package corpus

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"testing"

	"digesto"

	"pgregory.net/rapid"
)

func TestPrefer(t *testing.T) {
	base := func() Candidate {
		return Candidate{Norm: digesto.Norm{ID: "N-1", Official: true, TextAsOf: "2022-03-26", Format: "markdown"}, File: "b.md", Units: 200}
	}
	with := func(change func(*Candidate)) Candidate { c := base(); change(&c); return c }
	for name, better := range map[string]Candidate{
		"newer text":    with(func(c *Candidate) { c.Norm.TextAsOf = "2025-05-16" }),
		"nearer format": with(func(c *Candidate) { c.Norm.Format = "pdf" }),
		"more units":    with(func(c *Candidate) { c.Units = 201 }),
		"name of file":  with(func(c *Candidate) { c.File = "a.md" }),
	} {
		if Prefer(better, base()) >= 0 || Prefer(base(), better) <= 0 {
			t.Errorf("%s does not win", name)
		}
	}
	for name, worse := range map[string]Candidate{
		"newer but our own":     with(func(c *Candidate) { c.Norm.Official = false; c.Norm.TextAsOf = "2026-01-01" }),
		"newer but OCR":         with(func(c *Candidate) { c.Norm.OCR = true; c.Norm.TextAsOf = "2026-01-01" }),
		"newer but poor":        with(func(c *Candidate) { c.Poor = true; c.Norm.TextAsOf = "2026-01-01" }),
		"of an unknown day":     with(func(c *Candidate) { c.Norm.TextAsOf = ""; c.Norm.Format = "pdf" }),
		"older in a nearer one": with(func(c *Candidate) { c.Norm.TextAsOf = "2020-01-01"; c.Norm.Format = "pdf" }),
	} {
		if Prefer(base(), worse) >= 0 {
			t.Errorf("%s wins", name)
		}
	}
}

func drawCandidate(t *rapid.T, name string) Candidate {
	return Candidate{
		Norm: digesto.Norm{
			ID:       rapid.SampledFrom([]string{"A", "B"}).Draw(t, name+"id"),
			Official: rapid.Bool().Draw(t, name+"official"),
			OCR:      rapid.Bool().Draw(t, name+"ocr"),
			TextAsOf: rapid.SampledFrom([]digesto.Date{"", "2020-01-01", "2021-01-01"}).Draw(t, name+"asof"),
			Format:   rapid.SampledFrom([]string{"pdf", "markdown", "text"}).Draw(t, name+"format"),
		},
		File:  rapid.SampledFrom([]string{"x", "y", "z"}).Draw(t, name+"file"),
		Units: rapid.IntRange(1, 3).Draw(t, name+"units"),
		Poor:  rapid.Bool().Draw(t, name+"poor"),
	}
}

// TestPreferIsATotalOrder: without it the result would depend on who came first.
func TestPreferIsATotalOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := drawCandidate(t, "a"), drawCandidate(t, "b"), drawCandidate(t, "c")
		if cmp.Compare(Prefer(a, b), 0) != -cmp.Compare(Prefer(b, a), 0) {
			t.Fatalf("%+v and %+v each beat the other", a, b)
		}
		if Prefer(a, b) < 0 && Prefer(b, c) < 0 && Prefer(a, c) >= 0 {
			t.Fatalf("a < b < c but not a < c: %+v %+v %+v", a, b, c)
		}
	})
}

// twoCopies are the same norm from two files under two names, which an
// identifier ties together.
func twoCopies() (older, newer Document) {
	older, newer = sample(), sample()
	older.Norm.ID, older.Norm.IDs, older.File = "copia", []string{"DEC-7-2020"}, "copia.md"
	older.Norm.TextAsOf, older.Norm.Packs = "2020-01-01", []string{"uno"}
	older.Units[2].Versions[0].Text = "Los puestos pagan tres monedas."
	newer.Norm.TextAsOf, newer.Norm.Packs = "2024-01-01", []string{"dos"}
	return older, newer
}

func TestCopiesAreSettled(t *testing.T) {
	older, newer := twoCopies()
	var hashes []string
	for _, order := range [][]Document{{older, newer}, {newer, older}} {
		l := open(t, t.TempDir())
		for _, d := range order {
			hashes = append(hashes, put(t, l, d))
		}
		s := current(t, l)
		if n := s.Norms(); len(n) != 1 || n[0].ID != "DEC-7-2020" || !slices.Equal(n[0].Packs, []string{"dos", "uno"}) {
			t.Fatalf("norms %+v", n)
		}
		if v, err := s.Text("DEC-7-2020", "a2", ""); err != nil || !strings.Contains(v.Text, "cinco") {
			t.Errorf("text %q, %v", v.Text, err)
		}
		d := s.Defects()
		if len(d) != 1 || d[0].Kind != DefectSuperseded || d[0].File != "copia.md" || !d[0].Skipped || !strings.Contains(d[0].Detail, "2024-01-01") {
			t.Errorf("defects %+v", d)
		}
		if err := s.Check(context.Background()); err != nil {
			t.Error(err)
		}
	}
	if hashes[1] != hashes[3] {
		t.Error("the order of arrival changes the snapshot")
	}
}

func TestRemoveTakesTheCopiesBehind(t *testing.T) {
	older, newer := twoCopies()
	l := open(t, t.TempDir())
	put(t, l, older, newer)
	if _, err := l.Update(context.Background(), UpdateOptions{}, func(tx *Tx) error { return tx.Remove("DEC-7-2020") }); err != nil {
		t.Fatal(err)
	}
	if n := current(t, l).Norms(); len(n) != 0 {
		t.Errorf("still %v", n)
	}
}

func TestCopyTakesOverWhenTheOtherFileChanges(t *testing.T) {
	older, newer := twoCopies()
	l := open(t, t.TempDir())
	put(t, l, older, newer)
	other := sample() // the file of the newer copy now holds something else
	other.Norm.ID, other.Norm.IDs, other.ContentHash = "DEC-9-2024", nil, "h9"
	put(t, l, other)
	var ids []string
	for _, n := range current(t, l).Norms() {
		ids = append(ids, n.ID)
	}
	if !slices.Equal(ids, []string{"DEC-9-2024", "copia"}) {
		t.Errorf("norms %v", ids)
	}
}

func TestPoorCopyLosesThoughNewer(t *testing.T) {
	older, newer := twoCopies()
	newer.Units = newer.Units[:1]
	l := open(t, t.TempDir())
	put(t, l, older, newer)
	if n := current(t, l).Norms(); len(n) != 1 || n[0].ID != "copia" {
		t.Errorf("norms %+v", n)
	}
}
