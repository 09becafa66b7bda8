package ask

import (
	"context"
	"sync"
	"time"
)

// doorWait is how long work waits, at most, for questions at the door.
const doorWait = 5 * time.Millisecond

// door counts the questions that have not been told their session. Who arrives
// with many others waits for the processor, not for the store: so work begins
// when nobody stands at the door, or soon after.
type door struct {
	mu    sync.Mutex
	n     int
	empty chan struct{} // closed when n is 0 again; nil = nobody waits for it
}

func (d *door) enter() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.n++
}

func (d *door) through() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.n--; d.n == 0 && d.empty != nil {
		close(d.empty)
		d.empty = nil
	}
}

// clear waits until nobody stands at the door, but not for long.
func (d *door) clear(ctx context.Context) {
	d.mu.Lock()
	if d.n == 0 {
		d.mu.Unlock()
		return
	}
	if d.empty == nil {
		d.empty = make(chan struct{})
	}
	empty := d.empty
	d.mu.Unlock()
	late := time.NewTimer(doorWait)
	defer late.Stop()
	select {
	case <-empty:
	case <-late.C:
	case <-ctx.Done():
	}
}
