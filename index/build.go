package index

import (
	"cmp"
	"context"
	"iter"
	"runtime"
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
	shards, err := analyse(ctx, chunks, opt)
	if err != nil {
		return err
	}
	m := manifest{spec: opt.spec(), Generation: nextGeneration(dir)}
	if err := m.write(ctx, dir, shards); err != nil {
		return err
	}
	return m.commit(dir)
}

const batchChunks = 64

// analyse reads all chunks; several goroutines analyse them, each into a shard of
// its own. They end before it returns.
func analyse(ctx context.Context, chunks iter.Seq2[digesto.Chunk, error], opt BuildOptions) ([]*shard, error) {
	scoring := opt.Scoring.WithDefaults()
	if err := scoring.check(); err != nil {
		return nil, err
	}
	jobs := opt.Jobs
	if jobs <= 0 {
		jobs = runtime.GOMAXPROCS(0)
	}
	shards := make([]*shard, jobs)
	for i := range shards {
		shards[i] = newShard(scoring, opt)
	}
	if err := cmp.Or(analyseInto(ctx, chunks, shards), sameDim(shards)); err != nil {
		return nil, err
	}
	for _, s := range shards {
		s.finish()
	}
	return shards, nil
}

func analyseInto(ctx context.Context, chunks iter.Seq2[digesto.Chunk, error], shards []*shard) error {
	if len(shards) > 1 {
		return analyseParallel(ctx, chunks, shards)
	}
	i := 0
	return eachChunk(ctx, chunks, func(c digesto.Chunk) { shards[0].add(c, i); i++ })
}

type batch struct {
	first  int
	chunks []digesto.Chunk
}

func analyseParallel(ctx context.Context, chunks iter.Seq2[digesto.Chunk, error], shards []*shard) error {
	work, done := make(chan batch, len(shards)), make(chan struct{})
	for _, s := range shards {
		go func() {
			for b := range work {
				for i, c := range b.chunks {
					s.add(c, b.first+i)
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
	return err
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

// part is the documents of one segment to be.
type part struct {
	order   []place
	history bool
}

// splitHistory parts current documents from history, and drops all but the last
// document of each id.
func splitHistory(shards []*shard) []part {
	n := 0
	for _, s := range shards {
		n += len(s.docs)
	}
	last := make(map[string]place, n)
	at := func(p place) *shardDoc { return &shards[p.shard].docs[p.doc] }
	for i, s := range shards {
		for j := range s.docs {
			d := &s.docs[j]
			if old, ok := last[d.chunk.ID]; !ok || at(old).arrived < d.arrived {
				last[d.chunk.ID] = place{i, j}
			}
		}
	}
	parts := []part{{}, {history: true}}
	for i, s := range shards {
		for j := range s.docs {
			p := place{i, j}
			if len(last) < n && last[s.docs[j].chunk.ID] != p {
				continue
			}
			k := 0
			if !s.docs[j].chunk.Current {
				k = 1
			}
			parts[k].order = append(parts[k].order, p)
		}
	}
	return parts
}

// sameDim reports what went wrong with vectors, and refuses two dimensions in one index.
func sameDim(shards []*shard) error {
	dim := 0
	for _, s := range shards {
		if s.err != nil {
			return s.err
		}
		for i := range s.docs {
			n := s.docs[i].dim
			if n > maxDim || n > 0 && dim > 0 && n != dim {
				return &digesto.Error{Code: digesto.CodeInvalid, Message: "Los vectores no tienen todos la misma dimensión, o es demasiado grande",
					Hint: "Calcule todos los vectores con el mismo modelo."}
			}
			dim = max(dim, n)
		}
	}
	return nil
}
