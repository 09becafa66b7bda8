package corpus

import (
	"iter"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"digesto"
	"digesto/recent"
)

// Snapshot is one state of the library. It never changes, is safe for any
// number of goroutines, and must be closed by whoever got it.
type Snapshot struct {
	c      *core
	closed atomic.Bool
}

// core is what the handles of one snapshot share.
type core struct {
	hash    func() string
	entries []entry        // visible norms, by id
	byID    map[string]int // every identifier, folded → entries
	bodies  []body         // of entries
	man     *manifest      // nil in memory
	lib     *Library       // nil in memory
	release func()         // when the last handle goes; nil in memory
	awaited []digesto.Date // days on which units end that still hold

	lately recent.Cache[unitPlace, digesto.Unit] // units read last

	contentOnce sync.Once
	content     string // see Snapshot.Content

	mu   sync.Mutex
	refs int
}

// entry is a norm of a snapshot, without its units.
type entry struct {
	Norm  digesto.Norm
	sum   [32]byte // of its file; zero in memory
	units int
	cites []string // see citesOf; nil in memory
	also  []string // identifiers of other copies of it, which it stands for
}

// body gives the units of one norm.
type body interface {
	table() (*unitTable, error)
	unit(i int) (digesto.Unit, error)
	all() iter.Seq2[digesto.Unit, error]
}

// Hash names the snapshot: the hash of its manifest, "" for a library that holds nothing.
func (s *Snapshot) Hash() string { return s.c.hash() }

// Content names what the snapshot gives to be indexed: two snapshots with the same
// norms and texts have one Content, whatever else differs between them, such as
// which files were refused or the order in which copies came. "" for a library
// that holds nothing.
func (s *Snapshot) Content() string {
	c := s.c
	c.contentOnce.Do(func() {
		if c.man == nil || len(c.entries) == 0 {
			c.content = c.hash()
			return
		}
		var e encoder
		for i := range c.entries {
			e.message(1, func(in *encoder) { encode(in, &c.entries[i].Norm, normForm) })
			e.str(2, string(c.entries[i].sum[:]))
			if a, ok := c.bodies[i].(*affected); ok {
				a.encode(&e)
			}
		}
		c.content = hashOf(e.buf)
	})
	return c.content
}

// Norms gives every norm, ordered by id.
func (s *Snapshot) Norms() []digesto.Norm {
	out := make([]digesto.Norm, len(s.c.entries))
	for i := range s.c.entries {
		out[i] = s.c.entries[i].Norm
	}
	return out
}

// Each gives every norm, ordered by id, without a list of them.
func (s *Snapshot) Each() iter.Seq[digesto.Norm] {
	return func(yield func(digesto.Norm) bool) {
		for i := range s.c.entries {
			if !yield(s.c.entries[i].Norm) {
				return
			}
		}
	}
}

// Norm finds a norm by its id or any other of its identifiers, case ignored.
func (s *Snapshot) Norm(id string) (digesto.Norm, bool) {
	i, ok := s.c.find(id)
	if !ok {
		return digesto.Norm{}, false
	}
	return s.c.entries[i].Norm, true
}

// Unit gives a unit. A unit whose stored bytes are damaged counts as absent
// here; [Snapshot.Load] says why.
func (s *Snapshot) Unit(norm, unit string) (digesto.Unit, bool) {
	u, err := s.Load(norm, unit)
	return u, err == nil
}

// Load gives a unit, or a not_found error, or an error that says the stored
// bytes are damaged. It never gives a text that differs from what was put. What it
// gives is shared: leave it as it is.
func (s *Snapshot) Load(norm, unit string) (digesto.Unit, error) {
	i, ok := s.c.find(norm)
	if !ok {
		return digesto.Unit{}, errNoNorm(norm)
	}
	t, err := s.c.bodies[i].table()
	if err != nil {
		return digesto.Unit{}, err
	}
	at, ok := t.find(unit)
	if !ok {
		return digesto.Unit{}, errNoUnit(s.c.entries[i].Norm, unit)
	}
	return s.c.unit(i, at)
}

// unit reads a unit of a norm, or gives it as it was read before.
func (c *core) unit(norm, at int) (digesto.Unit, error) {
	if c.man == nil { // in memory
		return c.bodies[norm].unit(at)
	}
	place := unitPlace{norm, at}
	if u, ok := c.lately.Get(place); ok {
		return u, nil
	}
	u, err := c.bodies[norm].unit(at)
	if err == nil {
		c.lately.Put(place, u, sizeOf(&u))
	}
	return u, err
}

// Units gives the units of a norm in the order of its text. It ends early when
// stored bytes are damaged; [Snapshot.All] says so.
func (s *Snapshot) Units(norm string) iter.Seq[digesto.Unit] {
	return func(yield func(digesto.Unit) bool) {
		for u, err := range s.All(norm) {
			if err != nil || !yield(u) {
				return
			}
		}
	}
}

// All gives the units of a norm in the order of its text; the last pair
// carries the error, if any.
func (s *Snapshot) All(norm string) iter.Seq2[digesto.Unit, error] {
	return func(yield func(digesto.Unit, error) bool) {
		i, ok := s.c.find(norm)
		if !ok {
			yield(digesto.Unit{}, errNoNorm(norm))
			return
		}
		s.c.bodies[i].all()(yield)
	}
}

// Close lets go of the snapshot. It may be called more than once.
func (s *Snapshot) Close() error {
	if s != nil {
		s.done()
	}
	return nil
}

func (s *Snapshot) done() {
	if !s.closed.Swap(true) {
		s.c.unref()
	}
}

func (c *core) handle() *Snapshot {
	c.mu.Lock()
	c.refs++
	c.mu.Unlock()
	return &Snapshot{c: c}
}

func (c *core) unref() {
	c.mu.Lock()
	c.refs--
	last := c.refs == 0
	c.mu.Unlock()
	if last && c.release != nil {
		c.release()
	}
}

func (c *core) find(id string) (int, bool) {
	i, ok := c.byID[foldID(id)]
	return i, ok
}

// index fills byID: own ids first, then those of other copies last, so that an
// alternative identifier never hides a norm.
func (c *core) index() {
	c.byID = make(map[string]int, 3*len(c.entries))
	for i := range c.entries {
		c.byID[foldID(c.entries[i].Norm.ID)] = i
	}
	for _, ids := range []func(*entry) []string{func(e *entry) []string { return e.Norm.IDs }, func(e *entry) []string { return e.also }} {
		for i := range c.entries {
			for _, id := range ids(&c.entries[i]) {
				if k := foldID(id); k != "" {
					if _, taken := c.byID[k]; !taken {
						c.byID[k] = i
					}
				}
			}
		}
	}
}

// foldID is how identifiers are compared: ELI, BOE ids and names of files are
// written with either case.
func foldID(id string) string { return strings.ToLower(strings.TrimSpace(id)) }

// Chunks gives what is indexed: one chunk for each version of each unit, in
// the order of norms and texts. Text of a repealed norm is never current.
func (s *Snapshot) Chunks() iter.Seq2[digesto.Chunk, error] {
	return func(yield func(digesto.Chunk, error) bool) {
		for i := range s.c.entries {
			for u, err := range s.c.bodies[i].all() {
				if err != nil {
					yield(digesto.Chunk{}, err)
					return
				}
				for j := range u.Versions {
					if !yield(chunk(&s.c.entries[i].Norm, &u, j), nil) {
						return
					}
				}
			}
		}
	}
}

// Chunk gives what is indexed of one version of a unit; false when it is not there
// or damaged.
func (s *Snapshot) Chunk(norm, unit, version string) (digesto.Chunk, bool) {
	i, ok := s.c.find(norm)
	u, err := s.Load(norm, unit)
	if !ok || err != nil {
		return digesto.Chunk{}, false
	}
	for j := range u.Versions {
		if u.Versions[j].ID == version {
			return chunk(&s.c.entries[i].Norm, &u, j), true
		}
	}
	return digesto.Chunk{}, false
}

func chunk(n *digesto.Norm, u *digesto.Unit, j int) digesto.Chunk {
	v, p := proven(*n, u.Versions, j)
	p.from = max(p.from, began(*n))
	if !p.ends { // a former wording of unknown dates: it holds on no day
		p.to = v.ValidTo
	}
	name := n.Short
	if name == "" {
		name = n.Title
	}
	return digesto.Chunk{
		ID:           n.ID + "/" + u.ID + "/" + v.ID,
		Norm:         n.ID,
		Unit:         n.ID + "/" + u.ID,
		Version:      v.ID,
		Title:        joinTitle(name, u.Label, u.Rubric),
		Path:         strings.Join(u.Path, " > "),
		Body:         v.Text,
		Collection:   n.Collection,
		Packs:        n.Packs,
		Jurisdiction: n.Jurisdiction,
		Territory:    n.Territory,
		Rank:         n.Rank,
		Official:     n.Official,
		Amending:     n.Amending || u.Amending,
		ValidFrom:    p.from,
		ValidTo:      p.to,
		Current:      v.Current,
	}
}

// joinTitle is "name. label. rubric" without empty parts.
func joinTitle(parts ...string) string {
	parts = slices.DeleteFunc(slices.Clone(parts), func(s string) bool { return s == "" })
	return strings.Join(parts, ". ")
}

// standing is a norm as it is on a day: the repeal that the source knows may be still to come.
func standing(n digesto.Norm, day digesto.Date) digesto.Norm {
	if n.Status == digesto.StatusRepealed && day != "" && n.RepealedFrom > day {
		n.Status = digesto.StatusInForce
	}
	return n
}

// outlived says that a repeal which was to come when the snapshot was opened has come.
func (c *core) outlived(day digesto.Date) bool {
	if slices.ContainsFunc(c.awaited, func(d digesto.Date) bool { return d <= day }) {
		return true
	}
	return slices.ContainsFunc(c.entries, func(e entry) bool {
		return e.Norm.Status == digesto.StatusInForce && e.Norm.RepealedFrom != "" && e.Norm.RepealedFrom <= day
	})
}

// bounded is a version as the state of its norm leaves it: a repealed norm has
// no current text, and no text holds longer than to the day of the repeal.
func bounded(n digesto.Norm, v digesto.Version) digesto.Version {
	if n.Status == digesto.StatusPartial {
		return v
	}
	if n.Status == digesto.StatusRepealed {
		v.Current = false
	}
	if n.RepealedFrom != "" && (v.ValidTo == "" || v.ValidTo > n.RepealedFrom) {
		v.ValidTo = n.RepealedFrom
	}
	return v
}
