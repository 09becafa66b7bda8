package qdrantfake

import (
	"cmp"
	"encoding/json"
	"maps"
	"math"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// pointID is a number or a UUID; numbers come first.
type pointID struct {
	number uint64
	uuid   string
}

func (p pointID) MarshalJSON() ([]byte, error) {
	if p.uuid != "" {
		return json.Marshal(p.uuid)
	}
	return strconv.AppendUint(nil, p.number, 10), nil
}

func compareID(a, b pointID) int {
	return cmp.Or(cmp.Compare(a.uuid, b.uuid), cmp.Compare(a.number, b.number))
}

var hexes = regexp.MustCompile(`^[0-9a-f]{32}$`)

func (p *pointID) UnmarshalJSON(b []byte) error {
	if n, err := strconv.ParseUint(string(b), 10, 64); err == nil {
		p.number = n
		return nil
	}
	var s string
	if json.Unmarshal(b, &s) == nil {
		h := strings.ReplaceAll(strings.TrimPrefix(strings.ToLower(s), "urn:uuid:"), "-", "")
		if hexes.MatchString(h) {
			p.uuid = h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
			return nil
		}
	}
	return errID(strings.Trim(string(b), `"`))
}

type errID string

func (e errID) Error() string {
	return "value " + string(e) + " is not a valid point ID, valid values are either an unsigned integer or a UUID"
}

// point is one stored.
type point struct {
	id      pointID
	payload map[string]any
	dense   map[string][]float32
	sparse  map[string]sparseVector
	version int
}

// sparseVector is sorted by index.
type sparseVector struct {
	Indices []uint32  `json:"indices"`
	Values  []float32 `json:"values"`
}

// readSparse checks one; where names its place for the error.
func readSparse(raw json.RawMessage) (v sparseVector, bad *fault) {
	if json.Unmarshal(raw, &v) != nil {
		return v, refuse(400, "Format error in JSON body: data did not match any variant of untagged enum VectorStruct")
	}
	if len(v.Indices) != len(v.Values) {
		return v, refuse(422, "Validation error in JSON body: [values: Validation error: must be the same length as indices [{}]]")
	}
	order := make([]int, len(v.Indices))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(v.Indices[a], v.Indices[b]) })
	out := sparseVector{make([]uint32, len(order)), make([]float32, len(order))}
	for i, at := range order {
		out.Indices[i], out.Values[i] = v.Indices[at], v.Values[at]
		if i > 0 && out.Indices[i] == out.Indices[i-1] {
			return v, refuse(422, "Validation error in JSON body: [indices: Validation error: must be unique [{}]]")
		}
	}
	return out, nil
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

func (f *Fake) upsert(r *http.Request, body []byte) (any, *fault) {
	var in struct {
		Points []struct {
			ID      *pointID        `json:"id"`
			Vector  json.RawMessage `json:"vector"`
			Payload json.RawMessage `json:"payload"`
		} `json:"points"`
		Batch json.RawMessage `json:"batch"`
		Mode  json.RawMessage `json:"update_mode"`
		When  json.RawMessage `json:"update_filter"`
	}
	if bad := decode(body, &in); bad != nil {
		return nil, bad
	}
	if in.Batch != nil || in.Mode != nil || in.When != nil {
		return nil, refuse(501, "the fake does not know this form")
	}
	c, bad := f.at(r.PathValue("name"))
	if bad != nil {
		return nil, bad
	}
	if w := r.URL.Query().Get("wait"); w != "" && w != "true" && w != "false" {
		return f.done(r)
	}
	if len(in.Points) == 0 {
		return nil, refuse(400, "Bad request: Empty update request")
	}
	read := make([]*point, len(in.Points))
	for i, p := range in.Points {
		if p.Vector == nil {
			return nil, refuse(400, "Format error in JSON body: missing field `vector`")
		}
		if p.ID == nil {
			return nil, refuse(400, "Format error in JSON body: value Unit is not a valid point ID, valid values are either an unsigned integer or a UUID")
		}
		if read[i], bad = c.read(*p.ID, p.Vector, p.Payload); bad != nil {
			return nil, bad
		}
	}
	for _, p := range read { // an unknown name is found while storing: what came before stays
		for n := range p.dense {
			if _, ok := c.dense[n]; !ok {
				if r.URL.Query().Get("wait") != "true" {
					return f.done(r)
				}
				return nil, refuse(400, "Wrong input: Not existing vector name error: %s", n)
			}
		}
		for n := range p.sparse {
			if _, ok := c.sparse[n]; !ok {
				return nil, refuse(400, "Wrong input: Not existing vector name error: %s", n)
			}
		}
		p.version = f.operations + 1
		c.points[p.id] = p
	}
	return f.done(r)
}

// read checks a point as far as the server does before it stores anything.
func (c *collection) read(id pointID, vector, payload json.RawMessage) (*point, *fault) {
	p := &point{id: id, payload: map[string]any{}, dense: map[string][]float32{}, sparse: map[string]sparseVector{}}
	if len(payload) > 0 {
		if bad := decode(payload, &p.payload); bad != nil {
			return nil, bad
		}
		if p.payload == nil {
			p.payload = map[string]any{}
		}
	}
	var named map[string]json.RawMessage
	if vector[0] == '[' {
		named = map[string]json.RawMessage{"": vector}
	} else if bad := decode(vector, &named); bad != nil {
		return nil, bad
	}
	for n, raw := range named {
		_, isSparse := c.sparse[n]
		_, isDense := c.dense[n]
		if raw[0] == '{' {
			v, bad := readSparse(raw)
			if bad != nil {
				return nil, bad
			}
			if isDense {
				return nil, refuse(400, "Wrong input: Conversion between sparse and regular vectors failed")
			}
			p.sparse[n] = v
			continue
		}
		var v []*float32
		if err := json.Unmarshal(raw, &v); err != nil && !strings.Contains(err.Error(), "cannot unmarshal number") || slices.Contains(v, nil) {
			return nil, refuse(400, "Format error in JSON body: data did not match any variant of untagged enum VectorStruct")
		}
		if isSparse {
			return nil, refuse(400, "Wrong input: Conversion between sparse and regular vectors failed")
		}
		flat := make([]float32, len(v))
		for i := range v {
			flat[i] = *v[i]
		}
		if isDense && len(v) != c.dense[n].Size {
			return nil, refuse(400, "Wrong input: Vector dimension error: expected dim: %d, got %d for vector '%s'", c.dense[n].Size, len(v), n)
		}
		if isDense && c.dense[n].Distance == "Cosine" {
			flat = normal(flat)
		}
		p.dense[n] = flat
	}
	return p, nil
}

// ids gives the points in order.
func (c *collection) ids() []pointID { return slices.SortedFunc(maps.Keys(c.points), compareID) }

// shown is a point as answers have it.
func (p *point) shown(payload, vector any) (map[string]any, *fault) {
	out := map[string]any{"id": p.id}
	switch w := payload.(type) {
	case bool:
		if w {
			out["payload"] = p.payload
		}
	case []any:
		some := map[string]any{}
		for _, k := range w {
			name, _ := k.(string)
			if v, ok := p.payload[name]; ok {
				some[name] = v
			}
		}
		out["payload"] = some
	case nil:
	default:
		return nil, refuse(501, "the fake does not know this with_payload")
	}
	all := map[string]any{}
	for n, v := range p.dense {
		all[n] = v
	}
	for n, v := range p.sparse {
		all[n] = v
	}
	switch w := vector.(type) {
	case bool:
		if w {
			out["vector"] = all
		}
	case []any:
		maps.DeleteFunc(all, func(n string, _ any) bool { return !slices.Contains(w, any(n)) })
		out["vector"] = all
	}
	return out, nil
}

func (f *Fake) get(r *http.Request, body []byte) (any, *fault) {
	var in struct {
		IDs     *[]pointID `json:"ids"`
		Payload any        `json:"with_payload"`
		Vector  any        `json:"with_vector"`
	}
	if bad := decode(body, &in); bad != nil {
		return nil, bad
	}
	if in.IDs == nil {
		return nil, refuse(400, "Format error in JSON body: missing field `ids`")
	}
	c, bad := f.at(r.PathValue("name"))
	if bad != nil {
		return nil, bad
	}
	out := []any{}
	seen := map[pointID]bool{}
	for _, id := range *in.IDs {
		if p := c.points[id]; p != nil && !seen[id] {
			seen[id] = true
			s, bad := p.shown(in.Payload, in.Vector)
			if bad != nil {
				return nil, bad
			}
			out = append(out, s)
		}
	}
	return out, nil
}

func (f *Fake) getOne(r *http.Request, _ []byte) (any, *fault) {
	c, bad := f.at(r.PathValue("name"))
	if bad != nil {
		return nil, bad
	}
	var id pointID
	raw := r.PathValue("id")
	if _, err := strconv.ParseUint(raw, 10, 64); err != nil {
		raw = strconv.Quote(raw)
	}
	if id.UnmarshalJSON([]byte(raw)) != nil {
		return nil, refuse(400, "Wrong input: Can not recognize \"%s\" as point id", r.PathValue("id"))
	}
	p := c.points[id]
	if p == nil {
		return nil, refuse(404, "Not found: Point with id %s does not exists!", r.PathValue("id"))
	}
	return p.shown(true, true)
}

func (f *Fake) remove(r *http.Request, body []byte) (any, *fault) {
	var in struct {
		Points []pointID       `json:"points"`
		Filter json.RawMessage `json:"filter"`
	}
	if bad := decode(body, &in); bad != nil {
		return nil, bad
	}
	c, bad := f.at(r.PathValue("name"))
	if bad != nil {
		return nil, bad
	}
	if in.Points == nil && in.Filter == nil {
		return nil, refuse(400, "Format error in JSON body: data did not match any variant of untagged enum PointsSelector")
	}
	pass, bad := readFilter(in.Filter)
	if bad != nil {
		return nil, bad
	}
	for id, p := range c.points {
		if slices.Contains(in.Points, id) || in.Filter != nil && pass(p) {
			delete(c.points, id)
		}
	}
	return f.done(r)
}

func (f *Fake) count(r *http.Request, body []byte) (any, *fault) {
	var in struct {
		Filter json.RawMessage `json:"filter"`
	}
	if bad := decode(body, &in); bad != nil {
		return nil, bad
	}
	c, bad := f.at(r.PathValue("name"))
	if bad != nil {
		return nil, bad
	}
	pass, bad := readFilter(in.Filter)
	if bad != nil {
		return nil, bad
	}
	n := 0
	for _, p := range c.points {
		if pass(p) {
			n++
		}
	}
	return map[string]any{"count": n}, nil
}

func (f *Fake) scroll(r *http.Request, body []byte) (any, *fault) {
	var in struct {
		Limit   *int            `json:"limit"`
		Offset  *pointID        `json:"offset"`
		Filter  json.RawMessage `json:"filter"`
		Payload any             `json:"with_payload"`
		Vector  any             `json:"with_vector"`
		Order   json.RawMessage `json:"order_by"`
	}
	if bad := decode(body, &in); bad != nil {
		return nil, bad
	}
	c, bad := f.at(r.PathValue("name"))
	if bad != nil {
		return nil, bad
	}
	if in.Order != nil {
		return nil, refuse(501, "the fake does not know order_by")
	}
	pass, bad := readFilter(in.Filter)
	if bad != nil {
		return nil, bad
	}
	limit := 10
	if in.Limit != nil {
		if limit = *in.Limit; limit == 0 {
			return nil, refuse(422, "Validation error in JSON body: [limit: value 0 invalid, must be 1 or larger]")
		}
		if limit < 0 {
			return nil, refuse(400, "Format error in JSON body: invalid value: integer `%d`, expected usize", limit)
		}
	}
	if in.Payload == nil {
		in.Payload = true
	}
	out, next := []any{}, any(nil)
	for _, id := range c.ids() {
		if in.Offset != nil && compareID(id, *in.Offset) < 0 || !pass(c.points[id]) {
			continue
		}
		if len(out) == limit {
			next = id
			break
		}
		s, bad := c.points[id].shown(in.Payload, in.Vector)
		if bad != nil {
			return nil, bad
		}
		out = append(out, s)
	}
	return map[string]any{"points": out, "next_page_offset": next}, nil
}
