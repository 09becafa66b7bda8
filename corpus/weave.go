package corpus

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"slices"
	"strings"
	"time"

	"digesto"
	"digesto/text"
)

// Copies of a norm that are its earlier states become dated versions of its
// units. The copies stay as their files gave them; what is shown is woven anew
// whenever one of them changes, so that the order in which files were added
// never matters, and taking a copy out takes its versions out.

// weaveRule is part of the name of a woven norm: a better rule weaves again.
const weaveRule = "3"

// maxStates is how many earlier states are woven into a norm: the newest. Which of
// them are in it is kept as the bits of one number.
const maxStates = 64

// weave finds, for every norm that stands, the copies behind it that are its
// earlier states, and stores the norm with their wordings as history.
func (tx *Tx) weave(m *manifest) error {
	behind := map[string][]int{}
	for i := range m.copies {
		m.copies[i].former = false
		if b := m.copies[i].behind; b != "" {
			m.copies[i].woven = woven{}
			behind[b] = append(behind[b], i)
		}
	}
	for i := range m.copies {
		c := &m.copies[i]
		if c.behind != "" {
			continue
		}
		if err := tx.weaveOne(m, c, behind[c.key()]); err != nil {
			return err
		}
	}
	return nil
}

func (tx *Tx) weaveOne(m *manifest, c *copyEntry, behind []int) error {
	var states []int
	for _, i := range behind {
		if isState(&m.copies[i].norm, &c.norm) {
			states = append(states, i)
		}
	}
	if len(states) == 0 {
		c.woven = woven{}
		return nil
	}
	slices.SortFunc(states, func(a, b int) int { return Prefer(m.candidate(b), m.candidate(a)) })
	states = states[max(0, len(states)-maxStates):]
	of := weaveKey(m, states, c)
	if c.woven.of == of && tx.have(c.woven.sum, c.woven.size) {
		for _, i := range c.woven.used(states) {
			m.copies[i].former = true
		}
		return nil
	}
	units, err := tx.unitsOf(c)
	if err != nil {
		return err
	}
	loom := newLoom(c.norm, units)
	used := uint64(0)
	for k := len(states) - 1; k >= 0; k-- { // from the newest back
		old, err := tx.unitsOf(&m.copies[states[k]])
		if err != nil {
			return err
		}
		if loom.take(m.copies[states[k]].norm, old) {
			used |= 1 << k
		}
	}
	c.woven = woven{of: of, states: used}
	for _, i := range c.woven.used(states) {
		m.copies[i].former = true
	}
	if used == 0 {
		return nil
	}
	return tx.storeWoven(c, loom.weave())
}

func (tx *Tx) storeWoven(c *copyEntry, units []digesto.Unit) error {
	data, err := encodeUnits(units)
	if err != nil {
		return err
	}
	w := copyEntry{norm: c.norm, sum: sha256.Sum256(data), size: len(data)}
	if err := tx.store(&w, data); err != nil {
		return errDisk("escribir la biblioteca", tx.lib.dir, err)
	}
	c.woven.sum, c.woven.size, c.woven.units = w.sum, w.size, len(units)
	return nil
}

// woven is a norm with the wordings of its earlier states.
type woven struct {
	of     string // what it was made of: see weaveKey
	states uint64 // which of the earlier states, oldest first, are in it
	sum    [sha256.Size]byte
	size   int
	units  int
}

func (w *woven) used(states []int) (out []int) {
	for k, i := range states {
		if w.states&(1<<k) != 0 {
			out = append(out, i)
		}
	}
	return out
}

func weaveKey(m *manifest, states []int, c *copyEntry) string {
	h := sha256.New()
	h.Write([]byte(weaveRule))
	for _, i := range states {
		h.Write([]byte(m.copies[i].norm.TextAsOf))
		h.Write(m.copies[i].sum[:])
	}
	h.Write([]byte(c.norm.TextAsOf))
	h.Write(c.sum[:])
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// isState says that a copy is an earlier state of the norm that stands: the
// same id and format, official, and the day of its text is known and earlier.
func isState(a, now *digesto.Norm) bool {
	return foldID(a.ID) == foldID(now.ID) && a.Format == now.Format && isLaw(a) && isLaw(now) && !a.OCR && !now.OCR &&
		a.TextAsOf != "" && a.TextAsOf < now.TextAsOf
}

func (tx *Tx) have(sum [sha256.Size]byte, size int) bool {
	if size == 0 {
		return true // nothing was woven of these states
	}
	st, err := os.Stat(tx.lib.normPath(hex.EncodeToString(sum[:])))
	return err == nil && st.Size() == int64(size)
}

func (tx *Tx) unitsOf(c *copyEntry) ([]digesto.Unit, error) {
	b := &fileBody{path: tx.lib.normPath(hex.EncodeToString(c.sum[:])), norm: c.norm.ID, sum: c.sum, size: int64(c.size)}
	var out []digesto.Unit
	for u, err := range b.all() {
		if err != nil {
			return nil, err
		}
		out = append(out, u)
	}
	return out, nil
}

// loom holds the states of a norm while they are woven, newest first.
type loom struct {
	states []normState
}

type normState struct {
	day   digesto.Date
	units []digesto.Unit
	at    map[string]int
	words map[string]string // letters of the text of each unit
}

func newLoom(n digesto.Norm, units []digesto.Unit) *loom {
	return &loom{[]normState{stateOf(n, units)}}
}

func stateOf(n digesto.Norm, units []digesto.Unit) normState {
	s := normState{day: n.TextAsOf, units: units, at: map[string]int{}, words: map[string]string{}}
	for i := range units {
		s.at[units[i].ID] = i
		s.words[units[i].ID] = text.Letters(shown(&units[i]).Text)
	}
	return s
}

// take adds the next older state, unless it is no state of the same text: most
// units of one must be in the other, and a good part of them with the same words.
func (l *loom) take(n digesto.Norm, units []digesto.Unit) bool {
	s, next := stateOf(n, units), &l.states[len(l.states)-1]
	if s.day == next.day {
		return false
	}
	both, same := 0, 0
	for id, w := range s.words {
		if other, ok := next.words[id]; ok {
			both++
			if w == other {
				same++
			}
		}
	}
	if 2*both < min(len(s.words), len(next.words)) || 3*same < both {
		return false
	}
	l.states = append(l.states, s)
	return true
}

// weave gives the units of the newest state with the wordings of the older ones
// as history, and those units that are gone after the one they stood behind.
func (l *loom) weave() []digesto.Unit {
	var out []digesto.Unit
	for _, id := range l.order() {
		out = append(out, l.unit(id))
	}
	return out
}

// order is that of the newest text.
func (l *loom) order() []string {
	var ids []string
	for _, s := range l.states {
		at := 0
		for i := range s.units {
			id := s.units[i].ID
			if k := slices.Index(ids, id); k >= 0 {
				at = k + 1
				continue
			}
			ids = slices.Insert(ids, at, id)
			at++
		}
	}
	return ids
}

// wording is a run of states in which a unit has the same words.
type wording struct {
	version digesto.Version // as the newest of them has it
	since   digesto.Date    // day of the oldest of them
	now     bool            // the newest state has it
}

// unit weaves one unit. The notes beside the newest wording tell of every
// change, so the changes between two states are those of their days.
func (l *loom) unit(id string) digesto.Unit {
	var u digesto.Unit
	var runs []wording // oldest first
	line := l.timeline(id)
	there := false // in the state before
	var before digesto.Date
	for k := len(l.states) - 1; k >= 0; k-- {
		s := &l.states[k]
		i, ok := s.at[id]
		by := between(line, before, s.day)
		if !ok {
			if there {
				end(&runs[len(runs)-1].version, nextDay(before), nil)
			}
			there, before = false, s.day
			continue
		}
		u = s.units[i]
		v := shown(&u)
		v.Reforms = between(line, "", s.day)
		if last := len(runs) - 1; there && len(by) < 2 && text.Letters(runs[last].version.Text) == s.words[id] {
			old := &runs[last].version
			v.Published, v.ValidFrom = cmp.Or(old.Published, v.Published), old.ValidFrom
			runs[last].version, runs[last].now = v, k == 0
		} else {
			if there {
				end(&runs[last].version, nextDay(before), by)
			}
			begin(&v, s, by, k == len(l.states)-1)
			runs = append(runs, wording{version: v, since: s.day, now: k == 0})
		}
		there, before = true, s.day
	}
	n := len(runs)
	if n == 0 || !runs[n-1].now || len(u.Versions) < 2 {
		u.Versions = versionsOf(runs, nil)
		return u
	}
	own := slices.Clone(u.Versions[:len(u.Versions)-1])
	if slices.ContainsFunc(own, func(v digesto.Version) bool {
		return v.Current || dated(v) && !strings.HasPrefix(v.ID, PrintedFormer)
	}) {
		return u // its source has a dated history of its own
	}
	own = slices.DeleteFunc(own, func(v digesto.Version) bool { // an earlier copy has it too
		return dated(v) && slices.ContainsFunc(runs, func(r wording) bool { return text.Letters(r.version.Text) == text.Letters(v.Text) })
	})
	u.Versions = versionsOf(runs, own)
	return u
}

// PrintedFormer begins the ids of former wordings that a text prints beside the one in force.
const PrintedFormer = "anterior-"

func dated(v digesto.Version) bool { return v.ValidFrom != "" || v.ValidTo != "" || v.Published != "" }

// timeline gives every change that the notes of any state tell of, oldest first.
func (l *loom) timeline(id string) []digesto.Reform {
	var out []digesto.Reform
	for _, s := range l.states {
		i, ok := s.at[id]
		if !ok {
			continue
		}
		for _, r := range shown(&s.units[i]).Reforms {
			if !slices.ContainsFunc(out, func(o digesto.Reform) bool { return o.Name == r.Name && o.Enacted == r.Enacted }) {
				out = append(out, r)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b digesto.Reform) int { return cmp.Compare(a.Day(), b.Day()) })
	return out
}

// between gives the changes after one day and up to another.
func between(line []digesto.Reform, after, to digesto.Date) (out []digesto.Reform) {
	for _, r := range line {
		if d := r.Day(); d > after && d <= to {
			out = append(out, r)
		}
	}
	return out
}

// begin dates a wording by the last of the changes that led to it. Without any,
// nothing is known but that it was there on the day of its state; the oldest
// wording stays as its own file dates it.
func begin(v *digesto.Version, s *normState, by []digesto.Reform, oldest bool) {
	if len(by) == 0 {
		if !oldest {
			v.Published, v.ValidFrom = s.day, ""
		}
		return
	}
	v.Published, v.ValidFrom = "", ""
	last := by[len(by)-1]
	v.Published, v.ValidFrom = last.Published, last.From
	for _, r := range by {
		if r.Day() == last.Day() && r.From != last.From {
			v.ValidFrom = ""
		}
	}
	if d := daysBetween(last.Enacted, s.day); v.Published == "" && d >= 0 && d <= 31 {
		v.Published = s.day
	}
}

// end closes a wording. Without a note of what followed it is proven up to the
// day of its state only. Where several changes followed before the next wording
// that is known, it ends with the first of them, unless those before the last
// were of single paragraphs: then the rest of it held until the last.
func end(v *digesto.Version, notBefore digesto.Date, by []digesto.Reform) {
	if len(by) == 0 {
		v.Replaced = notBefore
		return
	}
	last := by[len(by)-1]
	gap := between(by, "", dayBefore(last.Day()))
	closing := last
	for _, r := range gap {
		if len(r.Parts) == 0 {
			closing, gap = gap[0], nil
			break
		}
	}
	v.Replaced, v.Unseen = closing.Day(), gap
	for _, r := range by {
		if r.Day() == closing.Day() && r.From != closing.From {
			return
		}
	}
	if closing.From > v.ValidFrom {
		v.ValidTo = closing.From
	}
}

// versionsOf makes versions of runs, oldest first, each with an id of its own:
// that of its copy for the text shown, the day it was published for the others.
// Undated former wordings that stand in the copy itself come before the text shown.
func versionsOf(runs []wording, own []digesto.Version) []digesto.Version {
	taken := map[string]bool{}
	for _, v := range own {
		taken[v.ID] = true
	}
	if n := len(runs); n > 0 && runs[n-1].now {
		taken[runs[n-1].version.ID] = true
	}
	out := make([]digesto.Version, 0, len(runs)+len(own))
	for i := range runs {
		v := runs[i].version
		if runs[i].now {
			out = append(out, own...)
		}
		if !runs[i].now {
			v.Current = false
			v.ID = freeID(taken, string(cmp.Or(v.Published, runs[i].since)))
		}
		out = append(out, v)
	}
	return out
}

func freeID(taken map[string]bool, id string) string {
	for c := 'b'; taken[id] && c <= 'z'; c++ {
		id = strings.TrimRight(id, "bcdefghijklmnopqrstuvwxyz") + string(c)
	}
	taken[id] = true
	return id
}

func nextDay(d digesto.Date) digesto.Date   { return addDays(d, 1) }
func dayBefore(d digesto.Date) digesto.Date { return addDays(d, -1) }

func addDays(d digesto.Date, n int) digesto.Date {
	t, err := time.Parse(time.DateOnly, string(d))
	if err != nil {
		return ""
	}
	return digesto.Date(t.AddDate(0, 0, n).Format(time.DateOnly))
}

// daysBetween counts the days from a to b; -1 if either is unknown.
func daysBetween(a, b digesto.Date) int {
	x, err := time.Parse(time.DateOnly, string(a))
	y, err2 := time.Parse(time.DateOnly, string(b))
	if err != nil || err2 != nil {
		return -1
	}
	return int(y.Sub(x).Hours() / 24)
}
