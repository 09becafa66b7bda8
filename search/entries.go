package search

import (
	"math"
	"math/bits"
	"slices"

	"digesto/digest"
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
		if a.places[x.place] != place || !a.open(x.Entry) {
			continue
		}
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

// Stems are the first 128 of a question that an entry has in its asks or its plain line, as bits.
type Stems [2]uint64

func (s *Stems) add(i int) {
	if i < 64*len(s) {
		s[i/64] |= 1 << (i % 64)
	}
}

// groups are the numbers of the groups of words of an entry.
func (a *Asks) groups(e int32) (from, to int) {
	from, _ = slices.BinarySearch(a.groupOf, e)
	for to = from; to < len(a.groupOf) && a.groupOf[to] == e; to++ {
	}
	return from, to
}

// stemsOf are those of the question that an entry has which is looked at.
func (a *Asks) stemsOf(e int32, r *room) (out Stems) {
	for from, to := a.groups(e); from < to; from++ {
		for k, x := range r.has[from] {
			out[k] |= x
		}
	}
	return out
}

// Apart says of entries of one place how much of the words of a question each has that tell them
// apart: the sum of ln((n+1)/k) over the question's stems that k of the n entries have. "Fijo
// discontinuo" is asked of every matter of its article, "llamado" of one.
func Apart(entries []Weighed) []float64 {
	out := make([]float64, len(entries))
	for word := range len(Stems{}) {
		some := uint64(0)
		for _, e := range entries {
			some |= e.Stems[word]
		}
		for ; some != 0; some &= some - 1 {
			bit, in := uint64(1)<<bits.TrailingZeros64(some), 0.
			for _, e := range entries {
				if e.Stems[word]&bit != 0 {
					in++
				}
			}
			for i, e := range entries {
				if e.Stems[word]&bit != 0 {
					out[i] += math.Log(float64(len(entries)+1) / in)
				}
			}
		}
	}
	return out
}

// Having says of each of these entries which of these stems its asks or its plain line have.
func (a *Asks) Having(entries []*digest.Entry, stems []string) map[*digest.Entry]map[string]bool {
	out, of := map[*digest.Entry]map[string]bool{}, map[int32]map[string]bool{}
	for _, e := range entries {
		out[e] = map[string]bool{}
	}
	for i, x := range a.entries {
		if has, ok := out[x.Entry]; ok {
			for from, to := a.groups(int32(i)); from < to; from++ {
				of[int32(from)] = has
			}
		}
	}
	for _, s := range stems {
		a.words.each(s, func(some []posting) {
			for _, p := range some {
				if has, ok := of[p.group]; ok {
					has[s] = true
				}
			}
		}, nil)
	}
	return out
}
