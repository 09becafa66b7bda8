package corpus

import (
	"sync"

	"digesto"
)

// recent keeps the units that were read last: most questions are about the same few
// hundred. What is stored never changes within a snapshot, so nothing has to be
// thrown out but for room: two halves, the older of which is dropped when the newer
// is full. Whoever gets a unit leaves it alone, as with units in memory.
type recent struct {
	mu         sync.Mutex
	young, old map[unitPlace]digesto.Unit
	size       int // bytes of young
}

// unitPlace is a unit by the places of its norm and of itself there.
type unitPlace struct{ norm, unit int }

// recentBytes bounds each half.
const recentBytes = 24 << 20

func (r *recent) get(at unitPlace) (digesto.Unit, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	u, ok := r.young[at]
	if !ok {
		if u, ok = r.old[at]; ok {
			r.keep(at, u)
		}
	}
	return u, ok
}

func (r *recent) put(at unitPlace, u digesto.Unit) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, ok := r.young[at]; !ok {
		r.keep(at, u)
	}
}

func (r *recent) keep(at unitPlace, u digesto.Unit) {
	n := sizeOf(&u)
	if n > recentBytes/8 {
		return
	}
	if r.size += n; r.size > recentBytes {
		r.old, r.young, r.size = r.young, nil, n
	}
	if r.young == nil {
		r.young = map[unitPlace]digesto.Unit{}
	}
	r.young[at] = u
}

// sizeOf is about how many bytes a unit takes.
func sizeOf(u *digesto.Unit) int {
	n := 512
	for i := range u.Versions {
		v := &u.Versions[i]
		n += 512 + len(v.Text) + 128*(len(v.Refs)+len(v.Reforms)+len(v.Unseen)) + 32*len(v.Pages)
		for _, s := range v.Notes {
			n += 16 + len(s)
		}
	}
	return n
}
