package route

import (
	"slices"
	"strings"

	"digesto"
	"digesto/ground"
	"digesto/pack"
	"digesto/query"
)

// foreign gives the pack of another country whose law a question plainly asks, although it was
// put to p; nil without one. Where somebody comes from, or where somebody else lives, says
// nothing of the law that is asked: foreigners ask how long their licence to drive is good here.
func (e *Router) foreign(question string, p *pack.Pack) *pack.Candidate {
	if own, why := p.Signalled(question); own > 0 || points(why, "unit", "place", "body", "identifier") > 0 {
		return nil
	}
	words := pack.Words(question)
	for _, c := range pack.Route(e.Packs, question) {
		if digesto.Country(c.Pack.Jurisdiction()) == digesto.Country(p.Jurisdiction()) {
			continue
		}
		if points(c.Why, "unit", "body", "identifier") >= query.ForeignSignal || query.Pointing(c.Why) >= query.ForeignSignal && asksThere(words, c.Pack) {
			return &c
		}
	}
	return nil
}

// points is the weight of what points to a pack by these kinds of signals.
func points(why []pack.Evidence, kinds ...string) (sum float64) {
	for _, w := range why {
		if w.Weight > 0 && slices.Contains(kinds, w.Kind) {
			sum += w.Weight
		}
	}
	return sum
}

// asksThere says that the words name the country of a pack as the one whose law is asked, or a
// place of it as where they who ask live or work.
func asksThere(words []string, p *pack.Pack) bool {
	if slices.ContainsFunc(CountryForms(p.Places[digesto.Country(p.Jurisdiction())]), func(f pack.Pattern) bool { return f.Match(words) }) {
		return true
	}
	for _, f := range whoseLaw {
		if _, to, ok := f.Find(words); ok && inPlace(p, words[to:min(len(words), to+3)]) {
			return true
		}
	}
	return false
}

// whoseLaw goes before the place whose law is asked.
var whoseLaw = ground.PatternsOf("ley|leyes|derecho|legislacion|normativa", "vivo|vivimos|resido|residimos|trabajo|trabajamos|trabajaba en")

// inPlace says that words name a place of a pack, or its people.
func inPlace(p *pack.Pack, words []string) bool {
	return slices.ContainsFunc(p.Signals, func(s pack.Signal) bool { return s.Kind == "place" && s.Weight > 0 && s.Pattern.Match(words) })
}

// CountryForms are the ways to name a country as the one whose law is asked; none without a name.
func CountryForms(name string) []pack.Pattern {
	if name == "" {
		return nil
	}
	n := strings.Join(pack.Words(name), " ")
	return ground.PatternsOf("^ en|para ?el ?la "+n, "en|para ?el ?la "+n+" $", "ley|derecho ?de "+n)
}
