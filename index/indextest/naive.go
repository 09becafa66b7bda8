// Package indextest holds what every digesto.Searcher must do: a suite, a model
// test, and an honest twin in memory that is slow and plainly right.
package indextest

import (
	"cmp"
	"context"
	"iter"
	"maps"
	"slices"

	"digesto"
	"digesto/index"
	"digesto/text"
)

// Naive is the twin: it keeps the chunks and scores every one of them for every
// query. It shares with the index only the definitions: the terms of a
// text, the filter of one chunk, idf.
type Naive struct {
	scoring index.Scoring
	chunks  map[string]digesto.Chunk
	docs    []naiveDoc // made when first searched
	df      map[index.Term]int
	total   float64
	current int
}

type naiveDoc struct {
	chunk  digesto.Chunk
	tf     map[index.Term]int
	length int
}

// NewNaive makes a twin with these chunks.
func NewNaive(scoring index.Scoring, chunks ...digesto.Chunk) *Naive {
	n := &Naive{scoring: scoring.WithDefaults(), chunks: map[string]digesto.Chunk{}}
	for _, c := range chunks {
		n.Put(c)
	}
	return n
}

// Put adds a chunk, or replaces the one with its id.
func (n *Naive) Put(c digesto.Chunk) { n.chunks[c.ID] = c; n.docs = nil }

// Delete removes a chunk.
func (n *Naive) Delete(id string) { delete(n.chunks, id); n.docs = nil }

// Len is the number of chunks.
func (n *Naive) Len() int { return len(n.chunks) }

// IDs gives the ids in order.
func (n *Naive) IDs() []string {
	ids := make([]string, 0, len(n.chunks))
	for id := range n.chunks {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}

func (n *Naive) prepare() {
	if n.docs != nil {
		return
	}
	var a text.Analyser
	n.docs, n.df, n.total, n.current = []naiveDoc{}, map[index.Term]int{}, 0, 0
	for _, id := range n.IDs() {
		d := naiveDoc{chunk: n.chunks[id], tf: map[index.Term]int{}}
		for _, f := range []struct {
			text   string
			weight int
		}{{d.chunk.Title, n.scoring.Title}, {d.chunk.Path, n.scoring.Path}, {d.chunk.Body, n.scoring.Body}} {
			index.EachTerm(a.Terms(f.text), func(k index.Kind, first, second text.Term) {
				d.tf[naiveTerm(k, first, second)] += f.weight
				if k == index.KindStem {
					d.length += f.weight
				}
			})
		}
		n.docs = append(n.docs, d)
		if d.chunk.Current {
			n.current++
			n.total += float64(d.length)
			for t := range d.tf {
				n.df[t]++
			}
		}
	}
}

func naiveTerm(k index.Kind, first, second text.Term) index.Term {
	switch k {
	case index.KindStem:
		return index.Term{Kind: k, Text: first.Stem}
	case index.KindPlain:
		return index.Term{Kind: k, Text: first.Plain}
	}
	return index.Term{Kind: k, Text: first.Stem + " " + second.Stem}
}

type naiveHit struct {
	chunk digesto.Chunk
	score float64
	terms []digesto.TermShare // what it is made of
}

// Search scores all chunks.
func (n *Naive) Search(ctx context.Context, q digesto.Query) (digesto.Results, error) {
	if err := ctx.Err(); err != nil {
		return digesto.Results{}, err
	}
	n.prepare()
	var res digesto.Results
	terms, own := index.QueryTerms(new(text.Analyser), q)
	average := 1.0
	if n.current > 0 && n.total > 0 {
		average = n.total / float64(n.current)
	}
	required := index.RequiredTerms(new(text.Analyser), q)
	empty := len(terms[0])+len(terms[1])+len(terms[2]) == 0
	var all []naiveHit
	for _, d := range n.docs {
		if !Passes(q.Filter, d.chunk) || slices.ContainsFunc(required, func(t index.Term) bool { return d.tf[t] == 0 }) {
			continue
		}
		score, shares := n.score(d, terms, own, index.AlsoShare(&q), average)
		if len(shares) > 0 {
			res.Total++
			res.Best = max(res.Best, score)
		}
		if len(shares) > 0 || slices.Contains(q.Units, d.chunk.Unit) || empty && slices.Contains(q.Norms, d.chunk.Norm) {
			all = append(all, naiveHit{d.chunk, score, shares})
		}
	}
	for k := range terms {
		kind := index.Kind(k)
		for i, t := range terms[k][:own[k]] {
			df := n.df[index.Term{Kind: kind, Text: t}]
			if i < own[k] && (df > 0 || kind != index.KindBigram) {
				res.Reach += n.scoring.TermReach(kind, index.IDF(n.current, df))
			}
		}
	}
	res.Hits = n.rank(all, q, res)
	return res, nil
}

func (n *Naive) score(d naiveDoc, terms [3][]string, own [3]int, also, average float64) (score float64, shares []digesto.TermShare) {
	for k := range terms {
		for i, t := range terms[k] {
			share := 1.0
			if i >= own[k] {
				share = also
			}
			term := index.Term{Kind: index.Kind(k), Text: t}
			if tf := d.tf[term]; tf > 0 && n.scoring.Indexed(term.Kind) {
				idf := index.IDF(n.current, n.df[term])
				part := n.scoring.TermScore(term.Kind, float64(idf*share), tf, d.length, average)
				score += part
				shares = append(shares, digesto.TermShare{Term: t, Field: term.Kind.String(), TF: tf, IDF: idf, Score: part})
			}
		}
	}
	return score, shares
}

func (n *Naive) rank(all []naiveHit, q digesto.Query, res digesto.Results) []digesto.Hit {
	for i := range all {
		c := all[i].chunk
		all[i].score = index.Raise(all[i].score, res, slices.Contains(q.Norms, c.Norm) && c.Norm != "", slices.Contains(q.Units, c.Unit) && c.Unit != "")
	}
	slices.SortFunc(all, func(a, b naiveHit) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.chunk.ID, b.chunk.ID))
	})
	hits := []digesto.Hit{}
	seen := map[string]bool{}
	for _, h := range all {
		unit := cmp.Or(h.chunk.Unit, h.chunk.ID)
		if seen[unit] {
			continue
		}
		seen[unit] = true
		hit := digesto.Hit{ID: h.chunk.ID, Norm: h.chunk.Norm, Unit: h.chunk.Unit, Score: h.score}
		if q.Explain {
			hit.Explain = &digesto.Explain{Terms: h.terms}
		}
		hits = append(hits, hit)
		if len(hits) == cmp.Or(q.K, 10) {
			break
		}
	}
	return hits
}

// Chunks gives the chunks by id, as an index is built from them.
func (n *Naive) Chunks() iter.Seq2[digesto.Chunk, error] {
	return func(yield func(digesto.Chunk, error) bool) {
		for _, id := range n.IDs() {
			if !yield(n.chunks[id], nil) {
				return
			}
		}
	}
}

// All gives a copy of the chunks by id.
func (n *Naive) All() map[string]digesto.Chunk { return maps.Clone(n.chunks) }
