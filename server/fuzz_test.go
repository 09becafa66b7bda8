package server_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"

	"digesto/ask"
	"digesto/server"
)

// fuzzWorld is a world for fuzz targets.
func fuzzWorld(f *testing.F) *world {
	f.Helper()
	w := &world{finder: &finder{}, snap: lawSnapshot()}
	w.asker = &asker{answer: goodAnswer(w.snap)}
	s, err := server.New(server.Options{Engine: w.asker,
		Law: func() (ask.View, func(), error) {
			return ask.View{Snapshot: w.snap, Searcher: w.finder}, func() {}, nil
		}})
	if err != nil {
		f.Fatal(err)
	}
	w.h = s
	return w
}

// FuzzBody sends any bytes as a question: they are answered or refused as the
// client's fault, never the server's, and always in UTF-8.
func FuzzBody(f *testing.F) {
	f.Add([]byte(`{"question":"x","as_of":"2026-01-01","filters":{"a":"b"}}`))
	f.Add([]byte(`{"question":"\u0000\ud800"}`))
	f.Add([]byte("[[[[{\"a\":"))
	f.Add([]byte(`{"model":"digesto","stream":true,"messages":[{"role":"user","content":[{"type":"text","text":"x"}]}]}`))
	w := fuzzWorld(f)
	f.Fuzz(func(t *testing.T, body []byte) {
		if len(body) > 1<<13 {
			t.Skip()
		}
		for _, path := range []string{"/v1/ask", "/v1/search", "/v1/chat/completions"} {
			r := httptest.NewRequest("POST", path, strings.NewReader(string(body)))
			r.Header.Set("Content-Type", "application/json")
			rec := httptest.NewRecorder()
			w.h.ServeHTTP(rec, r)
			if rec.Code != 200 && (rec.Code < 400 || rec.Code >= 500) || !utf8.Valid(rec.Body.Bytes()) {
				t.Errorf("%s: %d %q", path, rec.Code, rec.Body)
			}
		}
	})
}

// FuzzPaths asks for pages of any name: never a fault of the server, and what
// the name holds is never markup.
func FuzzPaths(f *testing.F) {
	f.Add("FARO-1", "a2", "2020-01-01")
	f.Add("..", "%2e%2e", "<script>")
	w := fuzzWorld(f)
	f.Fuzz(func(t *testing.T, norm, unit, at string) {
		if len(norm)+len(unit)+len(at) > 1<<10 {
			t.Skip()
		}
		r := httptest.NewRequest("GET", "/leyes/"+url.PathEscape(norm)+"/"+url.PathEscape(unit)+"?as_of="+url.QueryEscape(at), nil)
		r.Header.Set("Accept", "text/html")
		rec := httptest.NewRecorder()
		w.h.ServeHTTP(rec, r)
		if rec.Code >= http.StatusInternalServerError {
			t.Errorf("%d: %s", rec.Code, rec.Body)
		}
		if strings.Contains(at, "<") && strings.Contains(rec.Body.String(), "«"+at) {
			t.Errorf("%q comes back as it is", at)
		}
	})
}
