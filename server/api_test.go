package server_test

import (
	"context"
	"encoding/json"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"digesto"
	"digesto/ask"
	"digesto/server"
	"digesto/server/wire"
)

func TestAskJSON(t *testing.T) {
	w := newWorld(t, nil)
	rec := w.postJSON("/v1/ask", `{"question":"¿Cuántos días descansa el farero?","pack":"mar","as_of":"2026-01-02"}`)
	if rec.Code != 200 {
		t.Fatalf("status %d: %s", rec.Code, rec.Body)
	}
	got := unmarshal[digesto.Answer](t, rec.Body)
	if !reflect.DeepEqual(got, w.asker.answer) {
		t.Errorf("the answer changed on the way:\n%+v\n%+v", got, w.asker.answer)
	}
	if want := (digesto.Question{Text: "¿Cuántos días descansa el farero?", Pack: "mar", AsOf: "2026-01-02"}); !reflect.DeepEqual(w.asker.got, want) {
		t.Errorf("question %+v, want %+v", w.asker.got, want)
	}
}

// TestBadRequests is the table of what a client can get wrong.
func TestBadRequests(t *testing.T) {
	w := newWorld(t, nil)
	for _, c := range []struct {
		name, method, path, body, ctype string
		status                          int
		code                            digesto.Code
		says                            string
	}{
		{"unknown field", "POST", "/v1/ask", `{"question":"x","color":1}`, "application/json", 422, digesto.CodeInvalid, "color"},
		{"no question", "POST", "/v1/ask", `{"question":"  "}`, "application/json", 422, digesto.CodeInvalid, "pregunta"},
		{"unknown conversation", "POST", "/v1/ask", `{"question":"x","session_id":"zz"}`, "application/json", 404, digesto.CodeNotFound, "zz"},
		{"bad date", "POST", "/v1/ask", `{"question":"x","as_of":"2026-02-30"}`, "application/json", 422, digesto.CodeInvalid, "as_of"},
		{"cut JSON", "POST", "/v1/ask", `{"question":`, "application/json", 422, digesto.CodeInvalid, "JSON"},
		{"syntax", "POST", "/v1/ask", `{"question" "x"}`, "application/json", 422, digesto.CodeInvalid, "byte"},
		{"wrong type", "POST", "/v1/ask", `{"question":7}`, "application/json", 422, digesto.CodeInvalid, "question"},
		{"two values", "POST", "/v1/ask", `{"question":"x"} {}`, "application/json", 422, digesto.CodeInvalid, "más de un"},
		{"empty", "POST", "/v1/ask", ``, "application/json", 422, digesto.CodeInvalid, "vacío"},
		{"not UTF-8", "POST", "/v1/ask", "{\"question\":\"\xff\"}", "application/json", 422, digesto.CodeInvalid, "UTF-8"},
		{"not JSON type", "POST", "/v1/ask", `{"question":"x"}`, "text/plain", 422, digesto.CodeInvalid, "JSON"},
		{"huge", "POST", "/v1/ask", `{"question":"` + strings.Repeat("a", 70<<10) + `"}`, "application/json", 413, digesto.CodeTooLarge, "bytes"},
		{"deep", "POST", "/v1/ask", strings.Repeat("[", 20000), "application/json", 422, digesto.CodeInvalid, ""},
		{"no such path", "GET", "/v1/nada", "", "", 404, digesto.CodeNotFound, ""},
		{"wrong method", "DELETE", "/v1/ask", "", "", 405, digesto.CodeUsage, "POST"},
		{"wrong method of a norm", "POST", "/v1/norms/FARO-1", "{}", "application/json", 405, digesto.CodeUsage, "GET, HEAD"},
		{"null", "POST", "/v1/ask", " null ", "application/json", 422, digesto.CodeInvalid, "null"},
		{"two limits", "GET", "/v1/norms?limit=3&limit=4", "", "", 422, digesto.CodeInvalid, "más de una vez"},
		{"no such norm", "GET", "/v1/norms/NADA", "", "", 404, digesto.CodeNotFound, "NADA"},
		{"path traversal", "GET", "/v1/norms/..%2f..%2fetc%2fpasswd", "", "", 404, digesto.CodeNotFound, ""},
		{"no such unit", "GET", "/v1/norms/FARO-1/a99", "", "", 404, digesto.CodeNotFound, ""},
		{"unit before its time", "GET", "/v1/norms/FARO-1/a2?as_of=1990-01-01", "", "", 404, digesto.CodeNotFound, ""},
		{"bad as_of", "GET", "/v1/norms/FARO-1/a2?as_of=ayer", "", "", 422, digesto.CodeInvalid, ""},
		{"bad limit", "GET", "/v1/norms?limit=-1", "", "", 422, digesto.CodeInvalid, ""},
		{"search without text", "POST", "/v1/search", `{"text":""}`, "application/json", 422, digesto.CodeInvalid, ""},
		{"search with a bad k", "POST", "/v1/search", `{"text":"x","k":5000}`, "application/json", 422, digesto.CodeInvalid, ""},
		{"search in no pack", "POST", "/v1/search", `{"text":"x","pack":"nada"}`, "application/json", 404, digesto.CodeNotFound, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			rec := w.do(c.method, c.path, c.body, "Content-Type", c.ctype)
			if rec.Code != c.status {
				t.Fatalf("status %d, want %d: %s", rec.Code, c.status, rec.Body)
			}
			if ct := rec.Header().Get("Content-Type"); ct != "application/problem+json" {
				t.Errorf("content type %q", ct)
			}
			p := unmarshal[wire.Problem](t, rec.Body)
			if p.Code != c.code || p.Status != c.status || p.Title != digesto.Codes[c.code].Title || p.RequestID == "" || !strings.Contains(p.Detail, c.says) {
				t.Errorf("problem %+v", p)
			}
		})
	}
}

func TestErrorsOfTheEngine(t *testing.T) {
	for code, info := range digesto.Codes {
		w := newWorld(t, nil)
		w.asker.err = &digesto.Error{Code: code, Message: "El faro está apagado", Hint: "Enciéndalo.", Err: http.ErrBodyNotAllowed}
		rec := w.postJSON("/v1/ask", `{"question":"x"}`)
		p := unmarshal[wire.Problem](t, rec.Body)
		if rec.Code != info.Status || p.Code != code || p.Detail != "El faro está apagado" || p.Hint != "Enciéndalo." {
			t.Errorf("%s: status %d, %+v", code, rec.Code, p)
		}
		if strings.Contains(rec.Body.String(), http.ErrBodyNotAllowed.Error()) {
			t.Errorf("%s: the cause is shown to the client", code)
		}
	}
}

func TestPanicIsAProblem(t *testing.T) {
	w := newWorld(t, nil)
	w.asker.panics = true
	rec := w.postJSON("/v1/ask", `{"question":"x"}`)
	if rec.Code != 500 || strings.Contains(rec.Body.String(), "lámpara") || strings.Contains(rec.Body.String(), "goroutine") {
		t.Errorf("status %d: %s", rec.Code, rec.Body)
	}
}

func TestCrossOriginRefused(t *testing.T) {
	w := newWorld(t, nil)
	rec := w.postJSON("/v1/ask", `{"question":"x"}`, "Sec-Fetch-Site", "cross-site", "Origin", "https://otro.example")
	if rec.Code != 403 {
		t.Errorf("status %d", rec.Code)
	}
	if w.asker.got.Text != "" {
		t.Error("the question reached the engine")
	}
}

func TestHeaders(t *testing.T) {
	w := newWorld(t, nil)
	for _, path := range []string{"/", "/v1/norms", "/healthz", "/nada", "/static/style.css"} {
		h := w.page(path).Header()
		for _, k := range []string{"Content-Security-Policy", "X-Content-Type-Options", "X-Request-Id", "Referrer-Policy", "AI-Disclosure"} {
			if h.Get(k) == "" {
				t.Errorf("%s has no %s", path, k)
			}
		}
		if csp := h.Get("Content-Security-Policy"); strings.Contains(csp, "unsafe") || strings.Contains(csp, "*") {
			t.Errorf("%s: policy %q", path, csp)
		}
	}
}

func TestNorms(t *testing.T) {
	w := newWorld(t, nil)
	list := unmarshal[struct {
		Norms []digesto.Norm
		Total int
	}](t, w.do("GET", "/v1/norms?q=faros&pack=mar", "").Body)
	if list.Total != 1 || list.Norms[0].ID != "FARO-1" {
		t.Fatalf("list %+v", list)
	}
	if none := unmarshal[struct{ Total int }](t, w.do("GET", "/v1/norms?q=montañas", "").Body); none.Total != 0 {
		t.Errorf("found %d norms that are not there", none.Total)
	}
	for at, want := range map[string]string{"": newText, "2019-12-31": oldText, "2020-01-01": newText} {
		u := unmarshal[struct{ Version digesto.Version }](t, w.do("GET", "/v1/norms/FARO-1/a2?as_of="+at, "").Body)
		if u.Version.Text != want {
			t.Errorf("as of %q: %q", at, u.Version.Text)
		}
	}
	toc := unmarshal[struct{ Units []struct{ ID string } }](t, w.do("GET", "/v1/norms/FARO-1", "").Body)
	if len(toc.Units) != 2 || toc.Units[1].ID != "a2" {
		t.Errorf("contents %+v", toc)
	}
}

func TestSearch(t *testing.T) {
	w := newWorld(t, nil)
	rec := w.postJSON("/v1/search", `{"text":"descanso","collection":["normativa"],"filters":{"rank":["Ley"]},"as_of":"2021-01-01","k":3,"explain":true}`)
	got := unmarshal[struct {
		Hits []struct{ Norm, Title, Label string }
	}](t, rec.Body)
	if len(got.Hits) != 1 || got.Hits[0].Label != "Artículo 2" || got.Hits[0].Title != "Ley 1/2001, de los Faros" {
		t.Errorf("hits %+v", got)
	}
	q := w.finder.got
	if q.K != 3 || !q.Explain || q.Filter.AsOf != "2021-01-01" || q.Filter.In["rank"][0] != "Ley" || q.Filter.In["collection"][0] != "normativa" {
		t.Errorf("query %+v", q)
	}
}

// TestNothingToSearch says so instead of breaking.
func TestNothingToSearch(t *testing.T) {
	w := newWorld(t, func(o *server.Options) { o.Law = nil })
	if rec := w.postJSON("/v1/search", `{"text":"faro"}`); rec.Code != 503 {
		t.Errorf("status %d", rec.Code)
	}
}

func TestHealth(t *testing.T) {
	w := newWorld(t, nil)
	if rec := w.do("GET", "/healthz", ""); rec.Code != 200 {
		t.Errorf("health %d", rec.Code)
	}
	ready := unmarshal[map[string]any](t, w.do("GET", "/readyz", "").Body)
	if ready["norms"] != 1.0 {
		t.Errorf("ready %v", ready)
	}
	broken := newWorld(t, func(o *server.Options) { o.Law = brokenLaw })
	if rec := broken.do("GET", "/readyz", ""); rec.Code != 503 {
		t.Errorf("a broken library is ready: %d", rec.Code)
	}
	damaged := newWorld(t, func(o *server.Options) {
		o.Check = func(context.Context) error {
			return &digesto.Error{Code: digesto.CodeCheck, Message: "/srv/digesto/corpus está dañado"}
		}
	})
	if rec := damaged.do("GET", "/readyz", ""); rec.Code != 503 || strings.Contains(rec.Body.String(), "/srv") {
		t.Errorf("a damaged library: %d %s", rec.Code, rec.Body)
	}
}

func TestContractAndRoutes(t *testing.T) {
	w := newWorld(t, func(o *server.Options) {
		o.Routes = []server.Route{{Pattern: "POST /v1/sum", Handle: func(r *http.Request) (any, error) {
			var b struct{ A, B int }
			err := wire.Decode(r, &b)
			return map[string]int{"sum": b.A + b.B}, err
		}}}
	})
	if got := unmarshal[map[string]int](t, w.postJSON("/v1/sum", `{"A":2,"B":3}`).Body); got["sum"] != 5 {
		t.Errorf("sum %v", got)
	}
	if rec := w.postJSON("/v1/sum", `{"C":1}`); rec.Code != 422 {
		t.Errorf("unknown field: %d", rec.Code)
	}
	if rec := w.do("GET", "/v1/contract", ""); rec.Code != 200 || !json.Valid(rec.Body.Bytes()) {
		t.Errorf("contract %d %s", rec.Code, rec.Body)
	}
}

func brokenLaw() (v ask.View, done func(), err error) {
	return v, nil, &digesto.Error{Code: digesto.CodeUnavailable, Message: "La biblioteca no se puede leer"}
}
