package query

import (
	"slices"
	"strings"
	"sync"

	"digesto"
	"digesto/corpus"
)

// DamagedText is what an answer is degraded by when stored texts that it needed could
// not be read.
const DamagedText = "damaged_text"

// Damage gathers the norms of one question whose stored text could not be read: the
// answer is made without them, and says so.
type Damage struct {
	mu    sync.Mutex
	norms []string // as people call them
}

// Note keeps a norm whose unit could not be read, unless the unit is merely not there.
func (d *Damage) Note(n digesto.Norm, err error) {
	if d == nil || err == nil || digesto.CodeOf(err) == digesto.CodeNotFound {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if name := corpus.NameOf(n); !slices.Contains(d.norms, name) {
		d.norms = append(d.norms, name)
	}
}

// Unreadable says that a unit is not missing: what is stored of its norm is damaged.
func (i *Intent) Unreadable(n digesto.Norm, unit string) bool {
	if i.Law.Snapshot == nil {
		return false
	}
	_, err := i.Law.Snapshot.Load(n.ID, unit)
	i.Hurt.Note(n, err)
	return err != nil && digesto.CodeOf(err) != digesto.CodeNotFound
}

// Told is the note of an answer that misses them; "" when nothing is damaged.
func (d *Damage) Told() string {
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

// Tell adds to a finished answer that it misses damaged texts.
func (d *Damage) Tell(a *digesto.Answer) {
	note := d.Told()
	if note == "" {
		return
	}
	a.Meta.Degraded = append(a.Meta.Degraded, DamagedText)
	if a.Notes != nil && *a.Notes != "" {
		note = *a.Notes + " " + note
	}
	a.Notes = &note
}
