package qdrantfake

import (
	"bytes"
	"cmp"
	"encoding/json"
	"math/rand/v2"
	"net/http"
	"slices"
)

// search is a query or a prefetch.
type search struct {
	Query     json.RawMessage `json:"query"`
	Using     string          `json:"using"`
	Prefetch  json.RawMessage `json:"prefetch"`
	Filter    json.RawMessage `json:"filter"`
	Limit     *uint64         `json:"limit"`
	Offset    int             `json:"offset"`
	Payload   any             `json:"with_payload"`
	Vector    any             `json:"with_vector"`
	Threshold *float32        `json:"score_threshold"`
}

// scored is a point with what a list gives it.
type scored struct {
	p     *point
	score float32
}

func (f *Fake) query(r *http.Request, body []byte) (any, *fault) {
	if bad := object(body); bad != nil {
		return nil, bad
	}
	var in search
	if bad := decode(body, &in); bad != nil {
		return nil, bad
	}
	c, bad := f.at(r.PathValue("name"))
	if bad != nil {
		return nil, bad
	}
	return c.answer(&in)
}

func (f *Fake) queryBatch(r *http.Request, body []byte) (any, *fault) {
	var in struct {
		Searches []search `json:"searches"`
	}
	if bad := decode(body, &in); bad != nil {
		return nil, bad
	}
	c, bad := f.at(r.PathValue("name"))
	if bad != nil {
		return nil, bad
	}
	out := []any{}
	for i := range in.Searches {
		a, bad := c.answer(&in.Searches[i])
		if bad != nil {
			return nil, bad
		}
		out = append(out, a)
	}
	return out, nil
}

func (c *collection) answer(s *search) (any, *fault) {
	list, bad := c.run(s, nil)
	if bad != nil {
		return nil, bad
	}
	out := []any{}
	for _, x := range list[min(s.Offset, len(list)):] {
		m, bad := x.p.shown(s.Payload, s.Vector)
		if bad != nil {
			return nil, bad
		}
		m["score"], m["version"] = x.score, x.p.version
		out = append(out, m)
	}
	return map[string]any{"points": out}, nil
}

// run gives the list of a search. A filter from above is joined with its own, at every depth.
func (c *collection) run(s *search, above condition) ([]scored, *fault) {
	limit := uint64(10)
	if s.Limit != nil {
		if limit = *s.Limit; limit == 0 {
			return nil, refuse(422, "Validation error in JSON body: [internal.limit: value 0 invalid, must be 1 or larger]")
		}
	}
	pass, bad := readFilter(s.Filter)
	if bad != nil {
		return nil, bad
	}
	if above != nil {
		pass = all([]condition{pass, above})
	}
	var inner []search
	if raw := bytes.TrimSpace(s.Prefetch); len(raw) > 0 && string(raw) != "null" {
		if raw[0] == '{' { // one in place of a list
			raw = append(append([]byte{'['}, raw...), ']')
		}
		if bad := decode(raw, &inner); bad != nil {
			return nil, bad
		}
	}
	var lists [][]scored
	for i := range inner {
		l, bad := c.run(&inner[i], pass)
		if bad != nil {
			return nil, bad
		}
		lists = append(lists, l)
	}
	list, bad := c.ranked(s, pass, lists)
	if bad != nil {
		return nil, bad
	}
	if s.Threshold != nil {
		words := bytes.Contains(s.Query, []byte(`"indices"`)) // here the server leaves out what is equal
		list = slices.DeleteFunc(list, func(x scored) bool { return x.score < *s.Threshold || words && x.score == *s.Threshold })
	}
	if most := limit + uint64(s.Offset); most > limit && uint64(len(list)) > most || uint64(len(list)) > limit && s.Offset == 0 {
		list = list[:limit+uint64(s.Offset)]
	}
	return list, nil
}

func (c *collection) ranked(s *search, pass condition, lists [][]scored) ([]scored, *fault) {
	raw := bytes.TrimSpace(s.Query)
	if len(raw) == 0 || string(raw) == "null" {
		var out []scored
		for _, id := range c.ids() {
			if p := c.points[id]; pass(p) {
				out = append(out, scored{p, 1})
			}
		}
		return out, nil
	}
	if raw[0] == '[' {
		return c.nearest(s, raw, within(pass, lists))
	}
	if raw[0] != '{' {
		return nil, refuse(501, "the fake does not know queries by id")
	}
	var q map[string]json.RawMessage
	if bad := decode(raw, &q); bad != nil {
		return nil, bad
	}
	switch {
	case q["indices"] != nil:
		return c.words(s, raw, within(pass, lists))
	case q["fusion"] != nil || q["rrf"] != nil:
		return fuse(s, q, lists)
	}
	return nil, refuse(501, "the fake does not know this query")
}

// within narrows to the points of prefetched lists, if there are any.
func within(pass condition, lists [][]scored) condition {
	if lists == nil {
		return pass
	}
	in := map[*point]bool{}
	for _, l := range lists {
		for _, x := range l {
			in[x.p] = true
		}
	}
	return func(p *point) bool { return in[p] && pass(p) }
}

// nearest compares with every vector.
func (c *collection) nearest(s *search, raw json.RawMessage, pass condition) ([]scored, *fault) {
	var q []float32
	if err := json.Unmarshal(raw, &q); err != nil {
		return nil, refuse(400, "Format error in JSON body: Expected some form of vector, id, or a type of query")
	}
	if _, ok := c.sparse[s.Using]; ok {
		return nil, refuse(400, "Wrong input: Conversion between sparse and regular vectors failed")
	}
	conf, ok := c.dense[s.Using]
	if !ok {
		return nil, refuse(400, "Wrong input: Not existing vector name error: %s", s.Using)
	}
	if len(q) != conf.Size {
		return nil, refuse(400, "Wrong input: Vector dimension error: expected dim: %d, got %d", conf.Size, len(q))
	}
	if conf.Distance == "Cosine" {
		q = normal(q)
	}
	var out []scored
	for _, p := range c.points {
		v, ok := p.dense[s.Using]
		if !ok || !pass(p) {
			continue
		}
		var sum float32
		for i := range v {
			sum += v[i] * q[i]
		}
		out = append(out, scored{p, sum})
	}
	return ordered(out), nil
}

// words gives the points that share a term of weight.
func (c *collection) words(s *search, raw json.RawMessage, pass condition) ([]scored, *fault) {
	q, bad := readSparse(raw)
	if bad != nil {
		if bad.status == 400 {
			bad.text = "Format error in JSON body: Expected some form of vector, id, or a type of query"
		}
		return nil, bad
	}
	if _, ok := c.dense[s.Using]; ok {
		return nil, refuse(400, "Wrong input: Conversion between sparse and regular vectors failed")
	}
	conf, ok := c.sparse[s.Using]
	if !ok {
		return nil, refuse(400, "Wrong input: Not existing vector name error: %s", s.Using)
	}
	if bytes.Contains(conf, []byte("modifier")) {
		return nil, refuse(501, "the fake does not know modifiers")
	}
	var out []scored
	for _, p := range c.points {
		v, ok := p.sparse[s.Using]
		if !ok || !pass(p) {
			continue
		}
		var sum float32
		shared := false
		for i, j := 0, 0; i < len(q.Indices) && j < len(v.Indices); {
			switch {
			case q.Indices[i] < v.Indices[j]:
				i++
			case q.Indices[i] > v.Indices[j]:
				j++
			default:
				shared = shared || q.Values[i] != 0
				sum += q.Values[i] * v.Values[j]
				i++
				j++
			}
		}
		if shared {
			out = append(out, scored{p, sum})
		}
	}
	return ordered(out), nil
}

// fuse joins lists by reciprocal ranks: 1 / ((rank+1)/weight + k − 1), rank from 0.
func fuse(s *search, q map[string]json.RawMessage, lists [][]scored) ([]scored, *fault) {
	switch {
	case s.Using != "":
		return nil, refuse(400, "Bad request: Fusion queries cannot be combined with the 'using' field.")
	case q["fusion"] != nil && string(q["fusion"]) == `"dbsf"`:
		return nil, refuse(501, "the fake does not know dbsf")
	case q["fusion"] != nil && string(q["fusion"]) != `"rrf"`:
		return nil, refuse(400, "Format error in JSON body: Expected some form of vector, id, or a type of query")
	case lists == nil:
		return nil, refuse(400, "Wrong input: Validation failed: cannot apply Fusion without prefetches")
	}
	opt := struct {
		K       *int      `json:"k"`
		Weights []float32 `json:"weights"`
	}{}
	if raw := q["rrf"]; raw != nil {
		if bad := decode(raw, &opt); bad != nil {
			return nil, bad
		}
	}
	k := float32(2)
	if opt.K != nil {
		if *opt.K < 1 {
			return nil, refuse(422, "Validation error in JSON body: [internal.query.rrf.k: value 0 invalid, must be 1 or larger]")
		}
		k = float32(*opt.K)
	}
	if opt.Weights != nil && len(opt.Weights) != len(lists) {
		return nil, refuse(400, "Wrong input: Validation failed: RRF weights length (%d) does not match number of prefetches (%d)", len(opt.Weights), len(lists))
	}
	sums := map[*point]float32{}
	for i, l := range lists {
		w := float32(1)
		if opt.Weights != nil {
			w = opt.Weights[i]
		}
		for rank, x := range l {
			share := float32(0)
			if w > 0 {
				share = 1 / (float32(rank+1)/w + k - 1)
			}
			sums[x.p] += share
		}
	}
	var out []scored
	for p, sum := range sums {
		out = append(out, scored{p, sum})
	}
	return ordered(out), nil
}

// ordered sorts by score; equal ones come in any order.
func ordered(list []scored) []scored {
	rand.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	slices.SortStableFunc(list, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	return list
}
