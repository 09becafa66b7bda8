package server

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"
)

// wantsEvents says whether a request asks for a stream of events.
func wantsEvents(r *http.Request) bool {
	return strings.Contains(r.Header.Get("Accept"), "text/event-stream")
}

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
	log   *eventLog // what was sent, for a reader that comes back; nil: not kept
}

// newStream sends the headers that keep caches and proxies from holding events back.
func newStream(w http.ResponseWriter, r *http.Request, limit time.Duration) *stream {
	h := w.Header()
	h.Set("Content-Type", "text/event-stream; charset=utf-8")
	h.Set("Cache-Control", "no-store, no-transform")
	h.Set("X-Accel-Buffering", "no")
	return &stream{w: w, rc: http.NewResponseController(w), id: requestID(r.Context()), limit: limit}
}

// send writes one event and pushes it out. After a failed write it only keeps
// it for when the reader is back.
func (s *stream) send(kind string, data any) error {
	body, err := compact(data)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	text := fmt.Sprintf("id: %s-%d\nevent: %s\ndata: %s\n\n", s.id, s.n+1, kind, body)
	if s.log != nil && kind != "keepalive" {
		s.log.add(s.n+1, text)
	}
	return s.push(text)
}

// data writes an event of data alone, as OpenAI's streams have them.
func (s *stream) data(v any) error {
	body, err := compact(v)
	if err != nil {
		return err
	}
	return s.write("data: " + body + "\n\n")
}

// write sends text as it is.
func (s *stream) write(text string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.push(text)
}

// begun says whether anything was sent.
func (s *stream) begun() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.n > 0
}

// push writes and flushes; the caller holds the lock.
func (s *stream) push(text string) error {
	s.n++
	if s.err != nil {
		return s.err
	}
	_ = s.rc.SetWriteDeadline(time.Now().Add(s.limit))
	if _, s.err = io.WriteString(s.w, text); s.err == nil {
		s.err = s.rc.Flush()
	}
	return s.err
}

// compact is JSON on one line, with the same bytes that [respond] gives.
func compact(v any) (string, error) {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return "", err
	}
	return strings.TrimSuffix(b.String(), "\n"), nil
}

// keepAlive sends an event every so often until stop is called, which waits
// for the last one. A reader that is gone cancels the work.
func (s *stream) keepAlive(ctx context.Context, every time.Duration, cancel context.CancelFunc) (stop func()) {
	return s.beat(ctx, every, cancel, func() error { return s.send("keepalive", struct{}{}) })
}

// beat is keepAlive with a sign of life of the caller's.
func (s *stream) beat(ctx context.Context, every time.Duration, cancel context.CancelFunc, sign func() error) (stop func()) {
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
				if sign() != nil {
					cancel()
					return
				}
			}
		}
	})
	return func() { end(); wg.Wait() }
}
