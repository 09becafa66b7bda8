package ask

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"digesto"
	"digesto/extract"
	"digesto/pack"
	"digesto/passage"
	"digesto/text"
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
	// unsaid says that the question says something that no passage does: it is about
	// the matter of the guide, and of 37 such questions of strangers a guide answered 5.
	// It answers only where there is no law to ask.
	unsaid bool
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

// unsaidConfidence is the most that an answer may claim when the question says
// something that its passages do not.
const unsaidConfidence = .6

// guided answers from the pack's guides: ok is false when the question is not one
// for them (it names law, asks for another day) or none is about it. Without
// retrieval (RAG_ENABLED=false) they are looked up, and what they do not say is refused.
func (e *Engine) guided(ctx context.Context, i intent) (g grounds, ok bool, err error) {
	g = grounds{hits: hits{intent: i}, notes: slices.Clone(i.remarks)}
	off := !i.rag()
	if !off && (len(i.exact) > 0 || i.citesLaw() || i.history() != "" || len(i.q.Filters) > 0 || i.chat.Norm || i.topicOnly() || matchesAny(pastForms, pack.Words(i.text))) {
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
	g.guide = &guide{title, picked[0].Title, items, r.Unsaid(i.text, t, picked) > 0}
	for _, x := range items {
		if g.govern = append(g.govern, x.own); x.has {
			g.govern[len(g.govern)-1] = x.law
		}
	}
	g.list = slices.Clone(g.govern)
	g.verdict = Verdict{Confidence: round2(min(.92, .4+.4*f.First+.12*extract.OneIf(items[0].has)))}
	if g.guide.unsaid {
		g.verdict.Confidence = min(g.verdict.Confidence, unsaidConfidence)
	}
	return g, true, nil
}

// suggest names the guide of the matter in a refusal: it does not say what is asked,
// and is the nearest that there is.
func (g *grounds) suggest(o *guide) {
	if o == nil || g.done == nil || g.done.outcome != digesto.OutcomeRefusal || len(o.items) == 0 {
		return
	}
	g.done.notes = append(g.done.notes, "Sobre «"+o.title+"» hay una guía: pregunte, por ejemplo, «"+o.items[0].fact.Ask+"».")
}

// lawWords are what the name of a norm has and that of an aid or a procedure has not.
var lawWords = regexp.MustCompile(`\d+/\d{4}|\b(?:ley|leyes|decreto|codigo|reglamento|estatuto|constitucion|orden|texto refundido|norma|instruccion|directiva)\b`)

// citesLaw says that the question names a norm as such: the name of an aid that is
// also in a norm's title, or an acronym that the pack knows as another thing, is none.
func (i intent) citesLaw() bool {
	if len(i.norms) == 0 && len(i.absent) == 0 {
		return false
	}
	for _, m := range i.mentions {
		if m.Unit != "" || lawWords.MatchString(text.Fold(m.Text)) || !i.pack.Synonyms.Has(m.Text) && !strings.Contains(strings.TrimSpace(m.Text), " ") {
			return true
		}
	}
	return len(i.mentions) == 0 && lawWords.MatchString(text.Fold(i.text))
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
		if why, ok := g.lapsedFact(fact); ok {
			g.notes = append(g.notes, "Se ha retirado la ficha «"+fact.Ask+"»: "+why)
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
	x.unit = g.units.get(g.analyser(), x.Ground).Proven(x.Version, g.history())
	return x, len(x.unit.Sentences) > 0
}

// supports says that the unit holds every figure of the fact.
func (g *grounds) supports(x hit, f pack.Fact) bool {
	return len(g.lackedFigures(f, x)) == 0
}

// lackedFigures are the figures of a fact that its official unit does not hold,
// without the year that a figure is of.
func (h *hits) lackedFigures(f pack.Fact, x hit) []string {
	key := lackKey{f.Text, f.Year, x.Version.SHA256}
	if list, ok := h.units.lacks.Get(key); ok && key.sha != "" {
		return slices.Clone(list)
	}
	terms := slices.Clone(h.analyser().Terms(f.Text))
	list := missingNumbers(terms, passage.Stems(h.analyser(), x.Version.Text+" "+closed(x.Version.Text)))
	list = slices.DeleteFunc(list, func(n string) bool { return n == f.Year })
	h.units.lacks.Put(key, slices.Clone(list), 200+len(f.Text))
	return list
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
	return e.write(ctx, byExtraction(g))
}

// extractGuide writes what a guide says: each fact in plain words with the mark
// of its source, and under it the sentences of the law that it restates, letter by
// letter, or the fiche itself where the law is not installed. Every paragraph ends
// in its mark. What does not fit in an answer is left out, and that is said.
func extractGuide(g grounds) draft {
	d := draft{grounds: g, mode: ModeExtractive, confidence: g.verdict.Confidence}
	d.notes = slices.Clone(g.notes)
	var p paragraphs
	budget := extract.MaxQuoted
	for k, x := range g.guide.items {
		one := d
		one.citations = slices.Clone(d.citations)
		next := p.clone()
		if left := budget; !one.say(x, &next, &left, len(g.guide.items)-k) {
			continue
		} else if next.runes(g.guide.title) > verify.MaxAnswer {
			d.notes = append(d.notes, "La guía dice más de lo que cabe en la respuesta: pregunte por una sola cosa.")
			break
		} else {
			budget = left
		}
		d, p = one, next
	}
	if len(d.citations) == 0 {
		g.verdict = Verdict{Reason: ReasonThin}
		d.end = g.refusal()
		return d
	}
	d.plain, d.answer = p.join(g.guide.title)
	d.last = g.installNote()
	return d
}

// paragraphs are the parts of an answer from a guide.
type paragraphs struct {
	plain, body []string
	sources     []string            // without marks, each once
	marks       map[string][]string // of each source
}

func (p paragraphs) clone() paragraphs {
	out := paragraphs{slices.Clone(p.plain), slices.Clone(p.body), slices.Clone(p.sources), map[string][]string{}}
	for k, v := range p.marks {
		out.marks[k] = slices.Clone(v)
	}
	return out
}

func (p *paragraphs) source(line string, marks []string) {
	line = strings.TrimSuffix(line, ".") + "."
	if !slices.Contains(p.sources, line) {
		p.sources = append(p.sources, line)
	}
	for _, m := range marks {
		if !slices.Contains(p.marks[line], m) {
			p.marks[line] = append(p.marks[line], m)
		}
	}
}

// join gives the plain sentences and the whole answer, both opened by the name of
// the procedure.
func (p paragraphs) join(title string) (plain, answer string) {
	all := slices.Clone(p.body)
	for _, s := range p.sources {
		all = append(all, s+" "+strings.Join(p.marks[s], " "))
	}
	sentences := slices.Clone(p.plain)
	for _, list := range [][]string{sentences, all} {
		if len(list) > 0 {
			list[0] = title + ": " + strings.TrimPrefix(list[0], "En pocas palabras: ")
		}
	}
	return strings.Join(sentences, "\n\n"), strings.Join(all, "\n\n")
}

func (p paragraphs) runes(title string) int {
	_, a := p.join(title)
	return utf8.RuneCountInString(a)
}

// say adds what one fact gives; false: nothing that can be cited.
func (d *draft) say(x guideItem, p *paragraphs, budget *int, left int) bool {
	if !x.has {
		c, ok := x.own.Cite(0, utf8.RuneCountInString(x.own.Version.Text))
		if !ok || len(d.citations) == verify.MaxQuotes {
			return false
		}
		mark := d.cite(c)
		p.plain = append(p.plain, x.fact.Text+" "+mark)
		p.body = append(p.body, "«"+c.Quote+"» "+mark)
		p.source(sourceLine(x.own), []string{mark})
		d.notes = append(slices.Clone(d.notes), d.ficheNotes(x.own)...)
		return true
	}
	marks, quoted := d.restated(x, budget, left)
	if len(marks) == 0 {
		return false
	}
	all := strings.Join(marks, " ")
	p.plain = append(p.plain, x.fact.Text+" "+all)
	p.body = append(p.body, "En pocas palabras: "+x.fact.Text+" "+all)
	if len(quoted) > 0 {
		p.body = append(p.body, strings.Join(quoted, "\n"))
	}
	p.source(sourceLine(x.law), marks)
	d.notes = slices.Clone(d.notes)
	if c := d.caution(x.law); c != "" {
		d.notes = append(d.notes, c)
	}
	d.notes = append(d.notes, timeNotes(d.grounds, x.law)...)
	return true
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
	parts, _ := extract.Stretches(x.law.unit, d.restating(x), min(max(*budget/left, verify.MaxQuote), 2*verify.MaxQuote), min(most, 2))
	for _, p := range parts {
		c, ok := x.law.Cite(p.Start, p.End)
		if !ok {
			continue
		}
		n := len(d.citations)
		m := d.cite(c)
		marks = append(marks, m)
		if len(d.citations) > n {
			quoted = append(quoted, "«"+c.Quote+"» "+m)
			*budget -= p.End - p.Start
		}
	}
	return marks, quoted
}

// restating finds the sentences of a unit that a fact restates: the one that says
// most of it, figures above all, and one more that holds what the first lacks.
func (g grounds) restating(x guideItem) []passage.Span {
	u := x.law.unit
	part := passage.Span{From: 0, To: len(u.Sentences) - 1}
	if s, ok := u.DetailSpan(g.detailOf(x.fact)); ok {
		part = s
	}
	clue := g.clueFor(x.fact, u)
	figures := figuresOf(g.analyser(), x.fact)
	seen := clue.Over(u)
	have, more := make(extract.Bits, seen.Width), make(extract.Bits, seen.Width) // what is said already; what a sentence adds
	told := map[uint64]bool{}
	var out []passage.Span
	for len(out) < 2 {
		at, top := -1, .0
		if len(out) > 0 {
			top = .2 // a second sentence must say something of its own
		}
		for i := part.From; i <= part.To; i++ {
			if passage.Covered(out, i) || u.Sentences[i].Note {
				continue
			}
			for k, b := range seen.Sent(i) {
				more[k] = b &^ have[k]
			}
			v := clue.Nears(more)
			for _, n := range figures {
				v += extract.OneIf(!told[n] && u.SentHas(i, n))
			}
			if v > top+1e-9 {
				at, top = i, v
			}
		}
		if at < 0 {
			break
		}
		w := extract.Widen(u, at)
		w.From = max(w.From, part.From)
		for i := w.From; i <= w.To; i++ {
			have.Or(seen.Sent(i))
			for _, n := range figures {
				told[n] = told[n] || u.SentHas(i, n)
			}
		}
		out = append(out, w)
	}
	if len(out) == 0 {
		out = []passage.Span{extract.Widen(u, part.From)}
	}
	return passage.InOrder(out)
}

// figuresOf gives the keys of the figures of a fact, each once, without its year.
func figuresOf(an *text.Analyser, f pack.Fact) []uint64 {
	var out []uint64
	for _, t := range an.Terms(f.Text) {
		if t.Stem != "" && t.Stem[0] >= '0' && t.Stem[0] <= '9' && !t.Part && t.Stem != f.Year && !slices.Contains(out, passage.Key(t.Stem)) {
			out = append(out, passage.Key(t.Stem))
		}
	}
	return out
}

// clueFor weighs a fact's own words by how few of a unit's sentences hold them.
func (g grounds) clueFor(fact pack.Fact, u *passage.Unit) *extract.Focus {
	h := g.hits
	f := extract.NewFocus(h.analyser(), fact.Text, fact.Text, nil, nil, func(string) float64 { return 1 })
	f.WeighIn(u)
	return f
}

// missingNumbers gives the numbers of a text that a set of stems lacks.
func missingNumbers(terms []text.Term, have map[string]bool) []string {
	var out []string
	for _, t := range terms {
		if t.Stem != "" && t.Stem[0] >= '0' && t.Stem[0] <= '9' && !t.Part && !have[t.Stem] {
			out = append(out, t.Stem)
		}
	}
	return out
}
