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
	"digesto/judge"
	"digesto/model"
)

// ballot is what a judge of candidates said of a question; the zero value is of one that
// was not asked.
type ballot struct {
	verdict judge.Verdict
	chosen  string             // place with most of the vote; "" = none of them
	p       map[string]float64 // of the places shown, after the vote
}

func (b ballot) cast() bool { return b.p != nil }

// judged lets the judge, where one may decide, weigh the likeliest places and those that
// the reader's words lead to. Where it fails everything stays as it was.
func (e *Engine) judged(ctx context.Context, h *hits, list []decide.Judged) ([]decide.Judged, error) {
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
	shown := h.shown(list)
	v, err := e.opt.Judge.Judge(ctx, question, shown)
	if ctx.Err() != nil {
		return list, model.Cancelled(ctx)
	}
	if err != nil {
		h.faults = append(h.faults, "judge_failed")
		return list, nil
	}
	b := ballot{verdict: v, p: map[string]float64{}}
	for k, p := range e.opt.Probe.Weigh(shown, v) {
		b.p[shown[k].Place] = p
	}
	if k := v.Best(); k >= 0 {
		b.chosen = shown[k].Place
	}
	unseen := decide.Heard{Others: 1 - v.None, None: v.None}
	for k := range list {
		p, ok := b.p[list[k].ID]
		if !ok {
			p = e.opt.Probe.Trust.Weigh(list[k].P, unseen)
		}
		list[k].P = p
	}
	slices.SortStableFunc(list, func(x, y decide.Judged) int { return cmp.Compare(y.P, x.P) })
	h.ballot = b
	h.log("judge", "model", nonEmpty(b.chosen, "ninguno"))
	return list, nil
}

// shown gives the first candidates as a judge sees them.
func (h *hits) shown(list []decide.Judged) (out []judge.Candidate) {
	for _, j := range list {
		if len(out) == judge.Most {
			break
		}
		if c, ok := h.candidate(j); ok {
			out = append(out, c)
		}
	}
	return out
}

// candidate is a candidate as a judge sees it; ok is false where there is nothing to see.
func (h *hits) candidate(j decide.Judged) (c judge.Candidate, ok bool) {
	c = judge.Candidate{Place: j.ID, P: j.P}
	if j.Entry != nil && j.Entry.Elsewhere() {
		c.Title, c.Line = "No está en la ley instalada", j.Entry.Text
		return c, !h.ofOthers(j.Entry)
	}
	norm, unit, _ := strings.Cut(j.ID, "/")
	if j.Entry != nil {
		norm, unit = j.Entry.Norm, j.Entry.Unit
	}
	x, ok := h.ground(h.law, norm, unit)
	if !ok {
		return c, false
	}
	x.unit = h.units.get(h.an, x.Ground).Proven(x.Version, h.history())
	if len(x.unit.Sentences) == 0 {
		return c, false
	}
	at := 0
	if best, ok := h.focus.Best(x.unit); ok {
		at = best.At
	}
	c.Title = x.Unit.Label + ", " + corpus.NameOf(x.Norm)
	c.Line = strings.TrimSuffix(x.Unit.Rubric, ".") + ". " + x.unit.Sentences[at].Text
	if j.Entry != nil {
		if k, ok := x.sentenceOf(j.Entry); ok {
			at, c.Line = k, j.Entry.Text
		}
	}
	c.Text = x.unit.Around(at, shownRunes)
	return c, true
}

// shownRunes is how much of a unit's text a judge may be shown.
const shownRunes = 1600

// voted says that a judge who may decide all chose a place: rules that look for forms in
// its text do not go before that.
func (h *hits) voted(place string) bool {
	return h.ballot.cast() && h.ballot.chosen == place
}

// settled says that the judge chose what the answer stands on, and that this is sure: no
// model need look at what else was found.
func (g grounds) settled() bool {
	return g.done == nil && len(g.govern) > 0 && g.voted(g.govern[0].key()) && g.verdict.Confidence >= decide.Sure
}

// byText is a place that no entry leads to, as a judge chose it by its text.
func (h *hits) byText(j decide.Judged) (r reading, ok bool) {
	if !h.voted(j.ID) {
		return r, false
	}
	norm, unit, _ := strings.Cut(j.ID, "/")
	x, ok := h.ground(h.law, norm, unit)
	if !ok {
		return r, false
	}
	x.law, x.score = true, j.P
	x.unit = h.units.get(h.an, x.Ground).Proven(x.Version, h.history())
	if len(x.unit.Sentences) == 0 {
		return r, false
	}
	if best, ok := h.focus.Best(x.unit); ok {
		x.pick = best
	}
	line := x.unit.Sentences[x.pick.At].Text
	return reading{hit: x, p: j.P, ask: x.Title(), entry: &digest.Entry{Norm: norm, Unit: unit, Text: cutRunes(oneLine(line), orderRunes)}}, true
}

// overruled says that the texts alone answer from a place that a judge who may decide all
// has passed over.
func (e *Engine) overruled(g grounds) bool {
	if e.opt.Probe.May != judge.All || !g.ballot.cast() || g.done != nil || len(g.govern) == 0 || !g.govern[0].law || len(g.exact)+len(g.norms) > 0 {
		return false
	}
	p, shown := g.ballot.p[g.govern[0].key()]
	if !shown {
		return g.ballot.chosen == "" && g.ballot.verdict.None >= decide.Sure
	}
	return p < decide.First
}

// translated adds the places that the law's own words for what is asked lead to, as the
// reader puts it, and gives the question as the reader understands it. What its words lead
// to is no likelier for it than what may be offered: it is for the judge to choose.
func (e *Engine) translated(ctx context.Context, h *hits, list []decide.Judged) ([]decide.Judged, string, error) {
	said := understanding{question: h.whole()}
	if e.Model == nil || len(list) > 0 && list[0].P >= decide.Sure {
		return list, said.question, nil
	}
	said, err := e.lawWords(ctx, h)
	if ctx.Err() != nil {
		return list, said.question, model.Cancelled(ctx)
	}
	if err != nil {
		h.faults = append(h.faults, "reader_failed")
		return list, said.question, nil
	}
	if len(said.terms) == 0 {
		return list, said.question, nil
	}
	words := strings.Join(said.terms, ". ")
	found, err := e.searchOne(ctx, h.intent, query{text: words, model: true})
	if err != nil {
		return list, said.question, err
	}
	q := h.asked(words, h.reaches)
	q.Articles = found.found
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
func (e *Engine) lawWords(ctx context.Context, h *hits) (out understanding, err error) {
	out.question = h.whole()
	for _, q := range h.plan.queries {
		if q.model {
			out.terms = append(out.terms, q.text)
		}
	}
	switch {
	case len(out.terms) > 0:
		return out, nil
	case h.goesOn():
		out, err = e.resolved(ctx, h)
	default:
		out.terms, err = e.legalTerms(ctx, out.question)
	}
	h.queries = append(h.queries, out.terms...)
	return out, err
}

// translatedMost is the probability of a place that only the reader's words led to, at
// most: below what is offered to choose from.
const translatedMost = decide.First / 2

// Candidates gives what a judge would be shown of a question of its own, with the places in
// their order: for probes. edit may change what is looked for, as in [Engine.PlacesOf].
func (e *Engine) Candidates(ctx context.Context, q digesto.Question, edit func(*decide.Query)) ([]judge.Candidate, error) {
	var out []judge.Candidate
	err := e.lookUp(ctx, q, edit, func(h *hits, judged []decide.Judged) { out = h.shown(judged) })
	return out, err
}
