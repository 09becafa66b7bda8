package ask

import (
	"context"
	"maps"
	"slices"
	"strings"

	"digesto"
	"digesto/corpus"
	"digesto/extract"
	"digesto/pack"
	"digesto/passage"
	"digesto/verify"
)

// hit is a unit found, with its text.
type hit struct {
	verify.Ground
	score float64 // of the search, relative to its list's best: 0–1; exact places 2
	law   bool    // of the installed law; false = embedded in a pack
	// assumed says that the dates of the text do not prove that it held on the day asked for.
	assumed bool
	exact   bool    // named in the question
	hint    float64 // how nearly a fiche whose official place it is asks the same, 0–1
	detail  string  // paragraph or letter that the question names
	unit    *passage.Unit
	pick    extract.Pick
	vouch   float64           // share of the question's information in the fiche that points here
	clue    *extract.Focus    // what the fiche says, to find its place in the unit by; nil = none points here
	only    *passage.Span     // the part of the unit that it points at; nil = none, or the whole
	order   float64           // set by rerank
	led     float64           // the glossary leads here: 1 the defining place, less further ones; up to twice that for a term that says nearly all of the question
	terms   []map[string]bool // stems of the glossary's terms that lead here: the unit says them in words of its own
	defines bool              // it defines the concept asked about
	like    float64           // how far beyond nearLike the fiches that point here mean the question, 0–1
	certain float64           // how like the place is with its lead over every other, 0 = another is more like
	opens   float64           // how nearly a heading that it stands first under is the matter of the question, 0–1
	needed  bool              // an evaluator asked for it
	own     *extract.Focus    // question that it answers, when not the whole one
	asked   string            // plain question of the entry that led here; "" = none did
	plain   []plainLine       // what it answers, in our own words, the most like what is asked first
	beside  bool              // quoted behind the one that governs: the evidence hardly tells them apart
}

func (h hit) key() string { return h.Norm.ID + "/" + h.Unit.ID }

// hits are the units found for an intent, best first.
type hits struct {
	intent
	focus       *extract.Focus
	list        []hit
	found       []digesto.Hit // by the search of the law, best first
	best, reach float64       // of the search of the law: see digesto.Results
	ownShare    float64       // best ÷ reach of the search of what the packs embed
	plan        plan
	sides       []part // what the queries of a comparison found
	ballot      ballot
}

// Counts of candidates.
const (
	searchK    = 40
	embeddedK  = 24
	principalK = 16
)

// retrieve finds units: those named, those of the installed law, and those that
// the pack embeds.
func (e *Retriever) retrieve(ctx context.Context, i intent) (hits, error) {
	h := hits{intent: i}
	var found, main []digesto.Hit
	idf := map[string]float64{}
	apart := e.apart(i)
	switch {
	case i.law.empty():
	case apart:
		r, steps, err := e.searchApart(ctx, i)
		if err != nil {
			return h, err
		}
		h.trace = append(h.trace, steps...)
		h.best, h.reach, found = r.Best, r.Reach, r.Hits
		collectIDF(idf, r.Hits)
	default:
		r, err := e.searchLaw(ctx, i)
		if err != nil {
			return h, err
		}
		h.best, h.reach, found = r.Best, r.Reach, r.Hits
		collectIDF(idf, r.Hits)
		if main, err = e.searchPrincipal(ctx, i); err != nil {
			return h, err
		}
	}
	h.found = found
	var own []digesto.Hit
	if !e.Embedded.empty() {
		r, err := i.tiered(ctx, e.Embedded.Searcher, i.packFilter(false), embeddedK)
		if err != nil {
			return h, err
		}
		own = r.Hits
		if r.Reach > 0 {
			h.ownShare = r.Best / r.Reach
		}
		if len(idf) == 0 {
			collectIDF(idf, r.Hits)
		}
	}
	h.named()
	top, most := topScore(found), e.Units*i.lists()
	if apart {
		top, most = i.fullRank(), len(found)
	}
	h.load(found, top, i.law, true, most)
	h.load(main, top, i.law, true, principalK)
	h.dropCopies()
	h.load(own, topScore(own), e.Embedded, false, embeddedK*i.lists())
	h.focus = extract.NewFocus(i.an, i.text, i.struck, i.cited(), slices.Concat(i.also, i.lay), weightOf(idf))
	h.focus.Lighten(h.an, h.context, h.said)
	h.focus.Localise(unitsOf(h.list)...)
	h.pick()
	h.open()
	h.hint()
	return h, e.alike(ctx, &h)
}

// cited gives the words with which the question names units and their norms, and
// the place whose law applies: they are no content that a text must hold.
func (i intent) cited() map[string]bool {
	m := map[string]bool{}
	for _, x := range i.mentions {
		if x.Unit == "" {
			continue
		}
		for _, t := range i.an.Terms(x.Text) {
			m[t.Stem] = true
		}
	}
	for _, t := range i.an.Terms(i.name) {
		m[t.Stem] = true
	}
	return m
}

func unitsOf(list []hit) []*passage.Unit {
	out := make([]*passage.Unit, len(list))
	for k := range list {
		out[k] = list[k].unit
	}
	return out
}

// pick finds the best sentence of each unit; units without any fall out.
func (h *hits) pick() {
	for k := len(h.list) - 1; k >= 0; k-- {
		if len(h.list[k].unit.Sentences) == 0 {
			h.list = slices.Delete(h.list, k, k+1)
		}
	}
	for k := range h.list {
		h.list[k].pick, _ = h.focus.Best(h.list[k].unit)
	}
}

// collectIDF takes the weights of the words that the searcher explains.
func collectIDF(into map[string]float64, list []digesto.Hit) {
	for _, h := range list {
		if h.Explain == nil {
			continue
		}
		for _, t := range h.Explain.Terms {
			if t.IDF > into[t.Term] {
				into[t.Term] = t.IDF
			}
		}
	}
}

// weightOf gives the weight of a stem. Words that no hit holds are the rarest
// of all, or fillers: they weigh nearly as much as the heaviest known one.
func weightOf(idf map[string]float64) func(stem string) float64 {
	top := 0.0
	for _, v := range idf {
		top = max(top, v)
	}
	if top == 0 {
		top = 1
	}
	return func(stem string) float64 {
		if v, ok := idf[stem]; ok {
			return v
		}
		return .7 * top
	}
}

func (e *Retriever) searchLaw(ctx context.Context, i intent) (digesto.Results, error) {
	return i.tiered(ctx, i.law.Searcher, i.packFilter(true), searchK)
}

// tiered searches the collections that the question's classes name, one after
// the other so that one never crowds out another; without classes, all at once.
// Each collection's own count holds after reranking: see inTiers.
func (i intent) tiered(ctx context.Context, in digesto.Searcher, f digesto.Filter, k int) (digesto.Results, error) {
	if len(i.tiers) == 0 {
		return in.Search(ctx, i.query(k, f))
	}
	var all digesto.Results
	for _, t := range i.tiers {
		f.In = maps.Clone(f.In)
		f.In["collection"] = []string{t.Collection}
		r, err := in.Search(ctx, i.query(k, f))
		if err != nil {
			return all, err
		}
		all.Hits = append(all.Hits, r.Hits...)
		all.Best, all.Reach = max(all.Best, r.Best), max(all.Reach, r.Reach)
	}
	return all, nil
}

// lists is the number of lists that a tiered search gives.
func (i intent) lists() int { return max(1, len(i.tiers)) }

// searchPrincipal looks in the norms that govern the domain when the question
// names none: special law has more words in common with a question than the
// general rule that it departs from.
func (e *Retriever) searchPrincipal(ctx context.Context, i intent) ([]digesto.Hit, error) {
	if len(i.norms) > 0 || len(i.tiers) > 0 || len(i.exact) > 0 {
		return nil, nil
	}
	var ids []string
	for _, id := range i.pack.Principal {
		if n, ok := i.installed(id); ok {
			ids = append(ids, n.ID)
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	f := i.packFilter(true)
	f.In["norm"] = ids
	q := i.query(principalK, f)
	q.Explain = false // the first search gave the weights of words
	r, err := i.law.Searcher.Search(ctx, q)
	return r.Hits, err
}

func (i intent) query(k int, f digesto.Filter) digesto.Query {
	q := digesto.Query{Text: i.struck, Also: i.also, Norms: i.norms, Filter: f, K: k, Explain: true, TermsOnly: true, NoTotal: true}
	if len(i.lay)+len(i.terms) > 0 {
		q.Also, q.AlsoWeight = slices.Concat(i.also, i.lay, i.terms), pack.AlternativeWeight
	}
	if len(q.Norms) == 0 {
		q.Norms = i.about
	}
	if strings.TrimSpace(q.Text) == "" {
		q.Text = i.text
	}
	for _, p := range i.exact {
		q.Units = append(q.Units, p.norm+"/"+p.unit)
	}
	return q
}

// packFilter narrows a search to the pack, its territory, the caller's own
// filters and the day asked for.
func (i intent) packFilter(law bool) digesto.Filter {
	if !law {
		f := digesto.Filter{In: map[string][]string{"pack": {i.pack.Name}}, Wider: []string{"pack"}}
		maps.Copy(f.In, i.chat.Filter)
		if i.chat.Norm {
			f.In["norm"] = []string{i.q.Filters["norm"]}
		}
		return f
	}
	f := digesto.Filter{In: maps.Clone(i.chat.Filter), AsOf: i.history()}
	if f.In == nil {
		f.In = map[string][]string{}
	}
	for k, v := range i.q.Filters {
		f.In[k] = []string{v}
	}
	if len(i.codes) > 0 {
		f.In["territory"] = i.codes
		f.Wider = append(f.Wider, "territory")
	}
	if len(i.codes) == 0 && i.pack.Territories != nil && len(i.norms) == 0 && len(i.exact) == 0 { // the law of one place is for who names it
		f.In["territory"] = []string{"-"}
		f.Wider = append(f.Wider, "territory")
	}
	if named := i.elsewhere(); len(named) > 0 { // named law that was added to another pack
		f.In["norm"] = named
		return f
	}
	return i.pack.Narrow(f)
}

// elsewhere gives the named norms if none of them was added to the pack.
func (i intent) elsewhere() []string {
	for _, id := range i.norms {
		if n, ok := i.installed(id); ok && i.pack.Sees(n) {
			return nil
		}
	}
	return i.norms
}

// named puts the units that the question names first.
func (h *hits) named() {
	for _, p := range h.exact {
		if x, ok := h.ground(h.law, p.norm, p.unit); ok {
			x.law, x.exact, x.score, x.detail = true, true, 2, p.detail
			h.add(x)
		}
	}
}

func (h *hits) add(x hit) bool {
	if h.at(&x) >= 0 {
		return false
	}
	x.unit = h.units.get(h.an, x.Ground).Proven(x.Version, h.history())
	h.list = append(h.list, x)
	return true
}

// at gives where a unit stands in the list; -1 when it does not.
func (h *hits) at(x *hit) int {
	for k := range h.list {
		if o := &h.list[k]; o.Unit.ID == x.Unit.ID && o.Norm.ID == x.Norm.ID {
			return k
		}
	}
	return -1
}

// ground reads a unit's text in force on the day asked for.
func (h *hits) ground(v View, norm, unit string) (hit, bool) {
	return h.groundAt(v, norm, unit, h.history())
}

func (h *hits) groundAt(v View, norm, unit string, at digesto.Date) (hit, bool) {
	n, ok := v.Snapshot.Norm(norm)
	if !ok || v.Snapshot == h.law.Snapshot && !h.pack.Admits(n) || !h.chat.Admits(n) || h.chat.Norm && n.ID != h.q.Filters["norm"] {
		return hit{}, false
	}
	u, err := v.Snapshot.Load(n.ID, unit)
	if err != nil {
		h.hurt.note(n, err)
		return hit{}, false
	}
	ver, force, err := v.Snapshot.At(n.ID, unit, at)
	if err != nil {
		return hit{}, false
	}
	x := hit{Ground: verify.Ground{Norm: n, Unit: u, Version: ver}, assumed: at != "" && force == corpus.ForceAssumed}
	return x, x.Citable(at)
}

func topScore(list []digesto.Hit) float64 {
	top := 0.
	for _, h := range list {
		top = max(top, h.Score)
	}
	return top
}

// load reads the texts of what was found, the first n that may be quoted. top is
// the score that counts as 1.
func (h *hits) load(found []digesto.Hit, top float64, v View, law bool, n int) {
	for _, f := range found {
		if n == 0 {
			return
		}
		norm, unit, _ := strings.Cut(strings.TrimPrefix(f.Unit, f.Norm), "/")
		if norm == "" {
			norm = f.Norm
		}
		day := h.history()
		if !law {
			day = "" // a fiche finds the place in the law of any day; whether it may answer itself is asked later
		}
		x, ok := h.groundAt(v, norm, unit, day)
		if !ok || law && (!h.pack.SameLaw(x.Norm) || h.fromAbroad(x.Norm)) {
			continue
		}
		if t := x.Norm.Territory; !law && t != "" && !slices.Contains(h.codes, t) { // a fiche of one place, not named
			continue
		}
		if x.law = law; top > 0 {
			x.score = f.Score / top
		}
		if h.add(x) {
			n--
		}
	}
}
