package retrieve

import (
	"sort"
	"strings"

	"digesto"
	"digesto/extract"
	"digesto/pack"
	"digesto/passage"
	"digesto/query"
	"digesto/text"
)

// feature is one thing that speaks for or against a unit as the one that
// governs a question. Each is 0–1.
type feature int

// The features of a unit.
const (
	byList        feature = iota // place in the search
	bySentence                   // its best sentence
	byPath                       // the headings above it are
	byAsked                      // the rubric names the asked kind of thing ("Duración", "Concepto")
	byPrincipal                  // the norm governs the pack's domain
	byLevel                      // legal rank
	byFirst                      // the first of its norm among the units found
	byCover                      // the whole unit holds the question's information
	byAmending                   // it only changes another norm
	byWide                       // law of a narrower territory that the question does not name
	byForeign                    // words of the rubric that the question lacks, 8 or more count as 1
	byKind                       // its best sentence holds the asked kind of thing
	byLed                        // the glossary leads there for a concept of the question
	bySpecial                    // law of a special regime that the question does not name
	byAside                      // disposition, preamble, annex: what stands beside the articles
	byTitle                      // the title of the norm is the matter of the question
	byWords                      // its best sentence alone holds the question's information
	byOpens                      // its first sentence opens with the matter of the question
	byDefines                    // its best sentence says what the matter is, and that is asked
	byCase                       // its best sentence is for a case that the question does not name
	bySize                       // how long it is: 20 sentences or more count as 1
	byExactRubric                // the rubric has no word that the question lacks, and most of its words
	features
)

// rankWeights say how much each feature counts: a listwise logistic fit on half of our
// own questions (packs/testdata/extraction.jsonl and those of the packs) and of
// official exam stems; the other half and the examples of no fit confirm it.
var rankWeights = [features]float64{
	byList: 1, bySentence: .24, byPath: .14, byAsked: .20, byPrincipal: .40, byLevel: .30, byFirst: .14, byCover: .10,
	byAmending: -.15, byWide: -.27, byForeign: -.40, byKind: .07, byLed: .50, bySpecial: -.30, byAside: -.42, byTitle: .45, byWords: .20, byOpens: .07,
	byDefines: .31, byCase: -.14, bySize: .14, byExactRubric: .22,
}

// Fixed parts of the order.
const (
	rankExact = 10 // units that the question names come first
	rankOwn   = -5 // fiches are looked at when the law does not answer
)

// Rerank orders the units by their features. Named units stay first, in the
// order of the question.
func Rerank(h Hits) Hits {
	order := make([]float64, len(h.List))
	index := make([]int, len(h.List))
	r := h.ranking()
	for k := range h.List {
		index[k] = k
		order[k] = r.rank(&h.List[k])
	}
	sort.SliceStable(index, func(a, b int) bool { return order[index[a]] > order[index[b]]+1e-12 })
	out := h
	out.List = make([]Hit, len(h.List))
	for k, at := range index {
		out.List[k] = h.List[at]
		out.List[k].Order = order[at]
	}
	out.List = out.InTiers(out.List)
	return out
}

// InTiers keeps of each collection that the question's classes name as many units
// as its tier says, the tiers in their order and never mixed; units that the
// question names stay first.
func (h Hits) InTiers(list []Hit) []Hit {
	if len(h.Tiers) == 0 {
		return list
	}
	var out []Hit
	for _, x := range list {
		if x.Exact {
			out = append(out, x)
		}
	}
	for _, law := range []bool{true, false} {
		for _, t := range h.Tiers {
			n := t.K
			for _, x := range list {
				if x.Exact || x.Law != law || x.Norm.Collection != t.Collection {
					continue
				}
				if n--; n < 0 && t.K > 0 {
					break
				}
				out = append(out, x)
			}
		}
	}
	return out
}

// ranking is what the ranks of all units found share.
type ranking struct {
	h       Hits
	first   map[string]string
	regimes []int                 // special regimes that the question names
	ranks   map[string][2]float64 // norm → authority, once asked for
}

func (h Hits) ranking() ranking {
	return ranking{h: h, first: h.firsts(), regimes: h.Pack.RegimesSaid(h.Q.Text), ranks: map[string][2]float64{}}
}

func (r ranking) rank(x *Hit) float64 {
	if x.Exact {
		return rankExact
	}
	f := r.features(x)
	v := 0.0
	for k, w := range rankWeights {
		v += w * f[k]
	}
	if !x.Law {
		v += rankOwn
	}
	return v
}

func (r ranking) authority(n digesto.Norm) (principal, level float64) {
	a, ok := r.ranks[n.ID]
	if !ok {
		a[0], a[1] = r.h.Authority(n)
		r.ranks[n.ID] = a
	}
	return a[0], a[1]
}

func (r ranking) features(x *Hit) (f [features]float64) {
	h, seen := &r.h, r.h.Focus.Over(x.Prepared)
	rubric := h.Units.Heading(h.An, x.Unit.Rubric)
	f[byList] = x.Score * h.Pack.Weight(x.Norm.Collection)
	f[bySentence] = x.Pick.Score
	f[byPath] = h.fitAbove(x.Unit.Path)
	f[byAsked] = extract.OneIf(rubric.Asked&h.Focus.Kind.Bit() != 0)
	f[byForeign] = h.Focus.Foreign(rubric)
	f[byKind] = extract.OneIf(x.Pick.Kind)
	f[byFirst] = extract.OneIf(r.first[x.Norm.ID] == x.Unit.ID)
	f[byCover] = h.Focus.Covers(seen.All)
	f[byAmending] = extract.OneIf(x.Norm.Amending || x.Unit.Amending || rubric.Amends || amends(x.Version.Text))
	sv := h.Focus.SentenceFeatures(x.Prepared, x.Pick.At)
	f[byWords], f[byCase], f[byDefines] = sv[extract.SOwn], sv[extract.SCase], sv[extract.SDefines]
	f[byOpens] = h.Focus.Nears(seen.Opening(0))
	f[byTitle] = h.fit(x.Norm.Title)
	f[bySize] = float64(min(20, len(x.Prepared.Sentences))) / 20
	f[byExactRubric] = max(0, 1-2*f[byForeign]) * h.Focus.Fit(rubric)
	f[byLed] = x.led
	if x.defines {
		f[byLed] = 10
	}
	f[bySpecial] = extract.OneIf(x.Law && len(h.Norms) == 0 && pack.Departs(h.Units.Regimes(h.Pack, &x.Ground), r.regimes))
	f[byWide] = extract.OneIf(x.Norm.Territory != "" && len(h.Codes) == 0)
	if len(h.Norms) == 0 {
		f[byPrincipal], f[byLevel] = r.authority(x.Norm)
	}
	switch x.Unit.Kind {
	case digesto.KindAdditional, digesto.KindTransitional, digesto.KindRepealing, digesto.KindFinal, digesto.KindPreamble, digesto.KindOther, digesto.KindAnnex, digesto.KindSection:
		f[byAside] = extract.OneIf(x.Law)
	}
	return f
}

// firsts gives, of each norm with several units found, the one that stands
// first in its text: the general rule comes before its cases.
func (h Hits) firsts() map[string]string {
	out := map[string]string{}
	count := map[string]int{}
	least := map[string]int{}
	for k := range h.List {
		x := &h.List[k]
		if !x.Law || x.Unit.Kind != digesto.KindArticle {
			continue
		}
		n := passage.LeadingNumber(x.Unit.Number)
		if count[x.Norm.ID]++; count[x.Norm.ID] == 1 || n < least[x.Norm.ID] {
			least[x.Norm.ID], out[x.Norm.ID] = n, x.Unit.ID
		}
	}
	for id, n := range count {
		if n < 2 {
			delete(out, id)
		}
	}
	return out
}

// Authority is the place of a norm in its legal order: whether it governs the
// pack's domain, and its rank (1 the highest).
func (h Hits) Authority(n digesto.Norm) (principal, level float64) {
	for _, id := range h.Pack.Principal {
		if p, ok := h.Installed(id); ok && p.ID == n.ID {
			principal = 1
		}
	}
	if l := h.Pack.Level(n.Jurisdiction, n.Rank); l > 0 {
		level = float64(max(0, 5-l)) / 4
	}
	return principal, level
}

// fit says how nearly a heading is the matter of the question: see [extract.Focus.fit].
func (h Hits) fit(s string) float64 { return h.Focus.Fit(h.Units.Heading(h.An, s)) }

// FitAsked is fit for a question: the words that name the kind of thing that both
// ask for ("plazo", "cuantía") are no matter.
func (h Hits) FitAsked(question string) float64 {
	return h.Focus.FitBut(h.Units.Heading(h.An, question), h.Focus.Kind.Bit())
}

// headingsAbove is how many of the headings above a unit are looked at: the nearest
// one is often "General provisions".
const headingsAbove = 3

// fitAbove is the best fit of the nearest headings above a unit.
func (h Hits) fitAbove(path []string) float64 {
	best := 0.0
	for _, p := range path[max(0, len(path)-headingsAbove):] {
		best = max(best, h.fit(p))
	}
	return best
}

// amends says that a unit's words are not its own law but the new wording of
// another's: it opens with a quotation mark, or with a verb of amending.
func amends(body string) bool {
	body = strings.TrimSpace(body)
	if strings.HasPrefix(body, "«") {
		return true
	}
	first, _, _ := strings.Cut(text.Fold(query.CutRunes(body, 24)), " ")
	return amendingVerbs[first]
}

// amendingVerbs open the articles that only give another norm new words.
var amendingVerbs = text.WordSet(`sustituyese sustituyanse modificase modificanse modifiquese modifiquense incorporase incorporanse incorporese incorporense
	agregase agreganse agreguese derogase deroganse deroguese reemplazase reemplazanse`)
