package passage

import (
	"slices"

	"digesto"
)

// Unseen gives the changes of single paragraphs that were made by a day and
// whose wording is not known.
func Unseen(v digesto.Version, at digesto.Date) (out []digesto.Reform) {
	for _, r := range v.Unseen {
		if at != "" && r.Day() <= at {
			out = append(out, r)
		}
	}
	return out
}

// Proven leaves out the sentences of those paragraphs: nothing shows that they
// still said this on the day.
func (u *Unit) Proven(v digesto.Version, at digesto.Date) *Unit {
	drop := map[int]bool{}
	for _, r := range Unseen(v, at) {
		for _, p := range r.Parts {
			if s, ok := u.part(p, Span{0, len(u.Sentences) - 1}); ok {
				for i := s.From; i <= s.To; i++ {
					drop[i] = true
				}
			}
		}
	}
	if len(drop) == 0 {
		return u
	}
	left := *u
	left.Sentences = slices.Clone(u.Sentences[:0:0])
	for i, s := range u.Sentences {
		if !drop[i] {
			left.Sentences = append(left.Sentences, s)
		}
	}
	left.link()
	return &left
}
