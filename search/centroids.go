package search

import (
	"maps"
	"math"
	"slices"

	"digesto/text"
)

// What the asks of an entry say together: the mean of their vectors, and a profile of their
// words, the weight of a stem being (1 + ln of the asks that have it) · idf, where idf is
// ln((entries+1)/(entries that have it+1)). A question is compared with both by cosine (Rocchio,
// 1971). One ask may be near by chance, or far because its story has other circumstances; all
// of them together have little but the matter in common.

// lengths are those of what the asks of every entry say together.
type lengths struct {
	centroid []float32 // of the sum of their vectors, each of length 1
	profile  []float32
}

func (a *Asks) lengths() lengths {
	l := lengths{make([]float32, len(a.entries)), make([]float32, len(a.entries))}
	for e := range a.entries {
		l.centroid[e] = a.centroidLength(e, nil)
	}
	var had []counted
	for each := range a.words.all() {
		had = had[:0]
		each(func(list []posting) { had = a.count(list, nil, had) })
		idf := a.idf(len(had))
		for _, x := range had {
			l.profile[x.entry] += square(idf * often(x.asks))
		}
	}
	for e, sum := range l.profile {
		l.profile[e] = float32(math.Sqrt(float64(sum)))
	}
	return l
}

// centroidLength is that of the sum of the vectors of an entry's asks, but for those left out.
func (a *Asks) centroidLength(e int, left []int32) float32 {
	if a.rows == nil {
		return 0
	}
	sum := make([]float32, len(a.vectors.Step()))
	first, end := a.entries[e].first, a.end(int32(e))
	for _, i := range left { // in their order
		if i >= first && i < end {
			a.rows.AddUnits(int(first), int(i), sum)
			first = i + 1
		}
	}
	a.rows.AddUnits(int(first), int(end), sum)
	total := float32(0)
	for _, x := range sum {
		total += square(x)
	}
	return float32(math.Sqrt(float64(total)))
}

// profileLength is that of the profile of an entry without the asks left out.
func (a *Asks) profileLength(e int, left []int32) float32 {
	var an text.Analyser
	asks := map[string]int32{}
	for i := a.entries[e].first; i < a.end(int32(e)); i++ {
		if !slices.Contains(left, i) {
			for _, w := range stems(&an, a.text(int(i))) {
				asks[w.stem]++
			}
		}
	}
	total := float32(0)
	for _, stem := range slices.Sorted(maps.Keys(asks)) {
		total += square(a.idf(len(a.having(stem, left, nil))) * often(asks[stem]))
	}
	return float32(math.Sqrt(float64(total)))
}

// centroids writes the cosine of every entry's centroid: the sum of those of its asks over the
// length of the sum of their vectors.
func (a *Asks) centroids(r *room, left []int32) {
	for e, x := range a.entries {
		sum := float32(0)
		for _, cos := range r.cos[x.first:a.end(int32(e))] {
			sum += cos
		}
		r.centroid[e] = sum
	}
	for _, i := range left {
		r.centroid[a.of[i]] -= r.cos[i]
	}
	divide(r.centroid, 1, a.length.centroid, a.without(left, a.centroidLength))
}

// score writes BM25 of every ask, and the cosine of every entry's profile.
func (a *Asks) score(question string, r *room, left []int32) {
	clear(r.score)
	clear(r.profile)
	var an text.Analyser
	total := float32(0)
	for _, w := range stems(&an, question) {
		r.had = r.had[:0]
		a.words.add(w.stem, r.score, func(list []posting) { r.had = a.count(list, left, r.had) })
		if len(r.had) == 0 {
			continue
		}
		idf := a.idf(len(r.had))
		weight := idf * often(w.times)
		total += square(weight)
		for _, x := range r.had {
			r.profile[x.entry] += weight * idf * often(x.asks)
		}
	}
	own := float32(0)
	if total > 0 {
		own = float32(1 / math.Sqrt(float64(total)))
	}
	divide(r.profile, own, a.length.profile, a.without(left, a.profileLength))
}

// without gives the lengths of the entries that have asks left out.
func (a *Asks) without(left []int32, length func(e int, left []int32) float32) map[int]float32 {
	out := map[int]float32{}
	for _, i := range left {
		e := int(a.of[i])
		out[e] = length(e, left)
	}
	return out
}

// divide brings products to cosines: each times what the question's length needs, over its own
// length; 0 where it has none.
func divide(products []float32, question float32, lengths []float32, other map[int]float32) {
	for e, n := range lengths {
		if o, ok := other[e]; ok {
			n = o
		}
		if n > shortest {
			products[e] = products[e] * question / n
		} else {
			products[e] = 0
		}
	}
}

// shortest is the length below which float32 leaves nothing to compare.
const shortest = 1e-6

// counted is an entry with how many of its asks have a stem.
type counted struct{ entry, asks int32 }

// having appends the entries that have a stem in an ask that is not left out, in their order.
func (a *Asks) having(stem string, left []int32, to []counted) []counted {
	a.words.each(stem, func(list []posting) { to = a.count(list, left, to) })
	return to
}

// count appends the entries of postings, which go on where those before ended.
func (a *Asks) count(list []posting, left []int32, to []counted) []counted {
	end := int32(0) // of the asks of the last entry
	if len(to) > 0 {
		end = a.end(to[len(to)-1].entry)
	}
	for _, p := range list {
		if len(left) > 0 && slices.Contains(left, p.text) {
			continue
		}
		if p.text < end {
			to[len(to)-1].asks++
			continue
		}
		e := a.of[p.text]
		to, end = append(to, counted{e, 1}), a.end(e)
	}
	return to
}

// end is the number after that of the last ask of an entry.
func (a *Asks) end(e int32) int32 {
	if int(e)+1 < len(a.entries) {
		return a.entries[e+1].first
	}
	return int32(len(a.of))
}

// idf is that of a stem which so many entries have.
func (a *Asks) idf(entries int) float32 {
	return float32(math.Log(float64(len(a.entries)+1) / float64(entries+1)))
}

// logs are 1 + ln n.
var logs = func() (out [256]float32) {
	for n := range out {
		out[n] = float32(1 + math.Log(float64(max(1, n))))
	}
	return out
}()

// often is the weight of what stands n times.
func often(n int32) float32 { return logs[min(int(n), len(logs)-1)] }

func square(x float32) float32 { return x * x }
