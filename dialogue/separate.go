package dialogue

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Separate cuts a text where another question begins ("… y cuánto …", "…? ¿Quién …?").
// nil where one of the pieces is no question of its own: it asks nothing, points back,
// or names no matter that the piece before it has not named.
func Separate(question string) []string {
	w := Read(question)
	if len(w.List) == 0 || !w.opensQuestion(0) {
		return nil
	}
	var out []string
	var before []string
	from := 0
	for k := 1; k <= len(w.List); k++ {
		if k < len(w.List) && !(w.joins(k) && w.opensQuestion(k+1)) && !(w.closes(k) && w.opensQuestion(k)) {
			continue
		}
		piece := Sentence{w.In, w.List[from:k]}
		own := slices.DeleteFunc(piece.Content(), func(s string) bool { return slices.Contains(before, s) })
		if len(own) < SaidWords || piece.refersBack() || piece.clitic() || piece.aspects() {
			return nil
		}
		before = append(before, own...)
		out = append(out, "¿"+strings.Trim(w.In[w.List[from].Start:w.List[k-1].End], " ¿?.,;")+"?")
		from = k
		if k < len(w.List) && w.joins(k) {
			from = k + 1
		}
	}
	if len(out) < 2 {
		return nil
	}
	return out
}

// joins says that word k only ties what follows to what stands before it.
func (w Sentence) joins(k int) bool { return w.List[k].Text == "y" || w.List[k].Text == "e" }

// closes says that a question mark or a full stop stands before word k.
func (w Sentence) closes(k int) bool {
	return strings.ContainsAny(w.In[w.List[k-1].End:w.List[k].Start], "¿?.;")
}

var prepositions = language.words("prepositions")

// opensQuestion says that a question begins at word k: a word that asks, behind at
// most one preposition. The words that are conjunctions too ask only with their accent.
func (w Sentence) opensQuestion(k int) bool {
	if k+1 < len(w.List) && prepositions[w.List[k].Text] {
		k++
	}
	if k >= len(w.List) || !Interrogatives[w.List[k].Text] {
		return false
	}
	switch t := w.List[k]; t.Text {
	case "que", "como", "cuando", "donde", "quien", "quienes":
		accented := utf8.RuneCountInString(w.In[t.Start:t.End]) < t.End-t.Start
		return accented || k == 0 || strings.Contains(w.In[w.List[k-1].End:t.Start], "¿")
	}
	return true
}
