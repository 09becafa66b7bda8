package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"digesto"
)

const lighthouse = `# Ley 1/2001, de los Faros

**Artículo 1. Objeto.**

Esta ley regula los faros y el trabajo de quien los cuida.

**Artículo 2. Descanso del farero.**

El farero tendrá %s días de descanso al año.
`

// addLaw installs the lighthouse law with a number of days in a data folder.
func addLaw(t *testing.T, data, days string) {
	t.Helper()
	addLawTo(t, map[string]string{"DIGESTO_DATA": data}, days)
}

func addLawTo(t *testing.T, vars map[string]string, days string) {
	t.Helper()
	file := filepath.Join(vars["DIGESTO_DATA"]+"-ley", "faros.md") // the same file each time: a changed one is read anew
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, fmt.Appendf(nil, lighthouse, days), 0o644); err != nil {
		t.Fatal(err)
	}
	e, _, errs := testEnv(vars)
	if code := run(context.Background(), []string{"corpus", "add", file, "--pack", "laboral"}, e); code != 0 {
		t.Fatalf("corpus add: exit %d: %s", code, errs)
	}
}

func openTestLaws(t *testing.T, data string) (*laws, *strings.Builder) {
	t.Helper()
	var said strings.Builder
	e, _, _ := testEnv(nil)
	a := &app{env: e, ctx: context.Background(), now: time.Now}
	a.conf.data, a.conf.origins = data, map[string]string{"data": "opción"}
	l, err := a.openLaws()
	if err != nil {
		t.Fatal(err)
	}
	l.say = func(format string, args ...any) { fmt.Fprintf(&said, format+"\n", args...) }
	t.Cleanup(l.close)
	return l, &said
}

// TestLawChangesUnderReaders: who has a view keeps it; the next one is the new law.
func TestLawChangesUnderReaders(t *testing.T) {
	data := t.TempDir()
	addLaw(t, data, "diez")
	l, said := openTestLaws(t, data)
	old, release, err := l.view()
	if err != nil {
		t.Fatal(err)
	}
	addLaw(t, data, "veinte")
	now, releaseNow, err := l.view()
	if err != nil {
		t.Fatal(err)
	}
	if old.Snapshot.Hash() == now.Snapshot.Hash() {
		t.Fatal("the new law is not seen")
	}
	count := func(l *laws) int { l.mu.Lock(); defer l.mu.Unlock(); return len(l.open) }
	if n := count(l); n != 2 {
		t.Errorf("%d indexes open, want 2", n)
	}
	u, ok := old.Snapshot.Unit(old.Snapshot.Norms()[0].ID, "a2")
	if !ok || !strings.Contains(u.Versions[0].Text, "diez") {
		t.Error("the reader lost its text")
	}
	release()
	releaseNow()
	_, again, err := l.view()
	if err != nil {
		t.Fatal(err)
	}
	again()
	if n := count(l); n != 1 {
		t.Errorf("%d indexes open after the readers left, want 1", n)
	}
	if said.Len() > 0 {
		t.Errorf("it said %q", said)
	}
}

// TestBrokenIndex is built again, once, and that is said.
func TestBrokenIndex(t *testing.T) {
	data := t.TempDir()
	addLaw(t, data, "diez")
	entries, err := os.ReadDir(filepath.Join(data, "index"))
	if err != nil || len(entries) != 1 {
		t.Fatalf("indexes: %v %v", entries, err)
	}
	dir := filepath.Join(data, "index", entries[0].Name())
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if f.Type().IsRegular() {
			if err := os.WriteFile(filepath.Join(dir, f.Name()), []byte("nada"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	l, said := openTestLaws(t, data)
	v, release, err := l.view()
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	if v.Searcher == nil || !strings.Contains(said.String(), "se reconstruye") {
		t.Errorf("it said %q", said)
	}
}

// TestManyReaders ask at once while the law changes.
func TestManyReaders(t *testing.T) {
	data := t.TempDir()
	addLaw(t, data, "diez")
	l, _ := openTestLaws(t, data)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 50 {
				v, release, err := l.view()
				if err != nil {
					t.Error(err)
					return
				}
				if len(v.Snapshot.Norms()) != 1 {
					t.Errorf("%d norms", len(v.Snapshot.Norms()))
				}
				release()
			}
		})
	}
	addLaw(t, data, "veinte")
	wg.Wait()
	if n := len(l.open); n > 2 {
		t.Errorf("%d indexes stay open", n)
	}
}

// TestRefusedFileKeepsIndex: what is indexed did not change, so the index stays as it is.
func TestRefusedFileKeepsIndex(t *testing.T) {
	data := t.TempDir()
	addLaw(t, data, "diez")
	state := func() (out []string) {
		files, err := filepath.Glob(filepath.Join(data, "index", "*", "*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			fi, err := os.Stat(f)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, fmt.Sprint(f, fi.ModTime(), fi.Size()))
		}
		return out
	}
	before := state()
	broken := filepath.Join(t.TempDir(), "rota.pdf")
	if err := os.WriteFile(broken, []byte("no es un PDF"), 0o644); err != nil {
		t.Fatal(err)
	}
	e, _, _ := testEnv(map[string]string{"DIGESTO_DATA": data})
	if code := run(context.Background(), []string{"corpus", "add", broken, "--pack", "laboral"}, e); code == 0 {
		t.Error("a broken file was taken")
	}
	if after := state(); len(before) == 0 || !slices.Equal(before, after) {
		t.Errorf("before %q, after %q", before, after)
	}
}

// TestPrune keeps the current index and the one before it.
func TestPrune(t *testing.T) {
	data := t.TempDir()
	for _, days := range []string{"uno", "dos", "tres", "cuatro"} {
		addLaw(t, data, days)
	}
	entries, err := os.ReadDir(filepath.Join(data, "index"))
	if err != nil || len(entries) > 2 {
		t.Errorf("%d indexes kept: %v", len(entries), err)
	}
}

// TestReadyWhileIndexing: as long as the index is made again, questions wait, and who
// asks whether the server is ready is told so.
func TestReadyWhileIndexing(t *testing.T) {
	data := t.TempDir()
	addLaw(t, data, "cuarenta")
	if err := os.RemoveAll(filepath.Join(data, "index")); err != nil {
		t.Fatal(err)
	}
	l, _ := openTestLaws(t, data)
	if err := l.ready(); err != nil {
		t.Error("nobody waits yet: ", err)
	}
	var during error
	l.say = func(string, ...any) { during = l.ready() } // it says that it makes the index
	_, done, err := l.view()
	if err != nil {
		t.Fatal(err)
	}
	defer done()
	if digesto.CodeOf(during) != digesto.CodeUnavailable {
		t.Errorf("while the index is made: %v", during)
	}
	if err := l.ready(); err != nil {
		t.Error("made: ", err)
	}
}

// TestIndexInTheMaking: while one question makes the index of a new law, the others are
// answered from the old one, and who read it lets go of it.
func TestIndexInTheMaking(t *testing.T) {
	data := t.TempDir()
	addLaw(t, data, "diez")
	l, _ := openTestLaws(t, data)
	old, release, err := l.view()
	if err != nil {
		t.Fatal(err)
	}
	addLaw(t, data, "veinte")
	if err := os.RemoveAll(filepath.Join(data, "index")); err != nil {
		t.Fatal(err)
	}
	asked := 0
	l.say = func(string, ...any) { // it says that it makes the index
		asked++
		v, done, err := l.view()
		if err != nil || v.Snapshot.Hash() != old.Snapshot.Hash() || v.Searcher == nil {
			t.Errorf("another question meanwhile: %v", err)
			return
		}
		done()
		release()
	}
	now, done, err := l.view()
	if err != nil || asked != 1 {
		t.Fatalf("%d questions meanwhile, %v", asked, err)
	}
	defer done()
	if now.Snapshot.Hash() == old.Snapshot.Hash() {
		t.Error("the new law is not seen by whoever made its index")
	}
}

// TestIndexThatFails is tried again at the next question, and nobody waits for it for ever.
func TestIndexThatFails(t *testing.T) {
	data := t.TempDir()
	addLaw(t, data, "diez")
	l, _ := openTestLaws(t, data)
	if err := os.RemoveAll(filepath.Join(data, "index")); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	l.ctx = ctx
	for range 2 {
		if _, _, err := l.view(); err == nil {
			t.Fatal("an index was made after the end")
		}
	}
	l.ctx = context.Background()
	_, done, err := l.view()
	if err != nil {
		t.Fatal(err)
	}
	done()
}
