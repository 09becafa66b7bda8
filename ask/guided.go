package ask

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"digesto"
	"digesto/pack"
	"digesto/verify"
)

// guideCache keeps the retriever of each pack: what its guides are about is
// worked out once.
type guideCache struct {
	mu sync.Mutex
	m  map[string]*pack.Retriever
}

// Retriever gives the one retriever over a pack's guides: territory, search with
// synonyms and filter, reranking; or, with lookup, the direct look-up without a search.
func (e *Engine) Retriever(p *pack.Pack, s pack.Strategy, lookup bool) *pack.Retriever {
	key := fmt.Sprintf("%s/%s/%t", p.Name, s, lookup)
	e.guides.mu.Lock()
	defer e.guides.mu.Unlock()
	if r := e.guides.m[key]; r != nil {
		return r
	}
	r := &pack.Retriever{Pack: p, Guides: p.Guides(), Strategy: s, Score: e.scorer(p, s), Filter: map[string][]string{"pack": {p.Name}, "rank": {pack.FicheRank}}}
	if !lookup && !e.opt.Embedded.empty() {
		r.Searcher = e.opt.Embedded.Searcher
	}
	if e.guides.m == nil {
		e.guides.m = map[string]*pack.Retriever{}
	}
	e.guides.m[key] = r
	return r
}

// guide is what a guide answers: its facts, each with the official unit that it
// restates, where that is installed.
type guide struct {
	title string // of the procedure
	full  string // … with what explains it in brackets
	items []guideItem
}

type guideItem struct {
	fact    pack.Fact
	own     hit
	law     hit // zero when its place is not installed
	has     bool
	section string
	score   float64
}

// guidedCover is the share of the question's matter that a guide must be about
// to answer it, or to be looked up.
const guidedCover = .5

// guided answers from the pack's guides: ok is false when the question is not one
// for them (it names law, asks for another day) or none is about it. Without
// retrieval (RAG_ENABLED=false) they are looked up, and what they do not say is refused.
func (e *Engine) guided(ctx context.Context, i intent) (g grounds, ok bool, err error) {
	g = grounds{hits: hits{intent: i}, notes: slices.Clone(i.remarks)}
	off := !i.rag()
	if !off && (len(i.exact) > 0 || len(i.norms) > 0 || len(i.absent) > 0 || i.history() != "" || len(i.q.Filters) > 0 || i.chat.Norm || i.topicOnly()) {
		return g, false, nil
	}
	s, _ := i.strategy()
	r := e.Retriever(i.pack, s, off)
	t := i.placed()
	f, err := r.RetrieveIn(ctx, i.text, t, orInt(i.pack.Retrieval.Fused, 10))
	if err != nil {
		return g, false, err
	}
	g.logGuides(f, off)
	var picked []pack.Passage
	if len(f.Passages) > 0 && f.First >= guidedCover {
		picked = r.Pick(i.text, t, f, i.chunks())
	}
	items := g.items(e, picked)
	if len(items) == 0 {
		if off {
			g.verdict = Verdict{Reason: ReasonThin}
			g.done = g.lookedUp(f)
		}
		return g, off, nil
	}
	title, _, _ := strings.Cut(picked[0].Title, " (")
	g.guide = &guide{title, picked[0].Title, items}
	for _, x := range items {
		if g.govern = append(g.govern, x.own); x.has {
			g.govern[len(g.govern)-1] = x.law
		}
	}
	g.list = slices.Clone(g.govern)
	g.verdict = Verdict{Confidence: round2(min(.92, .4+.4*f.First+.12*boolOf(items[0].has)))}
	return g, true, nil
}

// topicOnly says that the question goes on from the conversation.
func (t turn) topicOnly() bool { return t.topic != "" && t.insisted }

// placed is the territory of the question as the retriever takes it.
func (i intent) placed() pack.Territory {
	if len(i.codes) == 0 {
		return pack.Territory{}
	}
	return pack.Territory{Name: i.name, Code: i.codes[0], Region: i.codes[len(i.codes)-1]}
}

func (g *grounds) logGuides(f pack.Found, lookup bool) {
	how := string(f.Strategy)
	if lookup {
		how = "lookup"
	}
	var names []string
	for _, p := range f.Passages[:min(3, len(f.Passages))] {
		names = append(names, fmt.Sprintf("%s %.2f", p.Unit, p.Score))
	}
	g.log("guides", how, strings.Join(names, ", "))
	if f.Degraded != "" {
		g.faults = append(g.faults, "guides_"+string(f.Strategy))
	}
}

// items reads the facts of the passages and, where the law is installed and
// retrieval is on, the official units that they restate. A fact that the
// installed text contradicts is left out, and that is said.
func (g *grounds) items(e *Engine, list []pack.Passage) []guideItem {
	var out []guideItem
	for _, p := range list {
		norm, unit, _ := strings.Cut(p.Unit, "/")
		_, fact, ok := g.pack.FicheOf(norm, unit)
		if !ok {
			continue
		}
		own, ok := g.ground(e.opt.Embedded, norm, unit)
		if !ok {
			continue
		}
		x := guideItem{fact: fact, own: own, section: p.Section, score: p.Score}
		if x.law, x.has = g.placeOf(fact); x.has && !g.supports(x.law, fact) {
			g.notes = append(g.notes, "Se ha retirado la ficha «"+fact.Ask+"»: el texto instalado dice otra cosa.")
			continue
		}
		out = append(out, x)
	}
	return out
}

// placeOf is the official unit of a fact, read from the installed law.
func (g *grounds) placeOf(f pack.Fact) (hit, bool) {
	if g.law.empty() || f.Place == "" || !g.rag() {
		return hit{}, false
	}
	x, ok := g.ground(g.law, f.Norm, f.Place)
	if !ok {
		return hit{}, false
	}
	x.law = true
	x.unit = g.units.get(g.analyser(), x).proven(x.Version, g.history())
	return x, len(x.unit.sents) > 0
}

// supports says that the unit holds every figure of the fact.
func (g *grounds) supports(x hit, f pack.Fact) bool {
	return len(missingNumbers(g.analyser().Terms(f.Text), stemsOf(g.analyser(), x.Version.Text+" "+closed(x.Version.Text)))) == 0
}

// lookedUp is the refusal of a look-up.
func (g *grounds) lookedUp(f pack.Found) *ending {
	end := &ending{outcome: digesto.OutcomeRefusal, classes: g.classes, text: Unverified + " Ninguna ficha del programa contesta a esta pregunta."}
	end.notes = append(g.notes, "La búsqueda está desactivada (RAG_ENABLED=false): solo se miran las fichas.")
	if len(f.Passages) > 0 && f.First >= guidedCover {
		end.notes = append(end.notes, "La ficha más cercana, que no lo dice: «"+f.Passages[0].Title+"».")
	}
	if b, ok := g.pack.BodyFor(g.q.Text); ok {
		end.notes = append(end.notes, bodyText(b.Name, b.For, b.URL))
	}
	return end
}

// Unverified is what an answer from guides says when none of them holds it.
const Unverified = "No tengo esa información verificada."

// writeGuided writes from a guide by the model, or by extraction.
func (e *Engine) writeGuided(ctx context.Context, g grounds, emit func(digesto.Event), err error) (draft, error) {
	if err != nil || g.done != nil {
		return g.ended(), err
	}
	emit(stage("ground"))
	emit(stage("write"))
	return e.write(ctx, g)
}

// extractGuide writes what a guide says: each fact in plain words with the mark
// of its source, and under it the sentences of the law that it restates, letter by
// letter, or the fiche itself where the law is not installed. Every paragraph ends
// in its mark.
func extractGuide(g grounds) draft {
	d := draft{grounds: g, mode: ModeExtractive, confidence: g.verdict.Confidence}
	d.notes = slices.Clone(g.notes)
	var plain, body, sources []string
	budget := maxQuoted
	for k, x := range g.guide.items {
		if !x.has {
			c, ok := x.own.Cite(0, utf8.RuneCountInString(x.own.Version.Text))
			if !ok || len(d.citations) == verify.MaxQuotes {
				continue
			}
			mark := d.cite(c)
			plain = append(plain, x.fact.Text+" "+mark)
			body = append(body, "«"+c.Quote+"» "+mark)
			sources = append(sources, sourceLine(x.own)+" "+mark)
			d.notes = append(d.notes, g.ficheNotes(x.own)...)
			continue
		}
		marks, quoted := d.restated(x, &budget, len(g.guide.items)-k)
		if len(marks) == 0 {
			continue
		}
		all := strings.Join(marks, " ")
		plain = append(plain, x.fact.Text+" "+all)
		body = append(body, "En pocas palabras: "+x.fact.Text+" "+all)
		if len(quoted) > 0 {
			body = append(body, strings.Join(quoted, "\n"))
		}
		sources = append(sources, strings.TrimSuffix(sourceLine(x.law), ".")+". "+all)
		d.notes = append(d.notes, timeNotes(g, x.law)...)
	}
	if len(d.citations) == 0 {
		g.verdict = Verdict{Reason: ReasonThin}
		d.end = g.refusal()
		return d
	}
	for _, list := range [][]string{plain, body} {
		if len(list) > 0 && !strings.Contains(list[0], g.guide.title) {
			list[0] = strings.TrimPrefix(list[0], "En pocas palabras: ")
			list[0] = g.guide.title + ": " + list[0]
		}
	}
	d.plain = strings.Join(plain, "\n\n")
	d.answer = strings.Join(append(body, joinSources(sources)...), "\n\n")
	d.last = g.installNote()
	return d
}

// joinSources gives each line of a source once.
func joinSources(list []string) []string {
	var out []string
	for _, s := range list {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// cite adds a citation, or finds the one that is there, and gives its mark.
func (d *draft) cite(c digesto.Citation) string {
	for _, o := range d.citations {
		if o.Ref.Document == c.Ref.Document && o.Ref.Unit == c.Ref.Unit && o.Ref.Start == c.Ref.Start && o.Ref.End == c.Ref.End {
			return "[" + o.Ref.Label + "]"
		}
	}
	c.Ref.Label = fmt.Sprintf("C%d", len(d.citations)+1)
	d.citations = append(d.citations, c)
	return "[" + c.Ref.Label + "]"
}

// restated quotes the sentences of the law that a fact restates: marks are those of
// the fact, quoted the quotations that are new.
func (d *draft) restated(x guideItem, budget *int, left int) (marks, quoted []string) {
	room := verify.MaxQuotes - len(d.citations)
	if room <= 0 {
		return nil, nil
	}
	most := max(1, room-(left-1))
	parts, _ := x.law.unit.stretches(d.restating(x), max(*budget/left, verify.MaxQuote), min(most, 2))
	for _, p := range parts {
		c, ok := x.law.Cite(p.start, p.end)
		if !ok {
			continue
		}
		n := len(d.citations)
		m := d.cite(c)
		marks = append(marks, m)
		if len(d.citations) > n {
			quoted = append(quoted, "«"+c.Quote+"» "+m)
			*budget -= p.end - p.start
		}
	}
	return marks, quoted
}

// restating finds the sentences of a unit that a fact restates: the one that says
// most of it, and one more that holds a figure or much of what the first lacks.
func (g grounds) restating(x guideItem) []span {
	u := x.law.unit
	part := span{0, len(u.sents) - 1}
	if s, ok := u.detailSpan(g.detailOf(x.fact)); ok {
		part = s
	}
	clue := g.clueFor(x.fact, u)
	best, at := -1.0, part.from
	for i := part.from; i <= part.to; i++ {
		s := u.sents[i]
		v := clue.near(func(t string) bool { return s.stems[t] }) + boolOf(!notRule(s.Text))
		if v > best+1e-9 {
			best, at = v, i
		}
	}
	first := u.widen(at)
	if first.from < part.from && u.sents[part.from].Para == u.sents[at].Para {
		first.from = part.from
	}
	out := []span{first}
	lacks := func(t string) bool {
		for i := first.from; i <= first.to; i++ {
			if u.sents[i].stems[t] {
				return false
			}
		}
		return true
	}
	second, more := -1, .0
	for i := part.from; i <= part.to; i++ {
		if i >= first.from && i <= first.to || notRule(u.sents[i].Text) {
			continue
		}
		v := clue.near(func(t string) bool { return u.sents[i].stems[t] && lacks(t) })
		if v > more+1e-9 {
			second, more = i, v
		}
	}
	if second >= 0 && more >= .2 {
		out = append(out, u.widen(second))
	}
	return u.fit(out)
}

// clueFor weighs a fact's own words by how few of a unit's sentences hold them.
func (g grounds) clueFor(fact pack.Fact, u *unitText) *focus {
	h := g.hits
	f := newFocus(h.analyser(), fact.Text, fact.Text, nil, nil, func(string) float64 { return 1 })
	h.weighIn(f, u)
	return f
}
