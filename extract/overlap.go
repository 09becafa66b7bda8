package extract

import (
	"math"

	"digesto/passage"
)

// A unit keeps its words as numbers, and a question finds in one pass which of its
// own words stand in which sentence: a row of bits for each. All that is asked of
// a sentence afterwards is asked of those bits.

// Bits is a set of the words of a question, by their slots.
type Bits []uint64

func (b Bits) has(slot int32) bool { return slot >= 0 && b[slot>>6]>>(slot&63)&1 != 0 }

func (b Bits) put(slot int32) { b[slot>>6] |= 1 << (slot & 63) }

func (b Bits) Or(o Bits) {
	for k, x := range o {
		b[k] |= x
	}
}

// slots gives each word that a question is measured by a place in the sets of bits.
type slots struct {
	at     map[uint64]int32
	filter [8]uint64 // whose bit is not set is in no slot
}

// add gives a word's slot, a new one if need be; -1 for no word.
func (s *slots) add(key uint64) int32 {
	if key == 0 {
		return -1
	}
	n, ok := s.at[key]
	if !ok {
		if s.at == nil {
			s.at = map[uint64]int32{}
		}
		n = int32(len(s.at))
		s.at[key] = n
		s.filter[key>>6&7] |= 1 << (key & 63)
	}
	return n
}

// of gives a word's slot; -1 for one that has none.
func (s *slots) of(key uint64) int32 {
	if s.filter[key>>6&7]>>(key&63)&1 == 0 {
		return -1
	}
	if n, ok := s.at[key]; ok {
		return n
	}
	return -1
}

func (s *slots) width() int { return (len(s.at) + 63) / 64 }

// Overlap is what of a question's words stands where in a unit.
type Overlap struct {
	Width                  int
	sentences, paras, open []uint64 // rows of bits: sentences; with their paragraph and what announces it; their openings
	rubric, All, sum       Bits
}

func (s *Overlap) Sent(i int) Bits    { return s.sentences[i*s.Width : (i+1)*s.Width] }
func (s *Overlap) para(i int) Bits    { return s.paras[i*s.Width : (i+1)*s.Width] }
func (s *Overlap) Opening(i int) Bits { return s.open[i*s.Width : (i+1)*s.Width] }

// Around is the paragraph of sentence i, what announces it, and the headings above. It
// holds until the next call.
func (s *Overlap) Around(i int) Bits {
	for k, b := range s.para(i) {
		s.sum[k] = b | s.rubric[k]
	}
	return s.sum
}

// Over looks at a unit with the words of a question, once.
func (f *Focus) Over(u *passage.Unit) *Overlap {
	if s := f.seen[u]; s != nil {
		return s
	}
	w, n := f.slots.width(), len(u.Sentences)
	buf := make([]uint64, (3*n+3)*w)
	cut := func(rows int) []uint64 { out := buf[: rows*w : rows*w]; buf = buf[rows*w:]; return out }
	s := &Overlap{Width: w, sentences: cut(n), paras: cut(n), open: cut(n), rubric: cut(1), All: cut(1), sum: cut(1)}
	words := f.meet(u)
	row := func(k uint32) Bits { return words[int(k)*w : (int(k)+1)*w] }
	for i := range u.Sentences {
		for _, k := range u.Sentences[i].Words {
			s.Sent(i).Or(row(k))
		}
		for _, k := range u.Sentences[i].Opening {
			s.Opening(i).Or(row(k))
		}
		s.All.Or(s.Sent(i))
	}
	for _, k := range u.Rubric {
		s.rubric.Or(row(k))
	}
	for k := range u.Words { // of the whole unit, also of sentences left out
		s.All.Or(row(uint32(k)))
	}
	for from := 0; from < n; {
		to := from + 1
		for to < n && u.Sentences[to].Para == u.Sentences[from].Para {
			to++
		}
		for i := from; i < to; i++ {
			s.para(from).Or(s.Sent(i))
		}
		for i := from + 1; i < to; i++ {
			copy(s.para(i), s.para(from))
		}
		from = to
	}
	for i, lead := range u.Leads { // an item of a list is read with the sentence that announces it
		if lead >= 0 {
			s.para(i).Or(s.Sent(int(lead)))
		}
	}
	if f.seen == nil {
		f.seen = map[*passage.Unit]*Overlap{}
	}
	f.seen[u] = s
	return s
}

// meet gives for each word of a unit the slots that it fills, in rows of bits that
// hold until the next call.
func (f *Focus) meet(u *passage.Unit) []uint64 {
	w := f.slots.width()
	if n := len(u.Words) * w; cap(f.rows) < n {
		f.rows = make([]uint64, n)
	} else {
		f.rows = f.rows[:n]
		clear(f.rows)
	}
	for k, x := range u.Words {
		if n := f.slots.of(x.Stem); n >= 0 {
			Bits(f.rows[k*w : (k+1)*w]).put(n)
		}
		if n := f.slots.of(x.Family); x.Family != 0 && n >= 0 {
			Bits(f.rows[k*w : (k+1)*w]).put(n)
		}
	}
	return f.rows
}

// Covers is cover for a set of bits.
func (f *Focus) Covers(b Bits) float64 {
	return f.weighBits(b, func(t *Term) float64 { return t.IDF }, f.Total)
}

// Nears is near for a set of bits.
func (f *Focus) Nears(b Bits) float64 {
	return f.weighBits(b, func(t *Term) float64 { return t.Local }, f.Local)
}

func (f *Focus) weighBits(b Bits, weight func(*Term) float64, total float64) float64 {
	if total == 0 {
		return 0
	}
	got, missing := 0.0, 0.0
	for k := range f.Terms {
		t := &f.Terms[k]
		switch {
		case b.has(t.slot), b.has(t.familySlot):
			got += weight(t)
		default:
			missing = math.Max(missing, weight(t))
		}
	}
	if missing > 0 {
		for _, alt := range f.altSlots {
			if b.hasAll(alt) {
				got += .75 * missing
				break
			}
		}
	}
	return math.Min(1, got/total)
}

func (b Bits) hasAll(slots []int32) bool {
	for _, n := range slots {
		if !b.has(n) {
			return false
		}
	}
	return true
}

// place gives every word that the question is measured by its slot.
func (f *Focus) place() {
	for k := range f.Terms {
		t := &f.Terms[k]
		t.slot, t.familySlot = f.slots.add(passage.Key(t.Stem)), f.slots.add(passage.Key(t.Family))
	}
	f.altSlots = make([][]int32, len(f.Alt))
	for k, stems := range f.Alt {
		for _, s := range stems {
			f.altSlots[k] = append(f.altSlots[k], f.slots.add(passage.Key(s)))
		}
	}
}

// knowsWord says that a word of a unit is one of the question's, or of its family.
func (f *Focus) knowsWord(w passage.Word) bool {
	return f.isTerm(f.slots.of(w.Stem), false) || w.Family != 0 && f.isTerm(f.slots.of(w.Family), true)
}

func (f *Focus) isTerm(slot int32, kin bool) bool {
	if slot < 0 {
		return false
	}
	for k := range f.Terms {
		if !kin && f.Terms[k].slot == slot || kin && f.Terms[k].familySlot == slot {
			return true
		}
	}
	return false
}
