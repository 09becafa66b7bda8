package text

import (
	"encoding/binary"
	"math/bits"
	"math/rand/v2"
	"strings"
	"unsafe"
)

// seenTable maps words as written to what is known about them. Analysis spends its
// time here, so it is a plain open-addressed table whose look-up touches two
// places in memory: slot and entry. An entry holds the first letters itself, all
// of most words; hash and comparison take them as two numbers.
type seenTable struct {
	seed    [2]uint64
	slots   []seenSlot // a power of two, at most half full
	entries []seenWord
	n       int
}

type seenSlot struct {
	tag   uint32 // high half of the hash
	entry uint32 // from 1; 0 = free
}

type seenWord struct {
	first, last uint64 // the first 8 letters and the last 8; of shorter words see letters
	size        int
	long        string // the whole word if it has more than 16 bytes
	word        word
}

// get gives what is known about a word, until the next put; nil if nothing is.
func (t *seenTable) get(raw string) *word {
	if t.n == 0 {
		return nil
	}
	first, last := letters(raw)
	h := t.hash(first, last, raw)
	mask := uint64(len(t.slots) - 1)
	for i := h & mask; t.slots[i].entry != 0; i = (i + 1) & mask {
		if t.slots[i].tag != uint32(h>>32) {
			continue
		}
		e := &t.entries[t.slots[i].entry-1]
		if e.first == first && e.last == last && e.size == len(raw) && (len(raw) <= 16 || e.long == raw) {
			return &e.word
		}
	}
	return nil
}

// letters reads a word of up to 16 bytes as two numbers that, with its length, no
// other word has; of a longer one its ends.
func letters(raw string) (first, last uint64) {
	b := unsafe.Slice(unsafe.StringData(raw), len(raw)) // read only
	switch n := len(b); {
	case n >= 8:
		return binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[n-8:])
	case n >= 4:
		return uint64(binary.LittleEndian.Uint32(b)), uint64(binary.LittleEndian.Uint32(b[n-4:]))
	case n > 0:
		return uint64(b[0])<<16 | uint64(b[n/2])<<8 | uint64(b[n-1]), 0
	}
	return 0, 0
}

// hash mixes as wyhash does (github.com/wangyi-fudan/wyhash), with a seed of the
// table's own. Words of more than 16 bytes add what lies between their ends.
func (t *seenTable) hash(first, last uint64, raw string) uint64 {
	if len(raw) > 16 {
		b := unsafe.Slice(unsafe.StringData(raw), len(raw))
		for at := 8; at+8 < len(b); at += 8 {
			high, low := bits.Mul64(last^t.seed[0], binary.LittleEndian.Uint64(b[at:])^t.seed[1])
			last = high ^ low
		}
	}
	high, low := bits.Mul64(first^t.seed[0], last^t.seed[1]^uint64(len(raw)))
	h := high ^ low
	high, low = bits.Mul64(h^t.seed[1], 0x9E3779B97F4A7C15)
	return high ^ low
}

func (t *seenTable) put(raw string, w word) *word {
	if 2*t.n >= len(t.slots) {
		t.grow()
	}
	e := seenWord{size: len(raw), word: w}
	e.first, e.last = letters(raw)
	if len(raw) > 16 {
		e.long = strings.Clone(raw)
	}
	t.entries = append(t.entries, e)
	t.n++
	t.place(t.n, raw)
	return &t.entries[t.n-1].word
}

// place gives entry its slot; raw is its word, of which only length and, beyond 16
// bytes, letters count.
func (t *seenTable) place(entry int, raw string) {
	e := &t.entries[entry-1]
	h := t.hash(e.first, e.last, raw)
	mask := uint64(len(t.slots) - 1)
	i := h & mask
	for t.slots[i].entry != 0 {
		i = (i + 1) & mask
	}
	t.slots[i] = seenSlot{uint32(h >> 32), uint32(entry)}
}

func (t *seenTable) grow() {
	if t.slots == nil {
		t.seed = [2]uint64{rand.Uint64(), rand.Uint64()}
	}
	t.slots = make([]seenSlot, max(64, 2*len(t.slots)))
	const blank = "                "
	for i := range t.n {
		raw := t.entries[i].long
		if raw == "" {
			raw = blank[:t.entries[i].size]
		}
		t.place(i+1, raw)
	}
}
