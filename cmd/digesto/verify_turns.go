package main

import (
	"context"
	"runtime"

	"digesto"
)

// checks bounds how many texts a server checks at a time, and how many it holds: each may
// take a second of a processor and some tens of megabytes.
type checks struct {
	room  chan struct{} // whoever put something in has a text here
	turns chan struct{} // and checks it
}

// waiting is how many texts a server holds besides those that it checks.
const waiting = 16

// newChecks leaves half of the processors to questions.
func newChecks() *checks {
	n := max(1, runtime.NumCPU()/2)
	return &checks{make(chan struct{}, n+waiting), make(chan struct{}, n)}
}

// enter makes room for a text before it is read; leave gives it back.
func (c *checks) enter() (leave func(), err error) {
	select {
	case c.room <- struct{}{}:
		return func() { <-c.room }, nil
	default:
		return nil, &digesto.Error{Code: digesto.CodeUnavailable, Message: "se están comprobando demasiados textos a la vez", Hint: "vuelva a enviarlo dentro de unos segundos"}
	}
}

// turn waits until a text may be checked, or nobody waits for it any more.
func (c *checks) turn(ctx context.Context) (done func(), err error) {
	select {
	case c.turns <- struct{}{}:
		return func() { <-c.turns }, nil
	case <-ctx.Done():
		return nil, &digesto.Error{Code: digesto.CodeCancelled, Message: "La comprobación se ha cancelado", Err: ctx.Err()}
	}
}
