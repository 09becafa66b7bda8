package retrieve

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
	"digesto/query"
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
func (e *Retriever) apart(i query.Intent) bool {
	recipe := cmp.Or(e.Recipe, i.Pack.Retrieval.Recipe)
	if recipe == RecipeAuto && e.Embed != nil {
		recipe = RecipeCollections
	}
	return recipe == RecipeCollections && len(i.Tiers) == 0 && !i.Law.Empty()
}

// embedAll embeds the question and its queries in one call. Without an embedder, or
// when it fails, words alone search, and the trace says so.
func (e *Retriever) embedAll(ctx context.Context, i *query.Intent, p query.Plan) {
	if e.Embed == nil || !e.apart(*i) {
		return
	}
	texts := []string{i.Searched()}
	for _, q := range p.Queries {
		texts = append(texts, q.Text)
	}
	v, err := e.Embed(ctx, texts)
	if err != nil || len(v) != len(texts) {
		i.Faults = append(i.Faults, "embedder_failed")
		return
	}
	i.Vectors = make(map[string][]float32, len(texts))
	for k, t := range texts {
		i.Vectors[t] = v[k]
	}
}

// found is what one collection gave.
type found struct {
	digesto.Results
	name          string
	weight        float64
	sparse, dense int // length of its lists
}

// SearchApart searches the collections of the law at the same time and merges
// what they gave by score × weight.
func (e *Retriever) SearchApart(ctx context.Context, i query.Intent) (digesto.Results, []digesto.TraceStep, error) {
	list := i.LawCollections()
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
	slices.SortStableFunc(all.Hits, ByScore)
	all.Hits = all.Hits[:min(len(all.Hits), query.OrInt(i.Pack.Retrieval.Top, topK))]
	return all, []digesto.TraceStep{{Stage: "retrieve", How: RecipeCollections, Note: strings.Join(said, "; ")}}, nil
}

// searchCollection gives the fused and weighted list of one collection.
func searchCollection(ctx context.Context, i query.Intent, c pack.Collection) (found, error) {
	f := found{name: c.Name, weight: c.Weight}
	q := Query(i, query.OrInt(i.Pack.Retrieval.Sparse, listK), PackFilter(i, true))
	q.Filter.In = maps.Clone(q.Filter.In)
	q.Filter.In["collection"] = []string{c.Name}
	q.Vector = []float32{} // this list is by words alone, whatever the Searcher would do
	words, err := i.Law.Searcher.Search(ctx, q)
	if err != nil {
		return f, err
	}
	f.Results, f.sparse = words, len(words.Hits)
	lists := [][]digesto.Hit{words.Hits}
	if v := i.Vectors[i.Searched()]; v != nil && len(q.Units) == 0 {
		near, err := i.Law.Searcher.Search(ctx, digesto.Query{Vector: v, Filter: q.Filter, K: query.OrInt(i.Pack.Retrieval.Dense, listK), NoTotal: true})
		if err != nil {
			return f, err
		}
		f.dense = len(near.Hits)
		lists = append(lists, near.Hits)
	}
	f.Hits = FuseRanks(lists, query.OrInt(i.Pack.Retrieval.Fused, fusedK))
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
	slices.SortStableFunc(out, ByScore)
	return out[:min(n, len(out))]
}

func ByScore(a, b digesto.Hit) int {
	return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Unit, b.Unit))
}

// fullRank is the score of a unit that stands first in every list of a collection
// of weight 1: what counts as 1.
func fullRank(i query.Intent) float64 {
	if len(i.Vectors) > 0 {
		return 2. / (rrf + 1)
	}
	return 1. / (rrf + 1)
}

// cut keeps the best of the law over all queries.
func (h *Hits) cut(n int) {
	law, own := Split(h.List)
	slices.SortStableFunc(law, func(a, b Hit) int { return cmp.Compare(b.Score, a.Score) })
	h.List = append(law[:min(n, len(law))], own...)
}

// empties gives the collections of the law in which nothing is installed. A state
// of the corpus is looked through once.
func (e *Retriever) empties(i query.Intent) []pack.Collection {
	if i.Law.Empty() {
		return nil
	}
	key := i.Pack.Name + "/" + i.Law.Snapshot.Content()
	if v, ok := e.empty.Load(key); ok && i.Law.Snapshot.Content() != "" {
		return v.([]pack.Collection)
	}
	held := map[string]bool{}
	for _, n := range i.Law.Snapshot.Norms() {
		if i.Pack.Sees(n) {
			held[n.Collection] = true
		}
	}
	out := slices.DeleteFunc(i.LawCollections(), func(c pack.Collection) bool { return held[c.Name] || c.Empty == "" })
	e.empty.Store(key, out)
	return out
}

// missed says in the trace which collections are empty, and in the answer where
// the question asks for one of them.
func (e *Retriever) missed(i *query.Intent) {
	var names []string
	for _, c := range e.empties(*i) {
		names = append(names, c.Name)
		if c.Asked(i.Text) {
			i.Remarks, i.Lacking = append(i.Remarks, c.Empty), true
		}
	}
	if len(names) > 0 {
		i.Trace = append(i.Trace, digesto.TraceStep{Stage: "retrieve", How: "empty", Note: "colecciones vacías: " + strings.Join(names, ", ")})
	}
}
