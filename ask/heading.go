package ask

import (
	"slices"
	"strings"

	"digesto/text"
)

// heading is a rubric, a title or a question of a fiche, by its words.
type heading struct {
	all      []uint64 // keys of its words, in order
	distinct []uint64 // … each once, without those of the structure itself
	content  []uint64 // … and without those that say little
	names    []kinds  // the kinds of thing that each word of content names
	asked    kinds    // kinds of question that it answers by its words
	amends   bool     // it announces the change of another norm
}

func newHeading(an *text.Analyser, s string) *heading {
	h := &heading{asked: askedKinds(s)}
	for _, t := range an.Terms(s) {
		if t.Stem == "" || t.Part {
			continue
		}
		key := wordKey(t.Stem)
		h.all = append(h.all, key)
		if headingWord(t.Plain) || interrogative(t.Plain) || slices.Contains(h.distinct, key) {
			continue
		}
		h.distinct = append(h.distinct, key)
		if !lightWords[t.Plain] {
			h.content, h.names = append(h.content, key), append(h.names, namedBy(t.Plain))
		}
	}
	folded := text.Fold(s)
	h.amends = strings.HasPrefix(folded, "modificacion") || strings.HasPrefix(folded, "reforma de")
	return h
}

// namedBy gives the kinds of thing that a word names ("plazo", "cuantía").
func namedBy(plain string) kinds {
	var out kinds
	for k := range kindWords {
		if namesKind(k, plain) {
			out |= k.bit()
		}
	}
	return out
}

// size is about how many bytes a heading takes.
func (h *heading) size() int { return 160 + 8*(len(h.all)+len(h.distinct)+2*len(h.content)) }

// fit says how nearly a heading is the matter of the question: the harmonic mean
// of the share of its words that the question has and the share of the
// question's information that it holds, 0–1.
func (f *focus) fit(x *heading) float64 { return f.fitBut(x, 0) }

// fitBut is fit without the words that name a thing of some kinds.
func (f *focus) fitBut(x *heading, idle kinds) float64 {
	n, shared := 0, 0
	for k, key := range x.content {
		if x.names[k]&idle != 0 {
			continue
		}
		n++
		shared += int(boolOf(f.isTerm(f.slots.of(key), false)))
	}
	if shared == 0 && len(f.alt) == 0 {
		return 0
	}
	seen := make(bits, f.slots.width())
	for _, key := range x.distinct {
		if k := f.slots.of(key); k >= 0 {
			seen.put(k)
		}
	}
	for k, alt := range f.altSlots { // a synonym that is there whole counts with its words
		if seen.hasAll(alt) {
			shared = min(n, shared+f.unasked(f.alt[k]))
			break
		}
	}
	if shared == 0 {
		return 0
	}
	precision, recall := float64(shared)/float64(n), f.covers(seen)
	if precision+recall == 0 {
		return 0
	}
	return 2 * precision * recall / (precision + recall)
}

// foreign counts the content words of a heading that the question does not have:
// the more, the more special the case that it is for.
func (f *focus) foreign(x *heading) float64 {
	n := 0
	for _, key := range x.all {
		n += 1 - int(boolOf(f.isTerm(f.slots.of(key), false)))
	}
	return float64(min(n, 8)) / 8
}
