package main

import (
	"context"
	"runtime"
	"runtime/debug"
	"sync"

	"digesto"
)

// checks bounds how many texts a server checks at a time, and how many it holds: each may
// take a second of a processor and some tens of megabytes.
type checks struct {
	room  chan struct{} // whoever put something in has a text here
	turns chan struct{} // and checks it

	heap   sync.Mutex
	large  int // large texts that are being checked
	growth int // of the heap, in percent, when there are none
}

// waiting is how many texts a server holds besides those that it checks.
const waiting = 16

// newChecks leaves half of the processors to questions.
func newChecks() *checks {
	n := max(1, runtime.NumCPU()/2)
	return &checks{room: make(chan struct{}, n+waiting), turns: make(chan struct{}, n)}
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

// largeText is from how many bytes on a text takes room worth sparing: the collector runs
// more often while it is checked, and what it took is given back at once, which costs some
// tens of milliseconds.
const largeText = 1 << 19

// sparingGrowth is how far, in percent, the heap grows between two collections while a
// large text is checked: of what a check asks for, nine tenths is garbage soon, and a
// server's growth (see patientCollector) would let it add up to hundreds of megabytes.
const sparingGrowth = 25

// spare makes the collector sparing while a large text is checked; done ends that.
func (c *checks) spare() (done func()) {
	c.heap.Lock()
	defer c.heap.Unlock()
	if c.large++; c.large == 1 {
		c.growth = debug.SetGCPercent(sparingGrowth)
	}
	return func() {
		c.heap.Lock()
		defer c.heap.Unlock()
		if c.large--; c.large == 0 {
			debug.SetGCPercent(c.growth)
		}
		debug.FreeOSMemory() // the room that it took would stay with the process for minutes
	}
}
