package text

import "hash/maphash"

// seenTable maps words as written to what is known about them. It is what analysis
// spends its time in, so it is a plain open-addressed table: half as long a look-up
// as a map's.
type seenTable struct {
	seed  maphash.Seed
	slots []uint32 // number of an entry, from 1; 0 = free
	tags  []uint32 // high half of its hash
	raw   []string // by entry
	word  []word
	n     int
}

func (t *seenTable) get(raw string) (word, bool) {
	if t.n == 0 {
		return word{}, false
	}
	h := maphash.String(t.seed, raw)
	mask := uint64(len(t.slots) - 1)
	for i := h & mask; t.slots[i] != 0; i = (i + 1) & mask {
		if e := t.slots[i] - 1; t.tags[i] == uint32(h>>32) && t.raw[e] == raw {
			return t.word[e], true
		}
	}
	return word{}, false
}

func (t *seenTable) put(raw string, w word) {
	if 2*t.n >= len(t.slots) {
		t.grow()
	}
	t.raw, t.word = append(t.raw, raw), append(t.word, w)
	t.n++
	t.place(uint32(t.n))
}

func (t *seenTable) place(entry uint32) {
	h := maphash.String(t.seed, t.raw[entry-1])
	mask := uint64(len(t.slots) - 1)
	i := h & mask
	for t.slots[i] != 0 {
		i = (i + 1) & mask
	}
	t.slots[i], t.tags[i] = entry, uint32(h>>32)
}

func (t *seenTable) grow() {
	if t.slots == nil {
		t.seed = maphash.MakeSeed()
	}
	n := max(64, 2*len(t.slots))
	t.slots, t.tags = make([]uint32, n), make([]uint32, n)
	for e := range t.n {
		t.place(uint32(e + 1))
	}
}
