package guide

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"digesto"
	"digesto/decide"
	"digesto/extract"
	"digesto/ground"
	"digesto/pack"
	"digesto/query"
	"digesto/retrieve"
	"digesto/text"
	"digesto/write"
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

// Guided answers from the pack's guides: ok is false when the question is not one
// for them (it names law, asks for another day) or none is about it. Without
// retrieval (RAG_ENABLED=false) they are looked up, and what they do not say is refused.
func (e *Guides) Guided(ctx context.Context, i query.Intent) (g ground.Grounds, ok bool, err error) {
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
	if len(f.Passages) > 0 && f.First >= extract.Most {
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
		g.Verdict.Confidence = min(g.Verdict.Confidence, decide.Quiet)
	}
	return g, true, nil
}

// Suggest names the guide of the matter in a refusal: it does not say what is asked,
// and is the nearest that there is.
func Suggest(g *ground.Grounds, o *ground.Guide) {
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
	if len(f.Passages) > 0 && f.First >= extract.Most {
		end.Notes = append(end.Notes, "La ficha más cercana, que no lo dice: «"+f.Passages[0].Title+"».")
	}
	if b, ok := g.Pack.BodyFor(g.Q.Text); ok {
		end.Notes = append(end.Notes, ground.BodyText(b.Name, b.For, b.URL))
	}
	return end
}

// WriteGuided writes from a guide by the model, or by extraction.
func (e *Guides) WriteGuided(ctx context.Context, g ground.Grounds, emit func(digesto.Event), err error) (write.Draft, error) {
	if err != nil || g.Done != nil {
		return write.EndedGrounds(g), err
	}
	emit(ground.Stage("ground"))
	emit(ground.Stage("write"))
	return e.Write(ctx, write.ByExtraction(g))
}

// Guides answer from the guides of packs.
type Guides struct {
	*write.Composer
	cache guideCache
}
