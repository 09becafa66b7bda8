package search

import (
	"math"

	"digesto/digest"
	"digesto/text"
)

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
	out, room := map[*digest.Entry][]float64{}, make([]float32, len(a.vectors.Step()))
	for _, x := range a.entries {
		if a.places[x.place] != place {
			continue
		}
		a.ask(int(x.first)) // opens it
		for i := range x.Leads() {
			a.rows.Vector(int(x.first)+i, room)
			list := out[x.Entry]
			if list == nil {
				list = make([]float64, len(full))
				out[x.Entry] = list
			}
			for k, q := range of {
				dot := 0.
				for d := range q {
					dot += float64(q[d]) * float64(room[d])
				}
				list[k] = max(list[k], dot)
			}
		}
	}
	return out
}

// Apart says of entries of one place how much of the words of a question each has, in its asks or
// its plain line, that tell them apart: the sum of ln((n+1)/k) over the question's stems that k of
// the n entries have. "Fijo discontinuo" is asked of every matter of its article, "llamado" of one.
func Apart(an *text.Analyser, question string, entries []*digest.Entry) []float64 {
	asked := map[string]bool{}
	for _, t := range an.Terms(question) {
		if t.Stem != "" {
			asked[t.Stem] = true
		}
	}
	has, in := make([]map[string]bool, len(entries)), map[string]float64{}
	for i, e := range entries {
		has[i] = map[string]bool{}
		read := func(s string) {
			for _, t := range an.Terms(s) {
				if asked[t.Stem] && !has[i][t.Stem] {
					has[i][t.Stem] = true
					in[t.Stem]++
				}
			}
		}
		read(e.Text)
		for _, a := range e.Asks {
			read(a.Text)
		}
	}
	out := make([]float64, len(entries))
	for i := range entries {
		for s := range has[i] {
			out[i] += math.Log(float64(len(entries)+1) / in[s])
		}
	}
	return out
}
