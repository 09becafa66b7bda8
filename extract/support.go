package extract

import (
	"slices"

	"digesto/passage"
	"digesto/text"
)

// A sentence supports a plain line where it holds supportLeast of what tells its words
// apart in the unit and the sentences before do not, be it two words or a figure;
// maxSupports of them.
const (
	supportLeast = .08
	maxSupports  = 4
)

// Supports gives the sentences of a unit that hold what a plain line says beyond the one
// that decides, at: another figure, the other half of a rule.
func Supports(u *passage.Unit, an *text.Analyser, line string, at int) (out []int) {
	want, figures, total := weighed(u, an, line)
	holds := func(i int) (sum float64) {
		seen, figure := map[uint32]bool{}, false
		for _, k := range u.Sentences[i].Words {
			if w, ok := want[k]; ok && !seen[k] {
				seen[k] = true
				figure = figure || figures[k]
				sum += w
			}
		}
		if len(seen) < 2 && !figure {
			return 0
		}
		return sum
	}
	take := func(i int) {
		for _, k := range u.Sentences[i].Words {
			delete(want, k)
		}
	}
	take(at)
	if l := u.LeadOf(at); l >= 0 {
		take(l)
	}
	for _, k := range u.Rubric {
		delete(want, k)
	}
	for range maxSupports {
		best, top := -1, supportLeast*total
		for i := range u.Sentences {
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
// apart, which of them are figures, and their sum.
func weighed(u *passage.Unit, an *text.Analyser, line string) (want map[uint32]float64, figures map[uint32]bool, total float64) {
	number := make(map[uint64]uint32, len(u.Words))
	for k, w := range u.Words {
		number[w.Stem] = uint32(k)
	}
	want, figures = map[uint32]float64{}, map[uint32]bool{}
	for _, t := range an.Terms(line) {
		if k, ok := number[passage.Key(t.Stem)]; ok && t.Stem != "" {
			want[k], figures[k] = 0, t.Stem[0] >= '0' && t.Stem[0] <= '9'
		}
	}
	for k := range want {
		df := 0
		for i := range u.Sentences {
			df += int(OneIf(slices.Contains(u.Sentences[i].Words, k)))
		}
		want[k] = logIDF(len(u.Sentences), df)
		total += want[k]
	}
	return want, figures, total
}

// Fitting gives as many of the spans as an answer holds, the first before the others, in
// the order of the text. What announces a list of which nothing is shown is left out,
// unless it is the first; more says that some did not fit.
func Fitting(u *passage.Unit, spans []passage.Span, budget, most int) (out []Stretch, more bool) {
	var have []passage.Span
	for _, s := range spans {
		next := passage.InOrder(append(slices.Clone(have), s))
		list, left := Stretches(u, next, budget, most)
		if left && len(have) > 0 {
			more = true
			continue
		}
		have, out = next, list
		more = more || left
	}
	said := make([]passage.Span, 0, len(have))
	for _, s := range have {
		if s != spans[0] && Hangs(u, s, have) {
			s.To--
		}
		if s.From <= s.To {
			said = append(said, s)
		}
	}
	if !slices.Equal(said, have) {
		out, _ = Stretches(u, said, budget, most)
	}
	return out, more
}

// Hangs says that a span ends by announcing a list of which no item is shown.
func Hangs(u *passage.Unit, s passage.Span, shown []passage.Span) bool {
	if !u.Sentences[s.To].Lead() {
		return false
	}
	return !slices.ContainsFunc(u.Items(s.To), func(item passage.Span) bool {
		return slices.ContainsFunc(shown, func(x passage.Span) bool { return x.From <= item.To && item.From <= x.To })
	})
}
