package ask

import (
	"slices"
	"strings"
	"unicode/utf8"
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
	parts := separate(g.text)
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
	stems := stemsOf(g.analyser(), part)
	total, got := 0.0, 0.0
	for _, t := range g.focus.terms {
		if !stems[t.stem] {
			continue
		}
		if total += t.idf; slices.ContainsFunc(g.govern, func(x hit) bool { return x.means(t.stem) || x.unit.has(t.stem) || t.kin != "" && x.unit.has(t.kin) }) {
			got += t.idf
		}
	}
	return got >= heldTogether*total
}

// separate cuts a text where another question begins ("… y cuánto …", "…? ¿Quién …?").
// nil where one of the pieces is no question of its own: it asks nothing, points back,
// or names no matter that the piece before it has not named.
func separate(question string) []string {
	w := wordsOf(question)
	if len(w.list) == 0 || !w.opensQuestion(0) {
		return nil
	}
	var out []string
	var before []string
	from := 0
	for k := 1; k <= len(w.list); k++ {
		if k < len(w.list) && !(w.joins(k) && w.opensQuestion(k+1)) && !(w.closes(k) && w.opensQuestion(k)) {
			continue
		}
		piece := sentenceWords{w.in, w.list[from:k]}
		own := slices.DeleteFunc(piece.content(), func(s string) bool { return slices.Contains(before, s) })
		if len(own) < ownWords || piece.refersBack() || piece.clitic() || piece.aspects() {
			return nil
		}
		before = append(before, own...)
		out = append(out, "¿"+strings.Trim(w.in[w.list[from].Start:w.list[k-1].End], " ¿?.,;")+"?")
		from = k
		if k < len(w.list) && w.joins(k) {
			from = k + 1
		}
	}
	if len(out) < 2 {
		return nil
	}
	return out
}

// ownWords is how many words of content a question needs that is asked apart.
const ownWords = 2

// joins says that word k only ties what follows to what stands before it.
func (w sentenceWords) joins(k int) bool { return w.list[k].Text == "y" || w.list[k].Text == "e" }

// closes says that a question mark or a full stop stands before word k.
func (w sentenceWords) closes(k int) bool {
	return strings.ContainsAny(w.in[w.list[k-1].End:w.list[k].Start], "¿?.;")
}

var prepositions = wordsSet("a ante con contra de desde en hasta para por segun sobre")

// opensQuestion says that a question begins at word k: a word that asks, behind at
// most one preposition. The words that are conjunctions too ask only with their accent.
func (w sentenceWords) opensQuestion(k int) bool {
	if k+1 < len(w.list) && prepositions[w.list[k].Text] {
		k++
	}
	if k >= len(w.list) || !interrogatives[w.list[k].Text] {
		return false
	}
	switch t := w.list[k]; t.Text {
	case "que", "como", "cuando", "donde", "quien", "quienes":
		accented := utf8.RuneCountInString(w.in[t.Start:t.End]) < t.End-t.Start
		return accented || k == 0 || strings.Contains(w.in[w.list[k-1].End:t.Start], "¿")
	}
	return true
}
