package ask

import (
	"sync"

	"digesto/ground"
	"digesto/judge"
	"digesto/pack"
	"digesto/query"
	"digesto/retrieve"
)

// Composer writes answers from what they stand on. It is safe for any number of goroutines.
type Composer struct {
	*ground.Weigher
	// Probe says what the models proved to be able to do; Stranger, that the writer is
	// another than the one that was probed.
	Probe    judge.Probe
	Stranger bool

	prompts sync.Map // text → *model.Prompt, of the writer
}

// Guides answer from the guides of packs.
type Guides struct {
	*Composer
	cache guideCache
}

// Router settles which pack a question is for.
type Router struct {
	// Packs that may be asked.
	Packs []*pack.Pack
	// Abroad knows the law of other countries by its names.
	Abroad query.Abroad

	Search *retrieve.Retriever
	tables query.TableCache
}
