package ask

import "math"

// A unit keeps its words as numbers, and a question finds in one pass which of its
// own words stand in which sentence: a row of bits for each. All that is asked of
// a sentence afterwards is asked of those bits.

// wordKey is the number of a stem or of a family (see kinOf): FNV-1a in 64 bits
// (Fowler, Noll, Vo), mixed once more so that its low bits tell words apart too. It
// is the same in every run, as rankings must be; 0 is no word.
func wordKey(s string) uint64 {
	if s == "" {
		return 0
	}
	h := uint64(14695981039346656037)
	for i := 0; i < len(s); i++ {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	h = (h ^ h>>32) * 0x9E3779B97F4A7C15
	return h ^ h>>29 | 1
}

// word is a distinct word of a unit: the keys of its stem and of its family.
type word struct{ stem, kin uint64 }

func (w word) is(key uint64) bool { return key != 0 && (w.stem == key || w.kin == key) }

// bits is a set of the words of a question, by their slots.
type bits []uint64

func (b bits) has(slot int32) bool { return slot >= 0 && b[slot>>6]>>(slot&63)&1 != 0 }

func (b bits) put(slot int32) { b[slot>>6] |= 1 << (slot & 63) }

func (b bits) or(o bits) {
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

// sight is what of a question's words stands where in a unit.
type sight struct {
	width              int
	sents, paras, open []uint64 // rows of bits: sentences; with their paragraph and what announces it; their openings
	rubric, all, sum   bits
}

func (s *sight) sent(i int) bits    { return s.sents[i*s.width : (i+1)*s.width] }
func (s *sight) para(i int) bits    { return s.paras[i*s.width : (i+1)*s.width] }
func (s *sight) opening(i int) bits { return s.open[i*s.width : (i+1)*s.width] }

// around is the paragraph of sentence i, what announces it, and the headings above. It
// holds until the next call.
func (s *sight) around(i int) bits {
	for k, b := range s.para(i) {
		s.sum[k] = b | s.rubric[k]
	}
	return s.sum
}

// on looks at a unit with the words of a question, once.
func (f *focus) on(u *unitText) *sight {
	if s := f.seen[u]; s != nil {
		return s
	}
	w, n := f.slots.width(), len(u.sents)
	buf := make([]uint64, (3*n+3)*w)
	cut := func(rows int) []uint64 { out := buf[: rows*w : rows*w]; buf = buf[rows*w:]; return out }
	s := &sight{width: w, sents: cut(n), paras: cut(n), open: cut(n), rubric: cut(1), all: cut(1), sum: cut(1)}
	words := f.meet(u)
	row := func(k uint32) bits { return words[int(k)*w : (int(k)+1)*w] }
	for i := range u.sents {
		for _, k := range u.sents[i].seq {
			s.sent(i).or(row(k))
		}
		for _, k := range u.sents[i].opening {
			s.opening(i).or(row(k))
		}
		s.all.or(s.sent(i))
	}
	for _, k := range u.rubric {
		s.rubric.or(row(k))
	}
	for k := range u.words { // of the whole unit, also of sentences left out
		s.all.or(row(uint32(k)))
	}
	for from := 0; from < n; {
		to := from + 1
		for to < n && u.sents[to].Para == u.sents[from].Para {
			to++
		}
		for i := from; i < to; i++ {
			s.para(from).or(s.sent(i))
		}
		for i := from + 1; i < to; i++ {
			copy(s.para(i), s.para(from))
		}
		from = to
	}
	for i, lead := range u.leads { // an item of a list is read with the sentence that announces it
		if lead >= 0 {
			s.para(i).or(s.sent(int(lead)))
		}
	}
	if f.seen == nil {
		f.seen = map[*unitText]*sight{}
	}
	f.seen[u] = s
	return s
}

// meet gives for each word of a unit the slots that it fills, in rows of bits that
// hold until the next call.
func (f *focus) meet(u *unitText) []uint64 {
	w := f.slots.width()
	if n := len(u.words) * w; cap(f.rows) < n {
		f.rows = make([]uint64, n)
	} else {
		f.rows = f.rows[:n]
		clear(f.rows)
	}
	for k, x := range u.words {
		if n := f.slots.of(x.stem); n >= 0 {
			bits(f.rows[k*w : (k+1)*w]).put(n)
		}
		if n := f.slots.of(x.kin); x.kin != 0 && n >= 0 {
			bits(f.rows[k*w : (k+1)*w]).put(n)
		}
	}
	return f.rows
}

// covers is cover for a set of bits.
func (f *focus) covers(b bits) float64 {
	return f.weighBits(b, func(t *weighted) float64 { return t.idf }, f.total)
}

// nears is near for a set of bits.
func (f *focus) nears(b bits) float64 {
	return f.weighBits(b, func(t *weighted) float64 { return t.local }, f.local)
}

func (f *focus) weighBits(b bits, weight func(*weighted) float64, total float64) float64 {
	if total == 0 {
		return 0
	}
	got, missing := 0.0, 0.0
	for k := range f.terms {
		t := &f.terms[k]
		switch {
		case b.has(t.slot):
			got += weight(t)
		case b.has(t.kinSlot):
			got += kinShare * weight(t)
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

func (b bits) hasAll(slots []int32) bool {
	for _, n := range slots {
		if !b.has(n) {
			return false
		}
	}
	return true
}

// place gives every word that the question is measured by its slot.
func (f *focus) place() {
	for k := range f.terms {
		t := &f.terms[k]
		t.slot, t.kinSlot = f.slots.add(wordKey(t.stem)), f.slots.add(wordKey(t.kin))
	}
	f.altSlots = make([][]int32, len(f.alt))
	for k, stems := range f.alt {
		for _, s := range stems {
			f.altSlots[k] = append(f.altSlots[k], f.slots.add(wordKey(s)))
		}
	}
	for p := range f.pairs {
		a, b := wordKey(p[0]), wordKey(p[1])
		f.pairSlots = append(f.pairSlots, pairSlot{a, b, f.slots.add(a), f.slots.add(b)})
	}
}

// pairSlot is two neighbouring words of the question, by their keys and slots.
type pairSlot struct {
	a, b         uint64
	slotA, slotB int32
}

// knowsWord says that a word of a unit is one of the question's, or of its family.
func (f *focus) knowsWord(w word) bool {
	return f.isTerm(f.slots.of(w.stem), false) || w.kin != 0 && f.isTerm(f.slots.of(w.kin), true)
}

func (f *focus) isTerm(slot int32, kin bool) bool {
	if slot < 0 {
		return false
	}
	for k := range f.terms {
		if !kin && f.terms[k].slot == slot || kin && f.terms[k].kinSlot == slot {
			return true
		}
	}
	return false
}

// pairShare is the share of the question's neighbouring words that are
// neighbours (at most one word apart) in sentence i too.
func (f *focus) pairShare(u *unitText, i int) float64 {
	if len(f.pairs) == 0 {
		return 0
	}
	have, seq := f.on(u).sent(i), u.sents[i].seq
	found := 0
	for _, p := range f.pairSlots {
		if !have.has(p.slotA) || !have.has(p.slotB) {
			continue
		}
		for at := range seq {
			if u.words[seq[at]].stem == p.a && (at+1 < len(seq) && u.words[seq[at+1]].stem == p.b || at+2 < len(seq) && u.words[seq[at+2]].stem == p.b) {
				found++
				break
			}
		}
	}
	return float64(found) / float64(len(f.pairs))
}
