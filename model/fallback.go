package model

import (
	"context"
	"errors"
	"sync"
	"time"
)

// Fallback asks the first model, and the next one whenever a model fails,
// whatever the reason: a wrong key of one provider is no reason to go without
// an answer. What was handed over piece by piece is never begun again by
// another model. Response.Model says who answered. Of failures of all of them
// the first is returned, the others joined to it.
func Fallback(models ...Generator) Generator {
	if len(models) == 1 {
		return models[0]
	}
	return fallback(models)
}

type fallback []Generator

func (f fallback) Generate(ctx context.Context, req Request, emit func(string) error) (Response, error) {
	if len(f) == 0 {
		return Response{}, NewError(&Fault{Kind: KindForbidden, Detail: "no model is configured"})
	}
	begun := false
	watch := emit
	if emit != nil {
		watch = func(s string) error { begun = true; return emit(s) }
	}
	var all []error
	for _, g := range f {
		out, err := g.Generate(ctx, req, watch)
		if err == nil {
			return out, nil
		}
		all = append(all, err)
		if FaultOf(err) == nil || begun || ctx.Err() != nil {
			return Response{}, err
		}
	}
	return Response{}, errors.Join(all...)
}

// BreakerOptions steer [BreakerGuard]. The zero value gives the defaults named.
type BreakerOptions struct {
	Failures int              // in a row, until calls are refused; 0 = 5
	Cooldown time.Duration    // until one call may try again; 0 = 30 s
	Now      func() time.Time // nil = time.Now
}

func newBreaker(opt BreakerOptions) *breaker {
	if opt.Failures <= 0 {
		opt.Failures = 5
	}
	if opt.Cooldown <= 0 {
		opt.Cooldown = 30 * time.Second
	}
	if opt.Now == nil {
		opt.Now = time.Now
	}
	return &breaker{opt: opt}
}

type breaker struct {
	opt BreakerOptions

	mu     sync.Mutex
	failed int
	until  time.Time // calls are refused before; zero = closed
	trying bool      // one call is out to see
}

// refusal is the error of a call that may not go.
func (b *breaker) refusal() error {
	if wait := b.enter(); wait > 0 {
		return NewError(&Fault{Kind: KindServer, RetryAfter: wait, Detail: "not called: it failed several times in a row"})
	}
	return nil
}

// enter gives how long calls are still refused, 0 if this one may go.
func (b *breaker) enter() time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.until.IsZero() {
		return 0
	}
	if wait := b.until.Sub(b.opt.Now()); wait > 0 {
		return wait
	}
	if b.trying {
		return b.opt.Cooldown
	}
	b.trying = true
	return 0
}

func (b *breaker) leave(ctx context.Context, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.trying = false
	f := FaultOf(err)
	switch {
	case ctx.Err() != nil && err != nil: // the caller left: nothing is known
		return
	case f != nil && (f.Kind == KindServer || f.Kind == KindNetwork || f.Kind == KindTimeout || f.Kind == KindCut || f.Kind == KindGarbled):
		if b.failed++; b.failed >= b.opt.Failures {
			b.until = b.opt.Now().Add(b.opt.Cooldown)
		}
	default:
		b.failed, b.until = 0, time.Time{}
	}
}
