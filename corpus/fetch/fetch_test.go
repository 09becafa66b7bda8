package fetch

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"digesto"
)

const law = `<?xml version="1.0" encoding="utf-8"?><response><status><code>200</code></status><data><texto><bloque id="a1" tipo="precepto" titulo="Artículo 1"><version fecha_publicacion="20300101"><p class="articulo">Artículo 1</p><p class="parrafo">La tasa es de cinco monedas.</p></version></bloque></texto></data></response>`

// service is a local stand-in that counts requests and sleeps nothing.
type service struct {
	*httptest.Server
	mu    sync.Mutex
	seen  []*http.Request
	slept []time.Duration
}

func newService(t *testing.T, h func(n int, w http.ResponseWriter, r *http.Request)) (*service, *Client) {
	t.Helper()
	s := &service{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.seen = append(s.seen, r)
		n := len(s.seen)
		s.mu.Unlock()
		h(n, w, r)
	}))
	t.Cleanup(s.Close)
	c, err := New(Options{Allow: []string{"127.0.0.1"}, Dir: t.TempDir(), Loopback: true, MaxBytes: 1 << 20,
		Sleep: func(_ context.Context, d time.Duration) error { s.slept = append(s.slept, d); return nil }})
	if err != nil {
		t.Fatal(err)
	}
	return s, c
}

func TestGuard(t *testing.T) {
	c, err := New(Options{Allow: []string{"leyes.example", "127.0.0.1", "localhost"}, Dir: t.TempDir(), Tries: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, u := range []string{"http://leyes.example/a", "https://otra.example/a", "https://u:p@leyes.example/a", "ftp://leyes.example/a", "https://leyes.example.otra.example/", "file:///etc/passwd", "https://127.0.0.1/", "https://localhost/",
		"https://2130706433/", "https://0x7f.1/", "https://0177.0.0.1/", "https://[::ffff:127.0.0.1]/", "https://leyes.example@otra.example/", "https://leyes.example./", "//leyes.example/a"} {
		if _, err := c.Get(t.Context(), Request{URL: u}); digesto.CodeOf(err) != digesto.CodeForbidden {
			t.Errorf("%s: %v", u, err)
		}
	}
	for addr, want := range map[string]bool{"8.8.8.8": true, "2a00:1450::1": true, "127.0.0.1": false, "10.0.0.1": false, "172.16.3.4": false, "192.168.1.1": false, "169.254.169.254": false,
		"100.64.0.1": false, "0.0.0.0": false, "::1": false, "fc00::1": false, "fe80::1": false, "::ffff:10.0.0.1": false, "64:ff9b::a00:1": false, "2002:a00:1::": false, "::127.0.0.1": false, "::a00:1": false, "fec0::1": false, "2001:0:a00:1::": false, "fe80::1%eth0": false, "::ffff:127.0.0.1": false, "224.0.0.1": false, "255.255.255.255": false} {
		if public(netip.MustParseAddr(addr)) != want {
			t.Errorf("%s: want public %v", addr, want)
		}
	}
}

func TestRedirectionsStayInTheList(t *testing.T) {
	s, c := newService(t, func(_ int, w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/out":
			http.Redirect(w, r, "http://otra.example/x", http.StatusFound)
		case "/loop":
			http.Redirect(w, r, "/loop", http.StatusFound)
		case "/in":
			http.Redirect(w, r, "/law", http.StatusMovedPermanently)
		default:
			fmt.Fprint(w, law)
		}
	})
	base := s.URL
	if _, err := c.Get(t.Context(), Request{URL: base + "/out"}); digesto.CodeOf(err) != digesto.CodeForbidden {
		t.Errorf("to another host: %v", err)
	}
	if _, err := c.Get(t.Context(), Request{URL: base + "/loop"}); digesto.CodeOf(err) != digesto.CodeUnavailable {
		t.Errorf("in a circle: %v", err)
	}
	if _, err := c.Get(t.Context(), Request{URL: base + "/in", Want: "xml"}); err != nil {
		t.Error(err)
	}
}

func TestUnchangedIsNotSentAgain(t *testing.T) {
	s, c := newService(t, func(_ int, w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("If-None-Match") == `"v1"` {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		w.Header().Set("ETag", `"v1"`)
		fmt.Fprint(w, law)
	})
	first, err := c.Get(t.Context(), Request{URL: s.URL, Want: "xml"})
	if err != nil || first.Unchanged || first.Size != int64(len(law)) {
		t.Fatalf("%+v, %v", first, err)
	}
	again, err := c.Get(t.Context(), Request{URL: s.URL, Want: "xml"})
	if err != nil || !again.Unchanged || again.SHA256 != first.SHA256 {
		t.Errorf("%+v, %v", again, err)
	}
	if c.Bytes() != int64(len(law)) || c.Requests() != 2 {
		t.Errorf("%d bytes, %d requests", c.Bytes(), c.Requests())
	}
}

func TestFaultsOfTheService(t *testing.T) {
	page := "<!DOCTYPE html><html><head><title>Mantenimiento</title></head><body>Vuelva luego</body></html>"
	for name, c := range map[string]struct {
		bad   func(w http.ResponseWriter)
		slept int
	}{
		"too many requests": {func(w http.ResponseWriter) { w.Header().Set("Retry-After", "7"); w.WriteHeader(429) }, 2},
		"broken":            {func(w http.ResponseWriter) { w.WriteHeader(500) }, 2},
		"a page with 200":   {func(w http.ResponseWriter) { fmt.Fprint(w, page) }, 2},
		"cut, no length":    {func(w http.ResponseWriter) { fmt.Fprint(w, law[:200]) }, 2},
		"cut, with length": {func(w http.ResponseWriter) {
			w.Header().Set("Content-Length", fmt.Sprint(len(law)))
			fmt.Fprint(w, law[:200])
		}, 2},
		"empty": {func(http.ResponseWriter) {}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			s, client := newService(t, func(n int, w http.ResponseWriter, _ *http.Request) {
				if n <= 2 {
					c.bad(w)
					return
				}
				w.Header().Set("Content-Type", "text/plain; charset=iso-8859-1") // wrong, and of no consequence: the document says its own
				fmt.Fprint(w, law)
			})
			r, err := client.Get(t.Context(), Request{URL: s.URL, Want: "xml"})
			if err != nil || len(s.slept) != c.slept {
				t.Fatalf("%v, slept %v", err, s.slept)
			}
			if data, _ := os.ReadFile(r.Path); string(data) != law {
				t.Errorf("%q", data)
			}
			if name == "too many requests" && s.slept[0] != 7*time.Second {
				t.Errorf("waited %v", s.slept)
			}
		})
	}
}

func TestFailureKeepsWhatWasThere(t *testing.T) {
	s, c := newService(t, func(n int, w http.ResponseWriter, _ *http.Request) {
		if n == 1 {
			fmt.Fprint(w, law)
			return
		}
		w.WriteHeader(503)
	})
	first, err := c.Get(t.Context(), Request{URL: s.URL, Want: "xml"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Get(t.Context(), Request{URL: s.URL, Want: "xml"}); digesto.CodeOf(err) != digesto.CodeUnavailable {
		t.Error(err)
	}
	if data, _ := os.ReadFile(first.Path); string(data) != law {
		t.Error("the copy is gone")
	}
	if n := c.Requests(); n != 6 {
		t.Errorf("%d requests", n)
	}
}

func TestResumeAfterACut(t *testing.T) {
	s, c := newService(t, func(n int, w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", `"v1"`)
		if n == 1 {
			w.Header().Set("Content-Length", fmt.Sprint(len(law)))
			fmt.Fprint(w, law[:100])
			return
		}
		if r.Header.Get("Range") != "bytes=100-" || r.Header.Get("If-Range") != `"v1"` {
			t.Errorf("asked for %v", r.Header)
		}
		w.Header().Set("Content-Range", fmt.Sprintf("bytes 100-%d/%d", len(law)-1, len(law)))
		w.WriteHeader(http.StatusPartialContent)
		fmt.Fprint(w, law[100:])
	})
	r, err := c.Get(t.Context(), Request{URL: s.URL, Want: "xml"})
	if err != nil {
		t.Fatal(err)
	}
	if data, _ := os.ReadFile(r.Path); string(data) != law {
		t.Errorf("%q", data)
	}
	if left, _ := filepath.Glob(filepath.Join(c.opt.Dir, "*.part")); len(left) > 0 {
		t.Error("a part is left")
	}
}

func TestBounds(t *testing.T) {
	s, c := newService(t, func(_ int, w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, strings.Repeat("x", 2<<20)) })
	if _, err := c.Get(t.Context(), Request{URL: s.URL}); digesto.CodeOf(err) != digesto.CodeTooLarge {
		t.Error(err)
	}
	if left, _ := os.ReadDir(c.opt.Dir); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

func TestRate(t *testing.T) {
	c, err := New(Options{Allow: []string{"a"}, Dir: t.TempDir(), Rate: 50})
	if err != nil || c.limit.Limit() != maxRate {
		t.Errorf("%v, %v", c.limit.Limit(), err)
	}
}

func TestCancelled(t *testing.T) {
	s, c := newService(t, func(_ int, w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) })
	ctx, stop := context.WithCancel(t.Context())
	c.opt.Sleep = func(context.Context, time.Duration) error { stop(); return ctx.Err() }
	if _, err := c.Get(ctx, Request{URL: s.URL}); err == nil || c.Requests() != 1 {
		t.Errorf("%v after %d", err, c.Requests())
	}
}

func TestOpenData(t *testing.T) {
	var mode string
	s, c := newService(t, func(_ int, w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasPrefix(r.URL.Path, "/api/legislacion-consolidada/id/BOE-A-2030-1"):
			switch mode {
			case "changed schema":
				fmt.Fprint(w, strings.ReplaceAll(law, "texto", "contenido"))
			case "error":
				fmt.Fprint(w, `<response><status><code>500</code><text>error</text></status></response>`)
			default:
				fmt.Fprint(w, law)
			}
		case r.URL.Path == "/diario":
			fmt.Fprint(w, `<documento><texto><p>Publicado.</p></texto></documento>`)
		case r.URL.Path == "/api/legislacion-consolidada": // a list that repeats itself for ever
			list := make([]string, pageSize)
			for i := range list {
				list[i] = fmt.Sprintf(`{"identificador":"BOE-A-1965-%d","titulo":"Norma %d","fecha_actualizacion":"20300101T000000Z"}`, i+1, i+1)
			}
			fmt.Fprintf(w, `{"status":{"code":"200"},"data":[%s]}`, strings.Join(list, ","))
		case r.URL.Path == "/api/boe/sumario/20300102":
			fmt.Fprint(w, `{"data":{"sumario":{"diario":{"seccion":{"departamento":[{"epigrafe":{"item":{"identificador":"BOE-A-2030-7","titulo":"Uno"}}},{"texto":{"epigrafe":[{"item":[{"identificador":"BOE-A-2030-8","titulo":"Dos"}]}]}}]}}}}}`)
		default:
			w.WriteHeader(404)
		}
	})
	o := OpenData{Client: c, Base: s.URL + "/api", Daily: s.URL + "/diario?id=%s"}
	if r, err := o.Norm(t.Context(), "BOE-A-2030-1"); err != nil || r.Size == 0 {
		t.Errorf("%+v, %v", r, err)
	}
	if r, err := o.Norm(t.Context(), "BOE-A-2030-99"); err != nil || !strings.Contains(r.URL, "/diario") {
		t.Errorf("not consolidated: %+v, %v", r, err)
	}
	for m, want := range map[string]digesto.Code{"changed schema": digesto.CodeInvalid, "error": digesto.CodeUnavailable} {
		mode = m
		if _, err := o.Norm(t.Context(), "BOE-A-2030-1"); digesto.CodeOf(err) != want {
			t.Errorf("%s: %v", m, err)
		}
	}
	if _, err := o.Norm(t.Context(), "../../etc"); digesto.CodeOf(err) != digesto.CodeInvalid {
		t.Errorf("a name that is none: %v", err)
	}
	if list, err := o.Changed(t.Context(), "1969-12-01", "2030-01-31"); err != nil || len(list) != pageSize {
		t.Errorf("%d of the list, %v", len(list), err)
	}
	list, err := o.Summary(t.Context(), "2030-01-02")
	if err != nil || len(list) != 2 || list[1].ID != "BOE-A-2030-8" {
		t.Errorf("%v, %v", list, err)
	}
	if none, err := o.Summary(t.Context(), "2030-01-03"); err != nil || none != nil {
		t.Errorf("a day without an issue: %v, %v", none, err)
	}
}
