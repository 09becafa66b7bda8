package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"digesto/internal/browser"
	"digesto/internal/long"
	"digesto/server"
)

// slowOpenData is the service of texts, held back until the test lets it answer.
type slowOpenData struct {
	*openData
	front *httptest.Server
	gate  chan struct{}
}

func newSlowOpenData(t *testing.T) *slowOpenData {
	t.Helper()
	o := &slowOpenData{openData: newOpenData(t), gate: make(chan struct{})}
	o.front = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-o.gate:
			o.serve(w, r)
		case <-r.Context().Done():
		}
	}))
	t.Cleanup(o.front.Close)
	return o
}

// serveTexts serves over a folder whose texts come from a service of the test's.
func serveTexts(t *testing.T, o *slowOpenData, data string) string {
	t.Helper()
	return serveApp(t, func(a *program) { a.Loopback = true }, map[string]string{"DIGESTO_DATA": data, "DIGESTO_FETCH_BOE": o.front.URL + "/datosabiertos/api"})
}

func (v *visit) job(method, body string) (int, server.Job) {
	v.t.Helper()
	req, err := http.NewRequestWithContext(v.t.Context(), method, v.base+"/v1/corpus/job", strings.NewReader(body))
	if err != nil {
		v.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := v.client.Do(req)
	if err != nil {
		v.t.Fatal(err)
	}
	defer res.Body.Close()
	var j server.Job
	data, _ := io.ReadAll(res.Body)
	if err := json.Unmarshal(data, &j); err != nil {
		v.t.Fatalf("%s: %v", data, err)
	}
	return res.StatusCode, j
}

// ended waits until nothing is under way.
func (v *visit) ended() server.Job {
	v.t.Helper()
	for deadline := time.Now().Add(60 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if _, j := v.job("GET", ""); !j.Under() {
			return j
		}
	}
	v.t.Fatal("the job does not end")
	return server.Job{}
}

// installed puts the law of the test's service in a folder.
func installedByPull(t *testing.T, o *slowOpenData) string {
	t.Helper()
	data := t.TempDir()
	if code, _, errs := pullRun(t, o.openData, "2030-02-01", data, "corpus", "pull", "boe:BOE-A-2030-1", "--pack", "laboral"); code != 0 {
		t.Fatal(errs)
	}
	return data
}

// TestCorpusJob updates the installed law from a server: one thing at a time, with
// its state for programs and people, and an end whenever it is wanted.
func TestCorpusJob(t *testing.T) {
	o := newSlowOpenData(t)
	base := serveTexts(t, o, installedByPull(t, o))
	v := newVisit(t, base)
	if status, _ := v.job("GET", ""); status != 404 {
		t.Errorf("before the first job: %d", status)
	}
	if status, j := v.job("POST", `{"do":"update"}`); status != 200 || !j.Under() {
		t.Fatalf("%d %+v", status, j)
	}
	for _, body := range []string{`{"do":"update","pack":"laboral"}`, `{"do":"install","pack":"laboral"}`} {
		if status, _ := v.job("POST", body); status != 409 {
			t.Errorf("a second job, %s: %d", body, status)
		}
	}
	if _, page := v.get("/corpus"); !strings.Contains(page, "Actualizando: todo lo instalado") || !strings.Contains(page, "<progress") || !strings.Contains(page, "Parar") {
		t.Error("the page of a job under way")
	}
	if status, _, page := v.do("POST", "/corpus", url.Values{"do": {"stop"}}); status != 200 || !strings.Contains(page, "Corpus") {
		t.Errorf("stopped: %d", status)
	}
	if j := v.ended(); j.State != "cancelled" {
		t.Errorf("%+v", j)
	}
	if _, page := v.get("/corpus"); !strings.Contains(page, "queda como estaba") {
		t.Error("the page of a job that was stopped")
	}
	if status, _ := v.job("DELETE", ""); status != 404 {
		t.Errorf("stopped again: %d", status)
	}
	o.after.Store(true)
	close(o.gate)
	events := make(chan string, 1)
	if status, j := v.job("POST", `{"do":"update"}`); status != 200 || !j.Under() {
		t.Fatalf("%d %+v", status, j)
	}
	go func() {
		req, _ := http.NewRequest("GET", base+"/v1/corpus/job", nil)
		req.Header.Set("Accept", "text/event-stream")
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			events <- err.Error()
			return
		}
		defer res.Body.Close()
		data, _ := io.ReadAll(res.Body)
		events <- string(data)
	}()
	j := v.ended()
	if j.State != "done" || !strings.Contains(strings.Join(j.Lines, " "), "texto cambiado") {
		t.Errorf("%+v", j)
	}
	if got := <-events; !strings.Contains(got, "event: job\n") || !strings.Contains(got, `"state":"done"`) || !strings.Contains(got, "event: done\n") {
		t.Errorf("events: %s", got)
	}
	if _, page := v.get("/corpus"); !strings.Contains(page, "Hecho") || !strings.Contains(page, "texto cambiado") {
		t.Error("the page of a job that is done")
	}
	for body, want := range map[string]int{`{"do":"nada"}`: 422, `{"do":"install"}`: 422, `{"do":"update","pack":"zork"}`: 404, `{"do":"update","más":1}`: 422, `[]`: 422} {
		if status, _ := v.job("POST", body); status != want {
			t.Errorf("%s: %d, want %d", body, status, want)
		}
	}
	proxied := newVisit(t, base)
	proxied.head.Set("X-Forwarded-For", "203.0.113.9")
	if status, _, _ := proxied.do("POST", "/corpus", url.Values{"do": {"update"}}); status != 403 {
		t.Errorf("someone else's update: %d", status)
	}
	if _, page := proxied.get("/corpus"); strings.Contains(page, "Buscar cambios") {
		t.Error("someone else is offered to update")
	}
}

// TestCorpusJobFails says in Spanish why nothing could be had.
func TestCorpusJobFails(t *testing.T) {
	base := serveApp(t, nil, map[string]string{"DIGESTO_DATA": t.TempDir(), "DIGESTO_LOCAL_ONLY": "yes"})
	v := newVisit(t, base)
	v.do("POST", "/corpus", url.Values{"do": {"install"}, "pack": {"laboral"}})
	if j := v.ended(); j.State != "failed" || !strings.Contains(j.Error, "local_only") || j.Hint == "" {
		t.Errorf("%+v", j)
	}
	if _, page := v.get("/corpus"); !strings.Contains(page, "No se ha podido") || !strings.Contains(page, "Instalar") {
		t.Error("the page of a job that failed")
	}
}

// TestBrowserCorpus updates from the page, watched by axe-core, with scripts and without.
func TestBrowserCorpus(t *testing.T) {
	b := browser.Start(t)
	for name, look := range long.Some(map[string]browser.Look{"desktop": {}, "dark": {Dark: true}, "narrow": {Width: 320, Height: 640}, "noscript": {NoScript: true}}, "narrow") {
		t.Run(name, func(t *testing.T) {
			o := newSlowOpenData(t)
			base := serveTexts(t, o, installedByPull(t, o))
			tab := b.Tab(t, look)
			tab.Go(base + "/corpus")
			tab.Leave(func() { tab.Click("#lista + form .btn") })
			if !tab.Has("progress") || !strings.Contains(strings.ToLower(tab.Text("#tarea")), "actualizando") {
				t.Fatal(tab.Text("main"))
			}
			if !look.NoScript {
				checkPage(t, tab, "a job under way")
				tab.Leave(func() { close(o.gate) }) // the page finds out by itself
			} else {
				close(o.gate)
				newVisit(t, base).ended()
				tab.Leave(func() { tab.Click("#tarea form[data-reload] .btn") })
			}
			if got := tab.Text("#tarea"); !strings.Contains(got, "Hecho") {
				t.Errorf("after it: %s", got)
			}
			if !look.NoScript {
				checkPage(t, tab, "a job that is done")
			}
		})
	}
}
