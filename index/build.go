package index

import (
	"cmp"
	"context"
	"io"
	"iter"
	"runtime"
	"slices"
	"strings"

	"digesto"
)

// BuildOptions says how an index is built. The zero value is the measured default.
type BuildOptions struct {
	Scoring Scoring
	Jobs    int // goroutines that analyse; 0 = as many as CPUs
	// Vectors gives the vector of a chunk, nil for none; it is called by several
	// goroutines. All have one dimension; length does not matter, the index
	// keeps them at 1. nil = no vectors.
	Vectors func(digesto.Chunk) ([]float32, error)
	Model   string // what made the vectors: kept in the index
	Fusion  string // of an index in memory, see OpenOptions; others are told when opened
	Full    bool   // keep float32 vectors beside the bytes, to score the best again

	held int // of tests: postings held in memory at a time; 0 = runPostings
}

// spec is what segments are written with.
type spec struct {
	Scoring Scoring `json:"scoring"`
	Model   string  `json:"model,omitempty"`
	Full    bool    `json:"full,omitempty"`
}

func (o BuildOptions) spec() spec { return spec{o.Scoring.WithDefaults(), o.Model, o.Full} }

// Build makes a new index of the chunks in dir, beside the one there may be, and
// puts it in that one's place at the end. Who has the old one open keeps it. Of
// chunks with the same id the last one stays.
func Build(ctx context.Context, chunks iter.Seq2[digesto.Chunk, error], dir string, opt BuildOptions) error {
	unlock, err := lockDir(dir)
	if err != nil {
		return err
	}
	defer unlock()
	a, err := analyse(ctx, chunks, opt, dir)
	if err != nil {
		return err
	}
	defer a.close()
	m := manifest{spec: opt.spec(), Generation: nextGeneration(dir)}
	if err := m.write(ctx, dir, a); err != nil {
		return err
	}
	return m.commit(dir)
}

const batchChunks = 64

// analysis is all that was analysed, as segments are merged of it.
type analysis struct {
	runs   []*run
	dim    int // of all vectors; 0 = there are none
	spools []*spool
}

func (a *analysis) close() {
	for _, s := range a.spools {
		s.close()
	}
}

// analyse reads all chunks; several goroutines analyse them, each into a shard of
// its own. They end before it returns. What they cannot hold is spilled to the folder;
// without one it stays in memory.
func analyse(ctx context.Context, chunks iter.Seq2[digesto.Chunk, error], opt BuildOptions, dir string) (*analysis, error) {
	scoring := opt.Scoring.WithDefaults()
	if err := scoring.check(); err != nil {
		return nil, err
	}
	jobs := opt.Jobs
	if jobs <= 0 {
		jobs = runtime.GOMAXPROCS(0)
	}
	a := &analysis{}
	shards := make([]*shard, jobs)
	var err error
	for i := range shards {
		var to *spool
		if to, err = newSpool(dir); err != nil {
			break
		}
		a.spools = append(a.spools, to)
		shards[i] = newShard(scoring, opt, cmp.Or(opt.held, runPostings)/jobs, to)
	}
	if err == nil {
		err = cmp.Or(analyseInto(ctx, chunks, shards), a.gather(shards))
	}
	if err != nil {
		a.close()
		return nil, err
	}
	return a, nil
}

// gather takes the runs of the shards and refuses two dimensions in one index.
func (a *analysis) gather(shards []*shard) error {
	for _, s := range shards {
		if s.err == nil {
			s.err = s.spill()
		}
		if s.err == nil {
			s.err = s.spool.flush()
		}
		if s.err != nil {
			return s.err
		}
		a.runs, a.dim = append(a.runs, s.runs...), cmp.Or(a.dim, s.dim)
		if err := checkDim(a.dim, cmp.Or(s.dim, a.dim)); err != nil {
			return err
		}
	}
	return nil
}

func checkDim(dim, n int) error {
	if n > maxDim || n != dim {
		return &digesto.Error{Code: digesto.CodeInvalid, Message: "Los vectores no tienen todos la misma dimensión, o es demasiado grande",
			Hint: "Calcule todos los vectores con el mismo modelo."}
	}
	return nil
}

// analyseInto ends early when a shard cannot go on.
func analyseInto(ctx context.Context, chunks iter.Seq2[digesto.Chunk, error], shards []*shard) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	work, done := make(chan batch, len(shards)), make(chan struct{})
	for _, s := range shards {
		go func() {
			for b := range work {
				for i, c := range b.chunks {
					if s.err == nil {
						s.add(c, b.first+i)
					}
				}
				if s.err != nil {
					stop()
				}
			}
			done <- struct{}{}
		}()
	}
	b := batch{}
	err := eachChunk(ctx, chunks, func(c digesto.Chunk) {
		if b.chunks = append(b.chunks, c); len(b.chunks) == batchChunks {
			work <- b
			b = batch{first: b.first + batchChunks}
		}
	})
	work <- b
	close(work)
	for range shards {
		<-done
	}
	for _, s := range shards {
		if s.err != nil {
			return s.err
		}
	}
	return err
}

type batch struct {
	first  int
	chunks []digesto.Chunk
}

func eachChunk(ctx context.Context, chunks iter.Seq2[digesto.Chunk, error], f func(digesto.Chunk)) error {
	for c, err := range chunks {
		if err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return cancelled(err)
		}
		if err := checkChunk(&c); err != nil {
			return err
		}
		f(c)
	}
	return nil
}

func checkChunk(c *digesto.Chunk) error {
	bad := c.ID == "" || strings.ContainsRune(c.ID, 0) || len(c.ID) > 1<<12 || len(c.Unit) > 1<<12
	for k := range c.Meta {
		bad = bad || strings.ContainsRune(k, 0)
	}
	if bad {
		return &digesto.Error{Code: digesto.CodeInvalid, Message: "Un fragmento no se puede indexar: identificador vacío, con un carácter nulo o demasiado largo (" + c.ID[:min(40, len(c.ID))] + ")",
			Hint: "Corrija el identificador del documento y vuelva a añadirlo."}
	}
	return nil
}

// place says where a document is: in a run, under a number.
type place struct{ run, doc uint32 }

func (a *analysis) at(p place) *segDoc { return &a.runs[p.run].docs[p.doc] }

// parts gives the documents of each segment to be, in its order: those in force, and
// history. Of an id the last document stays.
func (a *analysis) parts() (current, history []place) {
	last := map[string]place{}
	for i, r := range a.runs {
		for j := range r.docs {
			p := place{uint32(i), uint32(j)}
			d := a.at(p)
			if old, ok := last[d.id]; !ok || a.at(old).arrived < d.arrived {
				last[d.id] = p
			}
		}
	}
	for _, p := range last {
		if a.at(p).traits.Current {
			current = append(current, p)
		} else {
			history = append(history, p)
		}
	}
	for _, part := range [][]place{current, history} {
		slices.SortFunc(part, func(x, y place) int { return compareDocs(a.at(x), a.at(y)) })
	}
	return current, history
}

// assemble writes the documents of a part as one segment.
func (a *analysis) assemble(w io.Writer, sp spec, order []place, history bool) error {
	docs := make([]*segDoc, len(order))
	for i, p := range order {
		docs[i] = a.at(p)
	}
	return writeSegment(w, sp, docs, a.dim, history, func(each eachTerm) error { return newMerge(a.runs, order).terms(each) })
}
