package corpus

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"slices"

	"digesto"
	"digesto/text/lazyregexp"
)

// affect finds what the norms of an update do to each other.
func (tx *Tx) affect(m *manifest) (err error) {
	m.effects, err = effectsOf(m.visible(), tx.unitsOf)
	return err
}

// Effects gives everything that installed norms say they do to others that are
// installed, and what became of it, ordered by norm and unit.
func (s *Snapshot) Effects() []Effect {
	if s.c.man == nil {
		return nil
	}
	return slices.Clone(s.c.man.effects)
}

// settleEffects lets the effects of a snapshot set status and dates, as they are on a day.
func (c *core) settleEffects(day digesto.Date) {
	all := map[int]*affected{}
	of := func(at int) *affected {
		if all[at] == nil {
			all[at] = &affected{body: c.bodies[at], by: map[string]Effect{}, found: map[string]Effect{}, missing: map[string][]digesto.Reform{}, day: day, note: c.noteOf}
		}
		return all[at]
	}
	for _, e := range c.man.effects {
		at, ok := c.find(e.Norm)
		if !ok {
			continue
		}
		switch e.Outcome {
		case EffectKnown:
			c.enters(e, c.entries[at].Norm.RepealedFrom)
		case EffectApplied:
			if e.Unit == "" {
				c.repeal(&c.entries[at].Norm, e, day)
			} else if had, ok := of(at).by[e.Unit]; !ok || e.From < had.From {
				of(at).by[e.Unit] = e
			}
		case EffectFound:
			if e.Published > of(at).found[e.Unit].Published {
				of(at).found[e.Unit] = e
			}
		case EffectMissing:
			of(at).missing[e.Unit] = append(of(at).missing[e.Unit], c.reformOf(e))
		}
	}
	for at, r := range c.partly(day) {
		of(at).rest = r
	}
	for at, a := range all {
		c.bodies[at] = a
		for _, e := range a.by {
			if day != "" && e.From > day {
				c.awaited = append(c.awaited, e.From)
			}
		}
	}
}

// enters dates a norm by the repeal of another: what the other says of the day on which
// it was repealed by this one is the day on which this took effect. It is asked of the
// law of a territory, whose clause counts from a gazette of its own while the day known of
// it is that of the gazette of the whole country.
func (c *core) enters(e Effect, from digesto.Date) {
	at, ok := c.find(e.By)
	if !ok || e.Act != digesto.ActRepeals || e.Unit != "" || e.Detail != "" || from == "" {
		return
	}
	n := &c.entries[at].Norm
	if n.Territory != "" && n.InForce == "" && n.Published != "" && from > n.Published {
		n.InForce = from
	}
}

// repeal ends a norm on the day of an effect; the first of several counts.
func (c *core) repeal(n *digesto.Norm, e Effect, day digesto.Date) {
	if n.RepealedFrom != "" && n.RepealedFrom <= e.From {
		return
	}
	n.Status, n.RepealedFrom, n.StatusNote = digesto.StatusRepealed, e.From, c.noteOf(e)
	*n = standing(*n, day)
}

// noteOf says in Spanish who repeals, where and since when.
func (c *core) noteOf(e Effect) string {
	name := e.By
	if at, ok := c.find(e.By); ok {
		name = c.entries[at].Norm.Title
	}
	s := fmt.Sprintf("Derogada por %s (%s)", name, e.ByUnit)
	if e.Unit != "" {
		s = fmt.Sprintf("Derogado por %s (%s)", name, e.ByUnit)
	}
	if e.From != "" {
		s += ", con efectos de " + longDay(e.From)
	}
	return s + ". Consta en el texto instalado de la norma que deroga."
}

// reformOf is a change that a text lacks, as notes tell of one.
func (c *core) reformOf(e Effect) digesto.Reform {
	r := digesto.Reform{Norm: e.By, Name: e.By, Act: e.Act, Published: e.Published, From: e.From}
	if at, ok := c.find(e.By); ok {
		n := &c.entries[at].Norm
		r.Name = cmp.Or(n.Short, n.Title, n.ID)
		if k := nameKeyOf(n.Title); k.number == "" {
			r.Name += " (" + n.ID + ")"
		}
	}
	if m := partNumber.FindStringSubmatch(e.Detail); m != nil {
		r.Parts = []string{m[1]}
	}
	return r
}

var partNumber = lazyregexp.New(`\bapartado (\d+)\b`)

// affected gives the units of a norm as the effects of other norms leave them.
type affected struct {
	body
	by      map[string]Effect
	missing map[string][]digesto.Reform // changes that the text of a unit does not have
	found   map[string]Effect           // the last change that it has and its source does not tell of
	rest    *remainder                  // of a norm repealed but for some units
	day     digesto.Date
	note    func(Effect) string
}

func (a *affected) unit(i int) (digesto.Unit, error) {
	u, err := a.body.unit(i)
	if err == nil {
		a.apply(&u)
	}
	return u, err
}

func (a *affected) all() iter.Seq2[digesto.Unit, error] {
	return func(yield func(digesto.Unit, error) bool) {
		for u, err := range a.body.all() {
			if err == nil {
				a.apply(&u)
			}
			if !yield(u, err) {
				return
			}
		}
	}
}

// apply ends what holds of a unit on the day of its repeal.
func (a *affected) apply(u *digesto.Unit) {
	if list := a.missing[u.ID]; list != nil {
		u.Versions = slices.Clone(u.Versions)
		for i := range u.Versions {
			if v := &u.Versions[i]; v.Current {
				v.Unseen = append(slices.Clone(v.Unseen), list...)
				if len(v.Reforms) == 0 {
					v.Published, v.ValidFrom = "", "" // no note told of a change, so it was taken for the first wording
				}
			}
		}
	}
	if e, ok := a.found[u.ID]; ok {
		u.Versions = slices.Clone(u.Versions)
		for i := range u.Versions {
			if v := &u.Versions[i]; v.Current && v.Published == "" && v.ValidFrom == "" {
				v.Published = e.Published // at the earliest: a later change that nothing here tells of may be in it too
			}
		}
	}
	if e, ok := a.by[u.ID]; ok {
		a.end(u, e.From, a.note(e))
	}
	if a.rest != nil && !a.rest.keeps(u) {
		a.end(u, a.rest.from, a.rest.note)
	}
}

// end lets a unit hold until the day from, with the note that tells of it.
func (a *affected) end(u *digesto.Unit, from digesto.Date, note string) {
	u.Versions = slices.Clone(u.Versions)
	for i := range u.Versions {
		v := &u.Versions[i]
		if !v.Current {
			continue
		}
		if from != "" && (v.ValidTo == "" || v.ValidTo > from) {
			v.ValidTo = from
		}
		v.Current = a.day != "" && from > a.day
		v.Notes = append(slices.Clone(v.Notes), note)
	}
}

// encode adds what of the effects decides which texts are current.
func (a *affected) encode(e *encoder) {
	for _, id := range slices.Sorted(maps.Keys(a.by)) {
		x := a.by[id]
		e.str(3, id)
		e.str(4, string(x.From))
		e.bool(5, a.day != "" && x.From > a.day)
	}
	for _, id := range slices.Sorted(maps.Keys(a.missing)) {
		e.str(6, id)
	}
	for _, id := range slices.Sorted(maps.Keys(a.found)) {
		e.str(11, id)
		e.str(12, string(a.found[id].Published))
	}
	if a.rest != nil {
		e.str(7, string(a.rest.from))
		e.bool(8, a.day != "" && a.rest.from > a.day)
		for _, k := range a.rest.kept {
			e.str(9, k.Unit)
			e.str(10, k.To)
		}
	}
}
