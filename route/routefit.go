package route

import (
	"context"
	_ "embed"
	"encoding/json"
	"math"
	"slices"
	"strings"

	"digesto"
	"digesto/decide"
	"digesto/extract"
	"digesto/ground"
	"digesto/pack"
	"digesto/query"
	"digesto/retrieve"
)

// RouteModel is a logistic choice among the packs on what speaks for each, with where
// its weights come from: see route.json.
var RouteModel = func() (m struct {
	Provenance string             `json:"provenance"`
	Weights    map[string]float64 `json:"weights"`
	// Sure is the least probability of one country's law from which nothing is asked back.
	Sure float64 `json:"sure"`
}) {
	if err := json.Unmarshal(routeJSON, &m); err != nil {
		panic(err) // a file of the program itself: a test reads it
	}
	return m
}()

//go:embed route.json
var routeJSON []byte

// rfeature is one thing that speaks for a pack as the one a question is for.
type rfeature int

// The features of a pack for a question, each about 0–1.
const (
	RSignal     rfeature = iota // its signals in the question: identifiers, units, places, bodies, wording
	rAway                       // signals that point away from it
	rExact                      // the question names an installed unit of its law
	rNamed                      // … or norm
	RConfidence                 // of an answer from its law
	RUnit                       // share of the question's information in its best unit
	RStated                     // … and said there
	rLexical                    // score of the search of what could be reached
	rOwn                        // share of the question's information in its best table or guide
	rDigest                     // probability that the likeliest entry of its digest answers, or says where it is answered
	rClass                      // its rules or calculators take the question
	rAsked                      // how nearly its examples ask the same
	rfeatures
)

// RouteNames are the features as route.json calls them, in their order.
var RouteNames = [rfeatures]string{"signal", "away", "exact", "named", "confidence", "unit", "stated", "lexical", "own", "digest", "class", "asked"}

// held is the most that a pack's texts, names or calculators hold of the question.
func (f RouteFeatures) held() float64 {
	return max(f[RUnit], f[rOwn], f[rDigest], f[rExact], f[rNamed], f[rClass], f[RSignal])
}

// weigh is the logit of the pack among the others.
func (f RouteFeatures) weigh() float64 {
	z := 0.0
	for k, name := range RouteNames {
		z += RouteModel.Weights[name] * f[k]
	}
	return z
}

// Fit is a pack with the probability that it is the one asked.
type Fit struct {
	Pack  *pack.Pack
	P     float64
	Asked bool // one of its examples asks just this
	Plain bool // its law answers as it stands, and nothing in the question names it or its country
}

// packsAt are those of the countries of the place that is named: apart, or in the question
// itself as where it is asked for; all where none is, or nobody knows it.
func (e *Router) packsAt(t query.Turn) []*pack.Pack {
	known := map[string]bool{}
	if place := strings.TrimSpace(t.Q.Territory); place != "" {
		for _, p := range e.Packs {
			if _, ok := p.Territory(place); ok {
				known[digesto.Country(p.Jurisdiction())] = true
			}
		}
	} else if c := e.CountryNamed(t.Q.Text); c != "" {
		known[c] = true
	}
	if len(known) == 0 {
		return e.Packs
	}
	return slices.DeleteFunc(slices.Clone(e.Packs), func(p *pack.Pack) bool { return !known[digesto.Country(p.Jurisdiction())] })
}

// CountryNamed is the country "en" which a question asks, when nothing in it points to
// another; "" = none.
func (e *Router) CountryNamed(question string) (named string) {
	words := " " + strings.ReplaceAll(strings.Join(pack.Words(question), " "), " en el ", " en ") + " "
	for _, p := range e.Packs {
		c := digesto.Country(p.Jurisdiction())
		if strings.Contains(words, " en "+strings.Join(pack.Words(p.Places[c]), " ")+" ") && p.Places[c] != "" {
			named = c
		}
	}
	for _, p := range e.Packs {
		if _, why := p.Signalled(question); named != "" && digesto.Country(p.Jurisdiction()) != named && query.Pointing(why) > 0 {
			return ""
		}
	}
	return named
}

// fits weighs every pack of the place asked for. None holds anything of it: nil.
func (e *Router) fits(ctx context.Context, t query.Turn) ([]Fit, error) {
	var out []Fit
	sum, held := 0.0, 0.0
	for _, p := range e.packsAt(t) {
		f, err := e.speaks(ctx, t, p)
		if err != nil {
			return nil, err
		}
		held = max(held, f.held())
		w := math.Exp(f.weigh())
		out = append(out, Fit{p, w, f[rAsked] >= sameExample, f.Plain()})
		sum += w
	}
	if held < leastHeld {
		return nil, nil
	}
	for k := range out {
		out[k].P /= sum
	}
	return out, nil
}

// Plain says that the pack's law surely answers the question, says all of it, and that nothing
// in it points to the pack: no name, no unit, no place, no calculator.
func (f RouteFeatures) Plain() bool {
	return f[RSignal] == 0 && f[rExact] == 0 && f[rNamed] == 0 && f[rClass] == 0 && f[RConfidence] >= decide.Sure && f[RStated] >= decide.Certain
}

// sameExample is how nearly an example asks the same when its words are the question's.
const sameExample = .999

// leastHeld is the share of a question that some pack's texts must hold for it to be
// about any of them.
const leastHeld = .25

// RouteFeatures is what speaks for one pack.
type RouteFeatures [rfeatures]float64

// speaks reads what speaks for a pack.
func (e *Router) speaks(ctx context.Context, t query.Turn, p *pack.Pack) (f RouteFeatures, err error) {
	_, why := p.Signalled(t.Q.Text)
	for _, w := range why {
		if w.Weight > 0 {
			f[RSignal] += w.Weight
		} else {
			f[rAway] -= w.Weight
		}
	}
	f[RSignal], f[rAway] = math.Min(1, f[RSignal]/6), math.Min(1, f[rAway]/6)
	s := e.Scoped(t, p, nil)
	for _, tool := range p.Tools {
		if _, ok := tool.Detect(pack.ToolQuestion{Text: t.Q.Text, Today: t.AsOf()}); ok {
			f[rClass] = 1
		}
	}
	if e.Places != nil {
		places, err := e.Places(ctx, decide.Query{Pack: p.Name, Question: t.Q.Text, Alone: true})
		if err != nil {
			return f, err
		}
		if len(places) > 0 {
			f[rDigest] = places[0].P
			if x := places[0].Entry; x != nil && x.Shared() { // speaks for no pack more than for another
				f[rDigest] = min(f[rDigest], leastHeld)
			}
		}
	}
	h, err := e.Search.Retrieve(ctx, e.Search.Read(s, t.Q.Text))
	if err != nil {
		return f, err
	}
	for _, q := range append([]string{p.FirstQuestion}, p.Examples...) {
		f[rAsked] = math.Max(f[rAsked], h.FitAsked(q))
	}
	if len(h.List) == 0 {
		return f, nil
	}
	f[rExact], f[rNamed] = extract.OneIf(len(h.Exact) > 0), extract.OneIf(len(h.Norms) > 0)
	h = retrieve.Rerank(h)
	law, own := retrieve.Split(h.List)
	if len(law) > 0 {
		ev := ground.EvidenceOf(h, law)
		f[RConfidence], f[RUnit], f[RStated], f[rLexical] = ground.Confidence(ev), ev.Unit, ev.Stated, math.Min(1, ev.Lexical)
	}
	for _, x := range own {
		f[rOwn] = math.Max(f[rOwn], x.Pick.Cover)
	}
	return f, nil
}
