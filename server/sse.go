package server

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"time"
)

// stream writes server-sent events (WHATWG HTML, section 9.2), each with an
// id; it is safe for the two goroutines of a request.
type stream struct {
	mu    sync.Mutex
	w     http.ResponseWriter
	rc    *http.ResponseController
	id    string // of the request: ids are unique across requests
	n     int
	limit time.Duration // a reader slower than this is let go
	err   error
}

// newStream sends the headers that keep caches and proxies from holding events back.
func newStream(w http.ResponseWriter, r *http.Request, limit time.Duration) *stream {
	h := w.Header()
	h.Set("Content-Type", "text/event-stream; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Accel-Buffering", "no")
	return &stream{w: w, rc: http.NewResponseController(w), id: requestID(r.Context()), limit: limit}
}

// send writes one event and pushes it out. After a failed write it does nothing.
func (s *stream) send(kind string, data any) error {
	body, err := json.Marshal(data)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return s.err
	}
	s.n++
	_ = s.rc.SetWriteDeadline(time.Now().Add(s.limit))
	if _, s.err = fmt.Fprintf(s.w, "id: %s-%d\nevent: %s\ndata: %s\n\n", s.id, s.n, kind, body); s.err == nil {
		s.err = s.rc.Flush()
	}
	return s.err
}

// keepAlive sends an event every so often until stop is called, which waits
// for the last one. A reader that is gone cancels the work.
func (s *stream) keepAlive(ctx context.Context, every time.Duration, cancel context.CancelFunc) (stop func()) {
	ctx, end := context.WithCancel(ctx)
	var wg sync.WaitGroup
	wg.Go(func() {
		tick := time.NewTicker(every)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				if s.send("keepalive", struct{}{}) != nil {
					cancel()
					return
				}
			}
		}
	})
	return func() { end(); wg.Wait() }
}
