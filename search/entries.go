package search

import (
	"slices"

	"digesto/digest"
)

// Entries gives those of places with the cosine of their nearest ask to each of several
// questions, whose vectors are as the model gives them; nil without vectors. leave says of
// asks that they do not count; nil counts all.
func (a *Asks) Entries(places []string, full [][]float32, leave func(ask string) bool) map[*digest.Entry][]float64 {
	if a.rows == nil {
		return nil
	}
	wanted := make([]bool, len(a.places))
	for k, p := range a.places {
		wanted[k] = slices.Contains(places, p)
	}
	of := make([][]float32, len(full))
	for i, v := range full {
		of[i] = a.vectors.Project(v)
	}
	out := map[*digest.Entry][]float64{}
	for i, x := range a.asks {
		if !wanted[x.place] || leave != nil && leave(a.text(i)) {
			continue
		}
		v := a.vectors.Of(a.text(i))
		if v == nil {
			continue
		}
		list := out[x.entry]
		if list == nil {
			list = make([]float64, len(full))
			out[x.entry] = list
		}
		for k, q := range of {
			dot := 0.
			for d := range q {
				dot += float64(q[d]) * float64(v[d])
			}
			list[k] = max(list[k], dot)
		}
	}
	return out
}
