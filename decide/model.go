package decide

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"digesto"
	"digesto/search"
)

// Model is the regression: a weight for each feature, and what development sets say of
// its calibration. How much of what people ask has entries differs by pack, so each has
// an offset of its own.
type Model struct {
	Provenance string             `json:"provenance"` // the command that made it
	Weights    map[string]float64 `json:"weights"`
	Priors     Priors             `json:"priors"`
	Scale      float64            `json:"scale"`   // of the log odds
	Offsets    map[string]float64 `json:"offsets"` // added to the scaled log odds, by pack
	Alone      float64            `json:"alone"`   // added too where no text could be searched: the weights miss what texts say
}

// Priors are added to the log odds of a place before they are scaled. The asks, which are
// spread evenly over the law, cannot teach them: people mostly ask about the general law,
// and who asks about a special one says so.
type Priors struct {
	Principal float64 `json:"principal"`
	Local     float64 `json:"local"` // 157 → 162 of 209 questions of a pack of many territories are right by themselves, flat from 1.25 to 2
	Special   float64 `json:"special"`
}

func (p Priors) of(x search.Passage) float64 {
	return p.Principal*boolOf(x.Principal) + p.Local*boolOf(x.Local) + p.Special*boolOf(x.Special)
}

// ReadModel reads a model as `digesto tune` writes it; a weight too many or too few is an
// error with CodeInvalid.
func ReadModel(data []byte) (m Model, err error) {
	if err = json.Unmarshal(data, &m); err == nil && len(m.Weights) != len(names) {
		err = fmt.Errorf("%d pesos, y deben ser %d", len(m.Weights), len(names))
	}
	for _, n := range names {
		if _, ok := m.Weights[n]; !ok && err == nil {
			err = fmt.Errorf("falta el peso de %s", n)
		}
	}
	if err != nil {
		return Model{}, &digesto.Error{Code: digesto.CodeInvalid, Message: "Los pesos que deciden están dañados", Err: err, Hint: "Vuelva a crearlos con «digesto tune --out FICHERO»."}
	}
	return m, nil
}

// Probability is that of a candidate of a pack with these features and this text to answer.
func (m Model) Probability(features []float64, text search.Passage, pack string) float64 {
	z := m.Priors.of(text)
	for i, n := range names {
		z += m.Weights[n] * features[i]
	}
	return 1 / (1 + math.Exp(-(z*m.Scale + m.offset(pack))))
}

// offset is that of a pack, and of one that no development set is about the mean of the others.
func (m Model) offset(pack string) (mean float64) {
	if o, ok := m.Offsets[pack]; ok {
		return o
	}
	for _, o := range m.Offsets {
		mean += o / float64(len(m.Offsets))
	}
	return mean
}

// Judged is a candidate with the probability that it answers.
type Judged struct {
	search.Candidate
	P float64
}

// WithoutTexts is the model for places that asks alone lead to.
func (m Model) WithoutTexts() Model {
	offsets := map[string]float64{}
	for p, o := range m.Offsets {
		offsets[p] = o + m.Alone
	}
	m.Offsets = offsets
	return m
}

// Judge gives the candidates of a question by probability, the highest first, ties by id.
func (m Model) Judge(list []search.Candidate, pack string) []Judged {
	out := make([]Judged, len(list))
	for i, f := range Features(list) {
		out[i] = Judged{list[i], m.Probability(f, list[i].Text, pack)}
	}
	slices.SortFunc(out, func(a, b Judged) int {
		switch {
		case a.P > b.P:
			return -1
		case a.P < b.P:
			return 1
		}
		return strings.Compare(a.ID, b.ID)
	})
	return out
}
