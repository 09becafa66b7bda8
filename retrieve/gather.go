package retrieve

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"digesto/pack"
	"digesto/passage"
	"digesto/query"
)

// part is what one query of a comparison found.
type part struct {
	Query query.Search
	Hits  Hits
}

// Gather searches the question and its queries, side by side, and merges what
// they found: each unit once, with its best score, and the places that the
// glossary leads to.
func (e *Retriever) Gather(ctx context.Context, i query.Intent, p query.Plan) (Hits, error) {
	i.Trace = append(slices.Clone(i.Trace), p.Steps...)
	e.missed(&i)
	e.embedAll(ctx, &i, p)
	h, err := e.Retrieve(ctx, i)
	if err != nil {
		return h, err
	}
	h.Faults = append(h.Faults, p.Failed...)
	h.Plan = p
	h.lead()
	if len(p.Queries) == 0 {
		return h, nil
	}
	found, err := e.searchAll(ctx, i, p.Queries)
	if err != nil {
		return h, err
	}
	for k, f := range found {
		h.merge(f, e.apart(i))
		h.Queries = append(h.Queries, p.Queries[k].Text)
		if p.Queries[k].Concept != nil || !p.Queries[k].Model {
			h.Sides = append(h.Sides, part{p.Queries[k], f})
		}
	}
	if e.apart(i) {
		h.cut(query.OrInt(i.Pack.Retrieval.Merged, mergedK))
		law, _ := Split(h.List)
		h.Log("merge", RecipeCollections, fmt.Sprintf("%d búsquedas, %d unidades", 1+len(found), len(law)))
	}
	return h, nil
}

// searchAll runs the queries at the same time, each with an analyser of its own.
func (e *Retriever) searchAll(ctx context.Context, i query.Intent, list []query.Search) ([]Hits, error) {
	out := make([]Hits, len(list))
	errs := make([]error, len(list))
	var wg sync.WaitGroup
	for k, q := range list {
		wg.Go(func() {
			one := i
			var done func()
			one.An, one.Spare, done = e.Analysers()
			defer done()
			out[k], errs[k] = e.SearchOne(ctx, one, q)
		})
	}
	wg.Wait()
	for k := range out {
		if errs[k] != nil {
			return nil, errs[k]
		}
		out[k].An, out[k].Spare = i.An, i.Spare
	}
	return out, nil
}

func (e *Retriever) SearchOne(ctx context.Context, i query.Intent, q query.Search) (Hits, error) {
	s := i.Scope
	s.Q.Text = q.Text
	one := e.Read(s, q.Text)
	one.Classes, one.Tiers, one.Vectors = i.Classes, i.Tiers, i.Vectors
	if one.Vectors != nil { // the query as it was embedded
		one.Struck = q.Text
	}
	h, err := e.Retrieve(ctx, one)
	if err != nil {
		return h, err
	}
	if q.Concept != nil {
		h.defined(q)
	}
	return Rerank(h), nil
}

// merge adds the units that another search found; one that is there already
// keeps the better score. Scores of collections searched apart are of one measure;
// those of other searches are shares of their best.
func (h *Hits) merge(o Hits, apart bool) {
	n := h.keep()
	if apart {
		n = len(o.List)
	}
	for _, x := range o.List[:min(len(o.List), n)] {
		if k := h.at(&x); k >= 0 {
			h.List[k].Score = max(h.List[k].Score, x.Score)
			continue
		}
		h.Join(x.Ground.Norm.ID, x.Unit.ID, x.Score, x.Law)
	}
	h.Best, h.Reach = max(h.Best, o.Best), max(h.Reach, o.Reach)
}

// keep is how many units of one query count.
func (h Hits) keep() int { return query.OrInt(h.Pack.Retrieval.Fused, 10) }

// Join adds a unit of the law with its best sentence for the question, and gives its
// place in the list: -1 when there is no such unit.
func (h *Hits) Join(norm, unit string, score float64, law bool) (int, bool) {
	if !law || h.Law.Empty() {
		return -1, false
	}
	x, ok := h.Ground(h.Law, norm, unit)
	if !ok || !h.Pack.SameLaw(x.Norm) || h.FromAbroad(x.Norm) {
		return -1, false
	}
	x.Law, x.Score = true, score
	if !h.add(x) {
		return h.at(&x), false
	}
	k := len(h.List) - 1
	if len(h.List[k].Prepared.Sentences) == 0 {
		h.List = h.List[:k]
		return -1, false
	}
	h.List[k].Pick, _ = h.Focus.Best(h.List[k].Prepared)
	return k, true
}

// lead adds the places that the glossary gives for the concepts of the question.
// One that the installed text does not bear out leads nowhere.
func (h *Hits) lead() {
	if h.Law.Empty() || len(h.Norms) > 0 || len(h.Exact) > 0 {
		return
	}
	for _, n := range h.Pack.Glossary.Find(h.Text) {
		led := map[int]float64{}
		stems := passage.Stems(h.Analyser(), strings.Join(pack.Words(h.Text)[n.From:n.To], " "))
		whole := max(0, 2*h.Focus.Cover(func(s string) bool { return stems[s] })-1)
		for k, hint := range n.Term.Hints {
			at, _ := h.Join(hint.Norm, hint.Unit, 1, true)
			if at < 0 || !n.Term.Said(h.List[at].saying()) {
				continue
			}
			led[at] = 1 / float64(k+1)
		}
		for at, v := range led {
			h.List[at].led = max(h.List[at].led, v*(1+whole))
			h.List[at].Terms = append(h.List[at].Terms, stems)
		}
	}
}

// saying is the text of a unit with its headings.
func (x Hit) saying() string {
	s := x.Unit.Rubric + "\n" + x.Version.Text
	for _, p := range x.Unit.Path {
		s += "\n" + p
	}
	return s
}

// defined puts the place that defines a concept before the others, with the
// sentence that does.
func (h *Hits) defined(q query.Search) {
	for _, hint := range q.Concept.Hints {
		at, _ := h.Join(hint.Norm, hint.Unit, 1, true)
		if at < 0 || !q.Concept.Said(h.List[at].saying()) {
			continue
		}
		x := &h.List[at]
		x.led, x.defines, x.Score = 1, true, 1
		x.Pick = h.Focus.Defining(x.Prepared, x.Pick)
		return
	}
}
