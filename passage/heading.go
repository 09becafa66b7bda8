package passage

import (
	"slices"
	"strings"

	"digesto/question"
	"digesto/text"
)

// Heading is a rubric, a title or a question of a fiche, by its words.
type Heading struct {
	All      []uint64         // keys of its words, in order
	Distinct []uint64         // … each once, without those of the structure itself
	Content  []uint64         // … and without those that say little
	Names    []question.Kinds // the kinds of thing that each word of content names
	Asked    question.Kinds   // kinds of question that it answers by its words
	Amends   bool             // it announces the change of another norm
}

func NewHeading(an *text.Analyser, s string) *Heading {
	h := &Heading{Asked: question.HeadingKinds(s)}
	for _, t := range an.Terms(s) {
		if t.Stem == "" || t.Part {
			continue
		}
		key := Key(t.Stem)
		h.All = append(h.All, key)
		if headingWord(t.Plain) || question.Interrogative(t.Plain) || slices.Contains(h.Distinct, key) {
			continue
		}
		h.Distinct = append(h.Distinct, key)
		if !question.LightWords[t.Plain] {
			h.Content, h.Names = append(h.Content, key), append(h.Names, question.NounKinds(t.Plain))
		}
	}
	folded := text.Fold(s)
	h.Amends = strings.HasPrefix(folded, "modificacion") || strings.HasPrefix(folded, "reforma de")
	return h
}

// Size is about how many bytes a heading takes.
func (h *Heading) Size() int { return 160 + 8*(len(h.All)+len(h.Distinct)+2*len(h.Content)) }

// headingWord is a word or number of the structure itself.
func headingWord(w string) bool {
	switch w {
	case "titulo", "capitulo", "seccion", "libro", "parte", "subseccion", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii":
		return true
	}
	return w[0] >= '0' && w[0] <= '9'
}
