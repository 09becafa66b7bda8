package text

import "hash/maphash"

// seenTable maps words as written to what is known about them. Analysis spends its
// time here, so it is a plain open-addressed table whose look-up touches three
// places in memory: slot, entry, letters.
type seenTable struct {
	seed    maphash.Seed
	slots   []seenSlot // a power of two, at most half full
	entries []seenWord
	n       int
}

type seenSlot struct {
	tag   uint32 // high half of the hash
	entry uint32 // from 1; 0 = free
}

type seenWord struct {
	raw  string
	word word
}

func (t *seenTable) get(raw string) (word, bool) {
	if t.n == 0 {
		return word{}, false
	}
	h := maphash.String(t.seed, raw)
	mask := uint64(len(t.slots) - 1)
	for i := h & mask; t.slots[i].entry != 0; i = (i + 1) & mask {
		if t.slots[i].tag != uint32(h>>32) {
			continue
		}
		if e := &t.entries[t.slots[i].entry-1]; e.raw == raw {
			return e.word, true
		}
	}
	return word{}, false
}

func (t *seenTable) put(raw string, w word) {
	if 2*t.n >= len(t.slots) {
		t.grow()
	}
	t.entries = append(t.entries, seenWord{raw, w})
	t.n++
	t.place(t.n)
}

func (t *seenTable) place(entry int) {
	h := maphash.String(t.seed, t.entries[entry-1].raw)
	mask := uint64(len(t.slots) - 1)
	i := h & mask
	for t.slots[i].entry != 0 {
		i = (i + 1) & mask
	}
	t.slots[i] = seenSlot{uint32(h >> 32), uint32(entry)}
}

func (t *seenTable) grow() {
	if t.slots == nil {
		t.seed = maphash.MakeSeed()
	}
	t.slots = make([]seenSlot, max(64, 2*len(t.slots)))
	for e := range t.n {
		t.place(e + 1)
	}
}
