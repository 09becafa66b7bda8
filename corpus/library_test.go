package corpus

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"digesto"

	"github.com/google/go-cmp/cmp"
)

func open(t *testing.T, dir string) *Library {
	t.Helper()
	l, err := Open(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

func put(t *testing.T, l *Library, docs ...Document) string {
	t.Helper()
	h, err := l.Update(context.Background(), UpdateOptions{}, func(tx *Tx) error {
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
	return h
}

func current(t *testing.T, l *Library) *Snapshot {
	t.Helper()
	s, err := l.Current()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func units(t *testing.T, s *Snapshot, norm string) []digesto.Unit {
	t.Helper()
	var out []digesto.Unit
	for u, err := range s.All(norm) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, u)
	}
	return out
}

func TestPutAndReopen(t *testing.T) {
	dir := t.TempDir()
	h := put(t, open(t, dir), sample())
	s := current(t, open(t, dir))
	if s.Hash() != h || !isHash(h) {
		t.Fatalf("hash %q, want %q", s.Hash(), h)
	}
	mem := Memory(sample())
	if d := cmp.Diff(mem.Norms(), s.Norms()); d != "" {
		t.Errorf("norms differ (-memory +disk):\n%s", d)
	}
	if d := cmp.Diff(units(t, mem, "DEC-7-2020"), units(t, s, "DEC-7-2020")); d != "" {
		t.Errorf("units differ (-memory +disk):\n%s", d)
	}
	u, err := s.Load("DEC-7-2020", "a2")
	if err != nil || u.Versions[0].Text != "Los puestos pagan cinco monedas." {
		t.Errorf("unit %+v, %v", u, err)
	}
}

func TestEmptyLibrary(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "absent")
	s := current(t, open(t, dir))
	if s.Hash() != "" || len(s.Norms()) != 0 {
		t.Errorf("empty library: %q, %v", s.Hash(), s.Norms())
	}
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Error("reading made the folder")
	}
}

func TestNothingChangedKeepsHash(t *testing.T) {
	l := open(t, t.TempDir())
	a := put(t, l, sample())
	called := false
	b, err := l.Update(context.Background(), UpdateOptions{BeforeSwap: func(*Snapshot) error { called = true; return nil }}, func(tx *Tx) error {
		if !tx.Unchanged("decreto-7.md", "h1") || tx.Unchanged("decreto-7.md", "h2") || tx.Unchanged("otro.md", "h1") {
			t.Error("Unchanged is wrong")
		}
		return tx.Put(sample())
	})
	if err != nil || a != b || called {
		t.Errorf("hash %q then %q, BeforeSwap called: %v, %v", a, b, called, err)
	}
}

// TestContent: a refused file makes a new snapshot of the same content; another
// text makes another content.
func TestContent(t *testing.T) {
	l := open(t, t.TempDir())
	before := put(t, l, sample())
	content := current(t, l).Content()
	after, err := l.Update(context.Background(), UpdateOptions{}, func(tx *Tx) error {
		tx.Skip("rota.pdf", "h9", Defect{File: "rota.pdf", Kind: "vacío", Skipped: true})
		return nil
	})
	if err != nil || after == before {
		t.Fatalf("the refused file left no trace: %q, %v", after, err)
	}
	if got := current(t, l).Content(); got != content || got == "" {
		t.Errorf("content %q, then %q", content, got)
	}
	d := sample()
	d.ContentHash = "h2"
	d.Units[0].Versions[0].Text += " Y otra frase."
	put(t, l, d)
	if got := current(t, l).Content(); got == content {
		t.Error("another text has the same content")
	}
	if s := current(t, open(t, t.TempDir())); s.Content() != "" {
		t.Errorf("nothing has the content %q", s.Content())
	}
	if m := Memory(sample()); m.Content() != m.Hash() {
		t.Error("in memory the hash is the content")
	}
}

func TestReaderKeepsItsSnapshot(t *testing.T) {
	l := open(t, t.TempDir())
	put(t, l, sample())
	old := current(t, l)
	d := sample()
	for i := range 5 {
		d.Units[2].Versions[0].Text += " Y otra más."
		d.ContentHash += "x"
		put(t, l, d)
		u, err := old.Load("DEC-7-2020", "a2")
		if err != nil || u.Versions[0].Text != "Los puestos pagan cinco monedas." {
			t.Fatalf("after %d updates the reader sees %+v, %v", i+1, u, err)
		}
		d = Document{Norm: d.Norm, Units: cloneUnits(d.Units), File: d.File, ContentHash: d.ContentHash}
	}
	hash := old.Hash()
	old.Close()
	d.Units[2].Versions[0].Text += " Fin."
	put(t, l, d)
	if _, err := l.Snapshot(hash); digesto.CodeOf(err) != digesto.CodeNotFound {
		t.Errorf("the snapshot nobody reads is still there: %v", err)
	}
	if n := len(names(filepath.Join(l.dir, "norms"))); n != 2 {
		t.Errorf("%d norm files, want those of the current and the previous snapshot", n)
	}
}

func cloneUnits(in []digesto.Unit) []digesto.Unit {
	out := append([]digesto.Unit(nil), in...)
	for i := range out {
		out[i].Versions = append([]digesto.Version(nil), out[i].Versions...)
		for j := range out[i].Versions {
			out[i].Versions[j].SHA256 = ""
		}
	}
	return out
}

func TestSecondWriter(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir)
	_, err := l.Update(context.Background(), UpdateOptions{}, func(tx *Tx) error {
		_, err := open(t, dir).Update(context.Background(), UpdateOptions{}, func(*Tx) error { return nil })
		if digesto.CodeOf(err) != digesto.CodeConflict {
			t.Errorf("second writer: %v", err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	put(t, l, sample())
}

func TestFailedUpdateLeavesNothing(t *testing.T) {
	l := open(t, t.TempDir())
	h := put(t, l, sample())
	other := sample()
	other.Norm.ID, other.Norm.IDs, other.File = "DEC-8-2020", nil, "decreto-8.md"
	other.Units[1].Versions[0].Text = "La feria cierra los jueves."
	boom := errors.New("boom")
	ctx, cancel := context.WithCancel(context.Background())
	for name, c := range map[string]struct {
		opt UpdateOptions
		fn  func(*Tx) error
	}{
		"fn":         {fn: func(tx *Tx) error { tx.Put(other); return boom }},
		"beforeswap": {UpdateOptions{BeforeSwap: func(*Snapshot) error { return boom }}, func(tx *Tx) error { return tx.Put(other) }},
		"cancel":     {fn: func(tx *Tx) error { err := tx.Put(other); cancel(); return err }},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := l.Update(ctx, c.opt, c.fn); err == nil {
				t.Fatal("no error")
			}
			s := current(t, l)
			if s.Hash() != h || len(s.Norms()) != 1 {
				t.Errorf("snapshot %q with %d norms", s.Hash(), len(s.Norms()))
			}
			if n := len(names(l.path("norms"))) + len(names(l.path("snapshots"))); n != 2 {
				t.Errorf("%d files left, want 2", n)
			}
		})
	}
}

func TestRemoveAndAddAgain(t *testing.T) {
	l := open(t, t.TempDir())
	put(t, l, sample())
	_, err := l.Update(context.Background(), UpdateOptions{}, func(tx *Tx) error { return tx.Remove("eli/xx/d/2020/7") })
	if err != nil {
		t.Fatal(err)
	}
	if s := current(t, l); len(s.Norms()) != 0 || s.Hash() != "" {
		t.Fatalf("still %v (%q)", s.Norms(), s.Hash())
	}
	_, err = l.Update(context.Background(), UpdateOptions{}, func(tx *Tx) error {
		if tx.Unchanged("decreto-7.md", "h1") {
			t.Error("a removed norm's file counts as read")
		}
		return tx.Remove("DEC-7-2020")
	})
	if digesto.CodeOf(err) != digesto.CodeNotFound {
		t.Errorf("removing what is not there: %v", err)
	}
}

func TestPacksOfTheSameFileJoin(t *testing.T) {
	l := open(t, t.TempDir())
	d := sample()
	d.Norm.Packs = []string{"uno"}
	put(t, l, d)
	d = sample()
	d.Norm.Packs = []string{"dos"}
	put(t, l, d)
	if got := current(t, l).Norms()[0].Packs; !cmp.Equal(got, []string{"dos", "uno"}) {
		t.Errorf("packs %v", got)
	}
}
