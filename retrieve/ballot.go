package retrieve

import "digesto/judge"

// Ballot is what a judge of candidates said of a question; the zero value is of one that
// was not asked.
type Ballot struct {
	Verdict judge.Verdict
	Chosen  string             // place with most of the vote; "" = none of them
	P       map[string]float64 // of the places shown, after the vote
}

func (b Ballot) Cast() bool { return b.P != nil }
