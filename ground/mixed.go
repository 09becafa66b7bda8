package ground

import (
	"digesto/extract"
	"slices"

	"digesto/dialogue"
	"digesto/passage"
	"digesto/query"
	"digesto/retrieve"
)

// A text may ask two things that have nothing to do with one another: "¿cuánto dura
// A y quién paga B?". Each is answered, or refused, on its own.

// Mixed gives the questions that are answered apart: several that each name a matter
// of their own, none of which the unit that governs holds all of. nil: it is one.
func (g Grounds) Mixed() []string {
	if g.Reading == query.PromptFollowup || g.Plan.Compare || len(g.Plan.Queries) > 0 || len(g.Exact) > 0 || g.Topic != "" {
		return nil
	}
	parts := dialogue.Separate(g.Text)
	if len(parts) < 2 || len(parts) > query.MaxParts {
		return nil
	}
	if g.Done == nil && !slices.ContainsFunc(parts, func(p string) bool { return !g.held(p) }) {
		return nil
	}
	return parts
}

// held says that what governs holds most of a part's words.
func (g Grounds) held(part string) bool {
	stems := passage.Stems(g.Analyser(), part)
	total, got := 0.0, 0.0
	for _, t := range g.Focus.Terms {
		if !stems[t.Stem] {
			continue
		}
		if total += t.IDF; slices.ContainsFunc(g.Govern, func(x retrieve.Hit) bool {
			return means(x, t.Stem) || x.Prepared.Has(t.Stem) || t.Family != "" && x.Prepared.Has(t.Family)
		}) {
			got += t.IDF
		}
	}
	return got >= extract.Most*total
}
