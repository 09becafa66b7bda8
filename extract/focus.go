package extract

import (
	"cmp"
	"math"
	"slices"

	"digesto/passage"
	"digesto/question"
	"digesto/text"
)

// Focus is what the sentences of an answer are measured by: the content words
// of the question with their weight, and what it asks for.
type Focus struct {
	Kind  question.Kind
	Terms []Term         // of the question, each stem once
	Alt   [][]string     // stems of each synonym: it counts when all are there
	Total float64        // sum of the weights
	Local float64        // sum of the local weights
	Noun  string         // stem of the noun counted by "cuántos …"; "" = none
	Where map[string]int // stem → index in terms

	slots    slots // of all these words: see Overlap
	altSlots [][]int32
	rows     []uint64 // of the unit looked at last
	seen     map[*passage.Unit]*Overlap
}

type Term struct {
	Stem   string
	Family string  // of its family, "" = none: see passage.FamilyOf
	IDF    float64 // weight in the collection
	Local  float64 // weight among the units found: what tells their sentences apart

	slot, familySlot int32 // -1 = no family
}

// NewFocus weighs the content words of a question. named are the words
// with which it names units, which are no content; idf gives the weight of a
// stem in the collection; a word that it does not know has the largest.
func NewFocus(an *text.Analyser, asked, struck string, named map[string]bool, also []string, idf func(stem string) float64) *Focus {
	f := &Focus{Kind: question.KindOf(asked), Where: map[string]int{}}
	for _, t := range an.Terms(struck) {
		if t.Stem == "" || t.Part || question.FormWords[t.Stem] || question.LightWords[t.Plain] || named[t.Stem] || question.Interrogative(t.Plain) {
			continue
		}
		if _, ok := f.Where[t.Stem]; ok {
			continue
		}
		w := idf(t.Stem)
		if w <= 0 {
			continue
		}
		f.Where[t.Stem] = len(f.Terms)
		f.Terms = append(f.Terms, Term{Stem: t.Stem, Family: passage.FamilyOf(t.Stem), IDF: w, Local: w})
		f.Total += w
	}
	for _, a := range also {
		var stems []string
		for _, t := range an.Terms(a) {
			if t.Stem != "" && !t.Part {
				stems = append(stems, t.Stem)
			}
		}
		if len(stems) > 0 {
			f.Alt = append(f.Alt, stems)
		}
	}
	f.Noun = question.Counted(asked)
	f.place()
	return f
}

// Cover is the share of the question's information that a set of stems holds,
// 0–1. A synonym counts for what is missing, at three quarters of its weight.
func (f *Focus) Cover(has func(stem string) bool) float64 {
	return f.weigh(has, func(t Term) float64 { return t.IDF }, f.Total)
}

// Rare is the share of the three most telling words of the question that a set
// of stems holds.
func (f *Focus) Rare(has func(stem string) bool) float64 {
	list := slices.Clone(f.Terms)
	slices.SortStableFunc(list, func(a, b Term) int { return cmp.Compare(b.IDF, a.IDF) })
	got, total := 0.0, 0.0
	for _, t := range list[:min(3, len(list))] {
		total += t.IDF
		if has(t.Stem) {
			got += t.IDF
		}
	}
	return got / max(total, 1e-9)
}

// WeightOf gives what a stem of the question tells; 0 for one that is no content.
func (f *Focus) WeightOf() func(string) float64 {
	return func(stem string) float64 {
		if k, ok := f.Where[stem]; ok {
			return f.Terms[k].IDF
		}
		return 0
	}
}

func (f *Focus) weigh(has func(stem string) bool, weight func(Term) float64, total float64) float64 {
	if total == 0 {
		return 0
	}
	got, missing := 0.0, 0.0
	for _, t := range f.Terms {
		if has(t.Stem) || t.Family != "" && has(t.Family) {
			got += weight(t)
		} else {
			missing = math.Max(missing, weight(t))
		}
	}
	if missing > 0 {
		for _, stems := range f.Alt {
			if AllOf(stems, has) {
				got += .75 * missing
				break
			}
		}
	}
	return math.Min(1, got/total)
}

// Localise sets the local weights: the rarer a word is among the units found, the
// more it tells them apart.
func (f *Focus) Localise(among ...*passage.Unit) {
	f.Local = 0
	units := make([]Bits, len(among))
	for k := range among {
		units[k] = f.Over(among[k]).All
	}
	for k, t := range f.Terms {
		df := 0
		for _, u := range units {
			if u.has(t.slot) {
				df++
			}
		}
		f.Terms[k].Local = logIDF(2*len(among), df)
		f.Local += f.Terms[k].Local
	}
}

func AllOf(stems []string, has func(string) bool) bool {
	for _, s := range stems {
		if !has(s) {
			return false
		}
	}
	return true
}

// logIDF is the weight of a term that df of n texts hold.
func logIDF(n, df int) float64 {
	return math.Log(1 + (float64(n)-float64(df)+.5)/(float64(df)+.5))
}

// unasked counts the stems that the question does not have itself: those that it has
// are counted already.
func (f *Focus) unasked(stems []string) int {
	n := 0
	for _, s := range stems {
		if _, ok := f.Where[s]; !ok {
			n++
		}
	}
	return n
}

func OneIf(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// WeighIn weighs the words of a text by how few of a unit's sentences hold them.
func (f *Focus) WeighIn(u *passage.Unit) {
	f.Local = 0
	seen := f.Over(u)
	for k, t := range f.Terms {
		df := 0
		for i := range u.Sentences {
			if seen.Sent(i).has(t.slot) {
				df++
			}
		}
		w := logIDF(len(u.Sentences), df)
		if df == 0 {
			w = 0
		} else if t.Stem[0] >= '0' && t.Stem[0] <= '9' {
			w *= 2
		}
		f.Terms[k].Local = w
		f.Local += w
	}
}

// Apart gives the focus without what it has looked at, which grows as it looks.
func (f *Focus) Apart() *Focus {
	if f == nil {
		return nil
	}
	own := *f
	own.rows, own.seen = nil, nil
	return &own
}

// SaysWord says that a unit has a word of a question or one of its family.
func (t Term) SaysWord(u *passage.Unit) bool {
	return u.Has(t.Stem) || u.RubricHas(t.Stem) || t.Family != "" && (u.Has(t.Family) || u.RubricHas(t.Family))
}

// Has says that a text that is measured by its words has one of a question.
func (f *Focus) Has(t Term) bool {
	return f != nil && slices.ContainsFunc(f.Terms, func(o Term) bool { return o.Stem == t.Stem || t.Family != "" && o.Family == t.Family })
}
