package ask

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"digesto/digest"
	"digesto/search"
	"digesto/text"
)

// plainLine is what an entry says of a unit, and the sentences there that prove it: the
// one that decides first.
type plainLine struct {
	entry *digest.Entry
	text  string
	at    []int
}

// Of the entries that led to a unit, others are told beside the first where they weigh at
// least alsoShare of it: another matter that the same unit settles; maxAlso of them.
const (
	alsoShare = .4
	maxAlso   = 2
)

// sentenceShare is how much the sentence that an entry decides by counts beside its asks,
// whose sum is taken by its logarithm.
const sentenceShare = .5

// tell finds what the entries that led to a unit say of it, the one that answers best
// first, and lets its sentence be the one that answers; ok is false where the text on the
// day asked for has none of their decisive words.
func (h *hits) tell(x *hit, of []search.Weighed) (ok bool) {
	type told struct {
		plainLine
		weight, order float64
	}
	share := sentenceShare
	if h.goesOn() { // what was told before leads to the entry, and its words are not said again
		share = 0
	}
	var list []told
	for _, e := range of {
		if k, ok := x.sentenceOf(e.Entry); ok {
			list = append(list, told{plainLine{e.Entry, e.Text, []int{k}}, e.Score, math.Log(e.Score) + share*x.unit.score(h.focus, k).score})
		}
	}
	if len(list) == 0 {
		return false
	}
	slices.SortStableFunc(list, func(a, b told) int { return cmp.Compare(b.order, a.order) })
	least := math.Log(alsoShare) + list[0].order
	x.plain, x.asked = nil, list[0].entry.Short()
	for _, t := range list[:min(len(list), 1+maxAlso)] {
		if t.order >= least {
			t.at = append(t.at, x.unit.supports(h.analyser(), t.text, t.at[0])...)
			x.plain = append(x.plain, t.plainLine)
		}
	}
	x.pick = x.unit.score(h.focus, x.plain[0].at[0])
	return true
}

// meets says that what proves the plain lines of a unit holds the figure that is asked
// for: how much or how long is not answered by a text that says neither.
func (x *hit) meets(k Kind) bool {
	if k != KindAmount && k != KindPeriod {
		return true
	}
	for _, s := range x.proof(-1, nil) {
		for i := s.from; i <= s.to; i++ {
			if x.unit.sents[i].has&wants[k] != 0 {
				return true
			}
		}
	}
	return false
}

// sentenceOf gives the sentence of a unit with the decisive words of an entry.
func (x *hit) sentenceOf(of *digest.Entry) (k int, ok bool) {
	at := strings.Index(x.Version.Text, of.Words)
	if at < 0 || of.Words == "" {
		return 0, false
	}
	start := utf8.RuneCountInString(x.Version.Text[:at])
	k = slices.IndexFunc(x.unit.sents, func(s analysed) bool { return s.Start <= start && start < s.End })
	return k, k >= 0
}

// A sentence supports a plain line where it holds supportLeast of what tells its words
// apart in the unit and the sentences before do not; maxSupports of them.
const (
	supportLeast = .2
	maxSupports  = 2
)

// supports gives the sentences of a unit that hold what a plain line says beyond the one
// that decides, at: another figure, the other half of a rule.
func (u *unitText) supports(an *text.Analyser, line string, at int) (out []int) {
	want, total := u.weighed(an, line)
	holds := func(i int) (sum float64) {
		seen := map[uint32]bool{}
		for _, k := range u.sents[i].seq {
			if !seen[k] {
				seen[k] = true
				sum += want[k]
			}
		}
		return sum
	}
	take := func(i int) {
		for _, k := range u.sents[i].seq {
			delete(want, k)
		}
	}
	take(at)
	if l := u.leadOf(at); l >= 0 {
		take(l)
	}
	for _, k := range u.rubric {
		delete(want, k)
	}
	for range maxSupports {
		best, top := -1, supportLeast*total
		for i := range u.sents {
			if v := holds(i); v > top {
				best, top = i, v
			}
		}
		if best < 0 {
			break
		}
		take(best)
		out = append(out, best)
	}
	return out
}

// weighed gives the words of a line that a unit has, by how well they tell its sentences
// apart, and their sum.
func (u *unitText) weighed(an *text.Analyser, line string) (want map[uint32]float64, total float64) {
	number := make(map[uint64]uint32, len(u.words))
	for k, w := range u.words {
		number[w.stem] = uint32(k)
	}
	want = map[uint32]float64{}
	for _, t := range an.Terms(line) {
		if k, ok := number[wordKey(t.Stem)]; ok && t.Stem != "" {
			want[k] = 0
		}
	}
	for k := range want {
		df := 0
		for i := range u.sents {
			df += int(boolOf(slices.Contains(u.sents[i].seq, k)))
		}
		want[k] = logIDF(len(u.sents), df)
		total += want[k]
	}
	return want, total
}

// fitting gives as many of the spans as an answer holds, the first before the others, in
// the order of the text. more says that some did not fit.
func (u *unitText) fitting(spans []span, budget, most int) (out []stretch, more bool) {
	var have []span
	for _, s := range spans {
		next := inOrder(append(slices.Clone(have), s))
		list, left := u.stretches(next, budget, most)
		if left && len(have) > 0 {
			more = true
			continue
		}
		have, out = next, list
		more = more || left
	}
	return out, more
}
