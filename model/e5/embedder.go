package e5

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"

	"digesto/model"
)

// StaticName names the space in which articles stand by their static vectors and
// questions by the transformer; PassageName the one in which both went through it.
//
// AskName is the space in which questions stand that are compared with questions.
const (
	StaticName  = "digesto-e5-static-1"
	PassageName = "digesto-e5-int8-2"
	AskName     = "digesto-e5-asks-1"
)

// Embedder is the model in one of its spaces, loaded at the first use. It is
// safe for any number of goroutines.
type Embedder struct {
	space string
	load  func() (*Model, error)
}

var _ model.Embedder = (*Embedder)(nil)

// Embedders are those of each space over one model, whose files are read when first
// needed.
type Embedders struct {
	Static *Embedder // articles by their static vectors
	// Passages sends articles through the transformer too: thirty times the work
	// of static vectors for two to eight points of first hits.
	Passages *Embedder
	Asks     *Embedder // questions to compare with questions, whatever the mode says
}

// NewEmbedders gives the embedders of a model.
func NewEmbedders(f Files, opt Options) Embedders {
	load := sync.OnceValues(func() (*Model, error) { return New(f, opt) })
	return Embedders{&Embedder{StaticName, load}, &Embedder{PassageName, load}, &Embedder{AskName, load}}
}

// Name identifies the vector space.
func (e *Embedder) Name() string { return e.space }

// Dims is the length of every vector.
func (e *Embedder) Dims() int { return Dims }

// Embed gives one unit vector a text, mean taken out, on as many goroutines as
// there are CPUs. They have ended when it returns.
func (e *Embedder) Embed(ctx context.Context, texts []string, mode model.Mode) ([][]float32, error) {
	m, err := e.load()
	if err != nil {
		return nil, err
	}
	out := make([][]float32, len(texts))
	var next atomic.Int64
	var wg sync.WaitGroup
	errs := make([]error, min(len(texts), runtime.GOMAXPROCS(0)))
	for w := range errs {
		wg.Go(func() {
			for errs[w] == nil {
				i := int(next.Add(1)) - 1
				if i >= len(texts) {
					return
				}
				out[i], errs[w] = e.one(ctx, m, texts[i], mode)
			}
		})
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (e *Embedder) one(ctx context.Context, m *Model, text string, mode model.Mode) ([]float32, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	switch {
	case e.space == AskName:
		return m.Ask(ctx, text)
	case mode == model.Query:
		return m.Query(ctx, text)
	case e.space == PassageName:
		vs, err := m.Passages(ctx, []string{text})
		if err != nil {
			return nil, err
		}
		return vs[0], nil
	}
	v := make([]float32, Dims)
	m.Static(v, text)
	return v, nil
}
