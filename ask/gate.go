package ask

import (
	"math"
)

// Evidence is what the decision to answer rests on. It stands in meta.evidence,
// so that a decision can be repeated and criticised.
type Evidence struct {
	Coverage float64 `json:"coverage"` // share of the question's information in the best unit's sentence, paragraph and rubric
	Unit     float64 `json:"unit"`     // the same for the whole unit and the name of its norm
	Lexical  float64 `json:"lexical"`  // best score over the most this query could reach
	Kind     bool    `json:"kind"`     // the asked kind of thing stands in the sentence
	Asked    Kind    `json:"asked"`
	Named    bool    `json:"named"`  // the question names an installed norm
	Exact    bool    `json:"exact"`  // the question names an installed unit
	Law      bool    `json:"law"`    // the unit is installed law, not a fiche
	Absent   bool    `json:"absent"` // the question names a norm or unit that is not installed
	Margin   float64 `json:"margin"` // lead of the first unit over the second
	Terms    int     `json:"terms"`  // content words of the question
	Order    float64 `json:"order"`  // share of the question's neighbouring words that are neighbours in the deciding sentence
	Stated   float64 `json:"stated"` // share of the question's words that the deciding sentence states: the claim check of package verify
	Rare     float64 `json:"rare"`   // share of its three most telling words that the unit holds
	Spread   float64 `json:"spread"` // how far the unit's search score stands above those after it
}

// Thresholds of the gate. A pack's manifest may set its own.
type Thresholds struct {
	Coverage   float64 // least coverage of the whole unit
	Score      float64 // least share of the reachable lexical score
	Named      float64 // least coverage when the question names the norm
	Confidence float64 // least confidence of an answer
}

// Default thresholds, used where a pack sets none.
var defaultThresholds = Thresholds{Coverage: .3, Score: .1, Named: .2, Confidence: .4}

func thresholds(m map[string]float64) Thresholds {
	t := defaultThresholds
	for k, into := range map[string]*float64{"coverage": &t.Coverage, "score": &t.Score, "named": &t.Named, "confidence": &t.Confidence} {
		if v, ok := m[k]; ok {
			*into = v
		}
	}
	return t
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
	ReasonKind    Reason = "kind"    // the texts speak of it, but not of what is asked
)

// Gate decides from the evidence alone whether there is an answer. It is a pure
// function: the same evidence gives the same verdict.
func Gate(e Evidence, t Thresholds) Verdict {
	if e.Exact {
		return Verdict{Confidence: round2(.95 - .15*boolOf(e.Absent))}
	}
	if e.Absent {
		return Verdict{Reason: ReasonAbsent}
	}
	if e.Terms == 0 && !e.Named {
		return Verdict{Reason: ReasonNothing}
	}
	need := t.Coverage
	if e.Named {
		need = t.Named
	}
	if e.Unit < need || e.Law && e.Lexical < t.Score*boolOf(!e.Named) {
		return Verdict{Reason: ReasonThin}
	}
	c := confidence(e)
	if c < t.Confidence {
		return Verdict{Reason: ReasonThin, Confidence: c}
	}
	if !e.Law {
		c = math.Min(c, ownCeiling)
	}
	return Verdict{Confidence: c}
}

// ownCeiling is the most that an answer in our own words may claim: it is not
// the official text.
const ownCeiling = .65

// gateWeights are a logistic regression of "the article quoted is the right one"
// on the evidence. Fitted on 700 questions: the lay questions of
// testdata/lay.tsv, 46 questions about law that is not installed, official exam
// stems and quiz questions with known articles. In each tenth of the scale the
// share of right answers was within .1 of the figure.
var gateWeights = struct{ bias, coverage, unit, lexical, margin, named, short float64 }{
	bias: -2.05, coverage: 1.23, unit: .82, lexical: .82, margin: 3.55, named: .83, short: -1.87,
}

// confidence is the probability that the answer stands on the right unit.
func confidence(e Evidence) float64 {
	w := gateWeights
	z := w.bias + w.coverage*e.Coverage + w.unit*e.Unit + w.lexical*math.Min(1, e.Lexical) + w.margin*math.Min(1, e.Margin) +
		w.named*boolOf(e.Named) + w.short/float64(max(1, e.Terms))
	return round2(1 / (1 + math.Exp(-z)))
}

func round2(v float64) float64 { return math.Round(v*100) / 100 }
