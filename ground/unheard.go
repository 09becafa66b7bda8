package ground

import (
	"slices"

	"digesto/extract"
	"digesto/pack"
	"digesto/passage"
	"digesto/retrieve"
	"digesto/text"
)

// unheard is the share of a question's information in words that no installed text found
// holds: neither the words nor their families, nor an alternative of their own in the
// unit, nor a fiche that leads there. What nothing speaks of has no answer, however well
// the rest of the question is met.
func unheard(h retrieve.Hits, x retrieve.Hit) float64 {
	if h.Focus.Total == 0 {
		return 0
	}
	lost := 0.0
	for _, t := range unheardTerms(h, x) {
		lost += t.IDF
	}
	return lost / h.Focus.Total
}

func unheardTerms(h retrieve.Hits, x retrieve.Hit) []extract.Term {
	var out []extract.Term
	_, year := YearAsked(h) // "este año" is read as the year of the day
	for _, t := range h.Focus.Terms {
		if !(year && t.Stem == text.Stem("ano")) && !passage.AllDigits(t.Stem) && !speaksOf(h, x, t) {
			out = append(out, t)
		}
	}
	return out
}

// unheardMost is the share of a question from which what no text speaks of is told, and a
// question that names no law and is not likely met is about something else.
const unheardMost = .25

// unheardNote names, with the words of the question, what no text found speaks of; "" when
// that is little of it.
func (g *Grounds) unheardNote() string {
	if len(g.List) == 0 || g.Evidence.Unheard < unheardMost {
		return ""
	}
	lost := slices.DeleteFunc(unheardTerms(g.Hits, g.List[0]), func(t extract.Term) bool { // what only a fiche says is no ground, but is spoken of
		return slices.ContainsFunc(g.List, func(o retrieve.Hit) bool { return t.SaysWord(o.Prepared) })
	})
	var words []string
	for _, t := range text.Tokens(nil, g.Q.Text) {
		if slices.ContainsFunc(lost, func(w extract.Term) bool { return w.Stem == text.Stem(t.Text) }) {
			words = append(words, "«"+g.Q.Text[t.Start:t.End]+"»")
		}
	}
	if len(words) == 0 {
		return ""
	}
	return "Ninguno de los textos encontrados habla de " + enumerated(words) + "."
}

// speaksOf says that some law found, or the fiche that leads to x, has a word of the
// question, or that x says it in other words.
func speaksOf(h retrieve.Hits, x retrieve.Hit, t extract.Term) bool {
	if means(x, t.Stem) || t.SaysWord(x.Prepared) || otherwise(h, x, t.Stem) {
		return true
	}
	return slices.ContainsFunc(h.List, func(o retrieve.Hit) bool { return o.Law && t.SaysWord(o.Prepared) })
}

// otherwise says that a unit has an alternative that stands for a word of the question.
func otherwise(h retrieve.Hits, x retrieve.Hit, stem string) bool {
	an := h.Analyser()
	return slices.ContainsFunc(h.Stands, func(a pack.Alternative) bool {
		return passage.Stems(an, a.Of)[stem] && extract.AllOf(passage.StemList(an, a.Say), func(s string) bool { return x.Prepared.Has(s) })
	})
}
