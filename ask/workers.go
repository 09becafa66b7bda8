package ask

import (
	"context"
	"sync"

	"digesto/model"
)

// worker is the place of one question among those that are worked on. While a
// model is waited for nobody sits there: another question has the processor.
type worker struct {
	places chan struct{}
	mu     sync.Mutex
	away   int // calls that are waited for
	sits   bool
}

type workerKey struct{}

// enter waits for a place to work. More questions at a time than processors
// would answer none sooner, and keep new ones from being stored at once.
// Vectors of a service are asked for within a search, which holds its place for
// that long: such an engine has no places.
func (e *Engine) enter(ctx context.Context) (context.Context, func(), error) {
	if e.opt.Embedding != "" && e.opt.Embedding != "built-in" {
		return ctx, func() {}, nil
	}
	s := &worker{places: e.places}
	if err := s.acquire(ctx); err != nil {
		return ctx, nil, err
	}
	e.admission.quiet(ctx)
	return context.WithValue(ctx, workerKey{}, s), s.release, nil
}

func (s *worker) acquire(ctx context.Context) error {
	select {
	case s.places <- struct{}{}:
		s.sits = true
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (s *worker) release() {
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
	s, ok := ctx.Value(workerKey{}).(*worker)
	if !ok {
		return func() {}
	}
	s.release()
	s.mu.Lock()
	s.away++
	s.mu.Unlock()
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.away--; s.away == 0 {
			_ = s.acquire(ctx) // a question that is given up needs no place to end
		}
	}
}

// waitingWriter lets the place go while a model writes.
type waitingWriter struct{ model.Generator }

func (w waitingWriter) Generate(ctx context.Context, req model.Request, emit func(string) error) (model.Response, error) {
	defer waiting(ctx)()
	return w.Generator.Generate(ctx, req, emit)
}

// waitingReranker lets the place go while a model ranks.
type waitingReranker struct{ model.Reranker }

func (r waitingReranker) Rerank(ctx context.Context, query string, docs []string, top int) ([]model.Ranked, error) {
	defer waiting(ctx)()
	return r.Reranker.Rerank(ctx, query, docs, top)
}

// waiting makes the models that there are give up the place of the question.
func (o *Options) waiting() {
	if o.Writer != nil {
		o.Writer = waitingWriter{o.Writer}
	}
	if o.Reader != nil {
		o.Reader = waitingWriter{o.Reader}
	}
	if o.Reranker != nil {
		o.Reranker = waitingReranker{o.Reranker}
	}
}
