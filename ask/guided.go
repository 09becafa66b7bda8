package ask

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"digesto"
	"digesto/extract"
	"digesto/ground"
	"digesto/pack"
	"digesto/passage"
	"digesto/query"
	"digesto/retrieve"
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
func (e *Guides) Retriever(p *pack.Pack, s pack.Strategy, lookup bool) *pack.Retriever {
	key := fmt.Sprintf("%s/%s/%t", p.Name, s, lookup)
	e.cache.mu.Lock()
	defer e.cache.mu.Unlock()
	if r := e.cache.m[key]; r != nil {
		return r
	}
	r := &pack.Retriever{Pack: p, Guides: p.Guides(), Strategy: s, Score: e.Scorer(p, s), Filter: map[string][]string{"pack": {p.Name}, "rank": {pack.FicheRank}}}
	if !lookup && !e.Embedded.Empty() {
		r.Searcher = e.Embedded.Searcher
	}
	if e.cache.m == nil {
		e.cache.m = map[string]*pack.Retriever{}
	}
	e.cache.m[key] = r
	return r
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
func (e *Guides) guided(ctx context.Context, i query.Intent) (g ground.Grounds, ok bool, err error) {
	g = ground.Grounds{Hits: retrieve.Hits{Intent: i}, Notes: slices.Clone(i.Remarks)}
	off := !i.Rag()
	if !off && (len(i.Exact) > 0 || citesLaw(i) || i.History() != "" || len(i.Q.Filters) > 0 || i.Chat.Norm || i.TopicOnly() || ground.MatchesAny(ground.PastForms, pack.Words(i.Text))) {
		return g, false, nil
	}
	s, _ := i.Strategy()
	r := e.Retriever(i.Pack, s, off)
	t := placed(i)
	f, err := r.RetrieveIn(ctx, i.Text, t, query.OrInt(i.Pack.Retrieval.Fused, 10))
	if err != nil {
		return g, false, err
	}
	logGuides(&g, f, off)
	var picked []pack.Passage
	if len(f.Passages) > 0 && f.First >= guidedCover {
		picked = r.Pick(i.Text, t, f, i.Chunks())
	}
	items := e.items(&g, picked)
	if len(items) == 0 {
		if off {
			g.Verdict = ground.Verdict{Reason: ground.ReasonThin}
			g.Done = lookedUp(&g, f)
		}
		return g, off, nil
	}
	title, _, _ := strings.Cut(picked[0].Title, " (")
	g.Guide = &ground.Guide{Title: title, Full: picked[0].Title, Items: items, Unsaid: r.Unsaid(i.Text, t, picked) > 0}
	for _, x := range items {
		if g.Govern = append(g.Govern, x.Own); x.Has {
			g.Govern[len(g.Govern)-1] = x.Law
		}
	}
	g.List = slices.Clone(g.Govern)
	g.Verdict = ground.Verdict{Confidence: ground.Round2(min(.92, .4+.4*f.First+.12*extract.OneIf(items[0].Has)))}
	if g.Guide.Unsaid {
		g.Verdict.Confidence = min(g.Verdict.Confidence, unsaidConfidence)
	}
	return g, true, nil
}

// suggest names the guide of the matter in a refusal: it does not say what is asked,
// and is the nearest that there is.
func suggest(g *ground.Grounds, o *ground.Guide) {
	if o == nil || g.Done == nil || g.Done.Outcome != digesto.OutcomeRefusal || len(o.Items) == 0 {
		return
	}
	g.Done.Notes = append(g.Done.Notes, "Sobre «"+o.Title+"» hay una guía: pregunte, por ejemplo, «"+o.Items[0].Fact.Ask+"».")
}

// citesLaw says that the question names a norm as such: the name of an aid that is
// also in a norm's title, or an acronym that the pack knows as another thing, is none.
func citesLaw(i query.Intent) bool {
	if len(i.Norms) == 0 && len(i.Absent) == 0 {
		return false
	}
	for _, m := range i.Mentions {
		if m.Unit != "" || query.LawWords.MatchString(text.Fold(m.Text)) || !i.Pack.Synonyms.Has(m.Text) && !strings.Contains(strings.TrimSpace(m.Text), " ") {
			return true
		}
	}
	return len(i.Mentions) == 0 && query.LawWords.MatchString(text.Fold(i.Text))
}

// placed is the territory of the question as the retriever takes it.
func placed(i query.Intent) pack.Territory {
	if len(i.Codes) == 0 {
		return pack.Territory{}
	}
	return pack.Territory{Name: i.Name, Code: i.Codes[0], Region: i.Codes[len(i.Codes)-1]}
}

func logGuides(g *ground.Grounds, f pack.Found, lookup bool) {
	how := string(f.Strategy)
	if lookup {
		how = "lookup"
	}
	var names []string
	for _, p := range f.Passages[:min(3, len(f.Passages))] {
		names = append(names, fmt.Sprintf("%s %.2f", p.Unit, p.Score))
	}
	g.Log("guides", how, strings.Join(names, ", "))
	if f.Degraded != "" {
		g.Faults = append(g.Faults, "guides_"+string(f.Strategy))
	}
}

// items reads the facts of the passages and, where the law is installed and
// retrieval is on, the official units that they restate. A fact that the
// installed text contradicts is left out, and that is said.
func (e *Guides) items(g *ground.Grounds, list []pack.Passage) []ground.GuideItem {
	var out []ground.GuideItem
	for _, p := range list {
		norm, unit, _ := strings.Cut(p.Unit, "/")
		_, fact, ok := g.Pack.FicheOf(norm, unit)
		if !ok {
			continue
		}
		own, ok := g.Ground(e.Embedded, norm, unit)
		if !ok {
			continue
		}
		if why, ok := g.LapsedFact(fact); ok {
			g.Notes = append(g.Notes, "Se ha retirado la ficha «"+fact.Ask+"»: "+why)
			continue
		}
		x := ground.GuideItem{Fact: fact, Own: own, Section: p.Section, Score: p.Score}
		if x.Law, x.Has = placeOf(g, fact); x.Has && !supports(g, x.Law, fact) {
			g.Notes = append(g.Notes, "Se ha retirado la ficha «"+fact.Ask+"»: el texto instalado dice otra cosa.")
			continue
		}
		out = append(out, x)
	}
	return out
}

// placeOf is the official unit of a fact, read from the installed law.
func placeOf(g *ground.Grounds, f pack.Fact) (retrieve.Hit, bool) {
	if g.Law.Empty() || f.Place == "" || !g.Rag() {
		return retrieve.Hit{}, false
	}
	x, ok := g.Ground(g.Law, f.Norm, f.Place)
	if !ok {
		return retrieve.Hit{}, false
	}
	x.Law = true
	x.Prepared = g.Units.Get(g.Analyser(), x.Ground).Proven(x.Version, g.History())
	return x, len(x.Prepared.Sentences) > 0
}

// supports says that the unit holds every figure of the fact.
func supports(g *ground.Grounds, x retrieve.Hit, f pack.Fact) bool {
	return len(ground.LackedFigures(&g.Hits, f, x)) == 0
}

// lookedUp is the refusal of a look-up.
func lookedUp(g *ground.Grounds, f pack.Found) *query.Ending {
	end := &query.Ending{Outcome: digesto.OutcomeRefusal, Classes: g.Classes, Text: ground.Unverified + " Ninguna ficha del programa contesta a esta pregunta."}
	end.Notes = append(g.Notes, "La búsqueda está desactivada (RAG_ENABLED=false): solo se miran las fichas.")
	if len(f.Passages) > 0 && f.First >= guidedCover {
		end.Notes = append(end.Notes, "La ficha más cercana, que no lo dice: «"+f.Passages[0].Title+"».")
	}
	if b, ok := g.Pack.BodyFor(g.Q.Text); ok {
		end.Notes = append(end.Notes, ground.BodyText(b.Name, b.For, b.URL))
	}
	return end
}

// writeGuided writes from a guide by the model, or by extraction.
func (e *Guides) writeGuided(ctx context.Context, g ground.Grounds, emit func(digesto.Event), err error) (draft, error) {
	if err != nil || g.Done != nil {
		return endedGrounds(g), err
	}
	emit(ground.Stage("ground"))
	emit(ground.Stage("write"))
	return e.write(ctx, byExtraction(g))
}

// extractGuide writes what a guide says: each fact in plain words with the mark
// of its source, and under it the sentences of the law that it restates, letter by
// letter, or the fiche itself where the law is not installed. Every paragraph ends
// in its mark. What does not fit in an answer is left out, and that is said.
func extractGuide(g ground.Grounds) draft {
	d := draft{Grounds: g, mode: ModeExtractive, confidence: g.Verdict.Confidence}
	d.Notes = slices.Clone(g.Notes)
	var p paragraphs
	budget := extract.MaxQuoted
	for k, x := range g.Guide.Items {
		one := d
		one.citations = slices.Clone(d.citations)
		next := p.clone()
		if left := budget; !one.say(x, &next, &left, len(g.Guide.Items)-k) {
			continue
		} else if next.runes(g.Guide.Title) > verify.MaxAnswer {
			d.Notes = append(d.Notes, "La guía dice más de lo que cabe en la respuesta: pregunte por una sola cosa.")
			break
		} else {
			budget = left
		}
		d, p = one, next
	}
	if len(d.citations) == 0 {
		g.Verdict = ground.Verdict{Reason: ground.ReasonThin}
		d.end = g.Refusal()
		return d
	}
	d.plain, d.answer = p.join(g.Guide.Title)
	d.last = g.InstallNote()
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
func (d *draft) say(x ground.GuideItem, p *paragraphs, budget *int, left int) bool {
	if !x.Has {
		c, ok := x.Own.Cite(0, utf8.RuneCountInString(x.Own.Version.Text))
		if !ok || len(d.citations) == verify.MaxQuotes {
			return false
		}
		mark := d.cite(c)
		p.plain = append(p.plain, x.Fact.Text+" "+mark)
		p.body = append(p.body, "«"+c.Quote+"» "+mark)
		p.source(ground.SourceLine(x.Own), []string{mark})
		d.Notes = append(slices.Clone(d.Notes), ficheNotes(d.Grounds, x.Own)...)
		return true
	}
	marks, quoted := d.restated(x, budget, left)
	if len(marks) == 0 {
		return false
	}
	all := strings.Join(marks, " ")
	p.plain = append(p.plain, x.Fact.Text+" "+all)
	p.body = append(p.body, "En pocas palabras: "+x.Fact.Text+" "+all)
	if len(quoted) > 0 {
		p.body = append(p.body, strings.Join(quoted, "\n"))
	}
	p.source(ground.SourceLine(x.Law), marks)
	d.Notes = slices.Clone(d.Notes)
	if c := d.caution(x.Law); c != "" {
		d.Notes = append(d.Notes, c)
	}
	d.Notes = append(d.Notes, ground.TimeNotes(d.Grounds, x.Law)...)
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
func (d *draft) restated(x ground.GuideItem, budget *int, left int) (marks, quoted []string) {
	room := verify.MaxQuotes - len(d.citations)
	if room <= 0 {
		return nil, nil
	}
	most := max(1, room-(left-1))
	parts, _ := extract.Stretches(x.Law.Prepared, restating(d.Grounds, x), min(max(*budget/left, verify.MaxQuote), 2*verify.MaxQuote), min(most, 2))
	for _, p := range parts {
		c, ok := x.Law.Cite(p.Start, p.End)
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
func restating(g ground.Grounds, x ground.GuideItem) []passage.Span {
	u := x.Law.Prepared
	part := passage.Span{From: 0, To: len(u.Sentences) - 1}
	if s, ok := u.DetailSpan(g.DetailOf(x.Fact)); ok {
		part = s
	}
	clue := clueFor(g, x.Fact, u)
	figures := figuresOf(g.Analyser(), x.Fact)
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
func clueFor(g ground.Grounds, fact pack.Fact, u *passage.Unit) *extract.Focus {
	h := g.Hits
	f := extract.NewFocus(h.Analyser(), fact.Text, fact.Text, nil, nil, func(string) float64 { return 1 })
	f.WeighIn(u)
	return f
}
