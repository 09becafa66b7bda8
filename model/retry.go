package model

import (
	"context"
	"math/rand/v2"
	"time"
)

// RetryOptions steer [Retry]. The zero value gives the defaults named.
type RetryOptions struct {
	Attempts int           // in all; 0 = 3
	Base     time.Duration // of the first wait, doubled each time, half of it random; 0 = 500 ms
	Max      time.Duration // longest wait; a server that asks for more is not waited for; 0 = 20 s
	// Sleep waits; nil = by the clock. Tests put one in.
	Sleep func(ctx context.Context, d time.Duration) error
}

func (o RetryOptions) withDefaults() RetryOptions {
	if o.Attempts <= 0 {
		o.Attempts = 3
	}
	if o.Base <= 0 {
		o.Base = 500 * time.Millisecond
	}
	if o.Max <= 0 {
		o.Max = 20 * time.Second
	}
	if o.Sleep == nil {
		o.Sleep = sleep
	}
	return o
}

// Retry calls again when a call failed in a way that may pass, after the time
// the server asked for or a growing one. A stream of which a piece was handed
// over is never begun again: an answer is one value.
func Retry(g Generator, opt RetryOptions) Generator { return &retrier{g, opt.withDefaults()} }

type retrier struct {
	next Generator
	opt  RetryOptions
}

func (r *retrier) Generate(ctx context.Context, req Request, emit func(string) error) (Response, error) {
	begun := false
	watch := emit
	if emit != nil {
		watch = func(s string) error { begun = true; return emit(s) }
	}
	var out Response
	err := r.opt.do(ctx, func() (bool, error) {
		var err error
		out, err = r.next.Generate(ctx, req, watch)
		return begun, err
	})
	return out, err
}

// do runs call until it succeeds, fails for good or has run out of attempts.
// final says that the call may not be made again whatever its error.
func (o RetryOptions) do(ctx context.Context, call func() (final bool, err error)) error {
	wait := o.Base
	for n := 1; ; n++ {
		final, err := call()
		f := FaultOf(err)
		if err == nil || final || f == nil || !f.Temporary() || n >= o.Attempts || ctx.Err() != nil {
			return err
		}
		pause := wait/2 + rand.N(wait/2+1)
		if f.RetryAfter > 0 {
			pause = f.RetryAfter
		}
		if pause > o.Max {
			return err
		}
		if o.Sleep(ctx, pause) != nil {
			return Cancelled(ctx)
		}
		wait = min(2*wait, o.Max)
	}
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}
