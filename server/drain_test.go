package server_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"digesto/server"
)

// TestDrain: a server that was asked to stop says so at /readyz, answers what still
// comes, each time ending the connection, and then stops; nothing is refused before.
func TestDrain(t *testing.T) {
	w := newWorld(t, func(o *server.Options) { o.Drain = 600 * time.Millisecond })
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- w.h.(*server.Server).Serve(ctx, l) }()
	get := func(path string) (int, bool, error) {
		res, err := http.Get("http://" + l.Addr().String() + path)
		if err != nil {
			return 0, false, err
		}
		defer res.Body.Close()
		return res.StatusCode, res.Close, nil
	}
	if code, closes, err := get("/readyz"); code != 200 || closes || err != nil {
		t.Fatal(code, closes, err)
	}
	stop()
	time.Sleep(100 * time.Millisecond)
	for range 5 {
		if code, _, err := get("/readyz"); code != 503 || err != nil {
			t.Errorf("leaving, /readyz says %d %v", code, err)
		}
		if code, closes, err := get("/healthz"); code != 200 || !closes || err != nil {
			t.Errorf("leaving: %d, ends the connection %v, %v", code, closes, err)
		}
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if _, _, err := get("/healthz"); err == nil {
		t.Error("still there")
	}
}

// TestNotReady: what is missing is said.
func TestNotReady(t *testing.T) {
	var broken atomic.Bool
	var log bytes.Buffer
	w := newWorld(t, func(o *server.Options) {
		o.Log = slog.New(slog.NewTextHandler(&log, nil))
		o.Check = func(context.Context) error {
			if broken.Load() {
				return errors.New("no store")
			}
			return nil
		}
	})
	if rec := w.do("GET", "/readyz", ""); rec.Code != 200 {
		t.Error(rec.Code)
	}
	broken.Store(true)
	if rec := w.do("GET", "/readyz", ""); rec.Code < 500 {
		t.Error(rec.Code)
	}
	if l := log.String(); !strings.Contains(l, "no store") {
		t.Errorf("logged %q", l)
	}
}
