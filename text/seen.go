package text

import (
	"encoding/binary"
	"math/bits"
	"math/rand/v2"
	"strings"
	"unsafe"
)

// seenTable maps words as written to what is known about them. Analysis spends its
// time here, so it is a plain open-addressed table whose look-up touches one line of
// memory: a slot of 32 bytes holds a word's letters as two numbers, which hash and
// comparison take, and what is known. The few words too long for that are in a map.
type seenTable struct {
	seed  [2]uint64
	slots []seenSlot // a power of two, at most half full
	n     int        // of both
	long  map[string]*word
}

type seenSlot struct {
	first, last uint64 // see letters
	word        word   // its size 0: the slot is free
}

// slotLetters is the most bytes of a word that fit a slot.
const slotLetters = 16

// get gives what is known about a word, until the next put; nil if nothing is.
func (t *seenTable) get(raw string) *word {
	if len(raw) > slotLetters {
		return t.long[raw]
	}
	if len(t.slots) == 0 {
		return nil
	}
	first, last := letters(raw)
	mask := uint64(len(t.slots) - 1)
	for i := t.hash(first, last) & mask; ; i = (i + 1) & mask {
		s := &t.slots[i]
		if s.first == first && s.last == last && int(s.word.size) == len(raw) {
			return &s.word
		}
		if s.word.size == 0 {
			return nil
		}
	}
}

// letters reads a word of up to 16 bytes as two numbers that, with its length, no
// other word has.
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
// table's own.
func (t *seenTable) hash(first, last uint64) uint64 {
	high, low := bits.Mul64(first^t.seed[0], last^t.seed[1])
	return high ^ low
}

// put adds a word that is not there; it has a byte at least.
func (t *seenTable) put(raw string, w word) *word {
	t.n++
	if len(raw) > slotLetters {
		if t.long == nil {
			t.long = map[string]*word{}
		}
		t.long[strings.Clone(raw)] = &w
		return &w
	}
	if 2*(t.n-len(t.long)) > len(t.slots) {
		t.grow()
	}
	w.size = uint8(len(raw))
	first, last := letters(raw)
	return t.place(seenSlot{first, last, w})
}

func (t *seenTable) place(s seenSlot) *word {
	mask := uint64(len(t.slots) - 1)
	i := t.hash(s.first, s.last) & mask
	for t.slots[i].word.size != 0 {
		i = (i + 1) & mask
	}
	t.slots[i] = s
	return &t.slots[i].word
}

func (t *seenTable) grow() {
	if t.slots == nil {
		t.seed = [2]uint64{rand.Uint64(), rand.Uint64()}
	}
	old := t.slots
	t.slots = make([]seenSlot, max(64, 2*len(old)))
	for _, s := range old {
		if s.word.size != 0 {
			t.place(s)
		}
	}
}
