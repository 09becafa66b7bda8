package main

import (
	"context"

	"digesto"
	"digesto/index"
	"digesto/model"
	"digesto/model/e5"
	assets "digesto/third_party/e5"
)

// opened is how an index is opened: its articles stand by static vectors, if by any.
var opened = index.OpenOptions{Fusion: index.FusionStatic}

// embedder is the model that the binary carries, read when first needed; nil in
// a binary without it. Articles stand by static vectors: they cost their
// tokens, where the transformer costs thirty times the rest of indexing.
func (a *app) embedder() *e5.Embedder {
	if assets.Model == "" || a.noVectors {
		return nil
	}
	return e5.NewEmbedder(e5.Files{Model: assets.Model, Static: assets.Static, Vocabulary: assets.Vocabulary, Normalise: assets.Normalise}, e5.Options{}, false)
}

// vectored are the options of an index with the vectors of an embedder; without one, of
// words alone.
func vectored(ctx context.Context, e *e5.Embedder) index.BuildOptions {
	if e == nil {
		return index.BuildOptions{}
	}
	return index.BuildOptions{Model: e.Name(), Fusion: opened.Fusion, Vectors: func(c digesto.Chunk) ([]float32, error) {
		v, err := e.Embed(ctx, []string{c.Title + "\n" + c.Body}, model.Passage)
		if err != nil {
			return nil, err
		}
		return v[0], nil
	}}
}

// wordsDecide is the share of the reachable lexical score from which words alone
// decide: the question is not embedded then, which saves ten times the search.
// From .4 up no figure of docs/retrieval.md loses more than one question.
const wordsDecide = .4

// hybrid is an index whose searches get the vector of their question, where a
// vector would count.
type hybrid struct {
	*index.Index
	model *e5.Embedder
}

// withVectors gives the Searcher of an index: hybrid if it holds vectors of the model.
func withVectors(ix *index.Index, e *e5.Embedder) digesto.Searcher {
	if e == nil || ix.Model() != e.Name() {
		return ix
	}
	return hybrid{ix, e}
}

// Search embeds the question unless words alone decide: because the rule of fusion
// gives vectors no share, or because the words of the question were met.
func (h hybrid) Search(ctx context.Context, q digesto.Query) (digesto.Results, error) {
	if q.Vector == nil && !h.Index.Wants(q) {
		res, err := h.Index.Search(ctx, q)
		res.Means.Why = "la pregunta nombra su norma"
		return res, err
	}
	if q.Vector == nil {
		words, err := h.Index.Search(ctx, q)
		if err != nil || words.Best >= wordsDecide*words.Reach {
			words.Means.Why = "las palabras de la pregunta bastan"
			return words, err
		}
		v, err := h.model.Embed(ctx, []string{q.Text}, model.Query)
		if err != nil {
			return digesto.Results{}, err
		}
		q.Vector = v[0]
	}
	return h.Index.Search(ctx, q)
}

// WhyNot embeds the question where its search would.
func (h hybrid) WhyNot(ctx context.Context, q digesto.Query, unit string) (digesto.WhyNot, error) {
	if q.Vector == nil && h.Index.Wants(q) {
		v, err := h.model.Embed(ctx, []string{q.Text}, model.Query)
		if err != nil {
			return digesto.WhyNot{}, err
		}
		q.Vector = v[0]
	}
	return h.Index.WhyNot(ctx, q, unit)
}
