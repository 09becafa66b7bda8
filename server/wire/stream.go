package wire

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

// Stream writes server-sent events (WHATWG HTML, section 9.2), each with an
// id; it is safe for the two goroutines of a request.
type Stream struct {
	mu    sync.Mutex
	w     http.ResponseWriter
	rc    *http.ResponseController
	id    string // of the request: ids are unique across requests
	n     int
	limit time.Duration // a reader slower than this is let go
	err   error
	// Sent is told of each event that a reader who comes back may want, by its number; nil: nobody is.
	Sent func(n int, text string)
}

// NewStream sends the headers that keep caches and proxies from holding events back.
func NewStream(w http.ResponseWriter, r *http.Request, limit time.Duration) *Stream {
	h := w.Header()
	h.Set("Content-Type", "text/event-stream; charset=utf-8")
	h.Set("Cache-Control", "no-store, no-transform")
	h.Set("X-Accel-Buffering", "no")
	return &Stream{w: w, rc: http.NewResponseController(w), id: RequestID(r.Context()), limit: limit}
}

// Send writes one event and pushes it out. After a failed write it only keeps
// it for when the reader is back.
func (s *Stream) Send(kind string, data any) error {
	body, err := compact(data)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	text := fmt.Sprintf("id: %s-%d\nevent: %s\ndata: %s\n\n", s.id, s.n+1, kind, body)
	if s.Sent != nil && kind != "keepalive" {
		s.Sent(s.n+1, text)
	}
	return s.push(text)
}

// Data writes an event of data alone, as OpenAI's streams have them.
func (s *Stream) Data(v any) error {
	body, err := compact(v)
	if err != nil {
		return err
	}
	return s.Write("data: " + body + "\n\n")
}

// Write sends text as it is.
func (s *Stream) Write(text string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.push(text)
}

// Begun says whether anything was sent.
func (s *Stream) Begun() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.n > 0
}

// push writes and flushes; the caller holds the lock.
func (s *Stream) push(text string) error {
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

// compact is JSON on one line, with the same bytes that [Respond] gives.
func compact(v any) (string, error) {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return "", err
	}
	return strings.TrimSuffix(b.String(), "\n"), nil
}

// KeepAlive sends an event every so often until stop is called, which waits
// for the last one. A reader that is gone cancels the work.
func (s *Stream) KeepAlive(ctx context.Context, every time.Duration, cancel context.CancelFunc) (stop func()) {
	return s.Beat(ctx, every, cancel, func() error { return s.Send("keepalive", struct{}{}) })
}

// Beat is KeepAlive with a sign of life of the caller's.
func (s *Stream) Beat(ctx context.Context, every time.Duration, cancel context.CancelFunc, sign func() error) (stop func()) {
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
