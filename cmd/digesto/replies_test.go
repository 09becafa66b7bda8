package main

import (
	"bufio"
	"encoding/json"
	"io"
	"mime"
	"net/http"
	"os"
	"strings"
	"testing"

	"digesto/server/openapi"

	"github.com/google/jsonschema-go/jsonschema"
)

// apiCall is a request to an operation of the API.
type apiCall struct{ path, body, accept string }

const (
	events = "text/event-stream"
	hello  = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"ejemplo","version":"1"}}}`
)

// callsOf has every operation answer in each of its media; in this order, for some need what others make.
func callsOf(norm, unit, id string) []struct {
	op    string
	calls []apiCall
} {
	ask := `{"question":"` + holidays + `","pack":"laboral"}`
	chat := `"model":"digesto-laboral","messages":[{"role":"user","content":"` + holidays + `"}]`
	article, talk := "/v1/norms/"+norm+"/"+unit, "/v1/conversations/"+id
	type ops = []struct {
		op    string
		calls []apiCall
	}
	return ops{
		{"get /healthz", []apiCall{{path: "/healthz"}}}, {"get /readyz", []apiCall{{path: "/readyz"}}}, {"get /metrics", []apiCall{{path: "/metrics"}, {"/metrics", "", "application/openmetrics-text"}}},
		{"get /openapi.json", []apiCall{{path: "/openapi.json"}, {"/openapi.json", "", "text/html"}}}, {"get /v1/contract", []apiCall{{path: "/v1/contract"}}},
		{"post /v1/ask", []apiCall{{"/v1/ask", ask, ""}, {"/v1/ask", ask, events}, {"/v1/ask", ask, "text/html"}}},
		{"post /v1/search", []apiCall{{"/v1/search", `{"text":"vacaciones","pack":"laboral","k":2}`, ""}}},
		{"post /v1/verify", []apiCall{{"/v1/verify", `{"text":"El artículo 38 del Estatuto de los Trabajadores dice «algo»."}`, ""}}},
		{"get /v1/packs", []apiCall{{path: "/v1/packs"}}}, {"get /v1/norms", []apiCall{{path: "/v1/norms?limit=1"}}}, {"get /v1/norms/{norm}", []apiCall{{path: "/v1/norms/" + norm}}},
		{"get /v1/norms/{norm}/{unit}", []apiCall{{path: article}}}, {"get /v1/norms/{norm}/{unit}/versions", []apiCall{{path: article + "/versions"}}},
		{"get /v1/norms/{norm}/{unit}/diff", []apiCall{{path: article + "/diff?from=2026-01-01"}}}, {"get /v1/norms/{norm}/{unit}/relations", []apiCall{{path: article + "/relations"}}},
		{"get /v1/norms/{norm}/{unit}/citation", []apiCall{{path: article + "/citation?form=apa"}}}, {"get /v1/norms/{norm}/relations", []apiCall{{path: "/v1/norms/" + norm + "/relations"}}},
		{"post /v1/chat/completions", []apiCall{{"/v1/chat/completions", "{" + chat + "}", ""}, {"/v1/chat/completions", `{"stream":true,` + chat + "}", ""}}},
		{"post /v1/responses", []apiCall{{"/v1/responses", `{"model":"digesto-laboral","input":"` + holidays + `"}`, ""}}},
		{"get /v1/models", []apiCall{{path: "/v1/models"}}}, {"get /v1/models/{model}", []apiCall{{path: "/v1/models/digesto"}}},
		{"post /mcp", []apiCall{{"/mcp", hello, "application/json, text/event-stream"}}},
		{"get /v1/conversations", []apiCall{{path: "/v1/conversations?limit=1"}}}, {"get /v1/conversations/{id}", []apiCall{{path: talk}}},
		{"patch /v1/conversations/{id}", []apiCall{{talk, `{"title":"Mis vacaciones"}`, ""}}}, {"get /v1/conversations/{id}/messages", []apiCall{{path: talk + "/messages"}}},
		{"post /v1/conversations/{id}/messages/{seq}/feedback", []apiCall{{talk + "/messages/2/feedback", `{"rating":1,"comment":"Lo comprobé"}`, ""}}},
		{"get /v1/conversations/{id}/export", []apiCall{{path: talk + "/export"}, {path: talk + "/export?format=json"}, {path: talk + "/export?format=md"}, {path: talk + "/export?format=html"}}},
		{"get /v1/traces/{id}", []apiCall{{path: "/v1/traces/{trace}"}}}, {"get /v1/analytics", []apiCall{{path: "/v1/analytics?days=9&all=true"}}}, {"get /v1/records", []apiCall{{path: "/v1/records"}}},
		{"delete /v1/conversations/{id}", []apiCall{{path: talk}}}, {"post /v1/conversations/{id}/restore", []apiCall{{path: talk + "/restore"}}}, {"delete /v1/conversations/{id}/messages/{seq}", []apiCall{{path: talk + "/messages/2"}}},
		{"get /v1/jus/value", []apiCall{{path: "/v1/jus/value?date=2025-12-15"}}}, {"get /v1/jus/compare", []apiCall{{path: "/v1/jus/compare?code=jus&from=2025-01-01&to=2025-12-15"}}},
		{"post /v1/jus/convert", []apiCall{{"/v1/jus/convert", `{"jus":"30","date":"2025-12-15"}`, ""}}}, {"post /v1/jus/quote", []apiCall{{"/v1/jus/quote", `{"items":["consulta_verbal=2"],"date":"2025-12-15"}`, ""}}},
		{"get /v1/laboral/cifras", []apiCall{{path: "/v1/laboral/cifras?nombre=smi&year=2025"}, {path: "/v1/laboral/cifras"}}},
		{"post /v1/laboral/cifras", []apiCall{{"/v1/laboral/cifras", `{"nombre":"smi","year":"2025"}`, ""}}},
		{"post /v1/laboral/despido", []apiCall{{"/v1/laboral/despido", `{"desde":"2020-01-01","hasta":"2020-12-31","anual":"18250"}`, ""}}},
		{"post /v1/laboral/finiquito", []apiCall{{"/v1/laboral/finiquito", `{"desde":"2020-01-01","hasta":"2024-06-30","salario":"1800","pagas":"14","tipo":"baja","disfrutadas":"10"}`, ""}}},
		{"post /v1/laboral/plazo", []apiCall{{"/v1/laboral/plazo", `{"tipo":"despido","desde":"2026-11-03"}`, ""}}},
		{"post /v1/laboral/vacaciones", []apiCall{{"/v1/laboral/vacaciones", `{"desde":"2026-01-01","hasta":"2026-06-30"}`, ""}}},
		{"post /v1/laboral/paro", []apiCall{{"/v1/laboral/paro", `{"cotizados":"800"}`, ""}}},
		{"post /v1/corpus/job", []apiCall{{"/v1/corpus/job", `{"do":"install","pack":"laboral"}`, ""}}}, {"get /v1/corpus/job", []apiCall{{path: "/v1/corpus/job"}}}, {"delete /v1/corpus/job", []apiCall{{path: "/v1/corpus/job"}}},
		{"get /v1/corpus/job", []apiCall{{"/v1/corpus/job", "", events}}},
	}
}

type servedMedia struct {
	Schema  *jsonschema.Schema
	Example any
}

// servedDoc is the description as it is served.
type servedDoc struct {
	Paths map[string]map[string]struct {
		ID        string `json:"operationId"`
		Body      any    `json:"requestBody"`
		Responses map[string]struct{ Content map[string]servedMedia }
	}
	Components struct{ Schemas map[string]*jsonschema.Schema }
}

// fits says what is wrong with a value by a schema of the description.
func (d *servedDoc) fits(t *testing.T, s *jsonschema.Schema, v any) error {
	t.Helper()
	if name, ok := strings.CutPrefix(s.Ref, "#/components/schemas/"); ok {
		s = d.Components.Schemas[name]
	}
	r, err := s.CloneSchemas().Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	return r.Validate(v)
}

// TestEveryReplyHasAnExample walks the operations of the description. Each answers in the
// media that are described for its status and by their schemas; each response, the errors
// too, has an example that its schema takes and whose fields the server really sends.
//
//	go test ./cmd/digesto -run TestEveryReplyHasAnExample -update    writes the examples anew
func TestEveryReplyHasAnExample(t *testing.T) {
	base := serveTexts(t, newSlowOpenData(t), t.TempDir()) // whose texts do not come: a job goes on until it is stopped
	var doc servedDoc
	if err := json.Unmarshal([]byte(get(t, base+"/openapi.json")), &doc); err != nil {
		t.Fatal(err)
	}
	var norms struct {
		Norms []struct{ ID string }
	}
	var toc struct{ Units []struct{ ID string } }
	if err := json.Unmarshal([]byte(get(t, base+"/v1/norms?limit=1&pack=clara")), &norms); err != nil || len(norms.Norms) == 0 {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(get(t, base+"/v1/norms/"+norms.Norms[0].ID)), &toc); err != nil || len(toc.Units) == 0 {
		t.Fatal(err)
	}
	var first struct {
		Meta struct {
			SessionID string `json:"session_id"`
			TraceID   string `json:"trace_id"`
		}
	}
	if err := json.Unmarshal([]byte(putTo(t, base, `{"question":"`+holidays+`","pack":"laboral"}`)), &first); err != nil {
		t.Fatal(err)
	}
	seen, made := map[string]bool{}, openapi.Replies{}
	for _, x := range callsOf(norms.Norms[0].ID, toc.Units[0].ID, first.Meta.SessionID) {
		method, path, _ := strings.Cut(x.op, " ")
		op, ok := doc.Paths[path][method]
		if !ok {
			t.Errorf("%s is not described", x.op)
			continue
		}
		for _, c := range x.calls {
			c.path = strings.ReplaceAll(c.path, "{trace}", first.Meta.TraceID)
			status, media, data := send(t, base, method, c)
			if status == "204" {
				if _, ok := op.Responses["204"]; !ok || len(data) > 0 {
					t.Errorf("%s: 204 is not described", x.op)
				}
				continue
			}
			m, ok := op.Responses["200"].Content[media]
			if status != "200" && status != "202" || !ok {
				t.Errorf("%s %s: %s %s is not described: %.300s", method, c.path, status, media, data)
				continue
			}
			v := valueIn(t, media, strings.ReplaceAll(data, base, "http://localhost:8080"))
			if err := doc.fits(t, m.Schema, v); err != nil {
				t.Errorf("%s %s: %v\n%.400s", method, c.path, err, data)
			}
			if !seen[x.op+media] {
				seen[x.op+media] = true
				if made[op.ID] == nil {
					made[op.ID] = map[string]any{}
				}
				made[op.ID][media] = shorter(v)
				held(t, x.op+" "+media, m.Example, v)
			}
		}
	}
	if *updateGolden {
		out, _ := json.MarshalIndent(made, "", " ")
		if err := os.WriteFile("replies.json", append(out, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if docs := get(t, base+"/docs"); strings.Count(docs, "Lo que contesta, por ejemplo") < 30 || !strings.Contains(docs, "&#34;meta&#34;") {
		t.Error("the page of the API shows no answers")
	}
	for path, ops := range doc.Paths {
		for method, op := range ops {
			for status, body := range op.Responses {
				for media, m := range body.Content {
					name := method + " " + path + " " + status + " " + media
					if m.Example == nil {
						t.Errorf("%s has no example", name)
					} else if err := doc.fits(t, m.Schema, m.Example); err != nil {
						t.Errorf("the example of %s: %v", name, err)
					}
					if status == "200" && !seen[method+" "+path+media] {
						t.Errorf("%s was not answered", name)
					}
				}
			}
			// What is wrong with a request is told in the form that is described.
			bad := apiCall{path: braces.ReplaceAllString(path, "nada") + "?nada=1"}
			if op.Body != nil {
				bad.body = "{"
			}
			status, media, data := send(t, base, method, bad)
			if status < "400" { // it takes no parameters, and minds none
				continue
			}
			body, ok := op.Responses[status]
			if !ok {
				body = op.Responses["default"]
			}
			m, ok := body.Content[media]
			if !ok {
				t.Errorf("%s %s: %s %s is not described: %.200s", method, bad.path, status, media, data)
				continue
			}
			v := valueIn(t, media, data)
			if err := doc.fits(t, m.Schema, v); err != nil {
				t.Errorf("%s %s: %v\n%.300s", method, bad.path, err, data)
			}
			held(t, method+" "+path+" "+status, m.Example, v)
		}
	}
}

// send makes a request and gives what came of it, its media without parameters.
func send(t *testing.T, base, method string, c apiCall) (status, media, data string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), strings.ToUpper(method), base+c.path, strings.NewReader(c.body))
	if err != nil {
		t.Fatal(err)
	}
	if c.body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	if c.accept != "" {
		req.Header.Set("Accept", c.accept)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	b, _ := io.ReadAll(res.Body)
	media, _, _ = mime.ParseMediaType(res.Header.Get("Content-Type"))
	return res.Status[:3], media, string(b)
}

// valueIn is a body as the value that its schema speaks of: of a stream its first event, of text the text.
func valueIn(t *testing.T, media, data string) (v any) {
	t.Helper()
	switch {
	case strings.HasSuffix(media, "json"):
		if err := json.Unmarshal([]byte(data), &v); err != nil {
			t.Fatalf("%v: %.200s", err, data)
		}
		return v
	case media == events:
		e := map[string]any{}
		for lines := bufio.NewScanner(strings.NewReader(data)); lines.Scan() && (lines.Text() != "" || len(e) == 0); {
			if name, value, ok := strings.Cut(lines.Text(), ": "); ok && name != "" {
				e[name] = value
			}
		}
		return e
	}
	return data
}

// shorter is an answer short enough for an example: of lists the first, of long texts the beginning.
func shorter(v any) any {
	switch v := v.(type) {
	case []any:
		if len(v) > 1 {
			v = v[:1]
		}
		for i := range v {
			v[i] = shorter(v[i])
		}
		return v
	case map[string]any:
		out := map[string]any{}
		for k, x := range v {
			if out[k] = shorter(x); k == "paths" || k == "components" || k == "$defs" { // of a description: it describes itself at length
				out[k] = map[string]any{}
			}
		}
		return out
	case string:
		if r := []rune(v); len(r) > 400 {
			return string(r[:400]) + "…"
		}
	}
	return v
}

// held says which fields an example names that an answer does not have, and which it lacks.
func held(t *testing.T, name string, example, answer any) {
	t.Helper()
	if *updateGolden {
		return
	}
	e, isObject := example.(map[string]any)
	a, _ := answer.(map[string]any)
	for k := range a {
		if _, ok := e[k]; !ok {
			t.Errorf("the example of %s lacks %q", name, k)
		}
	}
	if isObject {
		real := fieldsIn(answer, "", map[string]bool{})
		for f := range fieldsIn(example, "", map[string]bool{}) {
			if !real[f] {
				t.Errorf("the example of %s has %q, which is not answered", name, f)
			}
		}
	}
}

// fieldsIn are the paths of the fields within a value; elements of a list are one.
func fieldsIn(v any, at string, out map[string]bool) map[string]bool {
	switch v := v.(type) {
	case []any:
		for _, x := range v {
			fieldsIn(x, at+"[]", out)
		}
	case map[string]any:
		for k, x := range v {
			out[at+"."+k] = true
			fieldsIn(x, at+"."+k, out)
		}
	}
	return out
}
