package search

import "digesto"

// Candidate is a place that may answer a question: found by its asks, by the text of
// its unit, or by both.
type Candidate struct {
	Place         // only its ID when no ask led there
	Rank  int     // of its unit among the articles found, from 1; 0 = not among them
	Text  Passage // what its text shows; zero = nobody has read it, or it is no text
}

// Passage is what the text of a place shows to who reads texts.
type Passage struct {
	Sentence  float64 // how well its best sentence answers
	Principal bool    // it is of a norm that governs the matter of the pack
	Local     bool    // it is law of the territory that the question names
	Special   bool    // it is law for some, and the question does not say that it is about them
}

// Join puts what asks and articles found together, each place once: those of the asks
// first, then the other articles in their order. Articles that hold the same rule as
// another place count for it.
func (a *Asks) Join(places []Place, articles []digesto.Hit) []Candidate {
	out := make([]Candidate, len(places), len(places)+len(articles))
	at := make(map[string]int, cap(out))
	for i, p := range places {
		out[i].Place, at[p.ID] = p, i
	}
	for rank, h := range articles {
		id := a.Leader(h.Unit)
		k, ok := at[id]
		if !ok {
			k, at[id] = len(out), len(out)
			out = append(out, Candidate{Place: Place{ID: id}})
		}
		if c := &out[k]; c.Rank == 0 {
			c.Rank = rank + 1
		}
	}
	return out
}
