package pack

import (
	"cmp"
	"slices"

	"digesto"
	"digesto/text/sentence"
)

// Class is a kind of question, with the tiers that are searched for it.
type Class struct {
	Name    string
	Title   string
	Tiers   []Tier // in order; empty = nothing is searched
	Tool    string // calculator that takes over, or ""
	Outcome digesto.Outcome
	Reply   string // fixed sentence when Outcome is set
}

// Tier is one collection searched for a class.
type Tier struct {
	Collection string `yaml:"collection"`
	K          int    `yaml:"k"`
}

// Detector ends a question with a fixed sentence when one of its patterns is
// in it and none of the exceptions is.
type Detector struct {
	Name     string // class it sets: "out_of_scope", "advice", "greeting"…
	Outcome  digesto.Outcome
	Reply    string
	When     []Pattern
	Unless   []Pattern
	Examples []string // must match; checked
	Near     []string // near misses: must not; checked
}

// said is a question as detectors read it, in folded words.
type said struct{ all, asked []string }

// saidIn reads a question: who was in another country once asks about this one.
func saidIn(question string) said {
	return said{all: Words(question), asked: Words(cmp.Or(sentence.Asked(question), question))}
}

// matches says whether the detector fires: on what is asked, and on no exception in all that
// is said.
func (d *Detector) matches(s said) bool {
	return slices.ContainsFunc(d.When, func(p Pattern) bool { return p.Match(s.asked) }) &&
		!slices.ContainsFunc(d.Unless, func(p Pattern) bool { return p.Match(s.all) })
}

// Detect gives the first detector that fires, in the order of the manifest.
func (p *Pack) Detect(question string) (*Detector, bool) {
	s := saidIn(question)
	for i := range p.Detectors {
		d := &p.Detectors[i]
		if d.Outcome == digesto.OutcomeNonLegal && len(s.all) > smallTalk {
			continue // "con cada tormenta no te quiero contar"
		}
		if d.matches(s) {
			return d, true
		}
	}
	return nil, false
}

// smallTalk is the most words that small talk has: who says more tells a case.
const smallTalk = 30

// Classify gives the classes and, when the question ends here, its fixed
// sentence: by the pack's classifier when it has one, by its detectors otherwise.
func (p *Pack) Classify(q ToolQuestion) Classification {
	if p.Classifier != nil {
		c := p.Classifier.Classify(q)
		if c.Outcome != "" || len(c.Classes) > 0 {
			return c
		}
	}
	if d, ok := p.Detect(q.Text); ok {
		return Classification{Classes: []string{d.Name}, Outcome: d.Outcome, Reply: d.Reply}
	}
	return Classification{Rest: q.Text}
}

// Class gives a class by name.
func (p *Pack) Class(name string) (Class, bool) {
	for _, c := range p.Classes {
		if c.Name == name {
			return c, true
		}
	}
	return Class{}, false
}

// BodyFor gives the body to ask about a question: the first whose words are in
// it, otherwise the first without words (the general one), otherwise the first.
func (p *Pack) BodyFor(question string) (Body, bool) {
	words := Words(question)
	for _, b := range p.Bodies {
		for _, w := range b.Words {
			if pt, err := ParsePattern(w); err == nil && pt.Match(words) {
				return b, true
			}
		}
	}
	for _, b := range p.Bodies {
		if len(b.Words) == 0 {
			return b, true
		}
	}
	if len(p.Bodies) == 0 {
		return Body{}, false
	}
	return p.Bodies[0], true
}
