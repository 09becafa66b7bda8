package law

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"iter"
	"sync"
	"time"

	"digesto"
	"digesto/index"
	"digesto/model"
	"digesto/model/e5"
	"digesto/model/vectorfile"
	assets "digesto/third_party/e5"
)

// Embedding is how texts become vectors: by the model that the binary carries, or
// by one that the configuration names in its place. nil is words alone.
type Embedding struct {
	First model.Embedder // of the index's vectors, and of questions
	Rule  string         // of fusion, see package index
	// second gives articles the vectors of the transformer itself, for the first
	// hits; nil where the index has such already.
	Second model.Embedder
	Space  vectorfile.Space // of second
	Own    bool             // the binary's model: it cannot fail to answer
	Asks   model.Embedder   // of questions that are compared with questions; the binary's
}

// OwnEmbedding is by the binary's model, if it has one.
func OwnEmbedding(twoStages bool) *Embedding {
	if assets.Model == "" {
		return nil
	}
	of := e5.NewEmbedders(e5.Files{Model: assets.Model, Static: assets.Static, Pieces: assets.Pieces}, e5.Options{})
	m := &Embedding{First: of.Static, Rule: index.FusionStatic, Own: true, Asks: of.Asks}
	if twoStages {
		m.Second, m.Space = of.Passages, vectorfile.Space{Name: of.Passages.Name(), Dims: e5.Dims, Hash: assets.Sum}
	}
	return m
}

// Suffix tells the index of this embedding from those of others, in names of
// folders; empty for the binary's own.
func (m *Embedding) Suffix() string {
	if m == nil || m.Own {
		return ""
	}
	sum := sha256.Sum256([]byte(m.First.Name()))
	return "-" + hex.EncodeToString(sum[:6])
}

// Opened is how an index of this embedding is opened.
func (m *Embedding) Opened() index.OpenOptions {
	if m == nil {
		return index.OpenOptions{Fusion: index.FusionStatic}
	}
	return index.OpenOptions{Fusion: m.Rule}
}

// TextOf is what a model reads of an article.
func TextOf(c digesto.Chunk) string { return c.Title + "\n" + c.Body }

// Vectored are the options of an index with the vectors of an embedding, and the
// chunks to give it; without one, of words alone. A service gets its texts in
// batches, read ahead of the index.
func (m *Embedding) Vectored(ctx context.Context, chunks iter.Seq2[digesto.Chunk, error]) (index.BuildOptions, iter.Seq2[digesto.Chunk, error]) {
	if m == nil {
		return index.BuildOptions{Fusion: index.FusionStatic}, chunks
	}
	opt := index.BuildOptions{Model: m.First.Name(), Fusion: m.Rule}
	if m.Own {
		opt.Vectors = func(c digesto.Chunk) ([]float32, error) {
			v, err := m.First.Embed(ctx, []string{TextOf(c)}, model.Passage)
			if err != nil {
				return nil, err
			}
			return v[0], nil
		}
		return opt, chunks
	}
	var made sync.Map // id → vector
	opt.Vectors = func(c digesto.Chunk) ([]float32, error) {
		v, ok := made.LoadAndDelete(c.ID)
		if !ok {
			return nil, nil
		}
		return v.([]float32), nil
	}
	return opt, batched(ctx, chunks, m.First, &made)
}

// batched gives chunks whose vectors have been made, 64 at a time.
func batched(ctx context.Context, chunks iter.Seq2[digesto.Chunk, error], e model.Embedder, made *sync.Map) iter.Seq2[digesto.Chunk, error] {
	return func(yield func(digesto.Chunk, error) bool) {
		var batch []digesto.Chunk
		flush := func() bool {
			texts := make([]string, len(batch))
			for i := range batch {
				texts[i] = TextOf(batch[i])
			}
			vectors, err := e.Embed(ctx, texts, model.Passage)
			if err != nil {
				yield(digesto.Chunk{}, err)
				return false
			}
			for i, c := range batch {
				made.Store(c.ID, vectors[i])
				if !yield(c, nil) {
					return false
				}
			}
			batch = batch[:0]
			return true
		}
		for c, err := range chunks {
			if err != nil {
				yield(c, err)
				return
			}
			if batch = append(batch, c); len(batch) == 64 && !flush() {
				return
			}
		}
		if len(batch) > 0 {
			flush()
		}
	}
}

// wordsDecide is the share of the reachable lexical score from which words alone
// decide: the question is not embedded then, which saves ten times the search.
// From .4 up no figure of docs/retrieval.md loses more than one question.
const wordsDecide = .4

// Hybrid is an index whose searches get the vector of their question, where a
// vector would count, and whose first hits are then ordered by their own vectors.
type Hybrid struct {
	Searchable
	*Embedding
	passages *SecondStage // nil = one stage
}

// Searcher gives the Searcher of an index: hybrid if it holds vectors of the embedding.
func (m *Embedding) Searcher(ix Searchable, p *SecondStage) digesto.Searcher {
	if m == nil || ix.Model() != m.First.Name() {
		return ix
	}
	return Hybrid{ix, m, p}
}

// Search embeds the question unless words alone decide: because the rule of fusion
// gives vectors no share, or because the words of the question were met. Then the
// first hits are put in order by their own vectors.
func (h Hybrid) Search(ctx context.Context, q digesto.Query) (digesto.Results, error) {
	if q.Vector != nil {
		return h.Searchable.Search(ctx, q)
	}
	k := cmp.Or(q.K, 10)
	second := h.passages != nil && len(q.Units) == 0
	if second {
		q.K = max(k, secondDepth)
	}
	res, err := h.search(ctx, q, second)
	res.Hits = res.Hits[:min(len(res.Hits), k)]
	return res, err
}

func (h Hybrid) search(ctx context.Context, q digesto.Query, second bool) (digesto.Results, error) {
	wants := h.Searchable.Wants(q)
	words, err := h.Searchable.Search(ctx, q)
	switch {
	case err != nil:
		return words, err
	case !wants:
		words.Means.Why = "la pregunta nombra su norma"
		if second && h.passages.ready(words.Hits) {
			return words, h.passages.order(ctx, h.First, q, &words)
		}
		return words, nil
	case h.Own && words.Best >= wordsDecide*words.Reach:
		words.Means.Why = "las palabras de la pregunta bastan"
		return words, nil
	}
	v, err := h.First.Embed(ctx, []string{q.Text}, model.Query)
	if err != nil && !h.Own && ctx.Err() == nil {
		words.Means.Why = "el servicio de vectores no ha contestado: " + digesto.Told(err)
		return words, nil
	}
	if err != nil {
		return words, err
	}
	q.Vector = v[0]
	res, err := h.Searchable.Search(ctx, q)
	if err != nil || !second {
		return res, err
	}
	return res, h.passages.order(ctx, h.First, q, &res)
}

// WhyNot embeds the question where its search would.
func (h Hybrid) WhyNot(ctx context.Context, q digesto.Query, unit string) (digesto.WhyNot, error) {
	if q.Vector == nil && h.Searchable.Wants(q) {
		if v, err := h.First.Embed(ctx, []string{q.Text}, model.Query); err == nil {
			q.Vector = v[0]
		} else if h.Own {
			return digesto.WhyNot{}, err
		}
	}
	if w, ok := h.Searchable.(digesto.WhyNotter); ok {
		return w.WhyNot(ctx, q, unit)
	}
	return digesto.WhyNot{}, noWhyNot()
}

// DefaultBudget is how long one search may spend on vectors of articles that
// nobody has made yet.
const DefaultBudget = 300 * time.Millisecond
