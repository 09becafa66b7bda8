package run

import (
	"context"
	"io/fs"
	"os"
	"slices"

	"digesto"
	"digesto/app"
	"digesto/app/law"
	"digesto/ask"
	"digesto/decide"
	"digesto/digest"
	"digesto/disk"
	"digesto/eval"
	"digesto/packs"
	"digesto/search"
)

// Measure looks the places of the questions up; each gets every question with the rank of its
// place and what was found.
func (c PlacesRun) Measure(a *app.App, each func(x eval.PlaceCase, rank int, found []string)) (map[string]*eval.PlaceRanks, error) {
	files, err := c.entries()
	if err != nil {
		return nil, err
	}
	var cases []eval.PlaceCase
	for _, f := range c.Files {
		list, err := eval.ReadPlaceCases(f)
		if err != nil {
			return nil, err
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
	find, done, err := c.finder(a)
	if err != nil {
		return nil, err
	}
	defer done()
	return eval.Places(a.Context, cases, eval.PlacesOptions{Find: find, Covered: covered, Each: each})
}

// entries are those named, or those that the program carries.
func (c PlacesRun) entries() ([]digest.File, error) {
	files, _, err := digest.Load(c.packs())
	return files, err
}

// packs is the folder of packs whose digest is searched.
func (c PlacesRun) packs() fs.FS {
	if c.Digest != "" {
		return os.DirFS(c.Digest)
	}
	return packs.FS()
}

// finder gives the search that the flags name.
func (c PlacesRun) finder(a *app.App) (func(context.Context, eval.PlaceCase) ([]string, error), func(), error) {
	w, err := a.Open(a.Context)
	if err != nil {
		return nil, nil, err
	}
	v, done, err := w.Law.View()
	if err != nil {
		w.Close()
		return nil, nil, err
	}
	opt := decide.Options{Model: packs.Decide, Vectors: packs.DigestVectors, Files: func(name string) ([]digest.File, error) {
		files, _, err := digest.Pack(c.packs(), name)
		return files, err
	}}
	if c.Vectors != "" {
		if opt.Vectors, err = os.ReadFile(c.Vectors); err != nil {
			return nil, nil, disk.Error(err, c.Vectors, "Dé el fichero de vectores.")
		}
	}
	if m := law.OwnEmbedding(true); m != nil {
		opt.Vector = (&law.VectorCache{Model: m.Asks}).Vector
	}
	f := decide.NewFinder(opt)
	with, err := a.AskOptions(w, w.Law, w.Embedded)
	if err != nil {
		return nil, nil, err
	}
	with.Places, with.Writer, with.Reader, with.Reranker = f.Find, nil, nil, nil
	engine, err := ask.New(with)
	if err != nil {
		return nil, nil, err
	}
	find := func(ctx context.Context, x eval.PlaceCase) ([]string, error) {
		p, err := w.Pack(x.Pack)
		if err != nil {
			return nil, err
		}
		if c.By == "asks" {
			return c.byAsks(ctx, f, opt.Vector, x)
		}
		if c.By == "both" {
			return byBoth(ctx, engine, x)
		}
		t := &app.Searched{Searcher: v.Searcher, Pack: p}
		q := w.Query(x.Question, v, p)
		w.AddLexicon(&q, x.Question, v, p)
		q.K, q.Filter = decide.Looked, p.Narrow(digesto.Filter{In: map[string][]string{}})
		res, err := t.Search(ctx, q)
		var out []string
		for _, h := range res.Hits {
			out = append(out, h.Unit)
		}
		return out, err
	}
	return find, func() { done(); w.Close() }, nil
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
func (c PlacesRun) byAsks(ctx context.Context, f *decide.Finder, vector func(context.Context, string) ([]float32, error), x eval.PlaceCase) ([]string, error) {
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
	for _, p := range asks.Search(x.Question, full, decide.Looked, search.Allow{}) {
		out = append(out, p.ID)
	}
	return out, nil
}

// PlacesRun is by what the places of questions are looked for: see the command.
type PlacesRun struct {
	By      string
	Covered bool
	Vectors string
	Digest  string
	Misses  bool
	Files   []string
}
