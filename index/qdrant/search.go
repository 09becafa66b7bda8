package qdrant

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"digesto"
	"digesto/index"
)

// listed is what hits need of a payload.
var listed = []string{"id", "norm", "unit"}

// Search finds the best units: all collections at the same time.
func (x *Index) Search(ctx context.Context, q digesto.Query) (digesto.Results, error) {
	res, errs := make([]digesto.Results, len(x.opt.Collections)), make([]error, len(x.opt.Collections))
	var wg sync.WaitGroup
	for i, c := range x.opt.Collections {
		wg.Go(func() { res[i], errs[i] = x.one(ctx, c.Name, q) })
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return digesto.Results{}, err
		}
	}
	if len(res) == 1 {
		return res[0], nil
	}
	return x.together(res, q), nil
}

// together joins the hits of several collections by score × weight.
func (x *Index) together(res []digesto.Results, q digesto.Query) digesto.Results {
	out := digesto.Results{Hits: []digesto.Hit{}, Means: res[0].Means}
	for i, r := range res {
		out.Total, out.Best, out.Reach = out.Total+r.Total, max(out.Best, r.Best), max(out.Reach, r.Reach)
		for _, h := range r.Hits {
			h.Score *= x.opt.Collections[i].Weight
			out.Hits = append(out.Hits, h)
		}
	}
	slices.SortFunc(out.Hits, func(a, b digesto.Hit) int { return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.ID, b.ID)) })
	seen := map[string]bool{}
	out.Hits = slices.DeleteFunc(out.Hits, func(h digesto.Hit) bool {
		u := cmp.Or(h.Unit, h.ID)
		was := seen[u]
		seen[u] = true
		return was
	})
	out.Hits = out.Hits[:min(len(out.Hits), cmp.Or(max(0, q.K), 10))]
	return out
}

// one searches one collection. The real one is asked for by name, so that an alias
// switched in the middle mixes nothing; one that is gone meanwhile is looked up anew.
func (x *Index) one(ctx context.Context, alias string, q digesto.Query) (res digesto.Results, err error) {
	for try := 0; ; try++ {
		st, err := x.state(ctx, alias)
		if err != nil {
			return res, err
		}
		if st.Chunks == 0 {
			return digesto.Results{Hits: []digesto.Hit{}}, nil
		}
		if len(q.Vector) > 0 && st.Dims > 0 && len(q.Vector) != st.Dims {
			return res, &digesto.Error{Code: digesto.CodeInvalid, Message: fmt.Sprintf("La pregunta tiene un vector de %d dimensiones y el índice de %d", len(q.Vector), st.Dims), Hint: "Use el modelo con el que se hizo el índice (" + st.Model + "), o vuelva a construirlo."}
		}
		s := &search{x: x, st: st, a: index.Ask(q, st.Scoring)}
		res, err = s.run(ctx)
		if digesto.CodeOf(err) != digesto.CodeNotFound || try > 2 {
			return res, err
		}
	}
}

// search is one search in one collection.
type search struct {
	x     *Index
	st    state
	a     index.Asking
	query sparse  // the question's terms with their weights
	pass  *filter // the query's filter
}

func (s *search) run(ctx context.Context) (digesto.Results, error) {
	res := digesto.Results{}
	names := make([]uint32, len(s.a.Terms))
	for i, t := range s.a.Terms {
		names[i] = name(t.Hash())
	}
	df, err := s.x.frequencies(ctx, s.st, names)
	if err != nil {
		return res, err
	}
	s.weigh(names, df)
	s.pass = conditions(s.a)
	res.Reach = s.a.Reach(s.st.Current, df)
	if !s.a.Query.NoTotal && len(names) > 0 {
		if res.Total, err = s.count(ctx, names); err != nil {
			return res, err
		}
	}
	if s.x.opt.Fusion == FusionServer && len(s.a.Query.Vector) > 0 && s.st.Dims > 0 {
		return s.server(ctx, res)
	}
	return s.local(ctx, res)
}

// weigh makes the query vector: weight of the list × idf × share.
func (s *search) weigh(names []uint32, df []int) {
	sum := map[uint32]float64{}
	for i, t := range s.a.Terms {
		sum[names[i]] += s.a.Scoring.Weight(t.Kind) * index.IDF(s.st.Current, df[i]) * t.Share
	}
	for _, n := range slices.Sorted(maps.Keys(sum)) {
		s.query.Indices, s.query.Values = append(s.query.Indices, n), append(s.query.Values, float32(sum[n]))
	}
}

// count is how many chunks have any of the terms.
func (s *search) count(ctx context.Context, names []uint32) (int, error) {
	var got struct {
		Count int `json:"count"`
	}
	with := map[string]any{"key": "terms", "match": map[string]any{"any": names}}
	err := s.x.c.call(ctx, "POST", s.path("count"), map[string]any{"exact": true, "filter": also(s.pass, with)}, &got)
	return got.Count, err
}

func (s *search) path(what string) string {
	return "/collections/" + s.st.Collection + "/points/" + what
}

// server lets the server join words and vectors.
func (s *search) server(ctx context.Context, res digesto.Results) (digesto.Results, error) {
	r := request{Limit: max(10, s.a.K), WithPayload: true, Query: fusion{"rrf"}, Filter: s.pass, Prefetch: []prefetch{
		{s.a.Query.Vector, denseName, max(20, s.a.K)}, {s.query, sparseName, max(20, s.a.K)}}}
	var got points
	if err := s.x.c.call(ctx, "POST", s.path("query"), r, &got); err != nil {
		return res, err
	}
	res.Best = 1 // what both lists put first; named units go before it
	hits := s.found(got.Points)
	plain := s.a
	plain.Query.Vector = nil
	res, err := plain.Order(hits, res, "", "")
	res.Means = digesto.Means{Fusion: "rrf", Vectors: s.st.Model, Alpha: .5}
	return res, err
}

func (s *search) found(list []found) []index.Found {
	out := make([]index.Found, len(list))
	for i, f := range list {
		// float32 sums of the server: what differs beyond is chance
		out[i] = index.Found{ID: f.Payload.ID, Norm: f.Payload.Norm, Unit: f.Payload.Unit, Lex: math.Round(f.Score*1e5) / 1e5}
	}
	return out
}

// local fetches the lists and joins them by the rules of package index.
func (s *search) local(ctx context.Context, res digesto.Results) (digesto.Results, error) {
	q := s.a.Query
	for limit := s.a.Depth + 10; ; limit *= 4 {
		lists, err := s.lists(ctx, limit)
		if err != nil {
			return res, err
		}
		lex, vec, all := map[string]float64{}, map[string]float64{}, map[string]index.Found{}
		for _, l := range lists {
			for _, f := range l.found {
				all[f.ID] = f
				switch {
				case l.dense:
					vec[f.ID] = f.Lex
				case l.scored:
					lex[f.ID] = f.Lex
					res.Best = max(res.Best, f.Lex)
				}
			}
		}
		if len(q.Vector) > 0 && s.st.Dims > 0 {
			if err := s.complete(ctx, all, lex, vec); err != nil {
				return res, err
			}
		}
		var every []index.Found
		for id, f := range all {
			f.Lex, f.Vec = lex[id], vec[id]
			every = append(every, f)
		}
		out, err := s.a.Order(every, res, s.x.opt.Fusion, s.model())
		if err != nil || s.enough(lists, out, limit) || limit > 100_000 {
			return out, err
		}
	}
}

func (s *search) model() string {
	if s.st.Dims == 0 {
		return ""
	}
	return cmp.Or(s.st.Model, "?")
}

// list is one ranked list, or a set without scores.
type list struct {
	scored, dense bool
	full          bool // cut at the limit
	found         []index.Found
}

// lists asks for all lists in one request.
func (s *search) lists(ctx context.Context, limit int) ([]list, error) {
	q := s.a.Query
	var ask []request
	var out []list
	add := func(l list, query any, using string, n int, f *filter) {
		ask, out = append(ask, request{Limit: n, WithPayload: listed, Query: query, Using: using, Filter: f}), append(out, l)
	}
	norms, units := nonEmpty(q.Norms), nonEmpty(q.Units)
	if len(s.query.Indices) > 0 {
		add(list{scored: true}, s.query, sparseName, limit, s.pass)
		if len(norms) > 0 {
			add(list{scored: true}, s.query, sparseName, limit, also(s.pass, anyOf("norm", norms)))
		}
		if len(units) > 0 {
			add(list{scored: true}, s.query, sparseName, setMax, also(s.pass, anyOf("unit", units)))
		}
	} else if len(norms) > 0 {
		add(list{}, nil, "", setMax, also(s.pass, anyOf("norm", norms)))
	}
	if len(units) > 0 {
		add(list{}, nil, "", setMax, also(s.pass, anyOf("unit", units)))
	}
	if len(q.Vector) > 0 && s.st.Dims > 0 {
		add(list{dense: true}, q.Vector, denseName, s.a.Depth, s.pass)
	}
	if len(ask) == 0 {
		return nil, nil
	}
	var got []points
	if err := s.x.c.call(ctx, "POST", s.path("query/batch"), map[string]any{"searches": ask}, &got); err != nil {
		return nil, err
	}
	for i := range min(len(got), len(out)) {
		out[i].found, out[i].full = s.found(got[i].Points), len(got[i].Points) >= ask[i].Limit && out[i].scored && ask[i].Limit < setMax
	}
	return out, nil
}

// setMax bounds the chunks of named norms and units.
const setMax = 10_000

// complete gives each chunk of one list its score in the other.
func (s *search) complete(ctx context.Context, all map[string]index.Found, lex, vec map[string]float64) error {
	var ids []string
	for id := range all {
		ids = append(ids, pointID(id))
	}
	if len(ids) == 0 {
		return nil
	}
	slices.Sort(ids)
	f := &filter{Must: []any{map[string]any{"has_id": ids}}}
	ask := []request{{Limit: len(ids), WithPayload: listed, Query: s.a.Query.Vector, Using: denseName, Filter: f}}
	if len(s.query.Indices) > 0 {
		ask = append(ask, request{Limit: len(ids), WithPayload: listed, Query: s.query, Using: sparseName, Filter: f})
	}
	var got []points
	if err := s.x.c.call(ctx, "POST", s.path("query/batch"), map[string]any{"searches": ask}, &got); err != nil {
		return err
	}
	for i, into := range []map[string]float64{vec, lex}[:min(2, len(got))] {
		for _, p := range s.found(got[i].Points) {
			into[p.ID] = p.Lex
		}
	}
	return nil
}

// enough says that no chunk beyond the limit could change the hits: a list that was
// cut ends below the last hit, so that ties are all there.
func (s *search) enough(lists []list, res digesto.Results, limit int) bool {
	for _, l := range lists {
		if !l.full {
			continue
		}
		units := map[string]bool{}
		last := l.found[len(l.found)-1].Lex
		above := 0
		for _, f := range l.found {
			if u := cmp.Or(f.Unit, f.ID); !units[u] && f.Lex > last {
				units[u] = true
				above++
			}
		}
		if above < s.a.K {
			return false
		}
	}
	return true
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

// conditions writes index.Passes and the required terms as a filter.
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
