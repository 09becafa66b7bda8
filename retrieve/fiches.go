package retrieve

import (
	"digesto"
	"digesto/pack"
	"digesto/query"
	"digesto/verify"
)

// A fiche restates a place of the law. When that place is installed and no text of it is
// in force on the day asked for, the fiche says what is no longer law: it is withdrawn.

// Lapsed says that a fiche has lost its law, and why, in Spanish.
func (h Hits) Lapsed(x Hit) (why string, ok bool) {
	_, fact, found := h.Pack.FicheOf(x.Norm.ID, x.Unit.ID)
	if !found {
		return "", false
	}
	return h.LapsedFact(fact)
}

// WithoutLaw says that a fiche has lost its law.
func (h Hits) WithoutLaw(x Hit) bool {
	_, ok := h.Lapsed(x)
	return ok
}

func (h Hits) LapsedFact(fact pack.Fact) (why string, ok bool) {
	if h.Law.Empty() {
		return "", false
	}
	return Lapsed(h.Law, fact, h.History())
}

// Lapsed says that the law which a fact of a fiche restates is installed and not in force
// on a day ("" = today), and why, in Spanish. A place that is not installed says nothing.
func Lapsed(v query.View, fact pack.Fact, day digesto.Date) (why string, ok bool) {
	n, found := v.Snapshot.Norm(fact.Norm)
	if !found || fact.Norm == "" || fact.Year != "" { // a figure of a past year stays that of its year
		return "", false
	}
	if verify.Repealed(n, day) {
		if n.StatusNote != "" {
			return n.StatusNote, true
		}
		return n.Title + " está derogada.", true
	}
	u, found := v.Snapshot.Unit(n.ID, fact.Place)
	if fact.Place == "" || !found || day != "" {
		return "", false
	}
	for _, x := range u.Versions {
		if x.Current {
			return "", false
		}
	}
	return u.Label + " de " + n.Title + " no tiene texto en vigor.", true
}

// DetailOf gives what a fiche's locator names below its unit ("5.2" → "2").
func (h *Hits) DetailOf(fact pack.Fact) string {
	if list := h.Table.Find(fact.Ref); len(list) > 0 {
		return list[0].Detail
	}
	return ""
}
