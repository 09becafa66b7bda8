package ask

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"digesto"
	"digesto/pack"
)

// The recipes of a search of the law.
const (
	// RecipeMeasured is the default: one search over all collections, whose weights
	// act on the order, and one of the norms that govern the domain beside it.
	RecipeMeasured = "measured"
	// RecipeCollections searches each collection by words and by meaning, joins the
	// two lists by their reciprocal ranks, weighs, and merges.
	RecipeCollections = "collections"
	// RecipeAuto is RecipeCollections where questions are embedded and RecipeMeasured
	// by words alone: each was better there on our labour questions (docs/laboral.md).
	RecipeAuto = "auto"
)

// Counts of [RecipeCollections] where the pack's manifest sets none.
const (
	listK   = 20 // candidates of each list
	fusedK  = 10 // kept of each collection
	topK    = 20 // kept of a query
	mergedK = 30 // kept over all queries
	// rrf is the constant of reciprocal rank fusion (Cormack, Clarke and Büttcher 2009).
	rrf = 60
)

// ParseRecipe reads a recipe's name; "" stays what the pack says.
func ParseRecipe(s string) (string, error) {
	switch s {
	case "", RecipeMeasured, RecipeCollections, RecipeAuto:
		return s, nil
	}
	return "", &digesto.Error{Code: digesto.CodeInvalid, Message: "No hay ninguna receta de búsqueda «" + s + "»", Hint: "Las que hay: measured (una búsqueda), collections (colección a colección, por palabras y por significado) y auto (collections si hay vectores)."}
}

// apart says that the collections are searched one by one.
func (e *Retriever) apart(i intent) bool {
	recipe := cmp.Or(e.Recipe, i.pack.Retrieval.Recipe)
	if recipe == RecipeAuto && e.Embed != nil {
		recipe = RecipeCollections
	}
	return recipe == RecipeCollections && len(i.tiers) == 0 && !i.law.empty()
}

// embedAll embeds the question and its queries in one call. Without an embedder, or
// when it fails, words alone search, and the trace says so.
func (e *Retriever) embedAll(ctx context.Context, i *intent, p plan) {
	if e.Embed == nil || !e.apart(*i) {
		return
	}
	texts := []string{i.searched()}
	for _, q := range p.queries {
		texts = append(texts, q.text)
	}
	v, err := e.Embed(ctx, texts)
	if err != nil || len(v) != len(texts) {
		i.faults = append(i.faults, "embedder_failed")
		return
	}
	i.vectors = make(map[string][]float32, len(texts))
	for k, t := range texts {
		i.vectors[t] = v[k]
	}
}

// searched is the text that a search takes.
func (i intent) searched() string {
	if strings.TrimSpace(i.struck) == "" {
		return i.text
	}
	return i.struck
}

// found is what one collection gave.
type found struct {
	digesto.Results
	name          string
	weight        float64
	sparse, dense int // length of its lists
}

// searchApart searches the collections of the law at the same time and merges
// what they gave by score × weight.
func (e *Retriever) searchApart(ctx context.Context, i intent) (digesto.Results, []digesto.TraceStep, error) {
	list := i.lawCollections()
	out := make([]found, len(list))
	errs := make([]error, len(list))
	var wg sync.WaitGroup
	for k, c := range list {
		wg.Go(func() { out[k], errs[k] = searchCollection(ctx, i, c) })
	}
	wg.Wait()
	var all digesto.Results
	var said []string
	for k, f := range out {
		if errs[k] != nil {
			return all, nil, errs[k]
		}
		all.Hits = append(all.Hits, f.Hits...)
		all.Best, all.Reach = max(all.Best, f.Best), max(all.Reach, f.Reach)
		said = append(said, fmt.Sprintf("%s: %d por palabras y %d por significado, %d tras fusionar (× %s)", f.name, f.sparse, f.dense, len(f.Hits), strconv.FormatFloat(f.weight, 'g', 3, 64)))
	}
	slices.SortStableFunc(all.Hits, byScore)
	all.Hits = all.Hits[:min(len(all.Hits), orInt(i.pack.Retrieval.Top, topK))]
	return all, []digesto.TraceStep{{Stage: "retrieve", How: RecipeCollections, Note: strings.Join(said, "; ")}}, nil
}

// lawCollections are the collections of installed law: not those that the pack
// carries itself.
func (i intent) lawCollections() []pack.Collection {
	return slices.DeleteFunc(slices.Clone(i.pack.Collections), func(c pack.Collection) bool {
		return slices.ContainsFunc(i.pack.Fiches, func(f pack.Fiche) bool { return f.Norm.Collection == c.Name })
	})
}

// searchCollection gives the fused and weighted list of one collection.
func searchCollection(ctx context.Context, i intent, c pack.Collection) (found, error) {
	f := found{name: c.Name, weight: c.Weight}
	q := i.query(orInt(i.pack.Retrieval.Sparse, listK), i.packFilter(true))
	q.Filter.In = maps.Clone(q.Filter.In)
	q.Filter.In["collection"] = []string{c.Name}
	q.Vector = []float32{} // this list is by words alone, whatever the Searcher would do
	words, err := i.law.Searcher.Search(ctx, q)
	if err != nil {
		return f, err
	}
	f.Results, f.sparse = words, len(words.Hits)
	lists := [][]digesto.Hit{words.Hits}
	if v := i.vectors[i.searched()]; v != nil && len(q.Units) == 0 {
		near, err := i.law.Searcher.Search(ctx, digesto.Query{Vector: v, Filter: q.Filter, K: orInt(i.pack.Retrieval.Dense, listK), NoTotal: true})
		if err != nil {
			return f, err
		}
		f.dense = len(near.Hits)
		lists = append(lists, near.Hits)
	}
	f.Hits = FuseRanks(lists, orInt(i.pack.Retrieval.Fused, fusedK))
	for k := range f.Hits {
		f.Hits[k].Score *= c.Weight
	}
	return f, nil
}

// FuseRanks joins lists by reciprocal ranks: a unit's score is the sum of 1/(60+its
// place) over the lists that hold it. It keeps the best n, ties by unit.
func FuseRanks(lists [][]digesto.Hit, n int) []digesto.Hit {
	var out []digesto.Hit
	at := map[string]int{}
	for _, list := range lists {
		for rank, h := range list {
			k, ok := at[h.Unit]
			if !ok {
				k = len(out)
				at[h.Unit] = k
				out = append(out, h)
				out[k].Score = 0
			}
			out[k].Score += 1 / float64(rrf+rank+1)
		}
	}
	slices.SortStableFunc(out, byScore)
	return out[:min(n, len(out))]
}

func byScore(a, b digesto.Hit) int {
	return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Unit, b.Unit))
}

// fullRank is the score of a unit that stands first in every list of a collection
// of weight 1: what counts as 1.
func (i intent) fullRank() float64 {
	if len(i.vectors) > 0 {
		return 2. / (rrf + 1)
	}
	return 1. / (rrf + 1)
}

// cut keeps the best of the law over all queries.
func (h *hits) cut(n int) {
	law, own := split(h.list)
	slices.SortStableFunc(law, func(a, b hit) int { return cmp.Compare(b.score, a.score) })
	h.list = append(law[:min(n, len(law))], own...)
}

// empties gives the collections of the law in which nothing is installed. A state
// of the corpus is looked through once.
func (e *Retriever) empties(i intent) []pack.Collection {
	if i.law.empty() {
		return nil
	}
	key := i.pack.Name + "/" + i.law.Snapshot.Content()
	if v, ok := e.empty.Load(key); ok && i.law.Snapshot.Content() != "" {
		return v.([]pack.Collection)
	}
	held := map[string]bool{}
	for _, n := range i.law.Snapshot.Norms() {
		if i.pack.Sees(n) {
			held[n.Collection] = true
		}
	}
	out := slices.DeleteFunc(i.lawCollections(), func(c pack.Collection) bool { return held[c.Name] || c.Empty == "" })
	e.empty.Store(key, out)
	return out
}

// missed says in the trace which collections are empty, and in the answer where
// the question asks for one of them.
func (e *Retriever) missed(i *intent) {
	var names []string
	for _, c := range e.empties(*i) {
		names = append(names, c.Name)
		if c.Asked(i.text) {
			i.remarks = append(i.remarks, c.Empty)
		}
	}
	if len(names) > 0 {
		i.trace = append(i.trace, digesto.TraceStep{Stage: "retrieve", How: "empty", Note: "colecciones vacías: " + strings.Join(names, ", ")})
	}
}
