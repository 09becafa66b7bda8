package ask

import (
	"slices"

	"digesto/pack"
	"digesto/text"
)

// unheard is the share of a question's information in words that no installed text found
// holds: neither the words nor their families, nor an alternative of their own in the
// unit, nor a fiche that leads there. What nothing speaks of has no answer, however well
// the rest of the question is met.
func (h hits) unheard(x hit) float64 {
	if h.focus.total == 0 {
		return 0
	}
	lost := 0.0
	for _, t := range h.unheardTerms(x) {
		lost += t.idf
	}
	return lost / h.focus.total
}

func (h hits) unheardTerms(x hit) []weighted {
	var out []weighted
	for _, t := range h.focus.terms {
		if t.part == 1 && !allDigits(t.stem) && !h.speaksOf(x, t) {
			out = append(out, t)
		}
	}
	return out
}

// unheardNote names, with the words of the question, what no text found speaks of; "" when
// that is little of it.
func (g *grounds) unheardNote() string {
	if len(g.list) == 0 || g.evidence.Unheard < unheardMost {
		return ""
	}
	lost := slices.DeleteFunc(g.unheardTerms(g.list[0]), func(t weighted) bool { // what only a fiche says is no ground, but is spoken of
		return slices.ContainsFunc(g.list, func(o hit) bool { return o.unit.saysWord(t) })
	})
	var words []string
	for _, t := range text.Tokens(nil, g.q.Text) {
		if slices.ContainsFunc(lost, func(w weighted) bool { return w.stem == text.Stem(t.Text) }) {
			words = append(words, "«"+g.q.Text[t.Start:t.End]+"»")
		}
	}
	if len(words) == 0 {
		return ""
	}
	return "Ninguno de los textos encontrados habla de " + enumerated(words) + "."
}

// told is the share of a question's information that a unit says: in its words, in those
// of their family, or in an alternative that stands for the very word that is missing.
func (h hits) told(x hit) float64 {
	if h.focus.total == 0 {
		return 0
	}
	got := 0.0
	for _, t := range h.focus.terms {
		switch {
		case x.means(t.stem) || x.unit.has(t.stem) || x.clue.has(t):
			got += t.idf
		case t.kin != "" && x.unit.has(t.kin):
			got += kinShare * t.idf
		case h.otherwise(x, t.stem):
			got += .75 * t.idf
		}
	}
	return got / h.focus.total
}

// speaksOf says that some law found, or the fiche that leads to x, has a word of the
// question, or that x says it in other words.
func (h hits) speaksOf(x hit, t weighted) bool {
	if x.means(t.stem) || x.unit.saysWord(t) || x.clue.has(t) || h.otherwise(x, t.stem) {
		return true
	}
	return slices.ContainsFunc(h.list, func(o hit) bool { return o.law && o.unit.saysWord(t) })
}

// saysWord says that a unit has a word of a question or one of its family.
func (u *unitText) saysWord(t weighted) bool {
	return u.has(t.stem) || u.rubricHas(t.stem) || t.kin != "" && (u.has(t.kin) || u.rubricHas(t.kin))
}

// has says that a text that is measured by its words has one of a question.
func (f *focus) has(t weighted) bool {
	return f != nil && slices.ContainsFunc(f.terms, func(o weighted) bool { return o.stem == t.stem || t.kin != "" && o.kin == t.kin })
}

// otherwise says that a unit has an alternative that stands for a word of the question.
func (h hits) otherwise(x hit, stem string) bool {
	an := h.analyser()
	return slices.ContainsFunc(h.stands, func(a pack.Alternative) bool {
		return stemsOf(an, a.Of)[stem] && allOf(stemList(an, a.Say), func(s string) bool { return x.unit.has(s) })
	})
}

func stemList(an *text.Analyser, s string) []string {
	var out []string
	for _, t := range an.Terms(s) {
		if t.Stem != "" && !t.Part {
			out = append(out, t.Stem)
		}
	}
	return out
}
