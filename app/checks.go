package app

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
	Room  chan struct{} // whoever put something in has a text here
	Turns chan struct{} // and checks it

	heap   sync.Mutex
	large  int // large texts that are being checked
	growth int // of the heap, in percent, when there are none
}

// waiting is how many texts a server holds besides those that it checks.
const waiting = 16

// NewChecks leaves half of the processors to questions.
func NewChecks() *checks {
	n := max(1, runtime.NumCPU()/2)
	return &checks{Room: make(chan struct{}, n+waiting), Turns: make(chan struct{}, n)}
}

// Enter makes room for a text before it is read; leave gives it back.
func (c *checks) Enter() (leave func(), err error) {
	select {
	case c.Room <- struct{}{}:
		return func() { <-c.Room }, nil
	default:
		return nil, &digesto.Error{Code: digesto.CodeUnavailable, Message: "se están comprobando demasiados textos a la vez", Hint: "vuelva a enviarlo dentro de unos segundos"}
	}
}

// Turn waits until a text may be checked, or nobody waits for it any more.
func (c *checks) Turn(ctx context.Context) (done func(), err error) {
	select {
	case c.Turns <- struct{}{}:
		return func() { <-c.Turns }, nil
	case <-ctx.Done():
		return nil, &digesto.Error{Code: digesto.CodeCancelled, Message: "La comprobación se ha cancelado", Err: ctx.Err()}
	}
}

// LargeText is from how many bytes on a text takes room worth sparing: the collector runs
// more often while it is checked, and what it took is given back at once, which costs some
// tens of milliseconds.
const LargeText = 1 << 19

// SparingGrowth is how far, in percent, the heap grows between two collections while a
// large text is checked: of what a check asks for, nine tenths is garbage soon, and a
// server's growth (see patientCollector) would let it add up to hundreds of megabytes.
const SparingGrowth = 25

// Spare makes the collector sparing while a large text is checked; done ends that.
func (c *checks) Spare() (done func()) {
	c.heap.Lock()
	defer c.heap.Unlock()
	if c.large++; c.large == 1 {
		c.growth = debug.SetGCPercent(SparingGrowth)
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
