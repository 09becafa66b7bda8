package ask

import (
	"strings"
	"sync"

	"digesto/pack"
	"digesto/text"
	"digesto/verify"
)

// recent keeps what was prepared last, within a bound of bytes: two halves, the
// older of which is dropped when the newer is full. What it keeps follows from its
// key alone and never changes. It is safe for any number of goroutines.
type recent[K comparable, V any] struct {
	mu         sync.Mutex
	young, old map[K]kept[V]
	size       int // bytes of young
}

type kept[V any] struct {
	v    V
	size int
}

// get gives what is kept of a key.
func (r *recent[K, V]) get(key K, most int) (V, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	x, ok := r.young[key]
	if !ok {
		if x, ok = r.old[key]; ok {
			r.keep(key, x, most)
		}
	}
	return x.v, ok
}

// put keeps v, of so many bytes; most bounds each half.
func (r *recent[K, V]) put(key K, v V, size, most int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, ok := r.young[key]; !ok && size <= most/8 {
		r.keep(key, kept[V]{v, size}, most)
	}
}

func (r *recent[K, V]) keep(key K, x kept[V], most int) {
	if r.size += x.size; r.size > most {
		r.old, r.young, r.size = r.young, nil, x.size
	}
	if r.young == nil {
		r.young = map[K]kept[V]{}
	}
	r.young[key] = x
}

// unitCache keeps the latest units prepared for extraction, and headings. A unit's
// key holds the hash of the text, so that a changed text is another entry and nothing
// has to be thrown away when a snapshot is replaced.
type unitCache struct {
	units recent[unitKey, *unitText]
	heads recent[string, *heading]
	specs recent[regimeKey, []int]
	lacks recent[lackKey, []string]
	says  recent[unitKey, *verify.Passage]
}

// lackKey is a fact and the text that may not hold its figures.
type lackKey struct{ text, year, sha string }

type regimeKey struct {
	pack    *pack.Pack
	heading string
}

type unitKey struct{ sha, heading string }

// shortTitle bounds, in bytes, the titles that tell the matter of a whole norm;
// longer ones list the matters of many.
const shortTitle = 130

// Bounds of each half of what is kept, in bytes.
const (
	unitBytes = 32 << 20
	headBytes = 4 << 20

	passageBytes  = 8 << 20
	passageWeight = 10 // bytes for each byte of text, about
)

// get prepares a unit's text, or gives the one prepared before.
func (c *unitCache) get(an *text.Analyser, x hit) *unitText {
	heading := x.Unit.Rubric + " " + strings.Join(x.Unit.Path, " ")
	if len(x.Norm.Title) < shortTitle { // a law of one matter is about it in every article
		heading += " " + x.Norm.Title
	}
	key := unitKey{x.Version.SHA256, heading}
	if key.sha == "" {
		return newUnitText(an, heading, x.Version.Text)
	}
	u, ok := c.units.get(key, unitBytes)
	if !ok {
		u = newUnitText(an, heading, x.Version.Text)
		c.units.put(key, u, u.size(), unitBytes)
	}
	return u
}

// passage gives a unit's text as claims are checked against it.
func (c *unitCache) passage(an *text.Analyser, x hit) *verify.Passage {
	key := unitKey{x.Version.SHA256, x.unit.heading}
	if c == nil || key.sha == "" {
		return verify.NewPassage(an, x.unit.heading, x.Version.Text)
	}
	p, ok := c.says.get(key, passageBytes)
	if !ok {
		p = verify.NewPassage(an, x.unit.heading, x.Version.Text)
		c.says.put(key, p, passageWeight*(len(x.Version.Text)+len(key.heading)), passageBytes)
	}
	return p
}

// regimes gives the special regimes of a pack that the headings of a unit name.
func (c *unitCache) regimes(p *pack.Pack, x *hit) []int {
	if len(p.Regimes) == 0 {
		return nil
	}
	if c == nil {
		return p.RegimesOf(x.heading())
	}
	key := regimeKey{p, x.heading()}
	list, ok := c.specs.get(key, headBytes)
	if !ok {
		list = p.RegimesOf(key.heading)
		c.specs.put(key, list, 160+len(key.heading)+8*len(list), headBytes)
	}
	return list
}

// heading gives the words of a heading.
func (c *unitCache) heading(an *text.Analyser, s string) *heading {
	if c == nil {
		return newHeading(an, s)
	}
	h, ok := c.heads.get(s, headBytes)
	if !ok {
		h = newHeading(an, s)
		c.heads.put(s, h, h.size()+len(s), headBytes)
	}
	return h
}
