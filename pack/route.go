package pack

import "sort"

// Signal is a word of a question that points to a pack: a unit of account, a
// place, a body, an identifier, a word of that country's law.
type Signal struct {
	Kind    string // "unit", "place", "body", "identifier", "word"
	Weight  float64
	Pattern Pattern
}

// Evidence is one signal found in a question.
type Evidence struct {
	Kind, Pattern string
	Weight        float64
}

// Signalled gives how strongly a question points to the pack, and why. Signals
// of negative weight point away.
func (p *Pack) Signalled(question string) (float64, []Evidence) {
	words := Words(question)
	total := 0.0
	var why []Evidence
	for _, s := range p.Signals {
		if s.Pattern.Match(words) {
			total += s.Weight
			why = append(why, Evidence{s.Kind, s.Pattern.String(), s.Weight})
		}
	}
	return total, why
}

// Candidate is a pack with the weight of a question's signals for it.
type Candidate struct {
	Pack  *Pack
	Score float64
	Why   []Evidence
}

// Route orders the packs by the signals of a question, best first, ties by
// name; packs without a positive signal are left out.
func Route(packs []*Pack, question string) []Candidate {
	var out []Candidate
	for _, p := range packs {
		if s, why := p.Signalled(question); s > 0 {
			out = append(out, Candidate{p, s, why})
		}
	}
	sort.SliceStable(out, func(i, j int) bool {
		if out[i].Score != out[j].Score {
			return out[i].Score > out[j].Score
		}
		return out[i].Pack.Name < out[j].Pack.Name
	})
	return out
}
