package model

import (
	"context"
	"time"
)

// Timeout bounds each call as a whole. d ≤ 0 leaves calls unbounded.
func Timeout(g Generator, d time.Duration) Generator {
	if d <= 0 {
		return g
	}
	return &timeouter{g, d}
}

type timeouter struct {
	next Generator
	d    time.Duration
}

func (t *timeouter) Generate(ctx context.Context, req Request, emit func(string) error) (Response, error) {
	ctx, cancel := context.WithTimeout(ctx, t.d)
	defer cancel()
	out, err := t.next.Generate(ctx, req, emit)
	if err != nil && ctx.Err() != nil {
		return out, Cancelled(ctx)
	}
	return out, err
}
