package ask

import (
	"slices"

	"digesto/dialogue"
	"digesto/passage"
)

// A text may ask two things that have nothing to do with one another: "¿cuánto dura
// A y quién paga B?". Each is answered, or refused, on its own.

// heldTogether is the share of the information of each of two questions from which a
// unit answers both: they are two sides of one matter.
const heldTogether = .5

// mixed gives the questions that are answered apart: several that each name a matter
// of their own, none of which the unit that governs holds all of. nil: it is one.
func (g grounds) mixed() []string {
	if g.reading == promptFollowup || g.plan.compare || len(g.plan.queries) > 0 || len(g.exact) > 0 || g.topic != "" {
		return nil
	}
	parts := dialogue.Separate(g.text)
	if len(parts) < 2 || len(parts) > maxParts {
		return nil
	}
	if g.done == nil && !slices.ContainsFunc(parts, func(p string) bool { return !g.held(p) }) {
		return nil
	}
	return parts
}

// held says that what governs holds most of a part's words.
func (g grounds) held(part string) bool {
	stems := passage.Stems(g.analyser(), part)
	total, got := 0.0, 0.0
	for _, t := range g.focus.Terms {
		if !stems[t.Stem] {
			continue
		}
		if total += t.IDF; slices.ContainsFunc(g.govern, func(x hit) bool {
			return x.means(t.Stem) || x.unit.Has(t.Stem) || t.Family != "" && x.unit.Has(t.Family)
		}) {
			got += t.IDF
		}
	}
	return got >= heldTogether*total
}
