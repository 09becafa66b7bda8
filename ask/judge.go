package ask

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"digesto"
	"digesto/corpus"
	"digesto/decide"
	"digesto/digest"
	"digesto/ground"
	"digesto/judge"
	"digesto/model"
	"digesto/query"
	"digesto/retrieve"
)

// judged lets the judge, where one may decide, weigh the likeliest places and those that
// the reader's words lead to. Where it fails everything stays as it was.
func (e *Engine) judged(ctx context.Context, h *retrieve.Hits, list []decide.Judged) ([]decide.Judged, error) {
	likeliest := 0.
	if len(list) > 0 {
		likeliest = list[0].P
	}
	if e.opt.Judge == nil || !e.opt.Probe.Asks(likeliest) {
		return list, nil
	}
	list, question, err := e.translated(ctx, h, list)
	if err != nil {
		return list, err
	}
	shown := shown(h, list)
	v, err := e.opt.Judge.Judge(ctx, question, shown)
	if ctx.Err() != nil {
		return list, model.Cancelled(ctx)
	}
	if err != nil {
		h.Faults = append(h.Faults, "judge_failed")
		return list, nil
	}
	b := retrieve.Ballot{Verdict: v, P: map[string]float64{}}
	for k, p := range e.opt.Probe.Weigh(shown, v) {
		b.P[shown[k].Place] = p
	}
	if k := v.Best(); k >= 0 {
		b.Chosen = shown[k].Place
	}
	unseen := decide.Heard{Others: 1 - v.None, None: v.None}
	for k := range list {
		p, ok := b.P[list[k].ID]
		if !ok {
			p = e.opt.Probe.Trust.Weigh(list[k].P, unseen)
		}
		list[k].P = p
	}
	slices.SortStableFunc(list, func(x, y decide.Judged) int { return cmp.Compare(y.P, x.P) })
	h.Ballot = b
	h.Log("judge", "model", cmp.Or(b.Chosen, "ninguno"))
	return list, nil
}

// shown gives the first candidates as a judge sees them.
func shown(h *retrieve.Hits, list []decide.Judged) (out []judge.Candidate) {
	for _, j := range list {
		if len(out) == judge.Most {
			break
		}
		if c, ok := candidate(h, j); ok {
			out = append(out, c)
		}
	}
	return out
}

// candidate is a candidate as a judge sees it; ok is false where there is nothing to see.
func candidate(h *retrieve.Hits, j decide.Judged) (c judge.Candidate, ok bool) {
	c = judge.Candidate{Place: j.ID, P: j.P}
	if j.Entry != nil && j.Entry.Elsewhere() {
		c.Title, c.Line = "No está en la ley instalada", j.Entry.Text
		return c, !h.OfOthers(j.Entry)
	}
	norm, unit, _ := strings.Cut(j.ID, "/")
	if j.Entry != nil {
		norm, unit = j.Entry.Norm, j.Entry.Unit
	}
	x, ok := h.Ground(h.Law, norm, unit)
	if !ok {
		return c, false
	}
	x.Prepared = h.Units.Get(h.An, x.Ground).Proven(x.Version, h.History())
	if len(x.Prepared.Sentences) == 0 {
		return c, false
	}
	at := 0
	if best, ok := h.Focus.Best(x.Prepared); ok {
		at = best.At
	}
	c.Title = x.Unit.Label + ", " + corpus.NameOf(x.Norm)
	c.Line = strings.TrimSuffix(x.Unit.Rubric, ".") + ". " + x.Prepared.Sentences[at].Text
	if j.Entry != nil {
		if k, ok := ground.SentenceOf(&x, j.Entry); ok {
			at, c.Line = k, j.Entry.Text
		}
	}
	c.Text = x.Prepared.Around(at, shownRunes)
	return c, true
}

// shownRunes is how much of a unit's text a judge may be shown.
const shownRunes = 1600

// voted says that a judge who may decide all chose a place: rules that look for forms in
// its text do not go before that.
func voted(h *retrieve.Hits, place string) bool {
	return h.Ballot.Cast() && h.Ballot.Chosen == place
}

// settled says that the judge chose what the answer stands on, and that this is sure: no
// model need look at what else was found.
func settled(g ground.Grounds) bool {
	return g.Done == nil && len(g.Govern) > 0 && voted(&g.Hits, g.Govern[0].Key()) && g.Verdict.Confidence >= decide.Sure
}

// byText is a place that no entry leads to, as a judge chose it by its text.
func byText(h *retrieve.Hits, j decide.Judged) (r reading, ok bool) {
	if !voted(h, j.ID) {
		return r, false
	}
	norm, unit, _ := strings.Cut(j.ID, "/")
	x, ok := h.Ground(h.Law, norm, unit)
	if !ok {
		return r, false
	}
	x.Law, x.Score = true, j.P
	x.Prepared = h.Units.Get(h.An, x.Ground).Proven(x.Version, h.History())
	if len(x.Prepared.Sentences) == 0 {
		return r, false
	}
	if best, ok := h.Focus.Best(x.Prepared); ok {
		x.Pick = best
	}
	line := x.Prepared.Sentences[x.Pick.At].Text
	return reading{Hit: x, p: j.P, entry: &digest.Entry{Norm: norm, Unit: unit, Text: query.CutRunes(retrieve.OneLine(line), retrieve.OrderRunes),
		Asks: []digest.Ask{{Kind: digest.Short, Text: x.Title()}}}}, true
}

// overruled says that the texts alone answer from a place that a judge who may decide all
// has passed over.
func (e *Engine) overruled(g ground.Grounds) bool {
	if e.opt.Probe.May != judge.All || !g.Ballot.Cast() || g.Done != nil || len(g.Govern) == 0 || !g.Govern[0].Law || len(g.Exact)+len(g.Norms) > 0 {
		return false
	}
	p, shown := g.Ballot.P[g.Govern[0].Key()]
	if !shown {
		return g.Ballot.Chosen == "" && g.Ballot.Verdict.None >= decide.Sure
	}
	return p < decide.First
}

// translated adds the places that the law's own words for what is asked lead to, as the
// reader puts it, and gives the question as the reader understands it. What its words lead
// to is no likelier for it than what may be offered: it is for the judge to choose.
func (e *Engine) translated(ctx context.Context, h *retrieve.Hits, list []decide.Judged) ([]decide.Judged, string, error) {
	said := understanding{question: whole(h)}
	if e.Model == nil || len(list) > 0 && list[0].P >= decide.Sure {
		return list, said.question, nil
	}
	said, err := e.lawWords(ctx, h)
	if ctx.Err() != nil {
		return list, said.question, model.Cancelled(ctx)
	}
	if err != nil {
		h.Faults = append(h.Faults, "reader_failed")
		return list, said.question, nil
	}
	if len(said.terms) == 0 {
		return list, said.question, nil
	}
	words := strings.Join(said.terms, ". ")
	found, err := e.SearchOne(ctx, h.Intent, query.Search{Text: words, Model: true})
	if err != nil {
		return list, said.question, err
	}
	q := asked(h, words, h.Reaches)
	q.Articles = found.Found
	more, err := e.opt.Places(ctx, q)
	if err != nil {
		return list, said.question, err
	}
	known := map[string]int{}
	for k, j := range list {
		known[j.ID] = k
	}
	var fresh []decide.Judged
	for _, j := range more {
		if _, ok := known[j.ID]; !ok {
			j.P = min(j.P, translatedMost)
			fresh = append(fresh, j)
		}
	}
	// Half of what is shown may be new: the rest of the old list is behind it.
	head := min(len(list), judge.Most-min(len(fresh), judge.Most/2))
	return slices.Concat(list[:head], fresh, list[head:]), said.question, nil
}

// lawWords says what is asked in the law's words: by the queries that the reader made of it
// already, where the pack lets it, or by what it says now.
func (e *Engine) lawWords(ctx context.Context, h *retrieve.Hits) (out understanding, err error) {
	out.question = whole(h)
	for _, q := range h.Plan.Queries {
		if q.Model {
			out.terms = append(out.terms, q.Text)
		}
	}
	switch {
	case len(out.terms) > 0:
		return out, nil
	case h.GoesOn():
		out, err = e.resolved(ctx, h)
	default:
		out.terms, err = e.LegalTerms(ctx, out.question)
	}
	h.Queries = append(h.Queries, out.terms...)
	return out, err
}

// translatedMost is the probability of a place that only the reader's words led to, at
// most: below what is offered to choose from.
const translatedMost = decide.First / 2

// Candidates gives what a judge would be shown of a question of its own, with the places in
// their order: for probes. edit may change what is looked for, as in [Engine.PlacesOf].
func (e *Engine) Candidates(ctx context.Context, q digesto.Question, edit func(*decide.Query)) ([]judge.Candidate, error) {
	var out []judge.Candidate
	err := e.lookUp(ctx, q, edit, func(h *retrieve.Hits, judged []decide.Judged) { out = shown(h, judged) })
	return out, err
}
