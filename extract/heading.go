package extract

import (
	"digesto/passage"
	"digesto/question"
)

// Fit says how nearly a heading is the matter of the question: the harmonic mean
// of the share of its words that the question has and the share of the
// question's information that it holds, 0–1.
func (f *Focus) Fit(x *passage.Heading) float64 { return f.FitBut(x, 0) }

// FitBut is fit without the words that name a thing of some kinds.
func (f *Focus) FitBut(x *passage.Heading, idle question.Kinds) float64 {
	n, shared := 0, 0
	for k, key := range x.Content {
		if x.Names[k]&idle != 0 {
			continue
		}
		n++
		shared += int(OneIf(f.isTerm(f.slots.of(key), false)))
	}
	if shared == 0 && len(f.Alt) == 0 {
		return 0
	}
	seen := make(Bits, f.slots.width())
	for _, key := range x.Distinct {
		if k := f.slots.of(key); k >= 0 {
			seen.put(k)
		}
	}
	for k, alt := range f.altSlots { // a synonym that is there whole counts with its words
		if seen.hasAll(alt) {
			shared = min(n, shared+f.unasked(f.Alt[k]))
			break
		}
	}
	if shared == 0 {
		return 0
	}
	precision, recall := float64(shared)/float64(n), f.Covers(seen)
	if precision+recall == 0 {
		return 0
	}
	return 2 * precision * recall / (precision + recall)
}

// Foreign counts the content words of a heading that the question does not have:
// the more, the more special the case that it is for.
func (f *Focus) Foreign(x *passage.Heading) float64 {
	n := 0
	for _, key := range x.All {
		n += 1 - int(OneIf(f.isTerm(f.slots.of(key), false)))
	}
	return float64(min(n, 8)) / 8
}
