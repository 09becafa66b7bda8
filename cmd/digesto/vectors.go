package main

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

// meaning is how texts become vectors: by the model that the binary carries, or
// by one that the configuration names in its place. nil is words alone.
type meaning struct {
	first model.Embedder // of the index's vectors, and of questions
	rule  string         // of fusion, see package index
	// second gives articles the vectors of the transformer itself, for the first
	// hits; nil where the index has such already.
	second model.Embedder
	space  vectorfile.Space // of second
	own    bool             // the binary's model: it cannot fail to answer
	asks   model.Embedder   // of questions that are compared with questions; the binary's
}

// meaning gives the vectors that the settings ask for. The binary's model is
// read when first needed; articles stand in the index by their static vectors:
// those cost their tokens, where the transformer costs thirty times the rest of indexing.
func (a *app) meaning() (*meaning, error) {
	if a.noVectors {
		return nil, nil
	}
	e, err := a.externalEmbedder()
	if err != nil || e != nil {
		return &meaning{first: e, rule: index.FusionMeasured}, err
	}
	return ownMeaning(!a.oneStage), nil
}

// ownMeaning is by the binary's model, if it has one.
func ownMeaning(twoStages bool) *meaning {
	if assets.Model == "" {
		return nil
	}
	of := e5.NewEmbedders(e5.Files{Model: assets.Model, Asks: assets.Asks, Static: assets.Static, Vocabulary: assets.Vocabulary, Normalise: assets.Normalise}, e5.Options{})
	m := &meaning{first: of.Static, rule: index.FusionStatic, own: true, asks: of.Asks}
	if twoStages {
		m.second, m.space = of.Passages, vectorfile.Space{Name: of.Passages.Name(), Dims: e5.Dims, Hash: assets.Sum}
	}
	return m
}

// externalEmbedder is the embedding service of the settings; nil without one.
func (a *app) externalEmbedder() (model.Embedder, error) {
	if a.conf.k == nil || a.conf.get("model.embedder.url")+a.conf.get("model.embedder.provider") == "" {
		return nil, nil
	}
	set, err := a.models()
	if err != nil {
		return nil, err
	}
	return set.Embedder, nil
}

// suffix tells the index of this meaning from those of others, in names of
// folders; empty for the binary's own.
func (m *meaning) suffix() string {
	if m == nil || m.own {
		return ""
	}
	sum := sha256.Sum256([]byte(m.first.Name()))
	return "-" + hex.EncodeToString(sum[:6])
}

// opened is how an index of this meaning is opened.
func (m *meaning) opened() index.OpenOptions {
	if m == nil {
		return index.OpenOptions{Fusion: index.FusionStatic}
	}
	return index.OpenOptions{Fusion: m.rule}
}

// textOf is what a model reads of an article.
func textOf(c digesto.Chunk) string { return c.Title + "\n" + c.Body }

// vectored are the options of an index with the vectors of a meaning, and the
// chunks to give it; without one, of words alone. A service gets its texts in
// batches, read ahead of the index.
func (m *meaning) vectored(ctx context.Context, chunks iter.Seq2[digesto.Chunk, error]) (index.BuildOptions, iter.Seq2[digesto.Chunk, error]) {
	if m == nil {
		return index.BuildOptions{Fusion: index.FusionStatic}, chunks
	}
	opt := index.BuildOptions{Model: m.first.Name(), Fusion: m.rule}
	if m.own {
		opt.Vectors = func(c digesto.Chunk) ([]float32, error) {
			v, err := m.first.Embed(ctx, []string{textOf(c)}, model.Passage)
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
	return opt, batched(ctx, chunks, m.first, &made)
}

// batched gives chunks whose vectors have been made, 64 at a time.
func batched(ctx context.Context, chunks iter.Seq2[digesto.Chunk, error], e model.Embedder, made *sync.Map) iter.Seq2[digesto.Chunk, error] {
	return func(yield func(digesto.Chunk, error) bool) {
		var batch []digesto.Chunk
		flush := func() bool {
			texts := make([]string, len(batch))
			for i := range batch {
				texts[i] = textOf(batch[i])
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

// hybrid is an index whose searches get the vector of their question, where a
// vector would count, and whose first hits are then ordered by their own vectors.
type hybrid struct {
	searchable
	*meaning
	passages *passages // nil = one stage
}

// searcher gives the Searcher of an index: hybrid if it holds vectors of the meaning.
func (m *meaning) searcher(ix searchable, p *passages) digesto.Searcher {
	if m == nil || ix.Model() != m.first.Name() {
		return ix
	}
	return hybrid{ix, m, p}
}

// Search embeds the question unless words alone decide: because the rule of fusion
// gives vectors no share, or because the words of the question were met. Then the
// first hits are put in order by their own vectors.
func (h hybrid) Search(ctx context.Context, q digesto.Query) (digesto.Results, error) {
	if q.Vector != nil {
		return h.searchable.Search(ctx, q)
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

func (h hybrid) search(ctx context.Context, q digesto.Query, second bool) (digesto.Results, error) {
	wants := h.searchable.Wants(q)
	words, err := h.searchable.Search(ctx, q)
	switch {
	case err != nil:
		return words, err
	case !wants:
		words.Means.Why = "la pregunta nombra su norma"
		if second && h.passages.ready(words.Hits) {
			return words, h.passages.order(ctx, h.first, q, &words)
		}
		return words, nil
	case h.own && words.Best >= wordsDecide*words.Reach:
		words.Means.Why = "las palabras de la pregunta bastan"
		return words, nil
	}
	v, err := h.first.Embed(ctx, []string{q.Text}, model.Query)
	if err != nil && !h.own && ctx.Err() == nil {
		words.Means.Why = "el servicio de vectores no ha contestado: " + digesto.Told(err)
		return words, nil
	}
	if err != nil {
		return words, err
	}
	q.Vector = v[0]
	res, err := h.searchable.Search(ctx, q)
	if err != nil || !second {
		return res, err
	}
	return res, h.passages.order(ctx, h.first, q, &res)
}

// WhyNot embeds the question where its search would.
func (h hybrid) WhyNot(ctx context.Context, q digesto.Query, unit string) (digesto.WhyNot, error) {
	if q.Vector == nil && h.searchable.Wants(q) {
		if v, err := h.first.Embed(ctx, []string{q.Text}, model.Query); err == nil {
			q.Vector = v[0]
		} else if h.own {
			return digesto.WhyNot{}, err
		}
	}
	if w, ok := h.searchable.(digesto.WhyNotter); ok {
		return w.WhyNot(ctx, q, unit)
	}
	return digesto.WhyNot{}, noWhyNot()
}

// defaultBudget is how long one search may spend on vectors of articles that
// nobody has made yet.
const defaultBudget = 300 * time.Millisecond
