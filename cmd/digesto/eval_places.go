package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"

	"digesto"
	"digesto/ask"
	"digesto/decide"
	"digesto/digest"
	"digesto/eval"
	"digesto/packs"
)

// evalPlacesCmd measures which place of the law a question is led to.
type evalPlacesCmd struct {
	By      string   `enum:"both,asks,articles" default:"both" placeholder:"both|asks|articles" help:"Por las preguntas del digesto, por los artículos o por ambos."`
	Covered bool     `help:"Solo las preguntas alguno de cuyos lugares tiene entrada."`
	Vectors string   `placeholder:"FICHERO" help:"Vectores de las preguntas, en lugar de los que lleva el programa."`
	Digest  string   `placeholder:"CARPETA" help:"Entradas, en lugar de las que lleva el programa."`
	Misses  bool     `help:"Enseña cada pregunta cuyo lugar no está el primero."`
	Files   []string `arg:"" placeholder:"FICHERO.jsonl" help:"Preguntas con sus lugares (expect.places)."`
}

// Examples of the command.
func (evalPlacesCmd) Examples() []string {
	return []string{"digesto eval places preguntas.jsonl", "digesto eval places --by asks --covered preguntas.jsonl"}
}

// Run prints one line a kind of question.
func (c evalPlacesCmd) Run(a *app) error {
	files, err := c.files()
	if err != nil {
		return err
	}
	var cases []eval.PlaceCase
	for _, f := range c.Files {
		list, err := eval.ReadPlaceCases(f)
		if err != nil {
			return err
		}
		cases = append(cases, list...)
	}
	have := map[string]bool{}
	for _, f := range files {
		for _, e := range f.Entries {
			have[e.Place()] = true
			for _, s := range e.Same {
				have[s] = true
			}
		}
	}
	covered := func(place string) bool { return have[place] }
	if c.Covered {
		cases = slices.DeleteFunc(cases, func(x eval.PlaceCase) bool { return !slices.ContainsFunc(x.Places, covered) })
	}
	find, done, err := c.finder(a, files)
	if err != nil {
		return err
	}
	defer done()
	ranks, err := eval.Places(a.ctx, cases, eval.PlacesOptions{Find: find, Covered: covered, Each: func(x eval.PlaceCase, rank int, found []string) {
		if c.Misses && rank != 1 {
			fmt.Fprintf(a.out, "%s %s: %d de %v; primero %v\n", x.ID, clean(x.Question), rank, x.Places, found[:min(3, len(found))])
		}
	}})
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(ranks)
	}
	for _, kind := range slices.Sorted(maps.Keys(ranks)) {
		r := ranks[kind]
		share := func(n int) float64 { return float64(n) / float64(max(1, r.Questions)) }
		fmt.Fprintf(a.out, "%-8s %4d preguntas, con entrada %.2f: primero %.2f, en 3 %.2f, en 5 %.2f, en 10 %.2f, en 20 %.2f\n",
			kind, r.Questions, share(r.Covered), share(r.First), share(r.Three), share(r.Five), share(r.Ten), share(r.Twenty))
	}
	return nil
}

func (c evalPlacesCmd) files() ([]digest.File, error) {
	if c.Digest != "" {
		files, _, err := digest.Load(os.DirFS(c.Digest))
		return files, err
	}
	files, _, err := digest.Load(packs.FS())
	return files, err
}

// finder gives the search that the flags name.
func (c evalPlacesCmd) finder(a *app, files []digest.File) (func(context.Context, eval.PlaceCase) ([]string, error), func(), error) {
	w, err := a.open(a.ctx)
	if err != nil {
		return nil, nil, err
	}
	v, done, err := w.laws.view()
	if err != nil {
		w.close()
		return nil, nil, err
	}
	opt := decide.Options{Model: packs.Decide, Vectors: packs.DigestVectors, Files: func(name string) ([]digest.File, error) {
		by := digest.ByPack(files)
		return append(by[name], by[digest.All]...), nil
	}}
	if c.Vectors != "" {
		if opt.Vectors, err = os.ReadFile(c.Vectors); err != nil {
			return nil, nil, fileError(err, c.Vectors, "Dé el fichero de vectores.")
		}
	}
	if m := ownMeaning(true); m != nil {
		opt.Vector = (&recent{model: m.asks}).vector
	}
	f := decide.NewFinder(opt)
	with, err := a.askOptions(w, w.laws, w.embedded)
	if err != nil {
		return nil, nil, err
	}
	with.Places, with.Writer, with.Reader, with.Reranker = f.Find, nil, nil, nil
	engine, err := ask.New(with)
	if err != nil {
		return nil, nil, err
	}
	find := func(ctx context.Context, x eval.PlaceCase) ([]string, error) {
		p, err := w.pack(x.Pack)
		if err != nil {
			return nil, err
		}
		if c.By == "asks" {
			return c.byAsks(ctx, f, opt.Vector, x)
		}
		if c.By == "both" {
			return byBoth(ctx, engine, x)
		}
		t := &target{searcher: v.Searcher, pack: p}
		q := w.query(x.Question, v, p)
		w.lay(&q, x.Question, v, p)
		q.K, q.Filter = decide.Looked, p.Narrow(digesto.Filter{In: map[string][]string{}})
		res, err := t.search(ctx, q)
		var out []string
		for _, h := range res.Hits {
			out = append(out, h.Unit)
		}
		return out, err
	}
	return find, func() { done(); w.close() }, nil
}

// byBoth gives the places that an answer would be made of: those named first, then by
// how likely they are to answer.
func byBoth(ctx context.Context, engine *ask.Engine, x eval.PlaceCase) ([]string, error) {
	judged, out, err := engine.PlacesOf(ctx, digesto.Question{Text: x.Question, Pack: x.Pack}, nil)
	for _, j := range judged {
		out = append(out, j.ID)
	}
	return out, err
}

// byAsks gives the places that the asks alone lead to.
func (evalPlacesCmd) byAsks(ctx context.Context, f *decide.Finder, vector func(context.Context, string) ([]float32, error), x eval.PlaceCase) ([]string, error) {
	asks, err := f.Asks(x.Pack)
	if err != nil {
		return nil, err
	}
	var full []float32
	if vector != nil {
		if full, err = vector(ctx, x.Question); err != nil {
			return nil, err
		}
	}
	var out []string
	for _, p := range asks.Search(x.Question, full, decide.Looked, nil) {
		out = append(out, p.ID)
	}
	return out, nil
}
