package pack

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"

	"digesto"
	"digesto/text"
)

// Strategy is how what was found is ordered again.
type Strategy string

// The strategies of a retriever.
const (
	StrategyHeuristic Strategy = "heuristic" // section match + keyword overlap + score of the search
	StrategyModel     Strategy = "model"     // 0–10 a passage by a model, all in one call
	StrategyCross     Strategy = "cross"     // by a cross-encoder endpoint
	StrategyNone      Strategy = "none"      // the order of the search, byte for byte
)

// ParseStrategy reads a strategy's name; "gemini" is an alias of "model", "" is heuristic.
func ParseStrategy(s string) (Strategy, error) {
	switch k := Strategy(strings.ToLower(strings.TrimSpace(s))); k {
	case "":
		return StrategyHeuristic, nil
	case "gemini":
		return StrategyModel, nil
	case StrategyHeuristic, StrategyModel, StrategyCross, StrategyNone:
		return k, nil
	}
	return "", &digesto.Error{Code: digesto.CodeInvalid, Message: "no hay ninguna estrategia «" + s + "»", Hint: "Las que hay: heuristic (la de siempre), model (o gemini), cross, none."}
}

// Guide is a passage as the retriever sees it: one section of one guide.
type Guide struct {
	Unit    string // id in the searcher
	Norm    string // id of its guide
	Title   string // of the guide and its section
	Section string // name of the section: "requisitos"
	Text    string
	// Territory for which it holds; "" = everywhere.
	Territory string
}

// Scorer orders passages for a question: a score each, in their order. It is what a
// model or a cross-encoder is to a retriever; one call scores all.
type Scorer func(ctx context.Context, question string, passages []string) ([]float64, error)

// Retriever finds sections of guides: territory, hybrid search with synonyms and
// the territory as a filter, reranking, and whether any guide is about the question.
// It is one pipeline for the embedded guides and for a foreign collection.
type Retriever struct {
	Pack     *Pack
	Searcher digesto.Searcher    // nil = direct look-up: every guide is weighed by its words, without an index
	Guides   map[string]Guide    // by unit
	Filter   map[string][]string // that the search keeps to, beside the territory
	Strategy Strategy            // "" = heuristic
	Score    Scorer              // of StrategyModel and StrategyCross; nil or failing = heuristic
	Pool     int                 // passages that are ordered again; 0 = 20
	Off      Stages              // stages left out, to see what each is worth

	once   sync.Once
	known  map[string]map[string]bool // stems of texts that do not change: of guides and synonyms
	topics map[string]map[string]bool // stems of what each guide is about
	df     map[string]int             // guides whose text holds a stem
	words  map[string]int             // folded words of the guides and of the synonyms, with how often
	alike  map[string][]string        // stem → stems of its synonyms of one word
	sounds map[string]string          // how they sound → the commonest that does
}

// Stages are the stages of a retriever that can be left out; leaving out the
// reranking is StrategyNone, leaving out the search a nil Searcher.
type Stages struct{ Synonyms, Spelling, Territory bool }

// Found is what a retriever gives.
type Found struct {
	Passages  []Passage `json:"passages"`            // best first
	Territory string    `json:"territory,omitempty"` // code of the place that the question names
	Synonyms  []string  `json:"synonyms,omitempty"`  // searched as alternatives
	Section   string    `json:"section,omitempty"`   // that the question asks for
	Coverage  float64   `json:"coverage"`            // share of the question's matter that the best guide is about, 0–1
	First     float64   `json:"first"`               // the same of the guide that comes first
	Refused   bool      `json:"refused"`             // no guide is about it
	Strategy  Strategy  `json:"strategy"`            // carried out
	Degraded  string    `json:"degraded,omitempty"`  // why another than asked for, in Spanish
}

// Passage is one section found.
type Passage struct {
	Guide
	Score float64 `json:"score"`
}

// leastCoverage of the question's matter below which no guide is about it.
const leastCoverage = .5

// Retrieve finds the k best passages for a question, in the place that it names.
func (r *Retriever) Retrieve(ctx context.Context, question string, k int) (Found, error) {
	t, _ := r.Pack.Territories.Detect(question)
	return r.RetrieveIn(ctx, question, t, k)
}

// RetrieveIn is Retrieve in a place; the zero place is none.
func (r *Retriever) RetrieveIn(ctx context.Context, question string, t Territory, k int) (Found, error) {
	r.once.Do(r.prepare)
	out := Found{Strategy: cmp.Or(r.Strategy, StrategyHeuristic), Section: r.Pack.SectionOf(question), Territory: t.Code}
	if r.Off.Territory {
		t, out.Territory = Territory{}, ""
	}
	if !r.Off.Spelling {
		question = r.spell(question)
	}
	if !r.Off.Synonyms {
		out.Synonyms = r.Pack.Synonyms.Expand(question)
	}
	if err := r.search(ctx, question, t, max(k, cmp.Or(r.Pool, 20)), &out); err != nil {
		return out, err
	}
	r.order(ctx, question, t.Name, &out)
	out.Coverage, out.First = r.coverage(question, t.Name, out.Synonyms, out.Passages)
	out.Refused = out.Coverage < leastCoverage
	out.Passages = out.Passages[:min(k, len(out.Passages))]
	return out, nil
}

// search fills the passages: those of the index, or by look-up all of the guides
// that are about the question at all.
func (r *Retriever) search(ctx context.Context, question string, t Territory, k int, out *Found) error {
	if r.Searcher == nil {
		words := r.matter(question, t.Name)
		for _, id := range slices.Sorted(maps.Keys(r.Guides)) {
			g := r.Guides[id]
			if about := r.about(g.Norm, words, out.Synonyms); about > 0 && (g.Territory == "" || g.Territory == t.Code || g.Territory == t.Region) {
				out.Passages = append(out.Passages, Passage{g, about})
			}
		}
		return nil
	}
	q := digesto.Query{Text: question, Also: out.Synonyms, AlsoWeight: AlternativeWeight, K: k, Filter: digesto.Filter{In: maps.Clone(r.Filter)}}
	if t.Code != "" { // the wider territory passes too
		if q.Filter.In == nil {
			q.Filter.In = map[string][]string{}
		}
		q.Filter.In["territory"], q.Filter.Wider = []string{t.Code, t.Region}, []string{"territory"}
	}
	res, err := r.Searcher.Search(ctx, q)
	if err != nil {
		return err
	}
	for _, h := range res.Hits {
		g := r.Guides[cmp.Or(h.Unit, h.ID)]
		if g.Unit == "" {
			g = Guide{Unit: h.ID, Norm: h.Norm}
		}
		if t.Code == "" && g.Territory != "" { // the rule of one place is for who names it
			continue
		}
		out.Passages = append(out.Passages, Passage{g, h.Score})
	}
	return nil
}

// order is the reranking; a scorer that fails leaves the heuristic one.
func (r *Retriever) order(ctx context.Context, question, place string, f *Found) {
	if f.Strategy == StrategyNone || len(f.Passages) == 0 {
		return
	}
	if f.Strategy == StrategyModel || f.Strategy == StrategyCross {
		if err := r.byScorer(ctx, question, f); err == nil {
			return
		} else {
			f.Degraded, f.Strategy = "orden heurístico: "+digesto.Told(err), StrategyHeuristic
		}
	}
	words := r.matter(question, place)
	top := f.Passages[0].Score
	for k, p := range f.Passages {
		own := r.stems(p.Title + " " + p.Text)
		overlap := 0
		for w := range words {
			overlap += int(b2f(own[w]))
		}
		about := r.about(p.Norm, words, f.Synonyms)
		score := .35*p.Score/math.Max(top, 1e-9) + .25*float64(overlap)/math.Max(1, float64(len(words))) + .25*about
		if s, ok := r.Pack.section(f.Section); ok && s.is(p.Section) {
			score += .3
		}
		if p.Territory != "" { // the rule of the place named comes before that of everywhere
			score += .3
		}
		f.Passages[k].Score = score
	}
	slices.SortStableFunc(f.Passages, func(a, b Passage) int { return cmp.Compare(b.Score, a.Score) })
}

func (r *Retriever) byScorer(ctx context.Context, question string, f *Found) error {
	if r.Score == nil {
		return &digesto.Error{Code: digesto.CodeUnavailable, Message: "no hay modelo que ordene"}
	}
	texts := make([]string, len(f.Passages))
	for k, p := range f.Passages {
		texts[k] = p.Title + "\n" + p.Text
	}
	scores, err := r.Score(ctx, question, texts)
	if err != nil {
		return err
	}
	if len(scores) != len(texts) {
		return &digesto.Error{Code: digesto.CodeUnavailable, Message: "el modelo dio otro número de notas"}
	}
	for k := range f.Passages {
		f.Passages[k].Score = scores[k]
	}
	slices.SortStableFunc(f.Passages, func(a, b Passage) int { return cmp.Compare(b.Score, a.Score) })
	return nil
}

// prepare collects what each guide is about: the words of its title and of its
// description, which says what it is.
func (r *Retriever) prepare() {
	r.topics, r.df, r.words = map[string]map[string]bool{}, map[string]int{}, map[string]int{}
	for _, g := range r.Guides {
		for _, w := range Words(g.Title + " " + g.Text) {
			r.words[w]++
		}
	}
	known := map[string]map[string]bool{}
	for e := range r.Pack.Synonyms.ready().index {
		known[e] = r.stems(e)
		for w := range strings.FieldsSeq(e) {
			r.words[w]++
		}
	}
	r.alikes()
	r.sounds = map[string]string{}
	for _, w := range slices.Sorted(maps.Keys(r.words)) {
		if s := text.Sound(w); len(w) > 3 && r.words[w] > r.words[r.sounds[s]] {
			r.sounds[s] = w
		}
	}
	seen := map[string]map[string]bool{}
	for _, g := range r.Guides {
		if r.topics[g.Norm] == nil {
			r.topics[g.Norm], seen[g.Norm] = map[string]bool{}, map[string]bool{}
		}
		topic := g.Title
		if s := r.Pack.Sections; len(s) == 0 || s[0].is(g.Section) { // the first section says what the guide is about
			topic += " " + g.Text
		}
		for w := range r.stems(topic) {
			r.topics[g.Norm][w] = true
		}
		whole := g.Title + " " + g.Text
		known[g.Text], known[whole] = r.stems(g.Text), r.stems(whole)
		for w := range known[whole] {
			if !seen[g.Norm][w] {
				seen[g.Norm][w] = true
				r.df[w]++
			}
		}
	}
	r.known = known
}

// about is the share of the matter that a guide is about: by its own words, or
// by a synonym that its title holds whole.
func (r *Retriever) about(norm string, words map[string]bool, synonyms []string) float64 {
	topic := r.topics[norm]
	for _, s := range synonyms {
		list := r.stems(s)
		all := len(list) > 0
		for w := range list {
			all = all && topic[w]
		}
		if all {
			return 1
		}
	}
	sum, hit := 0., 0.
	for w := range words {
		weight := r.weight(w)
		sum += weight
		if topic[w] || r.means(w, topic) {
			hit += weight
		}
	}
	if sum == 0 {
		return 0
	}
	return hit / sum
}

// means says that a stem stands for a word that has a synonym of one word in the topic.
func (r *Retriever) means(stem string, topic map[string]bool) bool {
	for _, o := range r.alike[stem] {
		if r.Off.Synonyms {
			break
		}
		if topic[o] {
			return true
		}
	}
	return false
}

// alikes collects, for the stems of synonyms of one word, those of the others of
// one word in their groups.
func (r *Retriever) alikes() {
	r.alike = map[string][]string{}
	for _, group := range r.Pack.Synonyms.groups {
		var one []string
		for _, e := range group {
			if !strings.Contains(e, " ") {
				one = append(one, text.Stem(e))
			}
		}
		for _, s := range one {
			for _, o := range one {
				if s != o {
					r.alike[s] = append(r.alike[s], o)
				}
			}
		}
	}
}

// weight of a word: the fewer guides hold it, the more; one that none holds most.
func (r *Retriever) weight(w string) float64 {
	return math.Log(1 + float64(len(r.topics)+1)/float64(r.df[w]+1))
}

// coverage is how much of the question's matter the best of the first guides is
// about, and the very first.
func (r *Retriever) coverage(question, place string, synonyms []string, list []Passage) (best, first float64) {
	words := r.matter(question, place)
	for k, p := range list[:min(3, len(list))] {
		c := r.about(p.Norm, words, synonyms)
		best = max(best, c)
		if k == 0 {
			first = c
		}
	}
	return best, first
}

// matter is what a question is about: its stems without the place, the words that
// ask for a section, and fillers.
func (r *Retriever) matter(question, place string) map[string]bool {
	drop := r.stems(place)
	out := map[string]bool{}
	for w := range r.stems(question) {
		if !drop[w] {
			out[w] = true
		}
	}
	for _, word := range Words(question) {
		if r.Pack.isAsking(word) {
			for w := range r.stems(word) {
				delete(out, w)
			}
		}
	}
	return out
}

// stems gives those of a text, to be read alone.
func (r *Retriever) stems(s string) map[string]bool {
	if known, ok := r.known[s]; ok {
		return known
	}
	an := &text.Analyser{}
	out := map[string]bool{}
	for _, t := range an.Terms(s) {
		if t.Stem != "" && !t.Part {
			out[t.Stem] = true
		}
	}
	return out
}

func b2f(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// spell mends words that neither guides, synonyms nor the words of asking know:
// by one edit, else by a known word that sounds the same.
func (r *Retriever) spell(question string) string {
	known := func(word string, stem bool) int {
		switch {
		case stem:
			return r.df[word]
		case r.Pack.isAsking(word):
			return max(1, r.words[word])
		}
		return r.words[word]
	}
	fixed, _ := text.Correct(question, known)
	words := strings.Fields(fixed)
	for k, w := range words {
		f := strings.Join(Words(w), "")
		if len(f) < 4 || known(f, false) > 0 || known(text.Stem(f), true) > 0 || text.IsStop(f) {
			continue
		}
		if s, ok := r.sounds[text.Sound(f)]; ok && s != f {
			words[k] = s
		}
	}
	return strings.Join(words, " ")
}
