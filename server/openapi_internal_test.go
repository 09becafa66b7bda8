package server

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"digesto"
	"digesto/server/openapi"
	"digesto/store"

	"github.com/google/jsonschema-go/jsonschema"
)

var pathValue = regexp.MustCompile(`\{(\w+)\}`)

type mute struct{ Asker }

func (mute) Ask(context.Context, digesto.Question, func(digesto.Event)) (digesto.Answer, error) {
	return digesto.Answer{}, nil
}

// fullServer has every optional route; nothing behind them is called.
func fullServer(t *testing.T) *Server {
	t.Helper()
	s, err := New(Options{Engine: mute{}, Jobs: NewJobs(t.Context(), time.Now, nil), Store: struct{ store.Store }{}, MCP: http.NotFoundHandler(), Metrics: http.NotFoundHandler(), Traces: func(context.Context, string, bool, string) (any, error) { return nil, nil },
		Routes: []Route{{Pattern: "POST /v1/faro/luz", Handle: func(*http.Request) (any, error) { return nil, nil }, Doc: &openapi.Doc{Summary: "La luz", Reply: ""}}}})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func served(t *testing.T, s *Server) map[string]any {
	t.Helper()
	rec := httptest.NewRecorder()
	s.ServeHTTP(rec, httptest.NewRequest("GET", "/openapi.json", nil))
	var doc map[string]any
	if err := json.Unmarshal(rec.Body.Bytes(), &doc); rec.Code != 200 || err != nil {
		t.Fatalf("%d %v %s", rec.Code, err, rec.Body)
	}
	return doc
}

// TestEveryRouteIsDescribed compares the route table with the descriptions and
// with the document, each way.
func TestEveryRouteIsDescribed(t *testing.T) {
	s := fullServer(t)
	want, docs := map[string]bool{}, apiDocs()
	for _, p := range s.table.patterns {
		method, path, ok := strings.Cut(p, " ")
		if !ok {
			method, path = "POST", p
		}
		if !forPrograms(path) {
			continue
		}
		want[strings.ToLower(method)+" "+path] = true
		if docs[p] == nil && s.table.docs[p] == nil {
			t.Errorf("%s is not described", p)
		}
		delete(docs, p)
	}
	for p := range docs {
		t.Errorf("%s is described and not answered", p)
	}
	got := map[string]bool{}
	for path, ops := range served(t, s)["paths"].(map[string]any) {
		for method := range ops.(map[string]any) {
			got[method+" "+path] = true
		}
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("document\n%v\ntable\n%v", got, want)
	}
	if len(want) < 25 {
		t.Errorf("only %d routes", len(want))
	}
}

// TestOpenAPIForm looks at what OpenAPI 3.1 asks of every operation: an id of
// its own, each path parameter declared, references that lead somewhere,
// schemas that are schemas, errors described.
func TestOpenAPIForm(t *testing.T) {
	doc := served(t, fullServer(t))
	if doc["openapi"] != "3.1.0" || doc["info"].(map[string]any)["title"] == "" {
		t.Errorf("head: %v %v", doc["openapi"], doc["info"])
	}
	schemas := doc["components"].(map[string]any)["schemas"].(map[string]any)
	for name, v := range schemas {
		raw, _ := json.Marshal(v)
		var s jsonschema.Schema
		if err := json.Unmarshal(raw, &s); err != nil {
			t.Errorf("%s: %v", name, err)
		} else if _, err := s.Resolve(nil); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	ids := map[any]bool{}
	for path, ops := range doc["paths"].(map[string]any) {
		for method, v := range ops.(map[string]any) {
			op := v.(map[string]any)
			if ids[op["operationId"]] || op["summary"] == "" {
				t.Errorf("%s %s: %v %v", method, path, op["operationId"], op["summary"])
			}
			ids[op["operationId"]] = true
			raw, _ := json.Marshal(op)
			for _, m := range pathValue.FindAllStringSubmatch(path, -1) {
				if !strings.Contains(string(raw), `"in":"path","name":"`+m[1]+`"`) {
					t.Errorf("%s %s does not declare %s", method, path, m[1])
				}
			}
			bad := op["responses"].(map[string]any)["default"].(map[string]any)["content"].(map[string]any)
			if bad["application/problem+json"] == nil && bad["application/json"] == nil {
				t.Errorf("%s %s: errors %v", method, path, bad)
			}
		}
	}
	whole, _ := json.Marshal(doc)
	for part := range strings.SplitSeq(string(whole), `"$ref":"#/components/schemas/`) {
		if name, _, ok := strings.Cut(part, `"`); ok && !strings.HasPrefix(part, "{") && schemas[name] == nil {
			t.Errorf("reference to %s", name)
		}
	}
	ask := schemas["Question"].(map[string]any)
	if want := []any{map[string]any{"required": []any{"question"}}, map[string]any{"required": []any{"choice"}}}; !reflect.DeepEqual(ask["anyOf"], want) {
		t.Errorf("a question needs %v", ask["anyOf"])
	}
	if vote := schemas["FeedbackBody"].(map[string]any); !reflect.DeepEqual(vote["required"], []any{"rating"}) {
		t.Errorf("a vote needs %v", vote["required"])
	}
}

// TestDescriptionIsOfUse: every operation stands under a tag that there is, says which errors
// it can end with, and what is sent has an example that its own schema takes.
func TestDescriptionIsOfUse(t *testing.T) {
	s := fullServer(t)
	rec := httptest.NewRecorder()
	s.ServeHTTP(rec, httptest.NewRequest("GET", "/openapi.json", nil))
	var doc struct {
		Servers []openapi.Server
		Tags    []openapi.Tag
		Paths   map[string]map[string]struct {
			Tags      []string
			Body      *struct{ Content map[string]openapi.Media } `json:"requestBody"`
			Responses map[string]any
		}
		Components struct{ Schemas map[string]*jsonschema.Schema }
	}
	if err := json.Unmarshal(rec.Body.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	tags := map[string]bool{}
	for _, x := range doc.Tags {
		tags[x.Name] = true
	}
	if len(doc.Servers) != 1 || len(tags) == 0 {
		t.Errorf("servers %v, tags %v", doc.Servers, tags)
	}
	examples := 0
	for path, ops := range doc.Paths {
		for method, op := range ops {
			if len(op.Tags) != 1 || !tags[op.Tags[0]] || op.Responses["503"] == nil || strings.Contains(path, "{") && op.Responses["404"] == nil {
				t.Errorf("%s %s: tags %v, responses %d", method, path, op.Tags, len(op.Responses))
			}
			if op.Body == nil {
				continue
			}
			m := op.Body.Content["application/json"]
			if m.Example == nil {
				continue
			}
			examples++
			schema := m.Schema
			if name, ok := strings.CutPrefix(schema.Ref, "#/components/schemas/"); ok {
				schema = doc.Components.Schemas[name]
			}
			r, err := schema.Resolve(nil)
			if err != nil {
				t.Fatal(err)
			}
			if err := r.Validate(m.Example); err != nil {
				t.Errorf("the example of %s %s: %v", method, path, err)
			}
		}
	}
	if examples < 7 {
		t.Errorf("%d examples", examples)
	}
	page := httptest.NewRecorder()
	r := httptest.NewRequest("GET", "/docs", nil)
	r.Header.Set("Accept", "text/html")
	s.ServeHTTP(page, r)
	for _, part := range []string{"POST /v1/ask", "curl -s http://example.com/v1/ask", "/openapi.json", "Compatible con OpenAI"} {
		if !strings.Contains(page.Body.String(), part) {
			t.Errorf("the page of the API lacks %q", part)
		}
	}
}
