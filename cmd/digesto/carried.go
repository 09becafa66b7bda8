package main

import (
	"context"
	"sync"

	"digesto"
	"digesto/ask"
	"digesto/corpus"
	"digesto/index"
	"digesto/pack"
	"digesto/packs"
)

// carried is what the program brings with it: the packs, and their fiches and
// tables as a view that can be searched. Nobody changes it once it is read.
type carried struct {
	packs []*pack.Pack
	view  ask.View
}

// asBuilt is what the program carries with nothing of the user's, read once in a
// process: a server has a world for each tenant, and all of them answer from the same.
var asBuilt = sync.OnceValues(func() (*carried, error) { return carry(packs.Options{}) })

func carry(opt packs.Options) (*carried, error) {
	all, err := packs.Load(opt)
	if err != nil {
		return nil, err
	}
	return &carried{packs: all, view: embed(all)}, nil
}

// carried gives what the program carries, with the user's own table of values and
// the prompts that are tried out, if there are any.
func (a *app) carried() (*carried, error) {
	opt, err := a.jusOptions()
	if err != nil {
		return nil, err
	}
	if opt.Added == nil && a.conf.get("trials") == "" {
		return asBuilt()
	}
	own, err := carry(packs.Options{JUS: opt})
	if err != nil {
		return nil, err
	}
	return own, a.tryPrompts(own.packs)
}

// packs are the packs of carried.
func (a *app) packs() ([]*pack.Pack, error) {
	own, err := a.carried()
	if err != nil {
		return nil, err
	}
	return own.packs, nil
}

// embed holds the fiches and tables of packs in memory.
func embed(all []*pack.Pack) ask.View {
	var docs []corpus.Document
	for _, p := range all {
		for n, units := range p.Norms {
			docs = append(docs, corpus.Document{Norm: n, Units: units})
		}
	}
	snap := corpus.Memory(docs...)
	return ask.View{Snapshot: snap, Searcher: lateIndex(sync.OnceValues(func() (*index.Index, error) {
		return index.Memory(context.Background(), snap.Chunks(), index.BuildOptions{}) // for all who search: who asked first may leave
	}))}
}

// lateIndex is an index that is made when it is first searched: most commands never
// search what the program carries, and it takes a third of the start.
type lateIndex func() (*index.Index, error)

// Search searches the index.
func (open lateIndex) Search(ctx context.Context, q digesto.Query) (digesto.Results, error) {
	x, err := open()
	if err != nil {
		return digesto.Results{}, err
	}
	return x.Search(ctx, q)
}

// WhyNot says why the index does not find a unit.
func (open lateIndex) WhyNot(ctx context.Context, q digesto.Query, unit string) (digesto.WhyNot, error) {
	x, err := open()
	if err != nil {
		return digesto.WhyNot{}, err
	}
	return x.WhyNot(ctx, q, unit)
}
