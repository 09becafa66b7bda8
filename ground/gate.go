package ground

import (
	_ "embed"
	"encoding/json"
	"maps"
	"math"
	"slices"

	"digesto/decide"
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
	Unheard   float64 `json:"unheard,omitempty"` // share of the question's information in words that no law found holds
	Spread    float64 `json:"spread"`            // how far the unit's search score stands above those after it
}

// leastHeld is the share of a question's information that a unit and its headings must hold to
// be looked at as an answer; leastScore, the share of the reachable score that the search must
// have given a unit of the law.
const leastHeld, leastScore = .3, .1

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

// Gate decides from the evidence alone whether there is an answer: one that claims as much as
// a reading would have to. It is a pure function: the same evidence gives the same verdict.
func Gate(e Evidence) Verdict {
	switch {
	case e.Exact:
		return Verdict{Confidence: Round2(.95 - .15*extract.OneIf(e.Absent))}
	case e.Absent:
		return Verdict{Reason: ReasonAbsent}
	case e.Terms == 0 && !e.Named:
		return Verdict{Reason: ReasonNothing}
	case e.Terms > 0 && e.Unit < leastHeld, !e.Named && e.Law && e.Lexical < leastScore:
		return Verdict{Reason: ReasonThin}
	case e.Unmet:
		return Verdict{Reason: ReasonKind}
	}
	c, unheard := Confidence(e), unheardMost
	if !e.Law { // a fiche has few words
		unheard = extract.Most
	}
	switch {
	case c < decide.First && e.Elsewhere:
		return Verdict{Reason: ReasonElsewhere, Confidence: c}
	case c < decide.First, !e.Named && e.Unheard >= unheard && c < decide.Sure:
		return Verdict{Reason: ReasonThin, Confidence: c}
	case !e.Law:
		c = math.Min(c, OwnMost)
	}
	return Verdict{Confidence: c}
}

// OwnMost is the most that an answer in our own words may claim, which are not the official
// text: of 300 plain lines drawn by lot 40 left out a condition that decides for some.
const OwnMost = .65

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
