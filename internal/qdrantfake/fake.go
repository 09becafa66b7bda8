// Package qdrantfake is a fake of the parts of Qdrant's REST form that this program
// uses, in memory, for tests: written from its documentation, and held by a test to
// what a real server answered. It is no Qdrant: searches are exact, nothing is kept,
// and what the program never asks for, or fields it never sends, answer 501.
//
// Where the real server promises no order it shuffles, so that no test relies on one.
package qdrantfake

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
)

// Fake is a server. Its zero value is not usable; see New.
type Fake struct {
	// Key is the API key asked for, ReadOnly one that may not write; "" = none.
	Key, ReadOnly string
	// Before looks at every request first; a status other than 0 is the answer, without
	// a body when there is no text.
	Before func(r *http.Request) (status int, text string)

	mu          sync.Mutex
	collections map[string]*collection
	aliases     map[string]string
	mux         *http.ServeMux
}

// fault is an error of the interface.
type fault struct {
	status int
	text   string
}

func refuse(status int, format string, args ...any) *fault {
	return &fault{status, fmt.Sprintf(format, args...)}
}

// New makes an empty server.
func New() *Fake {
	f := &Fake{collections: map[string]*collection{}, aliases: map[string]string{}, mux: http.NewServeMux()}
	for pattern, h := range map[string]handler{
		"GET /collections":           f.list,
		"PUT /collections/{name}":    f.create,
		"DELETE /collections/{name}": f.drop,
		"POST /collections/aliases":  f.alias,
		"GET /aliases":               f.listAliases,

		"GET /collections/{name}":                     f.of((*collection).info),
		"PUT /collections/{name}/index":               f.of((*collection).index),
		"PUT /collections/{name}/points":              f.of((*collection).upsert),
		"POST /collections/{name}/points":             f.of((*collection).get),
		"POST /collections/{name}/points/query":       f.of((*collection).query),
		"POST /collections/{name}/points/query/batch": f.of((*collection).queryBatch),
		"POST /collections/{name}/points/scroll":      f.of((*collection).scroll),
		"POST /collections/{name}/points/count":       f.of((*collection).count),
	} {
		f.mux.HandleFunc(pattern, f.envelope(h))
	}
	return f
}

// handler answers a request with a result or a fault.
type handler func(r *http.Request, body []byte) (any, *fault)

// of finds the collection, by its name or alias, that a request is for.
func (f *Fake) of(h func(c *collection, body []byte) (any, *fault)) handler {
	return func(r *http.Request, body []byte) (any, *fault) {
		name := r.PathValue("name")
		if to, ok := f.aliases[name]; ok {
			name = to
		}
		c := f.collections[name]
		if c == nil {
			return nil, refuse(404, "Not found: Collection `%s` doesn't exist!", name)
		}
		return h(c, body)
	}
}

// bodyMax is what the server takes at most.
const bodyMax = 32 << 20

// envelope wraps answers as the server does.
func (f *Fake) envelope(h handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		var result any
		bad := refuse(400, "JSON payload (%d bytes) is larger than allowed (limit: %d bytes).", len(body), bodyMax)
		if len(body) <= bodyMax {
			f.mu.Lock()
			result, bad = h(r, body)
			f.mu.Unlock()
		}
		if bad != nil {
			answer(w, bad.status, nil, map[string]any{"error": bad.text})
			return
		}
		answer(w, 200, result, "ok")
	}
}

func answer(w http.ResponseWriter, code int, result, status any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(map[string]any{"result": result, "status": status, "time": 0.0})
}

// ServeHTTP implements [http.Handler].
func (f *Fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	key := r.Header.Get("api-key")
	if f.Key != "" && key != f.Key && (key != f.ReadOnly || key == "") {
		w.WriteHeader(401)
		_, _ = io.WriteString(w, "Invalid API key or JWT")
		return
	}
	if f.Key != "" && key == f.ReadOnly && (r.Method == "PUT" || r.Method == "DELETE" || strings.HasSuffix(r.URL.Path, "/aliases") && r.Method == "POST") {
		answer(w, 403, nil, map[string]any{"error": "Forbidden: Global manage access is required"})
		return
	}
	if f.Before != nil {
		if status, text := f.Before(r); status != 0 {
			if status == 429 {
				w.Header().Set("Retry-After", "1")
			}
			if text == "" {
				w.WriteHeader(status)
				return
			}
			answer(w, status, nil, map[string]any{"error": text})
			return
		}
	}
	if _, pattern := f.mux.Handler(r); pattern == "" {
		w.WriteHeader(404) // unknown path and wrong method alike, without a body
		return
	}
	f.mux.ServeHTTP(w, r)
}

// decode reads a body; a field that the program never sends is refused as unknown to the fake.
func decode(body []byte, v any) *fault {
	d := json.NewDecoder(bytes.NewReader(body))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		if strings.Contains(err.Error(), "unknown field") {
			return refuse(501, "the fake: %v", err)
		}
		return refuse(400, "Format error in JSON body: %v", err)
	}
	return nil
}

func (f *Fake) list(*http.Request, []byte) (any, *fault) {
	out := []any{}
	for n := range f.collections {
		out = append(out, map[string]any{"name": n})
	}
	rand.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return map[string]any{"collections": out}, nil
}

type denseConfig struct {
	Size     int    `json:"size"`
	Distance string `json:"distance"`
}

func (f *Fake) create(r *http.Request, body []byte) (any, *fault) {
	name := r.PathValue("name")
	var in struct {
		Vectors  map[string]denseConfig `json:"vectors"`
		Sparse   map[string]struct{}    `json:"sparse_vectors"`
		Shards   int                    `json:"shard_number"`
		Replicas int                    `json:"replication_factor"`
	}
	if bad := decode(body, &in); bad != nil {
		return nil, bad
	}
	for _, v := range in.Vectors {
		if v.Size < 1 || v.Size > 65536 || v.Distance != "Cosine" {
			return nil, refuse(501, "the fake does not know such vectors")
		}
	}
	if f.collections[name] != nil {
		return nil, refuse(409, "Wrong input: Collection `%s` already exists!", name)
	}
	if _, ok := f.aliases[name]; ok {
		return nil, refuse(400, "Wrong input: Can't create collection with name %s. Alias with the same name already exists", name)
	}
	c := &collection{dense: in.Vectors, sparse: map[string]map[uint32][]posting{}, at: map[string]int{}}
	for n := range in.Sparse {
		c.sparse[n] = map[uint32][]posting{}
	}
	f.collections[name] = c
	return true, nil
}

func (f *Fake) drop(r *http.Request, _ []byte) (any, *fault) {
	name := r.PathValue("name")
	_, there := f.collections[name] // by its alias nothing is deleted
	delete(f.collections, name)
	for a, to := range f.aliases {
		if to == name && there {
			delete(f.aliases, a)
		}
	}
	return there, nil
}

func (f *Fake) alias(_ *http.Request, body []byte) (any, *fault) {
	var in struct {
		Actions []struct {
			Create struct {
				Collection string `json:"collection_name"`
				Alias      string `json:"alias_name"`
			} `json:"create_alias"`
		} `json:"actions"`
	}
	if bad := decode(body, &in); bad != nil {
		return nil, bad
	}
	for _, a := range in.Actions { // what came before a failure stays
		switch {
		case f.collections[a.Create.Collection] == nil:
			return nil, refuse(404, "Not found: Collection `%s` doesn't exist!", a.Create.Collection)
		case f.collections[a.Create.Alias] != nil:
			return nil, refuse(409, "Wrong input: Collection `%s` already exists!", a.Create.Alias)
		}
		f.aliases[a.Create.Alias] = a.Create.Collection
	}
	return true, nil
}

func (f *Fake) listAliases(*http.Request, []byte) (any, *fault) {
	out := []any{}
	for a, to := range f.aliases {
		out = append(out, map[string]any{"alias_name": a, "collection_name": to})
	}
	rand.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return map[string]any{"aliases": out}, nil
}

// condition says whether a point passes.
type condition func(*point) bool

// filter is all of Must, one of Should, none of MustNot; or one condition.
type filter struct {
	Must    []filter `json:"must"`
	Should  []filter `json:"should"`
	MustNot []filter `json:"must_not"`
	Key     string   `json:"key"`
	Match   *struct {
		Value json.RawMessage   `json:"value"`
		Any   []json.RawMessage `json:"any"`
	} `json:"match"`
	Range *struct {
		LT, GT, LTE, GTE *float64
	} `json:"range"`
	HasID []pointID `json:"has_id"`
}

func (f *filter) condition() condition {
	if f == nil {
		return func(*point) bool { return true }
	}
	var and []condition
	for _, x := range f.Must {
		and = append(and, x.condition())
	}
	if len(f.Should) > 0 {
		var or []condition
		for _, x := range f.Should {
			or = append(or, x.condition())
		}
		and = append(and, func(p *point) bool { return slices.ContainsFunc(or, func(c condition) bool { return c(p) }) })
	}
	for _, x := range f.MustNot {
		c := x.condition()
		and = append(and, func(p *point) bool { return !c(p) })
	}
	if f.Match != nil {
		allowed := map[string]bool{string(f.Match.Value): f.Match.Value != nil}
		for _, v := range f.Match.Any {
			allowed[string(v)] = true
		}
		and = append(and, func(p *point) bool {
			return slices.ContainsFunc(p.values(f.Key), func(v string) bool { return allowed[v] })
		})
	}
	if r := f.Range; r != nil {
		and = append(and, func(p *point) bool {
			return slices.ContainsFunc(p.values(f.Key), func(v string) bool {
				var n float64
				return v[0] != '"' && json.Unmarshal([]byte(v), &n) == nil &&
					(r.LT == nil || n < *r.LT) && (r.GT == nil || n > *r.GT) && (r.LTE == nil || n <= *r.LTE) && (r.GTE == nil || n >= *r.GTE)
			})
		})
	}
	if f.HasID != nil {
		and = append(and, func(p *point) bool { return slices.Contains(f.HasID, p.ID) })
	}
	return func(p *point) bool { return !slices.ContainsFunc(and, func(c condition) bool { return !c(p) }) }
}
