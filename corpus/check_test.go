package corpus

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"digesto"
)

func TestCheckClean(t *testing.T) {
	l := open(t, t.TempDir())
	put(t, l, sample())
	if err := current(t, l).Check(context.Background()); err != nil {
		t.Error(err)
	}
	if err := Memory(sample()).Check(context.Background()); err != nil {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := current(t, l).Check(ctx); digesto.CodeOf(err) != digesto.CodeCancelled {
		t.Errorf("cancelled: %v", err)
	}
}

// TestEveryDamagedByteIsNoticed turns over each byte of a norm file in turn:
// what a reader then gets is the stored text or an error, and Check says so always.
func TestEveryDamagedByteIsNoticed(t *testing.T) {
	l := open(t, t.TempDir())
	put(t, l, sample())
	path := l.path("norms", names(l.path("norms"))[0])
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{}
	for _, u := range units(t, current(t, l), "DEC-7-2020") {
		want[u.ID] = u.Versions[0].Text
	}
	for i := range whole {
		bad := append([]byte(nil), whole...)
		bad[i] ^= 0x15
		write(t, path, bad)
		s := reopen(t, l)
		for id, text := range want {
			u, err := s.Load("DEC-7-2020", id)
			if err == nil && u.Versions[0].Text != text {
				t.Fatalf("byte %d: unit %s reads %q", i, id, u.Versions[0].Text)
			}
			if err != nil && digesto.CodeOf(err) != digesto.CodeCheck && digesto.CodeOf(err) != digesto.CodeNotFound {
				t.Fatalf("byte %d: %v", i, err)
			}
		}
		if err := s.Check(context.Background()); digesto.CodeOf(err) != digesto.CodeCheck {
			t.Fatalf("byte %d turned over: Check says %v", i, err)
		}
		s.Close()
	}
	for n := range len(whole) {
		write(t, path, whole[:n])
		s := reopen(t, l)
		if u, ok := s.Unit("DEC-7-2020", "a2"); ok {
			t.Fatalf("cut at %d of %d: still reads %q", n, len(whole), u.Versions[0].Text)
		}
		s.Close()
	}
}

func TestDamagedManifestAndState(t *testing.T) {
	for _, name := range []string{"snapshots", "CURRENT"} {
		l := open(t, t.TempDir())
		h := put(t, l, sample())
		path := l.path(name)
		if name == "snapshots" {
			path = l.path(name, h)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i < len(data); i += 3 {
			bad := append([]byte(nil), data...)
			bad[i] ^= 0x11
			write(t, path, bad)
			_, err := open(t, l.dir).Current()
			if code := digesto.CodeOf(err); code != digesto.CodeCheck && code != digesto.CodeNotFound {
				t.Errorf("%s, byte %d: %v", name, i, err)
			}
		}
	}
}

func TestAddingAgainRepairs(t *testing.T) {
	l := open(t, t.TempDir())
	h := put(t, l, sample())
	path := l.path("norms", names(l.path("norms"))[0])
	write(t, path, []byte("nada"))
	_, err := l.Update(context.Background(), UpdateOptions{}, func(tx *Tx) error {
		if tx.Unchanged("decreto-7.md", "h1") {
			t.Error("a file whose norm is damaged counts as unchanged")
		}
		return tx.Put(sample())
	})
	if err != nil {
		t.Fatal(err)
	}
	s := reopen(t, l)
	defer s.Close()
	if err := s.Check(context.Background()); err != nil || s.Hash() != h {
		t.Errorf("not repaired: %v", err)
	}
}

// TestTheHintsWork follows the advice of the errors: a damaged norm is taken
// out and put again; a damaged manifest means to start anew.
func TestTheHintsWork(t *testing.T) {
	l := open(t, t.TempDir())
	put(t, l, sample())
	path := l.path("norms", names(l.path("norms"))[0])
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)/2] ^= 1 // same size: only reading it tells
	write(t, path, data)
	if _, err := l.Update(t.Context(), UpdateOptions{}, func(tx *Tx) error { return tx.Remove("DEC-7-2020") }); err != nil {
		t.Fatal(err)
	}
	put(t, l, sample())
	if err := reopen(t, l).Check(t.Context()); err != nil {
		t.Errorf("after taking out and putting again: %v", err)
	}
	write(t, l.path("CURRENT"), []byte("nada"))
	_, err = l.Update(t.Context(), UpdateOptions{}, func(tx *Tx) error { return nil })
	if digesto.CodeOf(err) != digesto.CodeCheck {
		t.Errorf("an update on a damaged library: %v", err)
	}
	if err := os.RemoveAll(l.dir); err != nil {
		t.Fatal(err)
	}
	put(t, open(t, l.dir), sample())
	if err := reopen(t, l).Check(t.Context()); err != nil {
		t.Errorf("after starting anew: %v", err)
	}
}

func TestValidateRefuses(t *testing.T) {
	for name, spoil := range map[string]func(*Document){
		"no id":            func(d *Document) { d.Norm.ID = " " },
		"no units":         func(d *Document) { d.Units = nil },
		"repeated unit":    func(d *Document) { d.Units[1].ID = "a1" },
		"slash in unit":    func(d *Document) { d.Units[1].ID = "a/1" },
		"no version":       func(d *Document) { d.Units[1].Versions = nil },
		"repeated version": func(d *Document) { d.Units[1].Versions = append(d.Units[1].Versions, d.Units[1].Versions[0]) },
		"blank text":       func(d *Document) { d.Units[1].Versions[0].Text = " \n" },
		"not UTF-8":        func(d *Document) { d.Units[1].Versions[0].Text = "a\xff" },
		"foreign hash":     func(d *Document) { d.Units[1].Versions[0].SHA256 = textHash("otro") },
		"page beyond": func(d *Document) {
			d.Units[1].Versions[0].Pages = []digesto.PageMark{{Start: 0, Page: 1}, {Start: 999, Page: 2}}
		},
		"first page late":   func(d *Document) { d.Units[1].Versions[0].Pages = []digesto.PageMark{{Start: 2, Page: 1}} },
		"reference beyond":  func(d *Document) { d.Units[1].Versions[0].Refs = []digesto.Reference{{Start: 3, End: 99}} },
		"ends before start": func(d *Document) { v := &d.Units[1].Versions[0]; v.ValidFrom, v.ValidTo = "2020-02-02", "2020-02-01" },
	} {
		d := sample()
		spoil(&d)
		if err := d.Validate(); digesto.CodeOf(err) != digesto.CodeInvalid {
			t.Errorf("%s: %v", name, err)
		}
	}
	d := sample()
	if err := d.Validate(); err != nil {
		t.Error(err)
	}
}

func TestCheckSeesWhatMemoryHides(t *testing.T) {
	d := sample()
	d.Units[2].Versions[0].Text = ""
	err := Memory(d).Check(context.Background())
	if err == nil || !strings.Contains(err.Error(), "DEC-7-2020/a2") {
		t.Errorf("empty unit: %v", err)
	}
}

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// reopen gives a snapshot that has read nothing yet.
func reopen(t *testing.T, l *Library) *Snapshot {
	t.Helper()
	fresh, err := Open(filepath.Clean(l.dir), Options{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := fresh.Current()
	if err != nil {
		t.Fatal(err)
	}
	fresh.Close()
	return s
}

// TestLibraryGone: what says which law there is may be gone under a reader, or before a
// program begins. It is told, nothing is begun in its place, and what comes back is read.
func TestLibraryGone(t *testing.T) {
	for name, c := range map[string]struct {
		take  func(*Library) string
		fresh bool // told to a program that begins afterwards too
	}{
		"CURRENT":    {func(l *Library) string { return l.path("CURRENT") }, true},
		"the folder": {func(l *Library) string { return l.dir }, false},
	} {
		t.Run(name, func(t *testing.T) {
			l := open(t, t.TempDir()+"/corpus")
			h := put(t, l, sample())
			if _, err := l.Current(); err != nil {
				t.Fatal(err)
			}
			gone := c.take(l)
			if err := os.Rename(gone, gone+".away"); err != nil {
				t.Fatal(err)
			}
			at := map[string]*Library{"held": l}
			if c.fresh {
				at["fresh"] = open(t, l.dir)
			}
			for who, x := range at {
				_, err := x.Current()
				var e *digesto.Error
				if !errors.As(err, &e) || e.Code != digesto.CodeCheck || !strings.Contains(e.Message, "ya no está") || !strings.Contains(e.Hint, "restaure") {
					t.Errorf("%s: %v", who, err)
				}
				if _, err := x.Update(t.Context(), UpdateOptions{}, func(tx *Tx) error { return tx.Put(sample()) }); digesto.CodeOf(err) != digesto.CodeCheck {
					t.Errorf("%s, an update: %v", who, err)
				}
			}
			if _, err := os.Stat(gone); err == nil {
				t.Error("something is made in its place")
			}
			if err := os.Rename(gone+".away", gone); err != nil {
				t.Fatal(err)
			}
			if s := current(t, l); s.Hash() != h || s.Check(t.Context()) != nil {
				t.Errorf("when it is back: %q", s.Hash())
			}
		})
	}
}
