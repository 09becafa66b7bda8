package search

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
	"strings"

	"digesto/text"
)

// Topic gives the words of a question, as written, that name what it is about for who is
// led to one of these places: those that the asks of the places, and of their norms, have
// oftener than others. The first names it most; at most n.
func (a *Asks) Topic(question string, places []string, n int) []string {
	at, norms := map[int32]bool{}, map[string]bool{}
	for _, p := range places {
		id := a.lead.of(p)
		for k, q := range a.places {
			if q == id {
				at[int32(k)] = true
			}
		}
		norm, _, _ := strings.Cut(p, "/")
		norms[norm] = true
	}
	var ofPlace, ofNorm, all = 0., 0., float64(len(a.of))
	for _, x := range a.entries {
		if at[x.place] {
			ofPlace += float64(x.Leads())
		}
		if norms[x.Norm] {
			ofNorm += float64(x.Leads())
		}
	}
	if ofNorm == 0 {
		return nil
	}
	type word struct {
		text   string
		weight float64
	}
	var list []word
	seen := map[string]bool{}
	if question == "" {
		var b strings.Builder
		for _, x := range a.entries {
			if at[x.place] {
				a.open(x.Entry)
				b.WriteString(x.Short() + "\n" + x.Text + "\n")
			}
		}
		question = b.String()
	}
	for _, t := range text.Tokens(nil, question) {
		stem := text.Stem(t.Text)
		if seen[stem] || text.IsStop(t.Text) {
			continue
		}
		seen[stem] = true
		inPlace, inNorm, in := 0., 0., 0.
		a.words.each(stem, func(some []posting) {
			for _, p := range some {
				x, n := a.entries[a.groupOf[p.group]], float64(bits.OnesCount16(p.texts))
				in += n
				if at[x.place] {
					inPlace += n
				}
				if norms[x.Norm] {
					inNorm += n
				}
			}
		}, nil)
		share := inPlace/max(1, ofPlace) + inNorm/ofNorm
		if w := share * math.Log(share/2*all/max(1, in)); w > 0 {
			list = append(list, word{t.Text, w})
		}
	}
	slices.SortStableFunc(list, func(x, y word) int { return cmp.Compare(y.weight, x.weight) })
	var out []string
	for _, w := range list[:min(n, len(list))] {
		out = append(out, w.text)
	}
	return out
}
