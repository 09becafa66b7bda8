package corpus

import (
	"sync"

	"digesto"
)

// unitRef is what is known of a unit without reading it.
type unitRef struct {
	id     string
	kind   digesto.UnitKind
	number string
	run    uint32 // articles in the consecutive run it belongs to: how Resolve tells the body of a norm from what stands around it

	off, size uint32 // of its record in the file
	sum       uint32 // crc32c of the record
}

// unitTable lists the units of a norm in the order of its text.
type unitTable struct {
	refs []unitRef
	once sync.Once
	byID map[string]int
}

func (t *unitTable) find(id string) (int, bool) {
	t.once.Do(func() {
		t.byID = make(map[string]int, len(t.refs))
		for i := range t.refs {
			t.byID[t.refs[i].id] = i
		}
	})
	i, ok := t.byID[id]
	return i, ok
}
