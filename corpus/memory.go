package corpus

import (
	"crypto/sha256"
	"encoding/hex"
	"iter"
	"slices"
	"strings"
	"sync"

	"digesto"
)

// Memory is a snapshot that lives in memory: embedded fiches, a source asked
// directly. It keeps the documents it is given; the caller leaves them alone
// from then on. Units get their norm's id and versions their hash if they lack
// it. A later document of a norm replaces an earlier one.
func Memory(docs ...Document) *Snapshot {
	byID := map[string]Document{}
	for _, d := range docs {
		byID[d.Norm.ID] = d
	}
	c := &core{}
	for _, d := range byID {
		c.entries = append(c.entries, entry{Norm: d.Norm})
	}
	slices.SortFunc(c.entries, func(a, b entry) int { return strings.Compare(a.Norm.ID, b.Norm.ID) })
	for _, e := range c.entries {
		d := byID[e.Norm.ID]
		if d.Late != nil {
			c.bodies = append(c.bodies, lateBody(sync.OnceValue(func() *memoryBody { return completed(d.Norm.ID, d.Late()) })))
			continue
		}
		c.bodies = append(c.bodies, completed(d.Norm.ID, d.Units))
	}
	c.index()
	c.hash = sync.OnceValue(func() string { return memoryHash(c) })
	return c.handle()
}

// completed are units with what follows from the rest of their document.
func completed(norm string, units []digesto.Unit) *memoryBody {
	complete(norm, units)
	return newMemoryBody(units)
}

// complete fills what follows from the rest of a document.
func complete(norm string, units []digesto.Unit) {
	for i := range units {
		units[i].Norm = norm
		for j := range units[i].Versions {
			v := &units[i].Versions[j]
			if v.SHA256 == "" {
				v.SHA256 = textHash(v.Text)
			}
		}
	}
}

func textHash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}

type memoryBody struct {
	t     *unitTable
	units []digesto.Unit
}

func newMemoryBody(units []digesto.Unit) *memoryBody {
	return &memoryBody{newTable(units), units}
}

func (m *memoryBody) table() (*unitTable, error)       { return m.t, nil }
func (m *memoryBody) unit(i int) (digesto.Unit, error) { return m.units[i], nil }

func (m *memoryBody) all() iter.Seq2[digesto.Unit, error] {
	return func(yield func(digesto.Unit, error) bool) {
		for _, u := range m.units {
			if !yield(u, nil) {
				return
			}
		}
	}
}

// lateBody is a body that is read when it is first asked for.
type lateBody func() *memoryBody

func (open lateBody) table() (*unitTable, error)          { return open().table() }
func (open lateBody) unit(i int) (digesto.Unit, error)    { return open().unit(i) }
func (open lateBody) all() iter.Seq2[digesto.Unit, error] { return open().all() }
