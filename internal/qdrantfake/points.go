package qdrantfake

import (
	"bytes"
	"cmp"
	"encoding/json"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
)

// collection is one of them.
type collection struct {
	dense  map[string]denseConfig
	sparse map[string]map[uint32][]posting // by name and index, in the order of points
	points []*point                        // nil = replaced
	at     map[string]int                  // by id
}

type posting struct {
	point int
	value float32
}

// pointID is a number or a UUID, as JSON writes it.
type pointID string

var (
	numbers = regexp.MustCompile(`^[0-9]+$`)
	hexes   = regexp.MustCompile(`^"[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}"$`)
)

// MarshalJSON implements [json.Marshaler].
func (p pointID) MarshalJSON() ([]byte, error) { return []byte(p), nil }

// UnmarshalJSON implements [json.Unmarshaler].
func (p *pointID) UnmarshalJSON(b []byte) error {
	if *p = pointID(strings.ToLower(string(b))); !numbers.Match(b) && !hexes.MatchString(string(*p)) {
		return errID(b)
	}
	return nil
}

type errID string

func (e errID) Error() string { return "value " + string(e) + " is not a valid point ID" }

// compareID puts numbers first.
func compareID(a, b pointID) int {
	if a[0] == '"' || b[0] == '"' {
		return cmp.Or(cmp.Compare(b[0], a[0]), cmp.Compare(a, b))
	}
	return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
}

// point is one stored.
type point struct {
	ID      pointID                    `json:"id"`
	Payload map[string]json.RawMessage `json:"payload"`
	Vector  map[string]json.RawMessage `json:"vector"`

	dense  map[string][]float32
	sparse map[string]sparseVector // until it is stored
	keys   map[string][]string     // payload: the values of a key, as they are written, once asked for
}

// values gives those of a key of the payload; of a list each.
func (p *point) values(key string) []string {
	list, ok := p.keys[key]
	if ok {
		return list
	}
	if raw := p.Payload[key]; len(raw) > 0 && raw[0] == '[' {
		var each []json.RawMessage
		_ = json.Unmarshal(raw, &each)
		for _, r := range each {
			list = append(list, string(r))
		}
	} else if len(raw) > 0 && string(raw) != "null" {
		list = []string{string(raw)}
	}
	p.keys[key] = list
	return list
}

type sparseVector struct {
	Indices []uint32  `json:"indices"`
	Values  []float32 `json:"values"`
}

func readSparse(raw json.RawMessage) (v sparseVector, bad *fault) {
	if bad := decode(raw, &v); bad != nil {
		return v, bad
	}
	if len(v.Indices) != len(v.Values) || len(slices.Compact(slices.Sorted(slices.Values(v.Indices)))) != len(v.Indices) {
		return v, refuse(422, "Validation error in JSON body: [indices: must be unique and as many as values]")
	}
	return v, nil
}

// normal is a vector of length 1; the zero vector stays.
func normal(v []float32) []float32 {
	var sum float64
	for _, f := range v {
		sum += float64(f) * float64(f)
	}
	if sum == 0 || math.Abs(sum-1) < 1e-6 {
		return v
	}
	out := make([]float32, len(v))
	for i, f := range v {
		out[i] = float32(float64(f) / math.Sqrt(sum))
	}
	return out
}

// done is the answer to a change that was waited for.
func done() (any, *fault) {
	return map[string]any{"operation_id": 0, "status": "completed"}, nil
}

func (c *collection) info([]byte) (any, *fault) {
	return map[string]any{"status": "green", "points_count": len(c.at)}, nil
}

func (c *collection) index(body []byte) (any, *fault) {
	var in struct {
		Name   string `json:"field_name"`
		Schema string `json:"field_schema"`
	}
	if bad := decode(body, &in); bad != nil {
		return nil, bad
	}
	if !slices.Contains([]string{"keyword", "integer", "float", "bool"}, in.Schema) {
		return nil, refuse(501, "the fake does not know this index")
	}
	return done()
}

func (c *collection) upsert(body []byte) (any, *fault) {
	var in struct {
		Points []*point `json:"points"`
	}
	if bad := decode(body, &in); bad != nil {
		return nil, bad
	}
	if len(in.Points) == 0 {
		return nil, refuse(400, "Bad request: Empty update request")
	}
	for _, p := range in.Points {
		if bad := c.read(p); bad != nil {
			return nil, bad
		}
	}
	for _, p := range in.Points {
		c.put(p)
	}
	return done()
}

// read checks a point before any is stored.
func (c *collection) read(p *point) *fault {
	if p.ID == "" || p.Vector == nil {
		return refuse(400, "Format error in JSON body: missing field")
	}
	p.dense, p.sparse, p.keys = map[string][]float32{}, map[string]sparseVector{}, map[string][]string{}
	for n, raw := range p.Vector {
		var v []float32
		var bad *fault
		if raw[0] == '{' {
			if p.sparse[n], bad = readSparse(raw); bad == nil && c.sparse[n] == nil {
				bad = c.notThere(n, true)
			}
		} else if bad = decode(raw, &v); bad == nil {
			p.dense[n], bad = c.vector(n, v)
		}
		if bad != nil {
			return bad
		}
	}
	return nil
}

func (c *collection) put(p *point) {
	if old, ok := c.at[string(p.ID)]; ok {
		c.points[old] = nil
	}
	at := len(c.points)
	c.at[string(p.ID)], c.points = at, append(c.points, p)
	for n, v := range p.sparse {
		for i, x := range v.Indices {
			c.sparse[n][x] = append(c.sparse[n][x], posting{at, v.Values[i]})
		}
	}
	p.sparse, p.Vector = nil, nil // kept in the other form
}

// notThere says what is wrong with a name of a vector that the collection does not have so.
func (c *collection) notThere(name string, sparse bool) *fault {
	if _, ok := c.dense[name]; ok && sparse || c.sparse[name] != nil && !sparse {
		return refuse(400, "Wrong input: Conversion between sparse and regular vectors failed")
	}
	return refuse(400, "Wrong input: Not existing vector name error: %s", name)
}

// vector makes a dense one as it is kept, and asked with.
func (c *collection) vector(name string, v []float32) ([]float32, *fault) {
	conf, ok := c.dense[name]
	if !ok {
		return nil, c.notThere(name, false)
	}
	if len(v) != conf.Size {
		return nil, refuse(400, "Wrong input: Vector dimension error: expected dim: %d, got %d", conf.Size, len(v))
	}
	return normal(v), nil
}

// shown is a point as answers have it. Sparse vectors are not given back.
func (p *point) shown(payload, vector json.RawMessage) map[string]any {
	out := map[string]any{"id": p.ID}
	var names []string
	switch {
	case string(payload) == "true":
		out["payload"] = p.Payload
	case json.Unmarshal(payload, &names) == nil:
		some := map[string]json.RawMessage{}
		for _, n := range names {
			if v, ok := p.Payload[n]; ok {
				some[n] = v
			}
		}
		out["payload"] = some
	}
	if names = nil; json.Unmarshal(vector, &names) == nil && names != nil {
		some := map[string][]float32{}
		for _, n := range names {
			if v, ok := p.dense[n]; ok {
				some[n] = v
			}
		}
		out["vector"] = some
	}
	return out
}

func (c *collection) get(body []byte) (any, *fault) {
	var in struct {
		IDs     []pointID       `json:"ids"`
		Payload json.RawMessage `json:"with_payload"`
	}
	if bad := decode(body, &in); bad != nil {
		return nil, bad
	}
	out := []any{}
	for i, id := range in.IDs {
		if at, ok := c.at[string(id)]; ok && !slices.Contains(in.IDs[:i], id) {
			out = append(out, c.points[at].shown(in.Payload, nil))
		}
	}
	return out, nil
}

func (c *collection) count(body []byte) (any, *fault) {
	var in struct {
		Exact  bool    `json:"exact"`
		Filter *filter `json:"filter"`
	}
	if bad := decode(body, &in); bad != nil {
		return nil, bad
	}
	return map[string]any{"count": len(c.passing(in.Filter))}, nil
}

// passing gives the points that pass, by id.
func (c *collection) passing(f *filter) (out []*point) {
	list := c.points
	if f != nil && len(f.Must) == 1 && f.Must[0].HasID != nil {
		list = nil
		for _, id := range f.Must[0].HasID {
			if at, ok := c.at[string(id)]; ok {
				list = append(list, c.points[at])
			}
		}
	}
	pass := f.condition()
	for _, p := range list {
		if p != nil && pass(p) {
			out = append(out, p)
		}
	}
	slices.SortFunc(out, func(a, b *point) int { return compareID(a.ID, b.ID) })
	return out
}

func (c *collection) scroll(body []byte) (any, *fault) {
	in := struct {
		Limit   int             `json:"limit"`
		Offset  pointID         `json:"offset"`
		Filter  *filter         `json:"filter"`
		Payload json.RawMessage `json:"with_payload"`
		Vector  json.RawMessage `json:"with_vector"`
	}{Limit: 10, Payload: json.RawMessage("true")}
	if bad := decode(body, &in); bad != nil {
		return nil, bad
	}
	if in.Limit < 1 {
		return nil, refuse(422, "Validation error in JSON body: [limit: value %d invalid, must be 1 or larger]", in.Limit)
	}
	out, next := []any{}, any(nil)
	for _, p := range c.passing(in.Filter) {
		if in.Offset != "" && compareID(p.ID, in.Offset) < 0 {
			continue
		}
		if len(out) == in.Limit {
			next = p.ID
			break
		}
		out = append(out, p.shown(in.Payload, in.Vector))
	}
	return map[string]any{"points": out, "next_page_offset": next}, nil
}

// search is a query.
type search struct {
	Query   json.RawMessage `json:"query"`
	Using   string          `json:"using"`
	Filter  *filter         `json:"filter"`
	Limit   int             `json:"limit"`
	Payload json.RawMessage `json:"with_payload"`
	Vector  json.RawMessage `json:"with_vector"`
}

func (c *collection) query(body []byte) (any, *fault) {
	in := search{Limit: 10}
	if bad := decode(body, &in); bad != nil {
		return nil, bad
	}
	return c.answer(in)
}

func (c *collection) queryBatch(body []byte) (any, *fault) {
	var in struct {
		Searches []json.RawMessage `json:"searches"`
	}
	if bad := decode(body, &in); bad != nil {
		return nil, bad
	}
	out := []any{}
	for _, s := range in.Searches {
		a, bad := c.query(s)
		if bad != nil {
			return nil, bad
		}
		out = append(out, a)
	}
	return out, nil
}

func (c *collection) answer(s search) (any, *fault) {
	out := []any{}
	show := func(p *point, score float32) {
		m := p.shown(s.Payload, s.Vector)
		m["version"], m["score"] = 0, score
		out = append(out, m)
	}
	if len(s.Query) == 0 || string(s.Query) == "null" { // by id
		all := c.passing(s.Filter)
		for _, p := range all[:min(len(all), s.Limit)] {
			show(p, 1)
		}
		return map[string]any{"points": out}, nil
	}
	if s.Limit < 1 {
		return nil, refuse(422, "Validation error in JSON body: [limit: value %d invalid, must be 1 or larger]", s.Limit)
	}
	scores, bad := c.scores(s)
	if bad != nil {
		return nil, bad
	}
	order := make([]int, 0, len(scores))
	for at := range scores {
		order = append(order, at) // ties come in any order
	}
	rand.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	pass := s.Filter.condition()
	for _, at := range order {
		if len(out) == s.Limit {
			break
		}
		if p := c.points[at]; p != nil && pass(p) {
			show(p, scores[at])
		}
	}
	return map[string]any{"points": out}, nil
}

// scores gives those of the points that a vector finds.
func (c *collection) scores(s search) (map[int]float32, *fault) {
	out := map[int]float32{}
	if bytes.HasPrefix(s.Query, []byte("{")) {
		q, bad := readSparse(s.Query)
		if bad == nil && c.sparse[s.Using] == nil {
			bad = c.notThere(s.Using, true)
		}
		if bad != nil {
			return nil, bad
		}
		for i, x := range q.Indices {
			if q.Values[i] == 0 {
				continue
			}
			for _, p := range c.sparse[s.Using][x] {
				out[p.point] += q.Values[i] * p.value
			}
		}
		return out, nil
	}
	var q []float32
	if bad := decode(s.Query, &q); bad != nil {
		return nil, bad
	}
	q, bad := c.vector(s.Using, q)
	for at, p := range c.points {
		if v := vectorOf(p, s.Using); bad == nil && v != nil {
			sum := float32(0)
			for i := range v {
				sum += v[i] * q[i]
			}
			out[at] = sum
		}
	}
	return out, bad
}

func vectorOf(p *point, name string) []float32 {
	if p == nil {
		return nil
	}
	return p.dense[name]
}
