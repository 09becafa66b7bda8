package main

import (
	"bufio"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"sync/atomic"
	"testing"
	"time"

	"digesto/internal/browser"
)

// cutter stands between a browser and the server, and breaks the connection of every
// stream that is not taken up again after its first event.
type cutter struct {
	proxy         *httputil.ReverseProxy
	base          string
	cuts, resumed atomic.Int64
}

func (c *cutter) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.URL.Path != "/v1/ask":
	case r.Header.Get("Last-Event-ID") != "":
		c.resumed.Add(1)
	default:
		c.cut(w, r)
	}
	c.proxy.ServeHTTP(w, r)
}

func (c *cutter) cut(w http.ResponseWriter, r *http.Request) {
	c.cuts.Add(1)
	defer panic(http.ErrAbortHandler) // the connection breaks
	req, err := http.NewRequestWithContext(r.Context(), r.Method, c.base+r.URL.Path, r.Body)
	if err != nil {
		return
	}
	req.Header = r.Header.Clone()
	res, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		return
	}
	defer res.Body.Close()
	w.Header().Set("Content-Type", res.Header.Get("Content-Type"))
	for lines := bufio.NewReader(res.Body); ; {
		line, err := lines.ReadString('\n')
		_, _ = io.WriteString(w, line)
		if err != nil || line == "\n" {
			break
		}
	}
	_ = http.NewResponseController(w).Flush()
	time.Sleep(time.Second) // the browser has read it by then
}

// TestBrowserResumes: an answer whose connection breaks after its first event is
// taken up where it stopped, and shown whole.
func TestBrowserResumes(t *testing.T) {
	b := browser.Start(t)
	base := serveLaw(t, lawData(t, map[string]string{"laboral": "versions"}))
	at, err := url.Parse(base)
	if err != nil {
		t.Fatal(err)
	}
	c := &cutter{base: base, proxy: &httputil.ReverseProxy{Rewrite: func(p *httputil.ProxyRequest) { p.SetURL(at) }, FlushInterval: -1}}
	front := httptest.NewServer(c)
	defer front.Close()
	tab := b.Tab(t, browser.Look{})
	tab.Go(front.URL + "/")
	tab.Type("#q", "¿Cuántos días de descanso tiene el farero?")
	browser.Eval[string](tab, "document.querySelector('select[name=pack]').value='laboral'")
	tab.Leave(func() { tab.Click("form.ask .primary") }, func() { tab.Wait("location.pathname.startsWith('/respuestas/')") })
	answered(t, tab)
	if c.cuts.Load() != 1 || c.resumed.Load() != 1 {
		t.Errorf("cut %d times, taken up %d times", c.cuts.Load(), c.resumed.Load())
	}
}
