package model

import (
	"context"
	"time"
)

// A Guard makes one call of any role under a rule: it bounds its time, makes
// it again, lets it queue or refuses it. Retry, Timeout and Budget are
// the same rules for a [Generator], where a stream needs more care.
type Guard func(ctx context.Context, call func(context.Context) error) error

// TimeoutGuard bounds each call; d ≤ 0 does not.
func TimeoutGuard(d time.Duration) Guard {
	return func(ctx context.Context, call func(context.Context) error) error {
		if d <= 0 {
			return call(ctx)
		}
		ctx, cancel := context.WithTimeout(ctx, d)
		defer cancel()
		err := call(ctx)
		if err != nil && ctx.Err() != nil {
			return Cancelled(ctx)
		}
		return err
	}
}

// RetryGuard makes a call again as [Retry] does.
func RetryGuard(opt RetryOptions) Guard {
	opt = opt.withDefaults()
	return func(ctx context.Context, call func(context.Context) error) error {
		return opt.do(ctx, func() (bool, error) { return false, call(ctx) })
	}
}

// BreakerGuard refuses calls at once while a server is down, instead of letting each
// question wait for its time to run out: after some failures in a row it
// refuses all for a while, then lets one call through; that one decides.
// Failures are those of the server and of the way to it; refusals of a request,
// a key or for too much use are answers, and prove the server alive.
func BreakerGuard(opt BreakerOptions) Guard {
	b := newBreaker(opt)
	return func(ctx context.Context, call func(context.Context) error) error {
		if err := b.refusal(); err != nil {
			return err
		}
		err := call(ctx)
		b.leave(ctx, err)
		return err
	}
}

// chain puts guards around a call, the first outermost.
func chain(guards []Guard, ctx context.Context, call func(context.Context) error) error {
	if len(guards) == 0 {
		return call(ctx)
	}
	return guards[0](ctx, func(ctx context.Context) error { return chain(guards[1:], ctx, call) })
}

// GuardEmbedder puts an embedder under guards, the first outermost.
func GuardEmbedder(e Embedder, guards ...Guard) Embedder { return &guardedEmbedder{e, guards} }

type guardedEmbedder struct {
	Embedder
	guards []Guard
}

func (e *guardedEmbedder) Embed(ctx context.Context, texts []string, mode Mode) (out [][]float32, err error) {
	err = chain(e.guards, ctx, func(ctx context.Context) error {
		out, err = e.Embedder.Embed(ctx, texts, mode)
		return err
	})
	return out, err
}

// GuardReranker puts a reranker under guards, the first outermost.
func GuardReranker(r Reranker, guards ...Guard) Reranker { return &guardedReranker{r, guards} }

type guardedReranker struct {
	next   Reranker
	guards []Guard
}

func (r *guardedReranker) Rerank(ctx context.Context, query string, docs []string, top int) (out []Ranked, err error) {
	err = chain(r.guards, ctx, func(ctx context.Context) error {
		out, err = r.next.Rerank(ctx, query, docs, top)
		return err
	})
	return out, err
}

// GuardGenerator puts a model under guards that make one call once: for more
// attempts see [Retry], which knows about streams.
func GuardGenerator(g Generator, guards ...Guard) Generator { return &guardedGenerator{g, guards} }

type guardedGenerator struct {
	next   Generator
	guards []Guard
}

func (g *guardedGenerator) Generate(ctx context.Context, req Request, emit func(string) error) (out Response, err error) {
	err = chain(g.guards, ctx, func(ctx context.Context) error {
		out, err = g.next.Generate(ctx, req, emit)
		return err
	})
	return out, err
}
