package server_test

import (
	"bufio"
	"context"
	"encoding/json"
	"net"
	"net/http"
	"net/http/httptest"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"digesto"
	"digesto/server"
	"digesto/server/wire"
)

// event is one server-sent event as a client reads it.
type event struct{ id, kind, data string }

func readEvents(t *testing.T, body string) []event {
	t.Helper()
	var out []event
	for block := range strings.SplitSeq(strings.TrimSpace(body), "\n\n") {
		var e event
		for line := range strings.SplitSeq(block, "\n") {
			k, v, _ := strings.Cut(line, ": ")
			switch k {
			case "id":
				e.id = v
			case "event":
				e.kind = v
			case "data":
				e.data = v
			}
		}
		out = append(out, e)
	}
	return out
}

func kinds(es []event) string {
	var k []string
	for _, e := range es {
		k = append(k, e.kind)
	}
	return strings.Join(k, " ")
}

func TestStreamOrder(t *testing.T) {
	w := newWorld(t, nil)
	rec := w.postJSON("/v1/ask", `{"question":"x"}`, "Accept", "text/event-stream")
	es := readEvents(t, rec.Body.String())
	if kinds(es) != "session stage delta answer done" {
		t.Fatalf("events: %s", kinds(es))
	}
	seen := map[string]bool{}
	for _, e := range es {
		if e.id == "" || seen[e.id] {
			t.Errorf("id %q is empty or repeated", e.id)
		}
		seen[e.id] = true
	}
	if es[0].data != `{"session_id":"s1"}` {
		t.Errorf("session: %s", es[0].data)
	}
	var streamed digesto.Answer
	if err := json.Unmarshal([]byte(es[3].data), &streamed); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(streamed, w.asker.answer) {
		t.Error("the streamed answer differs from the JSON one")
	}
	if !strings.Contains(es[1].data, "Buscando") {
		t.Errorf("a stage has no Spanish title: %s", es[1].data)
	}
}

func TestStreamError(t *testing.T) {
	w := newWorld(t, nil)
	w.asker.err = &digesto.Error{Code: digesto.CodeUnavailable, Message: "El modelo no contesta", Hint: "Espere."}
	es := readEvents(t, w.postJSON("/v1/ask", `{"question":"x"}`, "Accept", "text/event-stream").Body.String())
	if kinds(es) != "session stage error done" {
		t.Fatalf("events: %s", kinds(es))
	}
	var p wire.Problem
	if json.Unmarshal([]byte(es[2].data), &p) != nil || p.Code != digesto.CodeUnavailable || p.Detail != "El modelo no contesta" {
		t.Errorf("error event: %s", es[2].data)
	}
}

func TestKeepAlive(t *testing.T) {
	w := newWorld(t, func(o *server.Options) { o.KeepAlive = 10 * time.Millisecond })
	w.asker.delay = 400 * time.Millisecond
	es := readEvents(t, w.postJSON("/v1/ask", `{"question":"x"}`, "Accept", "text/event-stream").Body.String())
	n := strings.Count(kinds(es), "keepalive")
	if n < 2 || es[0].kind != "session" || es[len(es)-1].kind != "done" {
		t.Errorf("events: %s", kinds(es))
	}
}

// TestDroppedClient hangs up in the middle of a stream: the engine's context
// ends and no goroutine is left.
func TestDroppedClient(t *testing.T) {
	w := newWorld(t, func(o *server.Options) { o.KeepAlive = 5 * time.Millisecond })
	w.asker.delay = time.Minute
	srv := httptest.NewServer(w.h)
	defer srv.Close()
	before := runtime.NumGoroutine()
	for range 10 {
		ctx, cancel := context.WithCancel(context.Background())
		req, _ := http.NewRequestWithContext(ctx, "POST", srv.URL+"/v1/ask", strings.NewReader(`{"question":"x"}`))
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", "text/event-stream")
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		line, err := bufio.NewReader(res.Body).ReadString('\n')
		if err != nil || !strings.HasPrefix(line, "id: ") {
			t.Fatalf("first line %q: %v", line, err)
		}
		cancel()
		res.Body.Close()
	}
	http.DefaultClient.CloseIdleConnections()
	for deadline := time.Now().Add(5 * time.Second); runtime.NumGoroutine() > before+3; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%d goroutines before, %d after", before, runtime.NumGoroutine())
		}
	}
}

// TestServeEndsInOrder serves on a real socket and stops.
func TestServeEndsInOrder(t *testing.T) {
	w := newWorld(t, nil)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- w.h.(*server.Server).Serve(ctx, l) }()
	res, err := http.Get("http://" + l.Addr().String() + "/healthz")
	if err != nil || res.StatusCode != 200 {
		t.Fatalf("health: %v %v", res, err)
	}
	res.Body.Close()
	cancel()
	select {
	case err := <-done:
		if err != nil {
			t.Errorf("ended with %v", err)
		}
	case <-time.After(8 * time.Second):
		t.Fatal("the server does not end")
	}
}

// TestLoadLimit refuses what is too much instead of queueing it.
func TestLoadLimit(t *testing.T) {
	w := newWorld(t, func(o *server.Options) { o.InFlight = 1 })
	w.asker.delay = 300 * time.Millisecond
	first := make(chan int, 1)
	go func() { first <- w.postJSON("/v1/ask", `{"question":"x"}`).Code }()
	time.Sleep(50 * time.Millisecond)
	rec := w.do("GET", "/healthz", "")
	if rec.Code != 503 || rec.Header().Get("Retry-After") == "" {
		t.Errorf("second request: %d", rec.Code)
	}
	if code := <-first; code != 200 {
		t.Errorf("first request: %d", code)
	}
}
