package passage

import (
	"slices"
	"strings"

	"digesto/text/lazyregexp"
	"digesto/text/sentence"
)

// markerOf is the numbering of the paragraph of sentence i.
func (u *Unit) markerOf(i int) sentence.Marker {
	for !u.Sentences[i].First {
		i--
	}
	return u.Sentences[i].Marker
}

// PartOf gives the first sentence of the numbered part in which sentence i
// stands: the nearest numbered paragraph before it, if nothing announces a list
// in between; i itself when there is none.
func (u *Unit) PartOf(i int) int {
	if u.Sentences[i].Marker != sentence.NoMarker {
		return i
	}
	for k := i - 1; k >= 0; k-- {
		s := u.Sentences[k]
		if s.Last && s.Lead() {
			return i
		}
		if s.First && s.Marker != sentence.NoMarker {
			if s.Marker == sentence.NumberMarker || s.Marker == sentence.OrdinalMarker {
				return k
			}
			return i
		}
	}
	return i
}

// partRef is a reference to another numbered paragraph of the same unit.
var partRef = lazyregexp.New(`(?i)\b(?:apartados?|numerales|numeral|incisos?|párrafos?)\s+(\d{1,2})\b`)

// ReferredPart gives the first sentence of the numbered paragraph that sentence i
// takes up ("… a que se refiere el apartado 4"); -1 without one.
func (u *Unit) ReferredPart(i int) int {
	m := partRef.FindStringSubmatch(u.Sentences[i].Text)
	if m == nil {
		return -1
	}
	for k, s := range u.Sentences {
		if s.First && s.mark == m[1] {
			return k
		}
	}
	return -1
}

// HeadOf gives the first sentence of the numbered paragraph that governs sentence i; -1 without one.
func (u *Unit) HeadOf(i int) int {
	for k := u.StartOf(i); k >= 0; k-- {
		if s := u.Sentences[k]; s.First && (s.Marker == sentence.NumberMarker || s.Marker == sentence.OrdinalMarker) {
			return k
		}
	}
	return -1
}

func (u *Unit) StartOf(i int) int {
	for !u.Sentences[i].First {
		i--
	}
	return i
}

func (u *Unit) EndOf(i int) int {
	for !u.Sentences[i].Last {
		i++
	}
	return i
}

func (u *Unit) Length(from, to int) int { return u.Sentences[to].End - u.Sentences[from].Start }

// Around is the text of a unit from what announces sentence at on, in whole sentences.
func (u *Unit) Around(at, runes int) string {
	var out []string
	if l := u.LeadOf(at); l >= 0 && l < at {
		out = append(out, u.Sentences[l].Text)
	}
	n := 0
	for _, s := range u.Sentences[at:] {
		if n += len([]rune(s.Text)); n > runes && len(out) > 0 {
			break
		}
		out = append(out, s.Text)
	}
	return strings.Join(out, " ")
}

// Anywhere says that some sentence of the unit has one of the kinds of thing.
func (u *Unit) Anywhere(p Presence) bool {
	return slices.ContainsFunc(u.Sentences, func(s Sentence) bool { return s.Holds&p != 0 })
}

// Rules are the sentences of a unit that are no notes of the editor.
func (u *Unit) Rules() (out []Span) {
	for i := range u.Sentences {
		if !u.Sentences[i].Note {
			out = append(out, Span{i, i})
		}
	}
	return out
}

// Runes is how long the sentences of a unit are together, without the editor's notes.
func (u *Unit) Runes() (n int) {
	for i := range u.Sentences {
		if s := &u.Sentences[i]; !s.Note {
			n += s.End - s.Start
		}
	}
	return n
}
