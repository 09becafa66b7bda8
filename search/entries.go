package search

import "digesto/digest"

// Entries gives those of a place with the cosine of their nearest ask to each of several
// questions, whose vectors are as the model gives them; nil without vectors.
func (a *Asks) Entries(place string, full [][]float32) map[*digest.Entry][]float64 {
	if a.rows == nil {
		return nil
	}
	of := make([][]float32, len(full))
	for i, v := range full {
		of[i] = a.vectors.Project(v)
	}
	out := map[*digest.Entry][]float64{}
	for i, x := range a.asks {
		if a.places[x.place] != place {
			continue
		}
		v := a.vector(i)
		if v == nil {
			continue
		}
		e := a.entries[x.entry]
		list := out[e]
		if list == nil {
			list = make([]float64, len(full))
			out[e] = list
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
