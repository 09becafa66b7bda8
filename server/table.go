package server

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"

	"digesto/server/openapi"
	"digesto/server/wire"
)

// table is a route table that remembers its patterns.
type table struct {
	*http.ServeMux
	patterns []string
	docs     map[string]*openapi.Doc
	asked    map[string]openapi.Query // by pattern, of those of the API
	refuse   func(http.ResponseWriter, *http.Request, error)
}

func newTable(refuse func(http.ResponseWriter, *http.Request, error)) *table {
	return &table{ServeMux: http.NewServeMux(), docs: map[string]*openapi.Doc{}, asked: map[string]openapi.Query{}, refuse: refuse}
}

func (t *table) HandleFunc(pattern string, h func(http.ResponseWriter, *http.Request)) {
	t.Handle(pattern, http.HandlerFunc(h))
}

func (t *table) Handle(pattern string, h http.Handler) {
	if ofAPI(pattern) {
		h = t.strict(pattern, h)
	}
	t.ServeMux.Handle(pattern, h)
	t.patterns = append(t.patterns, pattern)
}

// Routes gives the patterns of what the server answers, as net/http writes them.
func (s *Server) Routes() []string { return slices.Clone(s.table.patterns) }

// methods are those that the path of a request can be asked with.
func (t *table) methods(r *http.Request) (out []string) {
	for _, m := range []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPatch, http.MethodPut, http.MethodDelete} {
		probe := http.Request{Method: m, URL: r.URL, Host: r.Host}
		if _, pattern := t.Handler(&probe); pattern != "" && pattern != "/" {
			out = append(out, m)
		}
	}
	return out
}

// learn makes ready what each described operation of the API takes in its query. Those
// that answer in the form of others take whatever their clients send along.
func (t *table) learn() error {
	docs := apiDocs()
	for _, p := range t.patterns {
		doc := cmp.Or(t.docs[p], docs[p])
		if !ofAPI(p) || doc == nil || doc.Fault != nil {
			continue
		}
		q, err := openapi.QueryOf(doc.Query)
		if err != nil {
			return fmt.Errorf("server: query of %s: %w", p, err)
		}
		t.asked[p] = q
	}
	return nil
}

// ofAPI says whether a pattern is of an operation under /v1/.
func ofAPI(pattern string) bool {
	_, path, _ := strings.Cut(pattern, " ")
	return strings.HasPrefix(path, "/v1/")
}

// strict lets a handler see only requests whose query is as the description says.
func (t *table) strict(pattern string, h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if a, ok := t.asked[pattern]; ok {
			if err := a.Check(r.URL.RawQuery); err != nil {
				t.refuse(w, r, err)
				return
			}
		}
		h.ServeHTTP(w, r)
	})
}

// described are the operations that are for programs, with what is said of them.
func (t *table) described() (out []openapi.Route) {
	docs := apiDocs()
	for _, p := range t.patterns {
		if _, path, ok := strings.Cut(p, " "); forPrograms(path) || !ok && forPrograms(p) {
			out = append(out, openapi.Route{Pattern: p, Doc: cmp.Or(t.docs[p], docs[p])})
		}
	}
	return out
}

// forPrograms says whether a pattern is of the API; all others are pages.
func forPrograms(path string) bool {
	return strings.HasPrefix(path, "/v1/") || slices.Contains([]string{"/mcp", "/healthz", "/readyz", "/metrics", "/openapi.json"}, path)
}

// describe serves the description of what a table answers to programs.
func (s *Server) describe(mux *table) {
	described := sync.OnceValues(func() (*openapi.Document, error) {
		return openapi.Describe(mux.described(), openapi.Options{Version: s.opt.Version, Replies: s.opt.Replies, Examples: s.examples(), InPaths: s.given()})
	})
	made := sync.OnceValues(func() ([]byte, error) {
		doc, err := described()
		if err != nil {
			return nil, err
		}
		return json.MarshalIndent(doc, "", "  ")
	})
	mux.HandleFunc("GET /docs", func(w http.ResponseWriter, r *http.Request) {
		doc, err := described()
		if err != nil {
			s.fail(w, r, err)
			return
		}
		s.page(w, r, http.StatusOK, "api", "Para programas", doc.Page(wire.BaseOf(r)))
	})
	mux.HandleFunc("GET /openapi.json", func(w http.ResponseWriter, r *http.Request) {
		b, err := made()
		if err != nil {
			s.fail(w, r, err)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(b)
	})
}
