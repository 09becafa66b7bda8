package packs_test

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"testing/fstest"

	"digesto"
	"digesto/corpus"
	"digesto/corpus/ingest"
	"digesto/digest"
	"digesto/internal/shareddata"
	"digesto/pack"
	"digesto/packs"
	"digesto/text"
	"digesto/text/cite"
)

func digestFiles(t *testing.T) []digest.File {
	t.Helper()
	files, bad, err := digest.Load(os.DirFS("."))
	if err != nil {
		t.Fatal(err)
	}
	fail(t, bad)
	return files
}

func fail(t *testing.T, bad []pack.Problem) {
	t.Helper()
	for i, b := range bad {
		if i == 20 {
			t.Fatalf("and %d more", len(bad)-i)
		}
		t.Error(b)
	}
}

// TestDigest proves every entry of the digest in itself and against the others.
func TestDigest(t *testing.T) {
	for name, files := range digest.ByPack(digestFiles(t)) {
		r := digest.Check(files, nil)
		t.Logf("%s: %d entries over %d places of %d norms, asks %v", name, r.Entries, r.Places, r.Norms, r.Asks)
		fail(t, r.Problems)
	}
}

// TestDigestStandsInTheLaw: every entry's unit is in force, holds its decisive
// words to the letter and every figure of its plain sentences.
func TestDigestStandsInTheLaw(t *testing.T) {
	root := shareddata.Dir(t, "corpora")
	files := digestFiles(t)
	law := digest.Over(everything(t, root), fiches(t))
	for name, group := range digest.ByPack(files) {
		r := digest.Check(group, law)
		t.Logf("%s: %d of %d entries compared", name, r.Compared, r.Entries)
		fail(t, r.Problems)
		if r.Compared != r.Entries {
			t.Errorf("%s: %d entries of norms that are not installed", name, r.Entries-r.Compared)
		}
	}
}

// TestDigestApart: no ask is near a question of an evaluation set, nor is a message of the
// conversations that what goes on with a subject is weighed by, nor a letter that is asked.
func TestDigestApart(t *testing.T) {
	questions, err := digest.Questions(os.DirFS(shareddata.Dir(t, "evals")))
	if err != nil {
		t.Fatal(err)
	}
	if len(questions) < 1000 {
		t.Fatalf("%d questions", len(questions))
	}
	files := digestFiles(t)
	for name, least := range map[string]int{"conversations.jsonl": 200, "letters.jsonl": 120, "strangers.jsonl": 120, "newcomers.jsonl": 360} {
		raw, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		said, err := digest.Questions(fstest.MapFS{"said.jsonl": {Data: raw}})
		if err != nil || len(said) < least {
			t.Fatal(name, len(said), err)
		}
		e := digest.Entry{File: name}
		for _, q := range said {
			e.Asks = append(e.Asks, digest.Ask{Text: q})
		}
		files = append(files, digest.File{Entries: []digest.Entry{e}})
	}
	fail(t, digest.Apart(&text.Analyser{}, files, questions))
}

// fiches are what packs carry of their own.
func fiches(t *testing.T) *corpus.Snapshot {
	t.Helper()
	all, err := packs.Load(packs.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var docs []corpus.Document
	for _, p := range all {
		for n, units := range p.Norms {
			docs = append(docs, corpus.Document{Norm: n, Units: units})
		}
	}
	return corpus.Memory(docs...)
}

// everything is a library of all the texts at hand, made once.
func everything(t *testing.T, root string) *corpus.Snapshot {
	t.Helper()
	library.once.Do(func() {
		dir, err := os.MkdirTemp("", "digesto-law-")
		if err != nil {
			library.err = err
			return
		}
		library.dir = dir
		all, err := packs.Load(packs.Options{})
		if err != nil {
			library.err = err
			return
		}
		var aliases []cite.Alias
		for _, p := range all {
			aliases = append(aliases, p.Aliases...)
		}
		lib, err := corpus.Open(dir, corpus.Options{Today: func() digesto.Date { return lastDay }})
		if err == nil {
			_, err = ingest.Add(context.Background(), lib, []string{root}, ingest.Options{Aliases: aliases, Known: pack.Expected(all)})
		}
		if err == nil {
			library.snapshot, err = lib.Current()
		}
		library.err = err
	})
	if library.err != nil {
		t.Fatal(library.err)
	}
	return library.snapshot
}

var library struct {
	once     sync.Once
	dir      string
	snapshot *corpus.Snapshot
	err      error
}

func TestMain(m *testing.M) {
	code := m.Run()
	if library.snapshot != nil {
		library.snapshot.Close()
	}
	if library.dir != "" {
		os.RemoveAll(library.dir)
	}
	os.Exit(code)
}
