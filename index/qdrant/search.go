package qdrant

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"digesto"
	"digesto/index"
)

// Search finds the best units, in one request when the index is the one last seen and
// the frequencies of the question's pairs of words are known.
func (x *Index) Search(ctx context.Context, q digesto.Query) (res digesto.Results, err error) {
	st := x.seen()
	for try := 0; ; try++ {
		if st.Collection == "" || try > 0 {
			if st, err = x.state(ctx); err != nil {
				return res, err
			}
		}
		if st.Chunks == 0 {
			return digesto.Results{Hits: []digesto.Hit{}}, nil
		}
		if len(q.Vector) > 0 && st.Dims > 0 && len(q.Vector) != st.Dims {
			return res, &digesto.Error{Code: digesto.CodeInvalid, Message: fmt.Sprintf("La pregunta tiene un vector de %d dimensiones y el índice de %d", len(q.Vector), st.Dims), Hint: "Use el modelo con el que se hizo el índice (" + st.Model + "), o vuelva a construirlo."}
		}
		s := &search{x: x, st: st, a: index.Ask(q, st.Scoring), at: map[uint64]int{}}
		res, err = s.run(ctx)
		if !errors.Is(err, errChanged) && digesto.CodeOf(err) != digesto.CodeNotFound || try > 2 {
			return res, err
		}
	}
}

// errChanged says that the alias points at another collection than the one known.
var errChanged = &digesto.Error{Code: digesto.CodeUnavailable, Message: "El índice de Qdrant cambia sin cesar", Hint: "Espere a que acaben de construirlo, y repita."}

// search is one search in one state.
type search struct {
	x     *Index
	st    state
	a     index.Asking
	at    map[uint64]int // place of each term in the question
	query sparse         // the question's terms with their weights
	pass  *filter        // the query's filter
}

func (s *search) run(ctx context.Context) (res digesto.Results, err error) {
	s.a.In = index.Counts{Current: s.st.Current, Average: s.st.Average}
	if s.a.In.DF, err = s.x.frequencies(ctx, s.st, s.a.Terms); err != nil {
		return res, err
	}
	s.weigh()
	s.pass = conditions(s.a)
	for limit := s.a.Depth + 10; ; limit *= 4 {
		lists, err := s.lists(ctx, limit)
		if err != nil {
			return res, err
		}
		var all []index.Found
		enough := true
		for _, l := range lists {
			all, enough = append(all, l.found...), enough && s.enough(l)
		}
		if enough || limit > 100_000 {
			if res, err = s.a.Results(all, s.x.opt.Fusion, s.model()); err == nil && !s.a.Query.NoTotal && len(s.a.Terms) > 0 {
				res.Total, err = s.count(ctx)
			}
			return res, err
		}
	}
}

// weigh makes the query vector: weight of the list × idf × share.
func (s *search) weigh() {
	sum := map[uint32]float64{}
	for i, t := range s.a.Terms {
		h := t.Hash()
		s.at[h] = i
		sum[name(h)] += s.a.Weight(i)
	}
	for _, n := range slices.Sorted(maps.Keys(sum)) {
		s.query.Indices, s.query.Values = append(s.query.Indices, n), append(s.query.Values, float32(sum[n]))
	}
}

// count is how many chunks have any of the terms.
func (s *search) count(ctx context.Context) (int, error) {
	var got struct {
		Count int `json:"count"`
	}
	with := map[string]any{"key": "terms", "match": map[string]any{"any": s.query.Indices}}
	err := s.x.c.call(ctx, "POST", "/collections/"+s.st.Collection+"/points/count", map[string]any{"exact": true, "filter": also(s.pass, with)}, &got)
	return got.Count, err
}

func (s *search) model() string {
	if s.st.Dims == 0 {
		return ""
	}
	return cmp.Or(s.st.Model, "?")
}

// list is what came of one request.
type list struct {
	least float64 // what none beyond it can score more than; 0 = all are there
	found []index.Found
}

// lists asks for all lists in one request, and for the state by which they are read.
func (s *search) lists(ctx context.Context, limit int) ([]list, error) {
	q, vectors := s.a.Query, any(nil)
	if len(q.Vector) > 0 && s.st.Dims > 0 {
		vectors = []string{denseName}
	}
	ask := []request{stateRequest}
	add := func(query any, using string, n int, f *filter) {
		ask = append(ask, request{Limit: n, WithPayload: []string{"id", "norm", "unit", "length", "n"}, WithVector: vectors, Query: query, Using: using, Filter: f})
	}
	norms, units := nonEmpty(q.Norms), nonEmpty(q.Units)
	if len(s.query.Indices) > 0 {
		add(s.query, sparseName, limit, s.pass)
	}
	switch {
	case len(norms) > 0 && len(s.query.Indices) > 0:
		add(s.query, sparseName, limit, also(s.pass, anyOf("norm", norms)))
	case len(norms) > 0:
		add(nil, "", setMax, also(s.pass, anyOf("norm", norms)))
	}
	if len(units) > 0 {
		add(nil, "", setMax, also(s.pass, anyOf("unit", units)))
	}
	if vectors != nil {
		add(q.Vector, denseName, s.a.Depth, s.pass)
	}
	var got []points
	if err := s.x.c.call(ctx, "POST", "/collections/"+s.x.opt.Name+"/points/query/batch", map[string]any{"searches": ask}, &got); err != nil {
		return nil, err
	}
	if len(got) != len(ask) {
		return nil, damaged(0)
	}
	if now, err := s.x.read(got[0]); err != nil || now.Collection != s.st.Collection {
		return nil, cmp.Or[error](err, errChanged)
	}
	out := make([]list, 0, len(got)-1)
	for i, g := range got[1:] {
		var l list
		if r := ask[i+1]; r.Using == sparseName && len(g.Points) == r.Limit {
			// sums of float32 are off by some millionths
			l.least = g.Points[len(g.Points)-1].Score * 1.00001
		}
		for _, p := range g.Points {
			f, required, err := s.read(p)
			if err != nil {
				return nil, err
			}
			if required {
				l.found = append(l.found, f)
			}
		}
		out = append(out, l)
	}
	return out, nil
}

// setMax bounds the chunks of named norms and units.
const setMax = 10_000

// read takes what scores need out of a point. required says that it has all terms
// that it must have: the filter knows them by 32 bits.
func (s *search) read(p found) (f index.Found, required bool, err error) {
	f = index.Found{ID: p.Payload.ID, Norm: p.Payload.Norm, Unit: p.Payload.Unit, Length: p.Payload.Length, TF: make([]int, len(s.a.Terms))}
	left := map[uint64]bool{}
	for _, t := range s.a.Required {
		left[t.Hash()] = true
	}
	err = eachCount(p.Payload.Terms, func(term uint64, n int) {
		delete(left, term)
		if i, ok := s.at[term]; ok {
			f.TF[i] = n
		}
	})
	if v := p.Vector[denseName]; len(v) == len(s.a.Query.Vector) {
		f.Vec = cosine(v, s.a.Query.Vector)
	}
	return f, len(left) == 0, err
}

func cosine(a, b []float32) float64 {
	var ab, aa, bb float64
	for i := range a {
		x, y := float64(a[i]), float64(b[i])
		ab, aa, bb = ab+float64(x*y), aa+float64(x*x), bb+float64(y*y)
	}
	if aa == 0 || bb == 0 {
		return 0
	}
	return ab / math.Sqrt(aa*bb)
}

// enough says that no chunk beyond a list could change the hits: as many units as
// are wanted score more than any of them.
func (s *search) enough(l list) bool {
	units := map[string]bool{}
	for _, f := range l.found {
		if s.a.Score(f) > l.least {
			units[cmp.Or(f.Unit, f.ID)] = true
		}
	}
	return l.least == 0 || len(units) >= s.a.Depth
}

func nonEmpty(list []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return s == "" })
}

// also narrows a filter further.
func also(f *filter, more ...any) *filter {
	return &filter{Must: append(slices.Clone(f.Must), more...)}
}

// Days without bound.
const (
	noStart = 0
	noEnd   = 99999999
)

// day is a date as a number; open for none.
func day(d digesto.Date, open int) int {
	n, err := strconv.Atoi(strings.ReplaceAll(string(d), "-", ""))
	if err != nil || len(d) != 10 {
		return open
	}
	return n
}

// conditions writes indextest.Passes and the required terms as a filter.
func conditions(a index.Asking) *filter {
	f := a.Query.Filter
	out := &filter{}
	for _, field := range slices.Sorted(maps.Keys(f.In)) {
		key, values := "facets", make([]string, 0, len(f.In[field]))
		if field == "id" || field == "norm" {
			key = field
		}
		for _, v := range f.In[field] {
			if key == "facets" {
				v = field + "=" + v
			}
			if v != "" {
				values = append(values, v)
			}
		}
		c := anyOf(key, values)
		if field == "pack" || slices.Contains(f.Wider, field) {
			without := value("facets", field)
			if key != "facets" {
				without = anyOf("has", []string{field})
			}
			c = filter{Should: []any{c, filter{MustNot: []any{without}}}}
		}
		out.Must = append(out.Must, c)
	}
	switch {
	case f.AsOf != "":
		on := day(f.AsOf, noStart)
		out.Must = append(out.Must, between("from", "lte", on), between("to", "gt", on))
		if !f.History {
			out.Must = append(out.Must, filter{Should: []any{value("current", true), between("to", "lt", noEnd)}})
		}
	case !f.History:
		out.Must = append(out.Must, value("current", true))
	default:
		out.Must = append(out.Must, between("to", "gt", -1)) // no chunk is without it; other points are
	}
	for _, t := range a.Required {
		out.Must = append(out.Must, value("terms", name(t.Hash())))
	}
	return out
}
