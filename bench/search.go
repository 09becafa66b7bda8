package bench

import (
	"hash/fnv"
	"math/rand/v2"
	"os"

	"digesto"
	"digesto/app"
	"digesto/index"
)

// SearchOptions are what is measured: a corpus, the questions put to it, the dimensions of made
// up vectors (0 = words alone) and how often the questions are put.
type SearchOptions struct {
	Corpus  string
	Queries string
	Dims    int
	Passes  int
}

// Search builds an index, opens it and searches.
func Search(a *app.App, c SearchOptions) (SearchReport, error) {
	if c.Dims < 0 || c.Dims > 4096 || c.Passes < 1 {
		return SearchReport{}, &digesto.Error{Code: digesto.CodeInvalid, Message: "--dims o --passes no valen", Hint: "Use de 0 a 4096 dimensiones y al menos una pasada."}
	}
	b, r, err := newSearchBench(a, c.Corpus, c.Queries)
	if err != nil {
		return SearchReport{}, err
	}
	r.Dims = c.Dims
	opt := index.BuildOptions{}
	if c.Dims > 0 {
		opt.Model = "synthetic"
		opt.Vectors = func(ch digesto.Chunk) ([]float32, error) { return vectorOf(ch.ID, c.Dims), nil }
	}
	dir, built, err := b.build(a.Context, b.corpus.Chunks(), opt)
	if err != nil {
		return SearchReport{}, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	r.BuildMS = built.clock
	if err := b.open(dir, index.OpenOptions{}, &r); err != nil {
		return SearchReport{}, err
	}
	defer b.ix.Close()
	vectors := map[string][]float32{} // made before the clock runs
	for _, text := range b.queries {
		vectors[text] = vectorOf(text, c.Dims)
	}
	took, _, err := b.ask(len(b.queries), c.Passes, func(text string) ([]float32, error) { return vectors[text], nil })
	if err != nil {
		return SearchReport{}, err
	}
	r.Mean, r.Quantiles = meanOf(took), quantilesOf(took)
	r.PeakRSS = peakRSS()
	return r, nil
}

// vectorOf makes a vector out of a name: the same for the same name, spread
// like noise. It measures speed, never quality. nil for no dimensions.
func vectorOf(name string, dims int) []float32 {
	if dims <= 0 {
		return nil
	}
	h := fnv.New64a()
	_, _ = h.Write([]byte(name))
	r := rand.New(rand.NewPCG(h.Sum64(), uint64(dims)))
	v := make([]float32, dims)
	for i := range v {
		v[i] = float32(r.NormFloat64())
	}
	return v
}
