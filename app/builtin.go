package app

import (
	"context"
	"io/fs"
	"os"
	"slices"
	"sync"

	"digesto"
	"digesto/app/law"
	"digesto/ask"
	"digesto/corpus"
	"digesto/digest"
	"digesto/index"
	"digesto/pack"
	"digesto/packs"
)

// builtin is what the program brings with it: the packs, and their fiches and
// tables as a view that can be searched. Nobody changes it once it is read.
type builtin struct {
	packs []*pack.Pack
	view  ask.View
}

// asBuilt is what the program carries with nothing of the user's, read once in a
// process: a server has a workspace for each tenant, and all of them answer from the same.
var asBuilt = sync.OnceValues(func() (*builtin, error) {
	all, err := packs.Load(packs.Options{})
	if err != nil {
		return nil, err
	}
	snap, _ := embed(all, nil)
	open := func() (*index.Index, error) { return index.Packed(packs.Fiches, index.BuildOptions{}) }
	return &builtin{packs: all, view: ask.View{Snapshot: snap, Searcher: LateIndex(sync.OnceValues(open))}}, nil
})

// PackFiches makes packs.Fiches.
func PackFiches(ctx context.Context) ([]byte, error) {
	all, err := packs.Load(packs.Options{})
	if err != nil {
		return nil, err
	}
	_, searched := embed(all, nil)
	return index.Pack(ctx, corpus.Memory(searched...).Chunks(), index.BuildOptions{})
}

func carry(opt packs.Options) (*builtin, error) {
	all, err := packs.Load(opt)
	if err != nil {
		return nil, err
	}
	return &builtin{packs: all, view: Embed(all, opt.More)}, nil
}

// builtin gives what the program carries, with the user's own table of values and
// the prompts that are tried out, if there are any.
func (a *App) builtin() (*builtin, error) {
	opt, err := a.JusOptions()
	if err != nil {
		return nil, err
	}
	more, err := a.morePacks()
	if err != nil {
		return nil, err
	}
	if opt.Added == nil && more == nil && a.Settings.Get("trials") == "" {
		return asBuilt()
	}
	own, err := carry(packs.Options{JUS: opt, More: more})
	if err != nil {
		return nil, err
	}
	return own, a.tryPrompts(own.packs)
}

// morePacks is the folder of packs beside the program's; nil when there is none.
func (a *App) morePacks() (fs.FS, error) {
	dir := a.Settings.Get("packs")
	if dir == "" {
		return nil, nil
	}
	if st, err := os.Stat(dir); err != nil || !st.IsDir() {
		return nil, &digesto.Error{Code: digesto.CodeNotFound, Message: "No hay ninguna carpeta de paquetes «" + dir + "»", Hint: "«packs» o DIGESTO_PACKS es una carpeta con una carpeta por paquete."}
	}
	return os.DirFS(dir), nil
}

// Packs are those of the program, and those beside it.
func (a *App) Packs() ([]*pack.Pack, error) {
	own, err := a.builtin()
	if err != nil {
		return nil, err
	}
	return own.packs, nil
}

// Embed holds the fiches and tables of packs (some of them in more, which may be nil) in
// memory, and what their digests answer: that
// is found by its asks, so it is not indexed, and read when it is first quoted.
func Embed(all []*pack.Pack, more fs.FS) ask.View {
	snap, searched := embed(all, more)
	return ask.View{Snapshot: snap, Searcher: LateIndex(sync.OnceValues(func() (*index.Index, error) {
		return index.Memory(context.Background(), corpus.Memory(searched...).Chunks(), index.BuildOptions{}) // for all who search: who asked first may leave
	}))}
}

// embed gives all that Embed holds, and what of it is indexed.
func embed(all []*pack.Pack, more fs.FS) (snap *corpus.Snapshot, docs []corpus.Document) {
	var late []corpus.Document
	for _, p := range all {
		for n, units := range p.Norms {
			docs = append(docs, corpus.Document{Norm: n, Units: units})
		}
		norms, units := digest.Summaries(law.DigestFrom(more, p.Name), p)
		for _, n := range norms {
			late = append(late, corpus.Document{Norm: n, Late: func() []digesto.Unit { return units(n.ID) }})
		}
	}
	return corpus.Memory(slices.Concat(docs, late)...), docs
}

// LateIndex is an index that is made when it is first searched: most commands never
// search what the program carries, and it takes a third of the start.
type LateIndex func() (*index.Index, error)

// Search searches the index.
func (open LateIndex) Search(ctx context.Context, q digesto.Query) (digesto.Results, error) {
	x, err := open()
	if err != nil {
		return digesto.Results{}, err
	}
	return x.Search(ctx, q)
}

// WhyNot says why the index does not find a unit.
func (open LateIndex) WhyNot(ctx context.Context, q digesto.Query, unit string) (digesto.WhyNot, error) {
	x, err := open()
	if err != nil {
		return digesto.WhyNot{}, err
	}
	return x.WhyNot(ctx, q, unit)
}
