package run

import (
	"context"

	"digesto/app"
	"digesto/ask"
	"digesto/corpus"
	"digesto/index"
)

// Documents reads a corpus once, by its hash, and gives its norms with their units.
func Documents(a *app.App, w *app.Workspace, path, packName string) ([]corpus.Document, func(), error) {
	l, cleanup, err := a.OpenSource(a.Context, w, path, packName)
	if err != nil {
		return nil, nil, err
	}
	snap, err := l.Library.Current()
	if err != nil {
		l.Close()
		cleanup()
		return nil, nil, err
	}
	var docs []corpus.Document
	for _, n := range snap.Norms() {
		d := corpus.Document{Norm: n}
		for u := range snap.Units(n.ID) {
			d.Units = append(d.Units, u)
		}
		docs = append(docs, d)
	}
	return docs, func() { snap.Close(); l.Close(); cleanup() }, nil
}

// EngineWithout answers from documents without one law.
func EngineWithout(a *app.App, ctx context.Context, w *app.Workspace, docs []corpus.Document, law string) (*ask.Engine, error) {
	var kept []corpus.Document
	for _, d := range docs {
		if d.Norm.ID != law {
			kept = append(kept, d)
		}
	}
	if law != "" {
		a.Say("Sin %s: índice de %d normas…", law, len(kept))
	}
	snap := corpus.Memory(kept...)
	ix, err := index.Memory(ctx, snap.Chunks(), index.BuildOptions{})
	if err != nil {
		return nil, err
	}
	view := ask.View{Snapshot: snap, Searcher: ix}
	return ask.New(ask.Options{Law: func() (ask.View, func(), error) { return view, func() {}, nil }, Embedded: w.Embedded, Packs: w.Packs, Clock: a.Now})
}
