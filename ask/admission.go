package ask

import (
	"context"
	"sync"
	"time"
)

// admissionWait is how long work waits, at most, for questions not stored yet.
const admissionWait = 5 * time.Millisecond

// admission counts the questions that have not been told their session. Who arrives
// with many others waits for the processor, not for the store: so work begins
// when nobody waits to be told a session, or soon after.
type admission struct {
	mu    sync.Mutex
	n     int
	empty chan struct{} // closed when n is 0 again; nil = nobody waits for it
}

func (d *admission) begin() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.n++
}

func (d *admission) admitted() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.n--; d.n == 0 && d.empty != nil {
		close(d.empty)
		d.empty = nil
	}
}

// quiet waits until nobody waits to be told a session, but not for long.
func (d *admission) quiet(ctx context.Context) {
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
	late := time.NewTimer(admissionWait)
	defer late.Stop()
	select {
	case <-empty:
	case <-late.C:
	case <-ctx.Done():
	}
}
