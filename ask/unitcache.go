package ask

import (
	"strings"
	"sync"

	"digesto/text"
)

// unitCache keeps the latest units prepared for extraction. The key holds the
// hash of the text, so that a changed text is another entry and nothing has to
// be thrown away when a snapshot is replaced.
type unitCache struct {
	mu   sync.Mutex
	m    map[string]*unitText
	ring []string // keys in the order of their arrival
	at   int
}

// shortTitle bounds, in bytes, the titles that tell the matter of a whole norm;
// longer ones list the matters of many.
const shortTitle = 130

// maxUnits bounds the cache: about 10 KB a unit.
const maxUnits = 2048

// get prepares a unit's text, or gives the one prepared before.
func (c *unitCache) get(an *text.Analyser, x hit) *unitText {
	heading := x.Unit.Rubric + " " + strings.Join(x.Unit.Path, " ")
	if len(x.Norm.Title) < shortTitle { // a law of one matter is about it in every article
		heading += " " + x.Norm.Title
	}
	key := x.Version.SHA256 + "\x00" + heading
	if x.Version.SHA256 == "" {
		return newUnitText(an, heading, x.Version.Text)
	}
	c.mu.Lock()
	u := c.m[key]
	c.mu.Unlock()
	if u != nil {
		return u
	}
	u = newUnitText(an, heading, x.Version.Text)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.m == nil {
		c.m, c.ring = make(map[string]*unitText, maxUnits), make([]string, maxUnits)
	}
	if c.m[key] == nil {
		delete(c.m, c.ring[c.at])
		c.m[key], c.ring[c.at] = u, key
		c.at = (c.at + 1) % maxUnits
	}
	return u
}
