package ask

import (
	"slices"
	"strings"
	"sync"

	"digesto"
	"digesto/corpus"
)

// damagedText is what an answer is degraded by when stored texts that it needed could
// not be read.
const damagedText = "damaged_text"

// damage gathers the norms of one question whose stored text could not be read: the
// answer is made without them, and says so.
type damage struct {
	mu    sync.Mutex
	norms []string // as people call them
}

// note keeps a norm whose unit could not be read, unless the unit is merely not there.
func (d *damage) note(n digesto.Norm, err error) {
	if d == nil || err == nil || digesto.CodeOf(err) == digesto.CodeNotFound {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if name := corpus.NameOf(n); !slices.Contains(d.norms, name) {
		d.norms = append(d.norms, name)
	}
}

// unreadable says that a unit is not missing: what is stored of its norm is damaged.
func (i *intent) unreadable(n digesto.Norm, unit string) bool {
	if i.law.Snapshot == nil {
		return false
	}
	_, err := i.law.Snapshot.Load(n.ID, unit)
	i.hurt.note(n, err)
	return err != nil && digesto.CodeOf(err) != digesto.CodeNotFound
}

// told is the note of an answer that misses them; "" when nothing is damaged.
func (d *damage) told() string {
	if d == nil {
		return ""
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.norms) == 0 {
		return ""
	}
	return "Falta en esta respuesta lo que diga «" + strings.Join(d.norms, "», «") + "»: su texto guardado está dañado y no se puede leer. Quien lleva la biblioteca lo ve con «digesto corpus check» y lo repara añadiéndolo de nuevo."
}

// tell adds to a finished answer that it misses damaged texts.
func (d *damage) tell(a *digesto.Answer) {
	note := d.told()
	if note == "" {
		return
	}
	a.Meta.Degraded = append(a.Meta.Degraded, damagedText)
	if a.Notes != nil && *a.Notes != "" {
		note = *a.Notes + " " + note
	}
	a.Notes = &note
}
