package ask

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"digesto/pack"
	"digesto/passage"
	"digesto/question"
)

// part is what one query of a comparison found.
type part struct {
	query query
	hits  hits
}

// gather searches the question and its queries, side by side, and merges what
// they found: each unit once, with its best score, and the places that the
// glossary leads to.
func (e *Retriever) gather(ctx context.Context, i intent, p plan) (hits, error) {
	i.trace = append(slices.Clone(i.trace), p.steps...)
	e.missed(&i)
	e.embedAll(ctx, &i, p)
	h, err := e.retrieve(ctx, i)
	if err != nil {
		return h, err
	}
	h.faults = append(h.faults, p.failed...)
	h.plan = p
	h.lead()
	if len(p.queries) == 0 {
		return h, nil
	}
	found, err := e.searchAll(ctx, i, p.queries)
	if err != nil {
		return h, err
	}
	for k, f := range found {
		h.merge(f, e.apart(i))
		h.queries = append(h.queries, p.queries[k].text)
		if p.queries[k].concept != nil || !p.queries[k].model {
			h.sides = append(h.sides, part{p.queries[k], f})
		}
	}
	if e.apart(i) {
		h.cut(orInt(i.pack.Retrieval.Merged, mergedK))
		law, _ := split(h.list)
		h.log("merge", RecipeCollections, fmt.Sprintf("%d búsquedas, %d unidades", 1+len(found), len(law)))
	}
	return h, nil
}

// searchAll runs the queries at the same time, each with an analyser of its own.
func (e *Retriever) searchAll(ctx context.Context, i intent, list []query) ([]hits, error) {
	out := make([]hits, len(list))
	errs := make([]error, len(list))
	var wg sync.WaitGroup
	for k, q := range list {
		wg.Go(func() {
			one := i
			var done func()
			one.an, one.spare, done = e.analysers()
			defer done()
			out[k], errs[k] = e.searchOne(ctx, one, q)
		})
	}
	wg.Wait()
	for k := range out {
		if errs[k] != nil {
			return nil, errs[k]
		}
		out[k].an, out[k].spare = i.an, i.spare
	}
	return out, nil
}

func (e *Retriever) searchOne(ctx context.Context, i intent, q query) (hits, error) {
	s := i.scope
	s.q.Text = q.text
	one := e.read(s, q.text)
	one.classes, one.tiers, one.vectors = i.classes, i.tiers, i.vectors
	if one.vectors != nil { // the query as it was embedded
		one.struck = q.text
	}
	h, err := e.retrieve(ctx, one)
	if err != nil {
		return h, err
	}
	if q.concept != nil {
		h.defined(q)
	}
	return rerank(h), nil
}

// merge adds the units that another search found; one that is there already
// keeps the better score. Scores of collections searched apart are of one measure;
// those of other searches are shares of their best.
func (h *hits) merge(o hits, apart bool) {
	n, share := h.keep(), mergedScore
	if apart {
		n, share = len(o.list), 1
	}
	for _, x := range o.list[:min(len(o.list), n)] {
		if k := h.at(&x); k >= 0 {
			h.list[k].score = max(h.list[k].score, x.score)
			continue
		}
		h.join(x.Ground.Norm.ID, x.Unit.ID, x.score*share, x.law)
	}
	h.best, h.reach = max(h.best, o.best), max(h.reach, o.reach)
}

// mergedScore is what the place in another query's list counts beside one in
// the question's own; ledScore what a place named by the glossary counts.
const (
	mergedScore = .5
	ledScore    = .45
)

// keep is how many units of one query count.
func (h hits) keep() int { return orInt(h.pack.Retrieval.Fused, 10) }

// join adds a unit of the law with its best sentence for the question, and gives its
// place in the list: -1 when there is no such unit.
func (h *hits) join(norm, unit string, score float64, law bool) (int, bool) {
	if !law || h.law.empty() {
		return -1, false
	}
	x, ok := h.ground(h.law, norm, unit)
	if !ok || !h.pack.SameLaw(x.Norm) || h.fromAbroad(x.Norm) {
		return -1, false
	}
	x.law, x.score = true, score
	if !h.add(x) {
		return h.at(&x), false
	}
	k := len(h.list) - 1
	if len(h.list[k].unit.Sentences) == 0 {
		h.list = h.list[:k]
		return -1, false
	}
	h.list[k].pick, _ = h.focus.Best(h.list[k].unit)
	return k, true
}

// lead adds the places that the glossary gives for the concepts of the question.
// One that the installed text does not bear out leads nowhere.
func (h *hits) lead() {
	if h.law.empty() || len(h.norms) > 0 || len(h.exact) > 0 {
		return
	}
	for _, n := range h.pack.Glossary.Find(h.text) {
		led := map[int]float64{}
		stems := passage.Stems(h.analyser(), strings.Join(pack.Words(h.text)[n.From:n.To], " "))
		asked, whole := false, max(0, 2*h.focus.Cover(func(s string) bool { return stems[s] })-1)
		for k, hint := range n.Term.Hints {
			at, _ := h.join(hint.Norm, hint.Unit, ledScore, true)
			if at < 0 || !n.Term.Said(h.list[at].saying()) {
				continue
			}
			led[at] = 1 / float64(k+1)
			asked = asked || question.RubricAsked(h.focus.Kind, h.list[at].Unit.Rubric)
		}
		for at, v := range led {
			if asked { // one of the places is headed by what is asked for: that one leads
				v = min(v, notAsked)
				if question.RubricAsked(h.focus.Kind, h.list[at].Unit.Rubric) {
					v = 1
				}
			}
			h.list[at].led = max(h.list[at].led, v*(1+whole))
			h.list[at].terms = append(h.list[at].terms, stems)
		}
	}
}

// notAsked is the most that a place of the glossary counts when another is headed
// by the asked kind of thing.
const notAsked = .4

// saying is the text of a unit with its headings.
func (x hit) saying() string {
	s := x.Unit.Rubric + "\n" + x.Version.Text
	for _, p := range x.Unit.Path {
		s += "\n" + p
	}
	return s
}

// defined puts the place that defines a concept before the others, with the
// sentence that does.
func (h *hits) defined(q query) {
	for _, hint := range q.concept.Hints {
		at, _ := h.join(hint.Norm, hint.Unit, 1, true)
		if at < 0 || !q.concept.Said(h.list[at].saying()) {
			continue
		}
		x := &h.list[at]
		x.led, x.defines, x.score = 1, true, 1
		x.pick = h.focus.Defining(x.unit, x.pick)
		return
	}
}

// compareGrounds lets each side of a comparison speak: the unit that governs
// each query's answer, in the order of the question.
func (e *Weigher) compareGrounds(ctx context.Context, g grounds) (grounds, error) {
	if !g.plan.compare || len(g.sides) < 2 || len(g.exact) > 0 {
		return g, nil
	}
	var govern []hit
	least := 1.0
	n := 0
	for _, p := range g.sides {
		one, err := e.ground(ctx, p.hits)
		if err != nil {
			return g, err
		}
		if one.done != nil || len(one.govern) == 0 || !one.govern[0].law {
			continue
		}
		x := one.govern[0]
		x.own = one.focus
		if slices.ContainsFunc(govern, func(o hit) bool { return o.key() == x.key() && o.pick.At == x.pick.At }) {
			continue
		}
		if n++; p.query.concept != nil || n <= 2 {
			least = min(least, one.verdict.Confidence)
		}
		govern = append(govern, x)
	}
	if len(govern) < 2 {
		return g, nil
	}
	g.govern, g.done, g.verdict = govern, nil, Verdict{Confidence: least}
	return g, nil
}

// grounded lists the units that the answer could be written from.
func (g grounds) grounded() []string {
	var out []string
	add := func(list []hit) {
		for _, x := range list {
			if !slices.Contains(out, x.key()) {
				out = append(out, x.key())
			}
		}
	}
	add(g.govern)
	law, _ := split(g.list)
	add(law[:min(len(law), orInt(g.pack.Retrieval.Rerank, maxSources))])
	add(g.related)
	return out
}
