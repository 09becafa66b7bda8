package corpus

import (
	"strconv"
	"strings"

	"digesto"
	"digesto/text"
	"digesto/text/cite"
	"digesto/text/lazyregexp"
)

// A norm may be repealed but for some units: its note names them ("derogada, salvo las
// disposiciones adicionales 10 y 11, con efectos de…"). The others end on that day. An
// exception by matter ("mantendrá su vigencia en lo referido a…") leaves no unit in force
// for everybody: the note tells of it.

var (
	exceptedUnits = lazyregexp.New(`\b(?:salvo|excepto|a excepcion de|con (?:la|las) excepcion(?:es)? de)\b(.*?)(?:, (?:por|con efectos?)\b|\. |$)`)
	largerParts   = lazyregexp.New(`\b(?:capitulos?|titulos?|seccion(?:es)?|libros?|partes?|anexos?|anejos?|apartados?|parrafos?)\b`)
	shortArticle  = lazyregexp.New(`\bart(s?)\. `)
	partlyNote    = lazyregexp.New(`\bparcialmente\b`)
)

// remainder is what is left of a norm that was repealed but for some units.
type remainder struct {
	from digesto.Date // first day without the others
	note string
	kept []cite.Mention
}

// partly finds the norms whose own note says that all but some units of them were
// repealed on a known day, by their place among the entries. Of those repealed in part it
// is not known what is left.
func (c *core) partly(day digesto.Date) map[int]*remainder {
	out := map[int]*remainder{}
	for at := range c.entries {
		n := &c.entries[at].Norm
		if n.Status != digesto.StatusPartial || n.RepealedFrom == "" {
			continue
		}
		r, ok := remainderOf(n)
		if !ok {
			continue
		}
		out[at] = r
		if day != "" && r.from > day {
			c.awaited = append(c.awaited, r.from)
		}
	}
	return out
}

func remainderOf(n *digesto.Norm) (*remainder, bool) {
	r := &remainder{from: n.RepealedFrom, note: n.StatusNote}
	f := shortArticle.ReplaceAllString(text.Fold(n.StatusNote), "articulo$1 ")
	if f == "" || partlyNote.MatchString(f) {
		return nil, false
	}
	m := exceptedUnits.FindStringSubmatch(f)
	if m == nil {
		return r, true
	}
	if largerParts.MatchString(m[1]) {
		return nil, false
	}
	for _, k := range cite.NewTable(nil, nil).Find(m[1]) {
		if k.Unit != "" {
			r.kept = append(r.kept, k)
		}
	}
	return r, true
}

// keeps says that a unit is among those excepted.
func (r *remainder) keeps(u *digesto.Unit) bool {
	base, _, _ := strings.Cut(u.ID, "~")
	for _, k := range r.kept {
		if base == k.Unit || k.To != "" && u.Kind == k.Kind && mainNumber(k.Number) <= mainNumber(u.Number) && mainNumber(u.Number) <= mainNumber(k.To) {
			return true
		}
	}
	return false
}

// mainNumber is the number of a unit without "bis" and letters; 0 without one.
func mainNumber(s string) int {
	n, _ := strconv.Atoi(s[:len(s)-len(strings.TrimLeft(s, "0123456789"))])
	return n
}
