package server

import (
	"encoding/json"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"digesto/server/openapi"
	"digesto/server/wire"

	"github.com/google/jsonschema-go/jsonschema"
)

// TestQueriesAreAsDescribed sends to every operation of the description, parameter by
// parameter, what its schema does not take: each is refused before any handler is asked.
// What the schema takes passes.
func TestQueriesAreAsDescribed(t *testing.T) {
	s := fullServer(t)
	rec := httptest.NewRecorder()
	s.ServeHTTP(rec, httptest.NewRequest("GET", "/openapi.json", nil))
	var doc struct {
		Paths map[string]map[string]struct{ Parameters []openapi.Parameter }
	}
	if err := json.Unmarshal(rec.Body.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	tried := 0
	for path, ops := range doc.Paths {
		for method, op := range ops {
			pattern := strings.ToUpper(method) + " " + path
			a, ok := s.table.asked[pattern]
			if !ok {
				continue
			}
			required := url.Values{}
			for _, p := range op.Parameters {
				if p.In == "query" && p.Required {
					required.Set(p.Name, "2020-01-01")
				}
			}
			send := func(query string) {
				t.Helper()
				tried++
				rec := httptest.NewRecorder()
				s.ServeHTTP(rec, httptest.NewRequest(strings.ToUpper(method), pathValue.ReplaceAllString(path, "1")+"?"+query, nil))
				if rec.Code != 422 || rec.Header().Get("Content-Type") != "application/problem+json" || !strings.Contains(rec.Body.String(), `"hint"`) {
					t.Errorf("%s?%s: %d %s", pattern, query, rec.Code, rec.Body)
				}
			}
			with := func(name string, values ...string) string {
				q := url.Values{name: values}
				for k, v := range required {
					if k != name {
						q[k] = v
					}
				}
				return q.Encode()
			}
			send(with("nada", "1"))
			send("a=%zz&" + required.Encode())
			for _, p := range op.Parameters {
				if p.In != "query" || p.Schema.Items != nil || isOf(p.Schema, "array") {
					continue
				}
				send(with(p.Name, "1", "1"))
				if p.Required {
					send(strings.TrimSuffix(with(p.Name), "&"))
					send(with(p.Name, ""))
				}
				bad, good := wrongFor(p.Schema)
				for _, v := range bad {
					send(with(p.Name, v))
				}
				for _, v := range good {
					if err := a.Check(with(p.Name, v)); err != nil {
						t.Errorf("%s takes no %s=%q: %v", pattern, p.Name, v, err)
					}
				}
			}
		}
	}
	if tried < 60 {
		t.Errorf("only %d queries were tried", tried)
	}
}

func isOf(s *jsonschema.Schema, kind string) bool {
	return s.Type == kind || slices.Contains(s.Types, kind)
}

// wrongFor are values that a schema does not take, and some that it does.
func wrongFor(s *jsonschema.Schema) (bad, good []string) {
	switch {
	case isOf(s, "boolean"):
		return []string{"", "TRUE", "1", "yes", "null", "true "}, []string{"true", "false"}
	case isOf(s, "integer"):
		return []string{"", "x", "1.5", "1e3", "+7", "007", " 7", "-1", "0", "99999999999999999999", "null"}, []string{"1", "7", "100"}
	case s.Enum != nil:
		bad = []string{"nada", "null", " "}
		for _, v := range s.Enum {
			good = append(good, v.(string))
		}
	case s.Pattern != "":
		bad, good = []string{"ayer", "2020-1-1", "20200101", "2020-01-01 "}, []string{"2020-01-01"}
		if strings.HasSuffix(s.Pattern, ")?$") {
			good = append(good, "")
		}
	}
	return bad, good
}

// TestPagesTakeEmptyFields: a browser sends the fields of a form that nobody filled in.
func TestPagesTakeEmptyFields(t *testing.T) {
	for _, query := range []string{"days=&all=", "days=7&all=false"} {
		r := httptest.NewRequest("GET", "/analitica?"+query, nil)
		if all, err := fullServer(t).ofAll(r); all || err != nil {
			t.Errorf("%s: %v %v", query, all, err)
		}
		if days, err := wire.IntOf(r, "days", 30, 1, 3660); err != nil || days != map[string]int{"days=&all=": 30, "days=7&all=false": 7}[query] {
			t.Errorf("%s: %d %v", query, days, err)
		}
	}
}
