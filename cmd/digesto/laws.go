package main

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"digesto"
	"digesto/ask"
	"digesto/corpus"
	"digesto/index"
	"digesto/model/e5"
)

// laws gives the law installed now, with the index of exactly that snapshot.
// A new snapshot is seen at the next question; the index of the old one is
// closed when its last reader leaves. It is safe for any number of goroutines.
type laws struct {
	lib *corpus.Library // nil = no data folder
	dir string          // data folder
	say func(format string, args ...any)

	model *e5.Embedder // nil = words alone
	ctx   context.Context

	mu   sync.Mutex
	open map[string]*lawIndex // by snapshot hash
	last string
	// words searches by words alone, whatever the indexes hold.
	words bool
}

// embedding says how questions are compared by meaning, for the trace; "" = by words alone.
func (l *laws) embedding() string {
	if l.words || l.model == nil {
		return ""
	}
	return "built-in"
}

// lawIndex is an open index and how many are reading it.
type lawIndex struct {
	ix   *index.Index
	uses int
}

// view opens the law of now. A library without norms gives the zero View: no law.
func (l *laws) view() (ask.View, func(), error) {
	if l.lib == nil {
		return ask.View{}, func() {}, nil
	}
	snap, err := l.lib.Current()
	if err != nil {
		return ask.View{}, nil, err
	}
	if snap.Hash() == "" {
		snap.Close()
		return ask.View{}, func() {}, nil
	}
	li, err := l.acquire(snap)
	if err != nil {
		snap.Close()
		return ask.View{}, nil, err
	}
	view := ask.View{Snapshot: snap, Searcher: li.ix}
	if !l.words {
		view.Searcher = withVectors(li.ix, l.model)
	}
	return view, func() { l.release(snap, li) }, nil
}

// acquire gives the index of a snapshot, opening it the first time. Questions
// that come meanwhile wait for it.
func (l *laws) acquire(snap *corpus.Snapshot) (*lawIndex, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	hash := snap.Content()
	li := l.open[hash]
	if li == nil {
		ix, err := l.index(snap)
		if err != nil {
			return nil, err
		}
		li = &lawIndex{ix: ix}
		l.open[hash] = li
	}
	li.uses++
	l.last = hash
	for h, old := range l.open {
		if h != hash && old.uses == 0 {
			old.ix.Close()
			delete(l.open, h)
		}
	}
	return li, nil
}

func (l *laws) release(snap *corpus.Snapshot, li *lawIndex) {
	l.mu.Lock()
	defer l.mu.Unlock()
	li.uses--
	snap.Close()
}

func (l *laws) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for h, li := range l.open {
		li.ix.Close()
		delete(l.open, h)
	}
	if l.lib != nil {
		l.lib.Close()
	}
}

// indexDir is where the index of a snapshot stands, by what it indexes: a file that
// is refused changes the snapshot and not its index.
func indexDir(data, content string) string { return filepath.Join(data, "index", content) }

// index opens the index of a snapshot. One that is missing, damaged or of
// another format is built again, and that is said; where the folder cannot be
// written it is built in memory.
func (l *laws) index(snap *corpus.Snapshot) (*index.Index, error) {
	dir := indexDir(l.dir, snap.Content())
	ix, err := index.Open(dir, opened)
	if err == nil {
		return ix, nil
	}
	why := "falta"
	if digesto.CodeOf(err) != digesto.CodeNotFound {
		why = "está dañado o es de otra versión"
	}
	l.say("El índice de la ley instalada %s: se reconstruye ahora (una sola vez).", why)
	if err := buildIndex(l.ctx, l.dir, snap, l.model); err == nil {
		return index.Open(dir, opened)
	} else if l.ctx.Err() != nil {
		return nil, err
	}
	l.say("No se puede guardar el índice en %s: se usa en memoria.", dir)
	return index.Memory(l.ctx, snap.Chunks(), vectored(l.ctx, l.model))
}

// buildIndex builds the index of a snapshot in its place. Whoever has an old
// one open there keeps it.
func buildIndex(ctx context.Context, data string, snap *corpus.Snapshot, e *e5.Embedder) error {
	return index.Build(ctx, snap.Chunks(), indexDir(data, snap.Content()), vectored(ctx, e))
}

// pruneIndexes removes the indexes of snapshots that are gone. Failure costs
// disk space only, so it is not reported.
func pruneIndexes(data string, keep ...string) {
	entries, err := os.ReadDir(filepath.Join(data, "index"))
	if err != nil {
		return
	}
	for _, e := range entries {
		if !slices.Contains(keep, e.Name()) {
			_ = os.RemoveAll(filepath.Join(data, "index", e.Name()))
		}
	}
}
