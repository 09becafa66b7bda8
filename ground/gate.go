package ground

import (
	_ "embed"
	"encoding/json"
	"maps"
	"math"
	"slices"

	"digesto/extract"
	"digesto/question"
)

// Evidence is what the decision to answer rests on. It stands in meta.evidence,
// so that a decision can be repeated and criticised.
type Evidence struct {
	Coverage  float64       `json:"coverage"` // share of the question's information in the best unit's sentence, paragraph and rubric
	Unit      float64       `json:"unit"`     // the same for the whole unit and the name of its norm
	Lexical   float64       `json:"lexical"`  // best score over the most this query could reach
	Kind      bool          `json:"kind"`     // the asked kind of thing stands in the sentence
	Asked     question.Kind `json:"asked"`
	Named     bool          `json:"named"`     // the question names an installed norm
	Exact     bool          `json:"exact"`     // the question names an installed unit
	Law       bool          `json:"law"`       // the unit is installed law, not a fiche
	Absent    bool          `json:"absent"`    // the question names a norm or unit that is not installed
	Principal bool          `json:"principal"` // the unit is of a norm that governs the pack's domain
	Margin    float64       `json:"margin"`    // lead of the first unit over the second
	Terms     int           `json:"terms"`     // content words of the question
	// Elsewhere: by the lexicon of everyday words the matter is governed by norms
	// none of which is installed.
	Elsewhere bool    `json:"elsewhere"`
	Unmet     bool    `json:"unmet,omitempty"`   // the unit speaks of it, but does not hold what the question asks for
	Order     float64 `json:"order"`             // share of the question's neighbouring words that are neighbours in the deciding sentence
	Stated    float64 `json:"stated"`            // share of the question's words that the deciding sentence states: the claim check of package verify
	Rare      float64 `json:"rare"`              // share of its three most telling words that the unit holds
	Told      float64 `json:"told"`              // share of the question's information that the unit says, in alternatives that stand for the very word too
	Unheard   float64 `json:"unheard,omitempty"` // share of the question's information in words that no law found holds
	Spread    float64 `json:"spread"`            // how far the unit's search score stands above those after it
}

// Thresholds of the gate. A pack's manifest may set its own.
type Thresholds struct {
	Coverage   float64 // least coverage of the whole unit
	Score      float64 // least share of the reachable lexical score
	Named      float64 // least confidence when the question names the norm
	Confidence float64 // least confidence of an answer to a short question
	Long       float64 // least confidence of an answer to a long one: more words meet by chance
}

// Default thresholds, used where a pack sets none.
var DefaultThresholds = Thresholds{Coverage: .3, Score: .1, Named: .15, Confidence: .18, Long: .45}

func ThresholdsOf(m map[string]float64) Thresholds {
	t := DefaultThresholds
	for k, into := range map[string]*float64{"coverage": &t.Coverage, "score": &t.Score, "named": &t.Named, "confidence": &t.Confidence, "long": &t.Long} {
		if v, ok := m[k]; ok {
			*into = v
		}
	}
	return t
}

// Content words from which a question is no longer short, and from which it is long.
const shortTerms, LongTerms = 4, 8

// principalShare is how much of the least confidence is asked of a norm that governs
// the domain: see presumed.
const principalShare = .35

// elsewhereLeast is the confidence that an answer needs from law that the lexicon
// does not name for the matter.
const elsewhereLeast = .6

// Least is the confidence that an answer needs.
func (t Thresholds) Least(e Evidence) float64 {
	if e.Named {
		return t.Named
	}
	if e.Elsewhere {
		return max(t.Long, elsewhereLeast)
	}
	long := float64(min(LongTerms, max(shortTerms, e.Terms))-shortTerms) / (LongTerms - shortTerms)
	least := t.Confidence + (t.Long-t.Confidence)*long
	if e.presumed() {
		least *= principalShare
	}
	return least
}

// presumedCover is the least coverage by the deciding sentence of a question that is
// presumed to be about the law that governs the domain.
const presumedCover = .25

// presumed says that a question is about the law that governs the domain unless it
// shows otherwise: what is asked in everyday words is. Those are few; one of many words
// is a sentence of some law, and has met this one by chance if it is not said there.
func (e Evidence) presumed() bool {
	return e.Principal && e.Terms <= LongTerms && e.Coverage >= presumedCover
}

// Verdict is what the gate decides; a Reason other than "" is a refusal.
type Verdict struct {
	Reason     Reason  `json:"reason,omitempty"`
	Confidence float64 `json:"confidence"`
}

// Reason says why a question is not answered.
type Reason string

// The reasons of a refusal for lack of evidence.
const (
	ReasonAbsent  Reason = "absent"  // what it names is not installed
	ReasonNothing Reason = "nothing" // no text holds its words
	ReasonThin    Reason = "thin"    // the best text holds too little of it
	// ReasonElsewhere: what governs the matter, by the pack's lexicon, is not installed.
	ReasonElsewhere Reason = "elsewhere"
	ReasonKind      Reason = "kind" // the texts speak of it, but not of what is asked
)

// Gate decides from the evidence alone whether there is an answer. It is a pure
// function: the same evidence gives the same verdict.
func Gate(e Evidence, t Thresholds) Verdict {
	if e.Exact {
		return Verdict{Confidence: Round2(.95 - .15*extract.OneIf(e.Absent))}
	}
	if e.Absent {
		return Verdict{Reason: ReasonAbsent}
	}
	if e.Terms == 0 && !e.Named {
		return Verdict{Reason: ReasonNothing}
	}
	if !e.Named && (e.Unit < t.Coverage || e.Law && e.Lexical < t.Score) {
		return Verdict{Reason: ReasonThin}
	}
	if e.Named && e.Terms > 0 && e.Unit < t.Coverage || e.scattered() {
		return Verdict{Reason: ReasonThin}
	}
	if e.Unmet {
		return Verdict{Reason: ReasonKind}
	}
	c := Confidence(e)
	if e.untold(c) {
		return Verdict{Reason: ReasonThin, Confidence: c}
	}
	if c < t.Least(e) {
		if e.Elsewhere {
			return Verdict{Reason: ReasonElsewhere, Confidence: c}
		}
		return Verdict{Reason: ReasonThin, Confidence: c}
	}
	if !e.Law {
		c = math.Min(c, ownCeiling)
	}
	return Verdict{Confidence: c}
}

// leastTold is the share of a short question, and of its most telling words, from which
// a unit speaks of it; leastMet, the share of the reachable score from which the search
// met it all the same.
const leastTold, leastMet = .45, .3

// scattered says that a unit does not hold what a short question is about: its most
// telling words are not there. A long one tells more than it asks.
func (e Evidence) scattered() bool {
	return e.Law && !e.Named && e.Terms <= shortTerms && e.Rare < leastTold && e.Unit < leastTold && e.Lexical < leastMet
}

// Bounds of what an everyday question may lack: everyday is how many content words such a
// question has at most; unheardMost, the share of it in words that no law found holds from
// which it is about something else, unless its confidence reaches unheardSure; toldLeast, the
// share that the unit must say in words that stand for its own, unless it reaches toldSure.
const everyday, unheardMost, unheardSure, toldLeast, toldSure = 5, .25, .4, .55, .25

// untold says that a unit does not speak of what a short question is about: no law does, or
// it has only other words of it. c is its confidence.
func (e Evidence) untold(c float64) bool {
	if e.Named || e.Terms > everyday {
		return false
	}
	return e.Unheard >= unheardMost && c < unheardSure || e.Told < toldLeast && c < toldSure
}

// ownCeiling is the most that an answer in our own words may claim: it is not
// the official text.
const ownCeiling = .65

// GateModel is a logistic regression of "the unit cited first is one that
// answers" on the evidence, with where it comes from: see gate.json.
var GateModel = func() (m struct {
	Provenance string             `json:"provenance"`
	Weights    map[string]float64 `json:"weights"`
}) {
	if err := json.Unmarshal(gateJSON, &m); err != nil {
		panic(err) // a file of the program itself: a test reads it
	}
	return m
}()

//go:embed gate.json
var gateJSON []byte

// Features gives the evidence as the model takes it, by name, each 0–1.
func (e Evidence) Features() map[string]float64 {
	long := math.Min(1, math.Max(0, float64(e.Terms-2)/8))
	margin := math.Min(1, e.Margin)
	return map[string]float64{
		"bias": 1, "coverage": e.Coverage, "unit": e.Unit, "lexical": math.Min(1, e.Lexical), "margin": margin, "order": e.Order, "stated": e.Stated,
		"rare": e.Rare, "spread": e.Spread, "long": long, "long_margin": long * margin, "long_order": long * e.Order, "named": extract.OneIf(e.Named),
	}
}

// Confidence is the probability that the answer stands on the right unit.
func Confidence(e Evidence) float64 {
	z := 0.0
	f := e.Features()
	for _, name := range slices.Sorted(maps.Keys(f)) { // sums of floats depend on their order
		z += GateModel.Weights[name] * f[name]
	}
	return Round2(1 / (1 + math.Exp(-z)))
}

func Round2(v float64) float64 { return math.Round(v*100) / 100 }
