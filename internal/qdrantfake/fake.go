// Package qdrantfake is a fake of the parts of Qdrant's REST form that this program
// uses, in memory, for tests: written from its documentation, and held by a test to
// what a real server answered. It is no Qdrant: searches are exact, nothing is kept,
// and what the program never asks for answers 501.
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
	"time"
	"unicode/utf8"
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
	operations  int
	calls       map[string]int
	mux         *http.ServeMux
}

// collection is one of them.
type collection struct {
	name    string
	dense   map[string]denseConfig
	sparse  map[string]json.RawMessage
	config  map[string]json.RawMessage
	points  map[pointID]*point
	indexes map[string]json.RawMessage
	snaps   []string
}

type denseConfig struct {
	Size     int    `json:"size"`
	Distance string `json:"distance"`
}

// fault is an error of the interface.
type fault struct {
	status int
	text   string
}

func refuse(status int, format string, args ...any) *fault {
	return &fault{status, fmt.Sprintf(format, args...)}
}

func missing(name string) *fault {
	return refuse(404, "Not found: Collection `%s` doesn't exist!", name)
}

// New makes an empty server.
func New() *Fake {
	f := &Fake{collections: map[string]*collection{}, aliases: map[string]string{}, calls: map[string]int{}, mux: http.NewServeMux()}
	f.mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"title":"qdrant - vector search engine","version":"1.19.0","commit":"74f3e85b9473c62560006c043e13737ce6b48412"}`)
	})
	for path, text := range map[string]string{"/healthz": "healthz check passed", "/livez": "healthz check passed", "/readyz": "all shards are ready"} {
		f.mux.HandleFunc("GET "+path, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, text) })
	}
	for pattern, h := range map[string]handler{
		"GET /collections":                            f.list,
		"GET /collections/{name}":                     f.info,
		"GET /collections/{name}/exists":              f.exists,
		"PUT /collections/{name}":                     f.create,
		"DELETE /collections/{name}":                  f.drop,
		"PUT /collections/{name}/index":               f.index,
		"DELETE /collections/{name}/index/{field}":    f.unindex,
		"PUT /collections/{name}/points":              f.upsert,
		"POST /collections/{name}/points":             f.get,
		"GET /collections/{name}/points/{id}":         f.getOne,
		"POST /collections/{name}/points/query":       f.query,
		"POST /collections/{name}/points/query/batch": f.queryBatch,
		"POST /collections/{name}/points/scroll":      f.scroll,
		"POST /collections/{name}/points/count":       f.count,
		"POST /collections/{name}/points/delete":      f.remove,
		"POST /collections/aliases":                   f.alias,
		"GET /aliases":                                f.listAliases,
		"GET /collections/{name}/aliases":             f.listAliases,
		"POST /collections/{name}/snapshots":          f.snapshot,
		"GET /collections/{name}/snapshots":           f.snapshots,
	} {
		f.mux.HandleFunc(pattern, f.envelope(pattern, h))
	}
	return f
}

// handler answers a request with a result or a fault.
type handler func(r *http.Request, body []byte) (any, *fault)

// bodyMax is what the server takes at most.
const bodyMax = 32 << 20

// envelope wraps answers as the server does.
func (f *Fake) envelope(pattern string, h handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		began := time.Now()
		body, _ := io.ReadAll(r.Body)
		var result any
		var bad *fault
		if len(body) > bodyMax {
			bad = refuse(400, "JSON payload (%d bytes) is larger than allowed (limit: %d bytes).", len(body), bodyMax)
		} else {
			f.mu.Lock()
			f.calls[pattern]++
			result, bad = h(r, body)
			f.mu.Unlock()
		}
		if bad != nil {
			answer(w, bad.status, map[string]any{"status": map[string]any{"error": bad.text}, "time": 0.0})
			return
		}
		answer(w, 200, map[string]any{"result": result, "status": "ok", "time": time.Since(began).Seconds()})
	}
}

func answer(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}

// Calls is how often a route was asked for ("PUT /collections/{name}/points").
func (f *Fake) Calls(pattern string) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.calls[pattern]
}

// ServeHTTP implements [http.Handler].
func (f *Fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	open := r.Method == "GET" && slices.Contains([]string{"/", "/healthz", "/livez", "/readyz"}, r.URL.Path)
	key := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	if k := r.Header.Get("api-key"); k != "" {
		key = k
	}
	if f.Key != "" && !open && key != f.Key && (key != f.ReadOnly || key == "") {
		text := "Invalid API key or JWT"
		if key == "" {
			text = "Must provide an API key or an Authorization bearer token"
		}
		w.WriteHeader(401)
		_, _ = io.WriteString(w, text)
		return
	}
	if f.Key != "" && key == f.ReadOnly && (r.Method == "PUT" || r.Method == "DELETE" || strings.HasSuffix(r.URL.Path, "/aliases") && r.Method == "POST") {
		answer(w, 403, map[string]any{"status": map[string]any{"error": "Forbidden: Global manage access is required"}, "time": 0.0})
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
			answer(w, status, map[string]any{"status": map[string]any{"error": text}, "time": 0.0})
			return
		}
	}
	for _, p := range []string{"timeout"} {
		if v := r.URL.Query().Get(p); v == "0" || v != "" && strings.Trim(v, "0123456789") != "" {
			answer(w, 400, map[string]any{"status": map[string]any{"error": "Deserialize error in query parameters: invalid value"}, "time": 0.0})
			return
		}
	}
	if h, pattern := f.mux.Handler(r); pattern != "" && h != nil {
		f.mux.ServeHTTP(w, r)
		return
	}
	w.WriteHeader(404) // unknown path and wrong method alike, without a body
}

// at finds a collection by its name or alias.
func (f *Fake) at(name string) (*collection, *fault) {
	if to, ok := f.aliases[name]; ok {
		name = to
	}
	if c := f.collections[name]; c != nil {
		return c, nil
	}
	return nil, missing(name)
}

// decode reads a body into v, numbers as they are written.
func decode(body []byte, v any) *fault {
	if !utf8.Valid(body) {
		return refuse(400, "Format error in JSON body: invalid unicode code point")
	}
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	if err := d.Decode(v); err != nil {
		return refuse(400, "Format error in JSON body: %v", err)
	}
	return nil
}

// object refuses a body that is no object.
func object(body []byte) *fault {
	if b := bytes.TrimSpace(body); len(b) == 0 || b[0] != '{' {
		return refuse(400, "Format error in JSON body: expected struct")
	}
	return nil
}

func (f *Fake) list(*http.Request, []byte) (any, *fault) {
	type named struct {
		Name string `json:"name"`
	}
	out := []named{}
	for n := range f.collections {
		out = append(out, named{n})
	}
	rand.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return map[string]any{"collections": out}, nil
}

func (f *Fake) exists(r *http.Request, _ []byte) (any, *fault) {
	_, bad := f.at(r.PathValue("name"))
	return map[string]any{"exists": bad == nil}, nil
}

func (f *Fake) info(r *http.Request, _ []byte) (any, *fault) {
	c, bad := f.at(r.PathValue("name"))
	if bad != nil {
		return nil, bad
	}
	return map[string]any{"status": "green", "optimizer_status": "ok", "points_count": len(c.points), "config": map[string]any{"params": c.config}, "payload_schema": c.indexes}, nil
}

func (f *Fake) create(r *http.Request, body []byte) (any, *fault) {
	name := r.PathValue("name")
	if strings.ContainsAny(name, "/\\:*?\"<>|") || len(name) > 255 {
		return nil, refuse(422, "Validation error in path parameters: [collection_name: collection name cannot contain %q char]", "/")
	}
	var in struct {
		Vectors  map[string]denseConfig     `json:"vectors"`
		Sparse   map[string]json.RawMessage `json:"sparse_vectors"`
		Shards   *int                       `json:"shard_number"`
		Replicas *int                       `json:"replication_factor"`
	}
	if bad := decode(body, &in); bad != nil {
		return nil, bad
	}
	for n, v := range in.Vectors {
		switch {
		case v.Size < 1 || !slices.Contains([]string{"Cosine", "Dot", "Euclid", "Manhattan"}, v.Distance):
			return nil, refuse(400, "Format error in JSON body: data did not match any variant of untagged enum VectorsConfig")
		case v.Size > 65536:
			return nil, refuse(422, "Validation error in JSON body: [vectors.?.size: value %d invalid, must be from 1 to 65536]", v.Size)
		case in.Sparse[n] != nil:
			return nil, refuse(400, "Wrong input: Dense and sparse vector names must be unique - duplicate found with '%s'", n)
		}
	}
	if in.Shards != nil && *in.Shards < 1 || in.Replicas != nil && *in.Replicas < 1 {
		return nil, refuse(422, "Validation error in JSON body: [shard_number: value 0 invalid, must be 1 or larger]")
	}
	if f.collections[name] != nil {
		return nil, refuse(409, "Wrong input: Collection `%s` already exists!", name)
	}
	if _, ok := f.aliases[name]; ok {
		return nil, refuse(400, "Wrong input: Can't create collection with name %s. Alias with the same name already exists", name)
	}
	c := &collection{name: name, dense: in.Vectors, sparse: in.Sparse, points: map[pointID]*point{}, indexes: map[string]json.RawMessage{}}
	_ = json.Unmarshal(body, &c.config)
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

// done is the answer to a change.
func (f *Fake) done(r *http.Request) (any, *fault) {
	f.operations++
	status := "acknowledged"
	switch r.URL.Query().Get("wait") {
	case "true":
		status = "completed"
	case "", "false":
	default:
		return nil, refuse(400, "Deserialize error in query parameters: provided string was not `true` or `false`")
	}
	return map[string]any{"operation_id": f.operations, "status": status}, nil
}

func (f *Fake) index(r *http.Request, body []byte) (any, *fault) {
	var in struct {
		Name   string          `json:"field_name"`
		Schema json.RawMessage `json:"field_schema"`
	}
	if bad := decode(body, &in); bad != nil {
		return nil, bad
	}
	kinds := []string{`"keyword"`, `"integer"`, `"float"`, `"bool"`, `"datetime"`, `"text"`, `"geo"`, `"uuid"`}
	if len(in.Schema) > 0 && in.Schema[0] == '"' && !slices.Contains(kinds, string(in.Schema)) {
		return nil, refuse(400, "Format error in JSON body: data did not match any variant of untagged enum PayloadFieldSchema")
	}
	c, bad := f.at(r.PathValue("name"))
	if bad != nil {
		return nil, bad
	}
	c.indexes[in.Name] = in.Schema
	return f.done(r)
}

func (f *Fake) unindex(r *http.Request, _ []byte) (any, *fault) {
	c, bad := f.at(r.PathValue("name"))
	if bad != nil {
		return nil, bad
	}
	delete(c.indexes, r.PathValue("field"))
	return f.done(r)
}

func (f *Fake) alias(_ *http.Request, body []byte) (any, *fault) {
	var in struct {
		Actions []struct {
			Create *struct {
				Collection string `json:"collection_name"`
				Alias      string `json:"alias_name"`
			} `json:"create_alias"`
			Delete *struct {
				Alias string `json:"alias_name"`
			} `json:"delete_alias"`
			Rename *struct {
				Old string `json:"old_alias_name"`
				New string `json:"new_alias_name"`
			} `json:"rename_alias"`
		} `json:"actions"`
	}
	if bad := decode(body, &in); bad != nil {
		return nil, bad
	}
	for _, a := range in.Actions { // what came before a failure stays
		switch {
		case a.Create != nil && f.collections[a.Create.Collection] == nil:
			return nil, missing(a.Create.Collection)
		case a.Create != nil && f.collections[a.Create.Alias] != nil:
			return nil, refuse(409, "Wrong input: Collection `%s` already exists!", a.Create.Alias)
		case a.Create != nil:
			f.aliases[a.Create.Alias] = a.Create.Collection
		case a.Delete != nil:
			delete(f.aliases, a.Delete.Alias)
		case a.Rename != nil:
			to, ok := f.aliases[a.Rename.Old]
			if !ok {
				return nil, refuse(404, "Not found: Alias %s does not exists!", a.Rename.Old)
			}
			delete(f.aliases, a.Rename.Old)
			f.aliases[a.Rename.New] = to
		}
	}
	return true, nil
}

func (f *Fake) listAliases(r *http.Request, _ []byte) (any, *fault) {
	type row struct {
		Alias      string `json:"alias_name"`
		Collection string `json:"collection_name"`
	}
	out := []row{}
	for a, to := range f.aliases {
		if n := r.PathValue("name"); n == "" || n == to {
			out = append(out, row{a, to})
		}
	}
	return map[string]any{"aliases": out}, nil
}

func (f *Fake) snapshot(r *http.Request, _ []byte) (any, *fault) {
	c, bad := f.at(r.PathValue("name"))
	if bad != nil {
		return nil, bad
	}
	n := fmt.Sprintf("%s-%d.snapshot", c.name, len(c.snaps)+1)
	c.snaps = append(c.snaps, n)
	return map[string]any{"name": n, "size": len(c.points)}, nil
}

func (f *Fake) snapshots(r *http.Request, _ []byte) (any, *fault) {
	c, bad := f.at(r.PathValue("name"))
	if bad != nil {
		return nil, bad
	}
	out := []any{}
	for _, n := range c.snaps {
		out = append(out, map[string]any{"name": n})
	}
	return out, nil
}
