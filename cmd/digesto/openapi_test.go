package main

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
)

// TestServedDescription holds what a bare program sends against the schemas of
// the description that it serves.
func TestServedDescription(t *testing.T) {
	base := startServer(t)
	get := func(path string) []byte {
		res, err := http.Get(base + path)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		data, _ := io.ReadAll(res.Body)
		if res.StatusCode != 200 {
			t.Fatalf("%s: %d %s", path, res.StatusCode, data)
		}
		return data
	}
	type media map[string]struct{ Schema jsonschema.Schema }
	var doc struct {
		Paths map[string]map[string]struct {
			Summary   string
			Responses map[string]struct{ Content media }
			Body      struct{ Content media } `json:"requestBody"`
		}
		Components struct{ Schemas map[string]*jsonschema.Schema }
	}
	if err := json.Unmarshal(get("/openapi.json"), &doc); err != nil {
		t.Fatal(err)
	}
	for path, ops := range doc.Paths {
		for method, op := range ops {
			if strings.HasPrefix(op.Summary, strings.ToUpper(method)+" ") {
				t.Errorf("%s %s is not described", method, path)
			}
		}
	}
	check := func(where string, m media, data []byte) {
		s := m["application/json"].Schema
		if name, ok := strings.CutPrefix(s.Ref, "#/components/schemas/"); ok {
			s = *doc.Components.Schemas[name]
		}
		r, err := s.Resolve(nil)
		if err != nil {
			t.Fatalf("%s: %v", where, err)
		}
		var v any
		if err := json.Unmarshal(data, &v); err != nil {
			t.Fatalf("%s: %v", where, err)
		}
		if err := r.Validate(v); err != nil {
			t.Errorf("%s: %v\n%.400s", where, err, data)
		}
	}
	var norms struct{ Norms []struct{ ID string } }
	if err := json.Unmarshal(get("/v1/norms"), &norms); err != nil || len(norms.Norms) == 0 {
		t.Fatal("no norms")
	}
	norm := "/v1/norms/" + norms.Norms[0].ID
	var toc struct{ Units []struct{ ID string } }
	if err := json.Unmarshal(get(norm), &toc); err != nil || len(toc.Units) == 0 {
		t.Fatal("no units")
	}
	unit := norm + "/" + toc.Units[0].ID
	for path, at := range map[string]string{
		"/v1/norms?limit=3": "/v1/norms", norm: "/v1/norms/{norm}", unit: "/v1/norms/{norm}/{unit}", unit + "/versions": "/v1/norms/{norm}/{unit}/versions",
		unit + "/relations": "/v1/norms/{norm}/{unit}/relations", norm + "/relations": "/v1/norms/{norm}/relations", unit + "/citation": "/v1/norms/{norm}/{unit}/citation",
		"/v1/packs": "/v1/packs", "/v1/models": "/v1/models", "/v1/models/digesto": "/v1/models/{model}", "/healthz": "/healthz", "/readyz": "/readyz",
		"/v1/jus/value?date=2025-12-15": "/v1/jus/value", "/v1/jus/compare?code=jus&from=2025-01-01&to=2025-12-15": "/v1/jus/compare", "/v1/laboral/cifras": "/v1/laboral/cifras",
	} {
		op, ok := doc.Paths[at]["get"]
		if !ok {
			t.Errorf("%s is not described", at)
			continue
		}
		check(path, op.Responses["200"].Content, get(path))
	}
	for path, body := range map[string]string{
		"/v1/ask":              `{"question":"` + holidays + `","pack":"laboral"}`,
		"/v1/search":           `{"text":"descanso","pack":"laboral","k":2}`,
		"/v1/verify":           `{"text":"El artículo 38 del Estatuto de los Trabajadores dice «algo»."}`,
		"/v1/chat/completions": `{"model":"digesto-laboral","messages":[{"role":"user","content":"` + holidays + `"}]}`,
		"/v1/jus/convert":      `{"jus":"30","date":"2025-12-15"}`,
		"/v1/jus/quote":        `{"items":["consulta_verbal=2"],"date":"2025-12-15"}`,
		"/v1/laboral/despido":  `{"desde":"2020-01-01","hasta":"2020-12-31","anual":"18250"}`,
	} {
		op, ok := doc.Paths[path]["post"]
		if !ok {
			t.Errorf("%s is not described", path)
			continue
		}
		check("body of "+path, op.Body.Content, []byte(body))
		check(path, op.Responses["200"].Content, []byte(post(t, base+path, "application/json", body)))
	}
}
