package retrieve

import (
	"context"
	"maps"
	"slices"
	"strings"

	"digesto"
	"digesto/corpus"
	"digesto/digest"
	"digesto/extract"
	"digesto/pack"
	"digesto/passage"
	"digesto/query"
	"digesto/text"
	"digesto/verify"
)

// Hit is a unit found, with its text.
type Hit struct {
	verify.Ground
	Score float64 // of the search, relative to its list's best: 0–1; exact places 2
	Law   bool    // of the installed law; false = embedded in a pack
	// assumed says that the dates of the text do not prove that it held on the day asked for.
	Assumed  bool
	Exact    bool   // named in the question
	Detail   string // paragraph or letter that the question names
	Prepared *passage.Unit
	Pick     extract.Pick
	Order    float64           // set by rerank
	led      float64           // the glossary leads here: 1 the defining place, less further ones; up to twice that for a term that says nearly all of the question
	Terms    []map[string]bool // stems of the glossary's terms that lead here: the unit says them in words of its own
	defines  bool              // it defines the concept asked about
	needed   bool              // an evaluator asked for it
	Own      *extract.Focus    // question that it answers, when not the whole one
	Asked    string            // plain question of the entry that led here; "" = none did
	Plain    []PlainLine       // what it answers, in our own words, the most like what is asked first
	Cases    bool              // other cases of its list belong to the answer: a datum of the question has changed
}

func (h Hit) Key() string { return h.Norm.ID + "/" + h.Unit.ID }

// Hits are the units found for an intent, best first.
type Hits struct {
	query.Intent
	Focus       *extract.Focus
	List        []Hit
	Found       []digesto.Hit // by the search of the law, best first
	Best, Reach float64       // of the search of the law: see digesto.Results
	OwnShare    float64       // best ÷ reach of the search of what the packs embed
	Plan        query.Plan
	Sides       []part // what the queries of a comparison found
	Ballot      Ballot
}

// Counts of candidates.
const (
	searchK    = 40
	embeddedK  = 24
	principalK = 16
)

// Retrieve finds units: those named, those of the installed law, and those that
// the pack embeds.
func (e *Retriever) Retrieve(ctx context.Context, i query.Intent) (Hits, error) {
	h := Hits{Intent: i}
	var found, main []digesto.Hit
	idf := map[string]float64{}
	apart := e.apart(i)
	switch {
	case i.Law.Empty():
	case apart:
		r, steps, err := e.SearchApart(ctx, i)
		if err != nil {
			return h, err
		}
		h.Trace = append(h.Trace, steps...)
		h.Best, h.Reach, found = r.Best, r.Reach, r.Hits
		collectIDF(idf, r.Hits)
	default:
		r, err := e.searchLaw(ctx, i)
		if err != nil {
			return h, err
		}
		h.Best, h.Reach, found = r.Best, r.Reach, r.Hits
		collectIDF(idf, r.Hits)
		if main, err = e.searchPrincipal(ctx, i); err != nil {
			return h, err
		}
	}
	h.Found = found
	var own []digesto.Hit
	if !e.Embedded.Empty() {
		r, err := tiered(i, ctx, e.Embedded.Searcher, PackFilter(i, false), embeddedK)
		if err != nil {
			return h, err
		}
		own = r.Hits
		if r.Reach > 0 {
			h.OwnShare = r.Best / r.Reach
		}
		if len(idf) == 0 {
			collectIDF(idf, r.Hits)
		}
	}
	h.named()
	top, most := topScore(found), e.Units*lists(i)
	if apart {
		top, most = fullRank(i), len(found)
	}
	h.load(found, top, i.Law, true, most)
	h.load(main, top, i.Law, true, principalK)
	h.DropCopies()
	h.load(own, topScore(own), e.Embedded, false, embeddedK*lists(i))
	h.Focus = extract.NewFocus(i.An, i.Text, i.Struck, Cited(i), slices.Concat(i.Also, i.Lay), weightOf(idf))
	h.Focus.Localise(unitsOf(h.List)...)
	h.pick()
	return h, nil
}

// Cited gives the words with which the question names units and their norms, and
// the place whose law applies: they are no content that a text must hold.
func Cited(i query.Intent) map[string]bool {
	m := map[string]bool{}
	for _, x := range i.Mentions {
		if x.Unit == "" {
			continue
		}
		for _, t := range i.An.Terms(x.Text) {
			m[t.Stem] = true
		}
	}
	for _, t := range i.An.Terms(i.Name) {
		m[t.Stem] = true
	}
	return m
}

func unitsOf(list []Hit) []*passage.Unit {
	out := make([]*passage.Unit, len(list))
	for k := range list {
		out[k] = list[k].Prepared
	}
	return out
}

// pick finds the best sentence of each unit; units without any fall out.
func (h *Hits) pick() {
	for k := len(h.List) - 1; k >= 0; k-- {
		if len(h.List[k].Prepared.Sentences) == 0 {
			h.List = slices.Delete(h.List, k, k+1)
		}
	}
	for k := range h.List {
		h.List[k].Pick, _ = h.Focus.Best(h.List[k].Prepared)
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

func (e *Retriever) searchLaw(ctx context.Context, i query.Intent) (digesto.Results, error) {
	return tiered(i, ctx, i.Law.Searcher, PackFilter(i, true), searchK)
}

// tiered searches the collections that the question's classes name, one after
// the other so that one never crowds out another; without classes, all at once.
// Each collection's own count holds after reranking: see inTiers.
func tiered(i query.Intent, ctx context.Context, in digesto.Searcher, f digesto.Filter, k int) (digesto.Results, error) {
	if len(i.Tiers) == 0 {
		return in.Search(ctx, Query(i, k, f))
	}
	var all digesto.Results
	for _, t := range i.Tiers {
		f.In = maps.Clone(f.In)
		f.In["collection"] = []string{t.Collection}
		r, err := in.Search(ctx, Query(i, k, f))
		if err != nil {
			return all, err
		}
		all.Hits = append(all.Hits, r.Hits...)
		all.Best, all.Reach = max(all.Best, r.Best), max(all.Reach, r.Reach)
	}
	return all, nil
}

// lists is the number of lists that a tiered search gives.
func lists(i query.Intent) int { return max(1, len(i.Tiers)) }

// searchPrincipal looks in the norms that govern the domain when the question
// names none: special law has more words in common with a question than the
// general rule that it departs from.
func (e *Retriever) searchPrincipal(ctx context.Context, i query.Intent) ([]digesto.Hit, error) {
	if len(i.Norms) > 0 || len(i.Tiers) > 0 || len(i.Exact) > 0 {
		return nil, nil
	}
	var ids []string
	for _, id := range i.Pack.Principal {
		if n, ok := i.Installed(id); ok {
			ids = append(ids, n.ID)
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	f := PackFilter(i, true)
	f.In["norm"] = ids
	q := Query(i, principalK, f)
	q.Explain = false // the first search gave the weights of words
	r, err := i.Law.Searcher.Search(ctx, q)
	return r.Hits, err
}

func Query(i query.Intent, k int, f digesto.Filter) digesto.Query {
	q := digesto.Query{Text: i.Struck, Also: i.Also, Norms: i.Norms, Filter: f, K: k, Explain: true, TermsOnly: true, NoTotal: true}
	if len(i.Lay)+len(i.Terms) > 0 {
		q.Also, q.AlsoWeight = slices.Concat(i.Also, i.Lay, i.Terms), pack.AlternativeWeight
	}
	if len(q.Norms) == 0 {
		q.Norms = i.About
	}
	if strings.TrimSpace(q.Text) == "" {
		q.Text = i.Text
	}
	for _, p := range i.Exact {
		q.Units = append(q.Units, p.Norm+"/"+p.Unit)
	}
	return q
}

// PackFilter narrows a search to the pack, its territory, the caller's own
// filters and the day asked for.
func PackFilter(i query.Intent, law bool) digesto.Filter {
	if !law {
		f := digesto.Filter{In: map[string][]string{"pack": {i.Pack.Name}}, Wider: []string{"pack"}}
		maps.Copy(f.In, i.Chat.Filter)
		if i.Chat.Norm {
			f.In["norm"] = []string{i.Q.Filters["norm"]}
		}
		return f
	}
	f := digesto.Filter{In: maps.Clone(i.Chat.Filter), AsOf: i.History()}
	if f.In == nil {
		f.In = map[string][]string{}
	}
	for k, v := range i.Q.Filters {
		f.In[k] = []string{v}
	}
	if len(i.Codes) > 0 {
		f.In["territory"] = i.Codes
		f.Wider = append(f.Wider, "territory")
	}
	if len(i.Codes) == 0 && i.Pack.Territories != nil && len(i.Norms) == 0 && len(i.Exact) == 0 { // the law of one place is for who names it
		f.In["territory"] = []string{"-"}
		f.Wider = append(f.Wider, "territory")
	}
	if named := elsewhere(i); len(named) > 0 { // named law that was added to another pack
		f.In["norm"] = named
		return f
	}
	return i.Pack.Narrow(f)
}

// elsewhere gives the named norms if none of them was added to the pack.
func elsewhere(i query.Intent) []string {
	for _, id := range i.Norms {
		if n, ok := i.Installed(id); ok && i.Pack.Sees(n) {
			return nil
		}
	}
	return i.Norms
}

// named puts the units that the question names first.
func (h *Hits) named() {
	for _, p := range h.Exact {
		if x, ok := h.Ground(h.Law, p.Norm, p.Unit); ok {
			x.Law, x.Exact, x.Score, x.Detail = true, true, 2, p.Detail
			h.add(x)
		}
	}
}

func (h *Hits) add(x Hit) bool {
	if h.at(&x) >= 0 {
		return false
	}
	x.Prepared = h.Units.Get(h.An, x.Ground).Proven(x.Version, h.History())
	h.List = append(h.List, x)
	return true
}

// at gives where a unit stands in the list; -1 when it does not.
func (h *Hits) at(x *Hit) int {
	for k := range h.List {
		if o := &h.List[k]; o.Unit.ID == x.Unit.ID && o.Norm.ID == x.Norm.ID {
			return k
		}
	}
	return -1
}

// Ground reads a unit's text in force on the day asked for.
func (h *Hits) Ground(v query.View, norm, unit string) (Hit, bool) {
	return h.groundAt(v, norm, unit, h.History())
}

// Placed reads the place of an entry of the digest: of installed law, or of a fiche of the pack.
func (h *Hits) Placed(norm, unit string) (x Hit, ok bool) {
	if _, _, ok := h.Pack.FactOf(norm, unit); ok {
		return h.Ground(h.Embedded, norm, unit)
	}
	x, ok = h.Ground(h.Law, norm, unit)
	x.Law = ok
	return x, ok
}

func (h *Hits) groundAt(v query.View, norm, unit string, at digesto.Date) (Hit, bool) {
	n, ok := v.Snapshot.Norm(norm)
	if !ok || v.Snapshot == h.Law.Snapshot && !h.Pack.Admits(n) || !h.Chat.Admits(n) || h.Chat.Norm && n.ID != h.Q.Filters["norm"] {
		return Hit{}, false
	}
	u, err := v.Snapshot.Load(n.ID, unit)
	if err != nil {
		h.Hurt.Note(n, err)
		return Hit{}, false
	}
	ver, force, err := v.Snapshot.At(n.ID, unit, at)
	if err != nil {
		return Hit{}, false
	}
	x := Hit{Ground: verify.Ground{Norm: n, Unit: u, Version: ver}, Assumed: at != "" && force == corpus.ForceAssumed}
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
func (h *Hits) load(found []digesto.Hit, top float64, v query.View, law bool, n int) {
	for _, f := range found {
		if n == 0 {
			return
		}
		norm, unit, _ := strings.Cut(strings.TrimPrefix(f.Unit, f.Norm), "/")
		if norm == "" {
			norm = f.Norm
		}
		day := h.History()
		if !law {
			day = "" // a fiche finds the place in the law of any day; whether it may answer itself is asked later
		}
		x, ok := h.groundAt(v, norm, unit, day)
		if !ok || law && (!h.Pack.SameLaw(x.Norm) || h.FromAbroad(x.Norm)) {
			continue
		}
		if t := x.Norm.Territory; !law && t != "" && !slices.Contains(h.Codes, t) { // a fiche of one place, not named
			continue
		}
		if x.Law = law; top > 0 {
			x.Score = f.Score / top
		}
		if h.add(x) {
			n--
		}
	}
}

func Split(list []Hit) (law, own []Hit) {
	n := 0
	for k := range list {
		n += int(extract.OneIf(list[k].Law))
	}
	if n > 0 {
		law = make([]Hit, 0, n)
	}
	if n < len(list) {
		own = make([]Hit, 0, len(list)-n)
	}
	for _, x := range list {
		if x.Law {
			law = append(law, x)
		} else {
			own = append(own, x)
		}
	}
	return law, own
}

// Analyser lends one for a second use while terms of the first are held.
func (h Hits) Analyser() *text.Analyser {
	if h.Spare != nil {
		return h.Spare
	}
	return &text.Analyser{}
}

// PlainLine is what an entry says of a unit, and the sentences there that prove it: the
// one that decides first.
type PlainLine struct {
	Entry *digest.Entry
	Text  string
	At    []int
}
