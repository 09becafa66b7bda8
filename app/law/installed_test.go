package law

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"digesto/corpus"
	"digesto/corpus/ingest"
	"digesto/internal/qdrantfake"

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
	file := filepath.Join(data+"-ley", "faros.md") // the same file each time: a changed one is read anew
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, fmt.Appendf(nil, lighthouse, days), 0o644); err != nil {
		t.Fatal(err)
	}
	lib, err := corpus.Open(filepath.Join(data, "corpus"), corpus.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer lib.Close()
	build := func(s *corpus.Snapshot) error { return BuildIndex(t.Context(), data, s, OwnEmbedding(true)) }
	if _, err := ingest.Add(t.Context(), lib, []string{file}, ingest.Options{Pack: "laboral", BeforeSwap: build}); err != nil {
		t.Fatal(err)
	}
}

// openLaw opens what is installed in a data folder, and keeps what it says.
func openLaw(t *testing.T, data string) (*Installed, *strings.Builder) {
	t.Helper()
	var said strings.Builder
	lib, err := corpus.Open(filepath.Join(data, "corpus"), corpus.Options{})
	if err != nil {
		t.Fatal(err)
	}
	l := New(context.Background(), func(format string, args ...any) { fmt.Fprintf(&said, format+"\n", args...) })
	l.Library, l.Dir, l.Model, l.WordsOnly = lib, data, OwnEmbedding(true), true
	t.Cleanup(l.Close)
	return l, &said
}

// TestLawChangesUnderReaders: who has a view keeps it; the next one is the new
func TestLawChangesUnderReaders(t *testing.T) {
	data := t.TempDir()
	addLaw(t, data, "diez")
	l, said := openLaw(t, data)
	old, release, err := l.View()
	if err != nil {
		t.Fatal(err)
	}
	addLaw(t, data, "veinte")
	now, releaseNow, err := l.View()
	if err != nil {
		t.Fatal(err)
	}
	if old.Snapshot.Hash() == now.Snapshot.Hash() {
		t.Fatal("the new law is not seen")
	}
	count := func(l *Installed) int { l.mu.Lock(); defer l.mu.Unlock(); return len(l.indexes) }
	if n := count(l); n != 2 {
		t.Errorf("%d indexes open, want 2", n)
	}
	u, ok := old.Snapshot.Unit(old.Snapshot.Norms()[0].ID, "a2")
	if !ok || !strings.Contains(u.Versions[0].Text, "diez") {
		t.Error("the reader lost its text")
	}
	release()
	releaseNow()
	_, again, err := l.View()
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
	l, said := openLaw(t, data)
	v, release, err := l.View()
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
	l, _ := openLaw(t, data)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 50 {
				v, release, err := l.View()
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
	if n := len(l.indexes); n > 2 {
		t.Errorf("%d indexes stay open", n)
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
	l, _ := openLaw(t, data)
	if err := l.Ready(t.Context()); err != nil {
		t.Error("nobody waits yet: ", err)
	}
	var during error
	l.Say = func(string, ...any) { during = l.Ready(t.Context()) } // it says that it makes the index
	_, done, err := l.View()
	if err != nil {
		t.Fatal(err)
	}
	defer done()
	if digesto.CodeOf(during) != digesto.CodeUnavailable {
		t.Errorf("while the index is made: %v", during)
	}
	if err := l.Ready(t.Context()); err != nil {
		t.Error("made: ", err)
	}
}

// TestReadyOfServer: a node whose index stands on a server is ready while that answers,
// before anybody has asked too, and again when it is back.
func TestReadyOfServer(t *testing.T) {
	data := t.TempDir()
	addLaw(t, data, "cuarenta")
	fake := qdrantfake.New()
	s := httptest.NewServer(fake)
	defer s.Close()
	l, _ := openLaw(t, data)
	l.Remote = s.URL
	down := func(*http.Request) (int, string) { return 403, "Forbidden" }
	for _, lost := range []bool{true, false, true, false} {
		if fake.Before = nil; lost {
			fake.Before = down
		}
		if err := l.Ready(t.Context()); (err != nil) != lost {
			t.Errorf("server lost %v: %v", lost, err)
		}
	}
}

// TestIndexInTheMaking: while one question makes the index of a new law, the others are
// answered from the old one, and who read it lets go of it.
func TestIndexInTheMaking(t *testing.T) {
	data := t.TempDir()
	addLaw(t, data, "diez")
	l, _ := openLaw(t, data)
	old, release, err := l.View()
	if err != nil {
		t.Fatal(err)
	}
	addLaw(t, data, "veinte")
	if err := os.RemoveAll(filepath.Join(data, "index")); err != nil {
		t.Fatal(err)
	}
	asked := 0
	l.Say = func(string, ...any) { // it says that it makes the index
		asked++
		v, done, err := l.View()
		if err != nil || v.Snapshot.Hash() != old.Snapshot.Hash() || v.Searcher == nil {
			t.Errorf("another question meanwhile: %v", err)
			return
		}
		done()
		release()
	}
	now, done, err := l.View()
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
	l, _ := openLaw(t, data)
	if err := os.RemoveAll(filepath.Join(data, "index")); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	l.Ctx = ctx
	for range 2 {
		if _, _, err := l.View(); err == nil {
			t.Fatal("an index was made after the end")
		}
	}
	l.Ctx = context.Background()
	_, done, err := l.View()
	if err != nil {
		t.Fatal(err)
	}
	done()
}
