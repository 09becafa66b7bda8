package ask

import (
	"slices"

	"digesto/extract"
	"digesto/pack"
	"digesto/passage"
	"digesto/text"
)

// unheard is the share of a question's information in words that no installed text found
// holds: neither the words nor their families, nor an alternative of their own in the
// unit, nor a fiche that leads there. What nothing speaks of has no answer, however well
// the rest of the question is met.
func (h hits) unheard(x hit) float64 {
	if h.focus.Total == 0 {
		return 0
	}
	lost := 0.0
	for _, t := range h.unheardTerms(x) {
		lost += t.IDF
	}
	return lost / h.focus.Total
}

func (h hits) unheardTerms(x hit) []extract.Term {
	var out []extract.Term
	for _, t := range h.focus.Terms {
		if t.Share == 1 && !passage.AllDigits(t.Stem) && !h.speaksOf(x, t) {
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
	lost := slices.DeleteFunc(g.unheardTerms(g.list[0]), func(t extract.Term) bool { // what only a fiche says is no ground, but is spoken of
		return slices.ContainsFunc(g.list, func(o hit) bool { return t.SaysWord(o.unit) })
	})
	var words []string
	for _, t := range text.Tokens(nil, g.q.Text) {
		if slices.ContainsFunc(lost, func(w extract.Term) bool { return w.Stem == text.Stem(t.Text) }) {
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
	if h.focus.Total == 0 {
		return 0
	}
	got := 0.0
	for _, t := range h.focus.Terms {
		switch {
		case x.means(t.Stem) || x.unit.Has(t.Stem) || x.clue.Has(t):
			got += t.IDF
		case t.Family != "" && x.unit.Has(t.Family):
			got += passage.FamilyShare * t.IDF
		case h.otherwise(x, t.Stem):
			got += .75 * t.IDF
		}
	}
	return got / h.focus.Total
}

// speaksOf says that some law found, or the fiche that leads to x, has a word of the
// question, or that x says it in other words.
func (h hits) speaksOf(x hit, t extract.Term) bool {
	if x.means(t.Stem) || t.SaysWord(x.unit) || x.clue.Has(t) || h.otherwise(x, t.Stem) {
		return true
	}
	return slices.ContainsFunc(h.list, func(o hit) bool { return o.law && t.SaysWord(o.unit) })
}

// otherwise says that a unit has an alternative that stands for a word of the question.
func (h hits) otherwise(x hit, stem string) bool {
	an := h.analyser()
	return slices.ContainsFunc(h.stands, func(a pack.Alternative) bool {
		return passage.Stems(an, a.Of)[stem] && extract.AllOf(passage.StemList(an, a.Say), func(s string) bool { return x.unit.Has(s) })
	})
}
