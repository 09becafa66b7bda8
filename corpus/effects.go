package corpus

import (
	"cmp"
	"slices"
	"strings"

	"digesto"
	"digesto/text"
	"digesto/text/cite"
	"digesto/text/lazyregexp"
)

// Effect is what an installed norm does to another that is installed, and what became
// of it here. Effects are found anew whenever the library changes, from what all texts
// say, so the order in which norms came does not matter, and taking out the norm that
// repeals undoes it.
type Effect struct {
	Act       digesto.Act  `json:"act"`
	Norm      string       `json:"norm"`
	Unit      string       `json:"unit,omitempty"`   // "" = the norm as a whole, or a part of it that is no unit
	Detail    string       `json:"detail,omitempty"` // a part only, as written
	By        string       `json:"by"`
	ByUnit    string       `json:"by_unit"`
	Published digesto.Date `json:"published,omitempty"` // of the norm that says so
	From      digesto.Date `json:"from,omitempty"`      // first day of it; "" = not known
	Outcome   Outcome      `json:"outcome"`
}

// Outcome is what became of an effect.
type Outcome string

// The outcomes. Only EffectApplied changes status; it and EffectFound change dates.
const (
	EffectApplied  Outcome = "applied"  // status and dates follow it
	EffectKnown    Outcome = "known"    // the source of the norm says so itself, or its text is of a later day and has it
	EffectLimited  Outcome = "limited"  // with exceptions or on a condition: told, the text stands
	EffectPart     Outcome = "part"     // of a part of a unit, or of a heading: told, the text stands
	EffectDoubtful Outcome = "doubtful" // the dates contradict it: told, the text stands
	EffectFound    Outcome = "found"    // a change that the text installed has, whose source tells of none: it dates the text
	EffectMissing  Outcome = "missing"  // a change that the text installed does not have: told with every answer from it
)

func effectForm(f *form, e *Effect) {
	word(f, 1, &e.Act)
	word(f, 2, &e.Norm)
	word(f, 3, &e.Unit)
	word(f, 4, &e.Detail)
	word(f, 5, &e.By)
	word(f, 6, &e.ByUnit)
	word(f, 7, &e.Published)
	word(f, 8, &e.From)
	word(f, 9, &e.Outcome)
}

// effectsOf turns what all norms say into what it does to those that are installed.
func effectsOf(copies []copyEntry, unitsOf func(*copyEntry) ([]digesto.Unit, error)) ([]Effect, error) {
	r := &resolver{unitsOf: unitsOf, at: map[string]int{}, read: map[int][]digesto.Unit{}}
	var norms []digesto.Norm
	for i := range copies {
		r.copies = append(r.copies, &copies[i])
		norms = append(norms, copies[i].norm)
		for _, id := range identifiers(&copies[i].norm) {
			if _, taken := r.at[id]; !taken {
				r.at[id] = i
			}
		}
	}
	var table *cite.Table
	var out []Effect
	for i := range copies {
		if len(copies[i].says) == 0 {
			continue
		}
		if table == nil {
			table = cite.NewTable(nil, norms)
		}
		for _, s := range copies[i].says {
			e, err := r.effects(table, i, s)
			if err != nil {
				return nil, err
			}
			out = append(out, e...)
		}
	}
	lastChange(out)
	slices.SortFunc(out, func(a, b Effect) int {
		return cmp.Or(cmp.Compare(a.Norm, b.Norm), cmp.Compare(a.Unit, b.Unit), cmp.Compare(a.From, b.From), cmp.Compare(a.By, b.By), cmp.Compare(a.ByUnit, b.ByUnit), cmp.Compare(a.Detail, b.Detail))
	})
	return slices.Compact(out), nil
}

type resolver struct {
	copies  []*copyEntry
	at      map[string]int         // identifier → copy
	read    map[int][]digesto.Unit // as much as readBytes lets be kept
	size    int                    // bytes of read
	unitsOf func(*copyEntry) ([]digesto.Unit, error)
}

// readBytes bounds the texts that are kept while effects are found: all of them may be
// more than memory holds.
const readBytes = 64 << 20

func (r *resolver) units(i int) ([]digesto.Unit, error) {
	if u, ok := r.read[i]; ok {
		return u, nil
	}
	u, err := r.unitsOf(r.copies[i])
	if r.size > readBytes {
		clear(r.read)
		r.size = 0
	}
	for k := range u {
		r.size += sizeOf(&u[k])
	}
	r.read[i] = u
	return u, err
}

// effects gives what one statement of a norm does.
func (r *resolver) effects(table *cite.Table, by int, s Statement) ([]Effect, error) {
	home := &r.copies[by].norm
	to, ok := r.target(table, home, s)
	if !ok || to == by {
		return nil, nil
	}
	n := &r.copies[to].norm
	own, err := r.units(by)
	if err != nil {
		return nil, err
	}
	e := Effect{Act: s.Act, Norm: n.ID, By: home.ID, ByUnit: s.By, Published: home.Published, From: cmp.Or(s.From, since(home, own, s.By))}
	e.Outcome = r.outcome(n, home, s, e)
	if len(s.Places) == 0 {
		if s.Of {
			e.Detail = cmp.Or(s.Heading, "una parte")
			if e.Outcome == EffectApplied {
				e.Outcome = EffectPart
			}
		}
		return []Effect{e}, nil
	}
	units, err := r.units(to)
	if err != nil {
		return nil, err
	}
	if s.Act == digesto.ActAmends {
		return r.changes(e, n, units, own, s), nil
	}
	var out []Effect
	for _, p := range s.Places {
		for _, u := range placed(units, p) {
			out = append(out, unitEffect(e, u, p.Detail))
		}
	}
	return out, nil
}

// unitEffect is an effect on one unit. A wording of a later day than the norm that
// repeals it has it; so does one whose notes tell of it, and one that is history.
func unitEffect(e Effect, u *digesto.Unit, detail string) Effect {
	e.Unit, e.Detail = u.ID, detail
	v := shown(u)
	switch {
	case e.Outcome == EffectKnown && detail == "" && v.Current && leftover(v, e):
		e.Outcome = EffectApplied
	case e.Outcome != EffectApplied:
	case !v.Current, slices.ContainsFunc(v.Reforms, func(r digesto.Reform) bool { return foldID(r.Norm) == foldID(e.By) || r.Day() >= e.Published }):
		e.Outcome = EffectKnown
	case detail != "":
		e.Outcome = EffectPart
	}
	return e
}

// leftover says that what stands under a unit that another norm repealed is not its text:
// its own note tells of the repeal too, and headings of what follows are left, or the words
// were taken from another page, which did not know of it.
func leftover(v digesto.Version, e Effect) bool {
	if n := len(v.Reforms); n > 0 {
		last := v.Reforms[n-1]
		return last.Act == digesto.ActRepeals && len(last.Parts) == 0 && last.Day() >= e.Published
	}
	return foreign(v)
}

// outcome says what becomes of an effect by the dates and the status of both norms.
func (r *resolver) outcome(n, home *digesto.Norm, s Statement, e Effect) Outcome {
	whole := len(s.Places) == 0 && !s.Of
	switch {
	case whole && (n.Status == digesto.StatusRepealed || n.Status == digesto.StatusPartial):
		return EffectKnown
	case home.Published == "" || n.Published != "" && n.Published >= home.Published:
		return EffectDoubtful
	case !whole && n.TextAsOf >= home.Published:
		return EffectKnown
	case s.Excepted:
		return EffectLimited
	case whole && e.From != "" && n.TextAsOf > e.From:
		return EffectDoubtful // it was changed after the day it would have ended
	}
	return EffectApplied
}

// since is the day on which a unit of a norm took effect, or else that on which the norm
// did or was published.
func since(n *digesto.Norm, units []digesto.Unit, unit string) digesto.Date {
	for i := range units {
		if units[i].ID == unit {
			if v := shown(&units[i]); v.ValidFrom > n.Published {
				return v.ValidFrom
			}
		}
	}
	return began(*n)
}

// placed gives the units of a norm that a place means, in the order of the text.
func placed(units []digesto.Unit, p Place) (out []*digesto.Unit) {
	in := false
	for i := range units {
		u := &units[i]
		if u.ID == p.Unit {
			in = true
		}
		if !in {
			continue
		}
		out = append(out, u)
		if p.To == "" || u.Number == p.To {
			return out
		}
		if u.Kind != out[0].Kind || len(out) > 500 {
			break
		}
	}
	if p.To != "" && len(out) > 0 {
		return out[:1] // the end of the range is not there
	}
	return out
}

// target finds the norm that a statement names: one of the same country, of the number
// and day that are written, and not one of a narrower territory's law when a wider is named.
func (r *resolver) target(table *cite.Table, home *digesto.Norm, s Statement) (int, bool) {
	var ids []string
	if s.Name != "" {
		for _, m := range table.In(home.Jurisdiction).Find(s.Name) {
			if m.Unit == "" && m.Norm != "" && !m.Relative {
				ids = append(ids, m.Norm)
				ids = append(ids, m.Also...)
				break
			}
		}
	}
	for _, id := range append(ids, s.Norm) {
		if i, ok := r.at[foldID(id)]; ok && id != "" && fits(home, &r.copies[i].norm, s.Name) {
			return i, true
		}
	}
	return 0, false
}

// fits says that a norm may be the one that another names: nothing of what is written of
// its rank, number or day contradicts it, and the other may repeal it: a text whose origin
// nothing proves does nothing to an official one.
func fits(home, n *digesto.Norm, name string) bool {
	if n.Official && !home.Official || n.Format == "fiche" || digesto.Country(n.Jurisdiction) != digesto.Country(home.Jurisdiction) || home.Territory != "" && n.Territory != home.Territory {
		return false
	}
	a, b := nameKeyOf(name), nameKeyOf(n.Title)
	if a.number == "" {
		return true
	}
	return a.agrees(b)
}

// nameKey is what tells a norm from others: class, number and day as its name gives them.
type nameKey struct{ rank, number, day string }

var (
	keyed    = lazyregexp.New(`\b((?:real )?decreto(?:[- ](?:ley|legislativo|supremo))?(?: foral)?(?:[- ](?:ley|legislativo))?|ley (?:organica|foral)|ley|orden|resolucion)s?,? (?:de [a-z ]{3,40} )?(?:[a-z]{2,4}/)?(?:n[°º.ro]* *)?(\d[\d.]*(?:[-/]\d{2,4})?)(?:,? de (\d{1,2} de [a-z]+))?`)
	lastName = lazyregexp.New(`\baprobad[oa] (?:por|mediante)`)
)

// nameKeyOf reads the key of a name or title; of a text approved by a norm, that of the norm.
func nameKeyOf(s string) nameKey {
	f := text.Fold(s)
	if m := lastName.FindStringIndex(f); m != nil && keyed.MatchString(f[m[1]:]) {
		f = f[m[1]:]
	}
	m := keyed.FindStringSubmatchIndex(f)
	if m == nil {
		return nameKey{}
	}
	k := nameKey{rank: strings.ReplaceAll(f[m[2]:m[3]], "-", " "), number: strings.TrimRight(strings.ReplaceAll(f[m[4]:m[5]], ".", ""), "-/")}
	if m[6] >= 0 {
		k.day = f[m[6]:m[7]]
	}
	return k
}

// agrees says that two keys may be of one norm. A title that shows no number of its own
// is not contradicted by one.
func (a nameKey) agrees(b nameKey) bool {
	if b.number == "" {
		return true
	}
	return a.number == b.number && a.rank == b.rank && (a.day == "" || b.day == "" || a.day == b.day)
}
