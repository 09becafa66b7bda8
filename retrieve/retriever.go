package retrieve

import (
	"context"
	"sync"

	"digesto/model"
	"digesto/query"
)

// Retriever finds units for what was read, and orders them.
type Retriever struct {
	*query.Reader
	// Embed gives the vectors of questions in one call, for RecipeCollections; nil = it
	// searches by words alone.
	Embed func(ctx context.Context, texts []string) ([][]float32, error)
	// Recipe of the search of the law: RecipeMeasured or RecipeCollections; "" = the pack's own.
	Recipe string
	// Units is how many units are looked at before the answer is written.
	Units int
	// Writer evaluates what was found where a pack asks for it; nil = nobody does.
	Writer model.Generator
	// Reranker orders what was found; nil = by the features of the units.
	Reranker model.Reranker

	empty sync.Map // pack/state of the corpus → its empty collections
}
