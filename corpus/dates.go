package corpus

import (
	"fmt"
	"slices"

	"digesto"
)

// Force says how sure it is that a version held on the day asked for.
type Force string

// The degrees of certainty.
const (
	ForceKnown   Force = "known"   // both bounds around the day are known, or the text is the current one and no day was asked
	ForceAssumed Force = "assumed" // the current text, but since when it holds is unknown
)

// Text gives the version of a unit in force on a day, or the current one for
// the empty date: see [Snapshot.At].
func (s *Snapshot) Text(norm, unit string, at digesto.Date) (digesto.Version, error) {
	v, _, err := s.At(norm, unit, at)
	return v, err
}

// At gives the version of a unit in force on a day and how sure that is. Bounds
// that its neighbours prove are filled in.
//
// The empty date asks for the text in force now: a version marked current of a
// norm that is not repealed. For a day, a version whose known bounds hold it
// comes first (the latest to begin, if several). A version of which only the
// publication is known counts from that day, and one whose end is not known
// until the next was published: the answer is then ForceAssumed. So is the
// current text that began on an unknown day. Former wordings without any date
// are never given: they are history, and nothing proves that they held that
// day. Errors are not_found, or check_failed for damage.
func (s *Snapshot) At(norm, unit string, at digesto.Date) (digesto.Version, Force, error) {
	u, err := s.Load(norm, unit)
	if err != nil {
		return digesto.Version{}, "", err
	}
	n, _ := s.Norm(norm)
	v, f, ok := inForce(n, u, at)
	if !ok {
		return digesto.Version{}, "", errNotInForce(n, u, at)
	}
	return v, f, nil
}

func inForce(n digesto.Norm, u digesto.Unit, at digesto.Date) (best digesto.Version, f Force, ok bool) {
	if at != "" && at < began(n) {
		return best, "", false
	}
	var begin digesto.Date // of best
	for i := range u.Versions {
		v, p := proven(n, u.Versions, i)
		if at == "" {
			if v.Current {
				best, f, ok = v, ForceKnown, true
			}
			continue
		}
		switch {
		case !p.holds(at), foreign(v), changedOnUnknownDay(v), waitsForEvent(v):
		case p.known:
			if f != ForceKnown || p.from >= begin {
				best, f, ok, begin = v, ForceKnown, true, p.from
			}
		case f != ForceKnown && (!ok || p.from >= begin):
			best, f, ok, begin = v, ForceAssumed, true, p.from
		}
	}
	return best, f, ok
}

// period is when a version holds as far as its dates and its neighbours tell.
type period struct {
	from, to digesto.Date // to is the first day out; "" = open
	ends     bool         // it is known until when, or that it is the last
	known    bool         // from is the day it took effect, not only that of its publication
}

func (p period) holds(at digesto.Date) bool {
	return p.ends && (p.from == "" || at >= p.from) && (p.to == "" || at < p.to)
}

// proven gives a version as the state of its norm leaves it, with the bounds
// that its neighbours prove, and its period: it begins where the one before
// ended (the first one with the norm) and ends where the next begins. The last
// version of a norm in force has no end, even if it only begins in the future
// and so is not current yet. A former wording whose end nobody knows does not hold.
func proven(n digesto.Norm, versions []digesto.Version, i int) (digesto.Version, period) {
	v := bounded(n, versions[i])
	last := i == len(versions)-1
	if v.ValidFrom == "" && i > 0 {
		v.ValidFrom = versions[i-1].ValidTo
	}
	if v.ValidTo == "" && !v.Current && !last {
		v.ValidTo = versions[i+1].ValidFrom
	}
	p := period{from: v.ValidFrom, to: v.ValidTo, known: v.ValidFrom != ""}
	if p.from == "" {
		p.from = published(v)
	}
	if p.to == "" {
		p.to = v.Replaced
	}
	if p.from == "" && i == 0 && !v.Current && p.to != "" && (v.Replaced != "" || versions[i].ValidTo != "") {
		p.from, p.known = n.Published, n.Published != "" // the wording with which the norm was published
		if v.Published == "" {
			v.Published = n.Published
		}
	}
	if p.from == "" && versions[i].Current && v.ValidTo != "" {
		p.from = began(n) // the last text of a norm repealed since
	}
	p.ends = v.Current || p.to != "" && p.from != "" || last && n.Status != digesto.StatusRepealed && v.ValidFrom != ""
	p.known = p.known || v.Current && v.ValidFrom != ""
	return v, p
}

// began is the first day on which a norm can have been law: that which it names
// itself, else that of its publication; "" = unknown.
func began(n digesto.Norm) digesto.Date {
	if n.InForce != "" {
		return n.InForce
	}
	return n.Published
}

// Proven gives a version as [Snapshot.At] does: without force in a repealed
// norm, and with the bounds that its neighbours prove.
func Proven(n digesto.Norm, u digesto.Unit, i int) digesto.Version {
	v, _ := proven(n, u.Versions, i)
	return v
}

func foreign(v digesto.Version) bool {
	_, ok := v.Foreign()
	return ok
}

// changedOnUnknownDay says that a text has a change of which no day is known: nothing
// shows that it said this on any day of the past.
func changedOnUnknownDay(v digesto.Version) bool {
	return v.ValidFrom == "" && v.ValidTo == "" && len(v.Reforms) > 0 && published(v) == ""
}

// waitsForEvent says that a text came to hold with an event of which no day is given.
func waitsForEvent(v digesto.Version) bool {
	return v.ValidFrom == "" && slices.ContainsFunc(v.Defects, func(d digesto.TextDefect) bool { return d.Kind == digesto.DefectConditional })
}

// published is the day before which a text cannot have been law: that of its
// publication, else the day that the latest norm which changed it bears.
func published(v digesto.Version) (d digesto.Date) {
	if v.Published != "" {
		return v.Published
	}
	for _, r := range v.Reforms {
		d = max(d, r.Day())
	}
	return d
}

func errNotInForce(n digesto.Norm, u digesto.Unit, at digesto.Date) error {
	e := &digesto.Error{Code: digesto.CodeNotFound,
		Message: fmt.Sprintf("No consta el texto en vigor el %s de %s (%s)", at, u.Label, n.ID),
		Hint:    fmt.Sprintf("Vea las versiones guardadas con «digesto corpus show %s %s --versions».", n.ID, u.ID)}
	switch {
	case at == "" && n.Status == digesto.StatusRepealed:
		e.Message = fmt.Sprintf("%s está derogada: %s no tiene texto en vigor", n.ID, u.Label)
	case at == "":
		e.Message = fmt.Sprintf("%s (%s) no tiene texto en vigor: solo se guardan redacciones anteriores", u.Label, n.ID)
	case n.InForce != "" && at < n.InForce && at >= n.Published:
		e.Message = fmt.Sprintf("%s se publicó el %s y rige desde el %s: el %s aún no estaba en vigor", n.ID, n.Published, n.InForce, at)
	case n.Published != "" && at < n.Published:
		e.Message = fmt.Sprintf("%s se publicó el %s: el %s aún no existía", n.ID, n.Published, at)
	}
	return e
}
