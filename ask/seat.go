package ask

import (
	"context"
	"sync"

	"digesto/model"
)

// seat is the place of one question among those that are worked on. While a
// model is waited for nobody sits there: another question has the processor.
type seat struct {
	places chan struct{}
	mu     sync.Mutex
	away   int // calls that are waited for
	sits   bool
}

type seatKey struct{}

// enter waits for a place to work. More questions at a time than processors
// would answer none sooner, and keep new ones from being stored at once.
// Vectors of a service are asked for within a search, which holds its place for
// that long: such an engine has no places.
func (e *Engine) enter(ctx context.Context) (context.Context, func(), error) {
	if e.opt.Embedding != "" && e.opt.Embedding != "built-in" {
		return ctx, func() {}, nil
	}
	s := &seat{places: e.places}
	if err := s.sit(ctx); err != nil {
		return ctx, nil, err
	}
	e.door.clear(ctx)
	return context.WithValue(ctx, seatKey{}, s), s.leave, nil
}

func (s *seat) sit(ctx context.Context) error {
	select {
	case s.places <- struct{}{}:
		s.sits = true
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (s *seat) leave() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.sits {
		<-s.places
		s.sits = false
	}
}

// storing waits for a place to store an answer. Waiting for the disk takes no
// processor, but what is written before does: as many do it at a time as work,
// and who finds no place keeps the one to work.
func (e *Engine) storing() (done func()) {
	e.stores <- struct{}{}
	return func() { <-e.stores }
}

// waiting gives the place up until the function it returns is called. Several
// calls of one question may wait at a time.
func waiting(ctx context.Context) (back func()) {
	s, ok := ctx.Value(seatKey{}).(*seat)
	if !ok {
		return func() {}
	}
	s.leave()
	s.mu.Lock()
	s.away++
	s.mu.Unlock()
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.away--; s.away == 0 {
			_ = s.sit(ctx) // a question that is given up needs no place to end
		}
	}
}

// seatedWriter lets the place go while a model writes.
type seatedWriter struct{ model.Generator }

func (w seatedWriter) Generate(ctx context.Context, req model.Request, emit func(string) error) (model.Response, error) {
	defer waiting(ctx)()
	return w.Generator.Generate(ctx, req, emit)
}

// seatedReranker lets the place go while a model ranks.
type seatedReranker struct{ model.Reranker }

func (r seatedReranker) Rerank(ctx context.Context, query string, docs []string, top int) ([]model.Ranked, error) {
	defer waiting(ctx)()
	return r.Reranker.Rerank(ctx, query, docs, top)
}

// seated makes the models that there are give up the place of the question.
func (o *Options) seated() {
	if o.Writer != nil {
		o.Writer = seatedWriter{o.Writer}
	}
	if o.Reader != nil {
		o.Reader = seatedWriter{o.Reader}
	}
	if o.Reranker != nil {
		o.Reranker = seatedReranker{o.Reranker}
	}
}
