package server_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"digesto"
	"digesto/server"
	"digesto/store"
)

const sse = "text/event-stream"

// TestResume gives a reader what it has not seen, the same bytes, without
// asking again.
func TestResume(t *testing.T) {
	w := newWorld(t, nil)
	whole := w.postJSON("/v1/ask", `{"question":"x"}`, "Accept", sse).Body.String()
	es := readEvents(t, whole)
	for i, e := range es {
		_, want, _ := strings.Cut(whole, "id: "+e.id+"\n")
		_, want, _ = strings.Cut(want, "\n\n")
		if got := w.postJSON("/v1/ask", `{"question":"x"}`, "Accept", sse, "Last-Event-ID", e.id).Body.String(); got != want {
			t.Errorf("after event %d\n%s\nwant\n%s", i, got, want)
		}
	}
	if n := w.asker.calls.Load(); n != 1 {
		t.Errorf("asked %d times", n)
	}
	for name, c := range map[string]struct{ body, id string }{
		"other question": {`{"question":"y"}`, es[1].id}, "unknown stream": {`{"question":"x"}`, "NADA-2"}, "no id": {`{"question":"x"}`, "<script>"}, "no number": {`{"question":"x"}`, es[1].id + "z"},
	} {
		before := w.asker.calls.Load()
		rec := w.postJSON("/v1/ask", c.body, "Accept", sse, "Last-Event-ID", c.id)
		if got := kinds(readEvents(t, rec.Body.String())); got != "session stage delta answer done" || w.asker.calls.Load() != before+1 {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// TestResumeAfterError asks anew: what failed may work now.
func TestResumeAfterError(t *testing.T) {
	w := newWorld(t, nil)
	w.asker.err = &digesto.Error{Code: digesto.CodeUnavailable, Message: "El modelo no contesta", Hint: "Espere."}
	es := readEvents(t, w.postJSON("/v1/ask", `{"question":"x"}`, "Accept", sse).Body.String())
	w.asker.err = nil
	rec := w.postJSON("/v1/ask", `{"question":"x"}`, "Accept", sse, "Last-Event-ID", es[0].id)
	if got := kinds(readEvents(t, rec.Body.String())); got != "session stage delta answer done" {
		t.Errorf("events: %s", got)
	}
}

// TestResumeForgets keeps only the last streams.
func TestResumeForgets(t *testing.T) {
	w := newWorld(t, nil)
	first := readEvents(t, w.postJSON("/v1/ask", `{"question":"x"}`, "Accept", sse).Body.String())[0].id
	for i := range 64 {
		w.postJSON("/v1/ask", fmt.Sprintf(`{"question":"%d"}`, i), "Accept", sse)
	}
	before := w.asker.calls.Load()
	w.postJSON("/v1/ask", `{"question":"x"}`, "Accept", sse, "Last-Event-ID", first)
	if w.asker.calls.Load() != before+1 {
		t.Error("a stream of long ago is still kept")
	}
}

// TestResumeWhileAnswering breaks the connection while the answer is made and
// comes back in time for the rest.
func TestResumeWhileAnswering(t *testing.T) {
	w := newWorld(t, func(o *server.Options) { o.Store, o.KeepAlive = struct{ store.Store }{}, 20*time.Millisecond })
	w.asker.delay = 400 * time.Millisecond
	srv := httptest.NewServer(w.h)
	defer srv.Close()
	ask := func(ctx context.Context, last string) *http.Response {
		req, _ := http.NewRequestWithContext(ctx, "POST", srv.URL+"/v1/ask", strings.NewReader(`{"question":"x"}`))
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", sse)
		req.Header.Set("Last-Event-ID", last)
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		return res
	}
	ctx, cancel := context.WithCancel(context.Background())
	res := ask(ctx, "")
	line, _ := bufio.NewReader(res.Body).ReadString('\n')
	id := strings.TrimSpace(strings.TrimPrefix(line, "id: "))
	cancel()
	res.Body.Close()
	res = ask(context.Background(), id)
	defer res.Body.Close()
	data, _ := io.ReadAll(res.Body)
	es := readEvents(t, string(data))
	got := kinds(es)
	// A slow machine may keep alive between any two of them.
	if !strings.HasPrefix(got, "stage keepalive") || !strings.HasSuffix(strings.ReplaceAll(got, " keepalive", ""), " delta answer done") {
		t.Errorf("events: %s", got)
	}
	for _, e := range es {
		if own, _, _ := strings.Cut(id, "-"); !strings.HasPrefix(e.id, own+"-") {
			t.Errorf("%s has the id %q of another stream", e.kind, e.id)
		}
	}
	if n := w.asker.calls.Load(); n != 1 {
		t.Errorf("asked %d times", n)
	}
}
