package corpus

import (
	"fmt"

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

// At gives the version of a unit in force on a day and how sure that is.
//
// The empty date asks for the text in force now: a version marked current of a
// norm that is not repealed. For a day, a version whose known bounds hold it
// comes first (the latest to begin, if several). Without one the current text
// is given if it began on an unknown day, and the answer is ForceAssumed.
// Former wordings of unknown dates are never given: they are history, and
// nothing proves that they held that day. Errors are not_found, or check_failed
// for damage.
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
	if at != "" && n.Published != "" && at < n.Published {
		return best, "", false
	}
	for i, raw := range u.Versions {
		v := bounded(n, raw)
		if at == "" {
			if v.Current {
				best, f, ok = v, ForceKnown, true
			}
			continue
		}
		from, to, ends := interval(n, u.Versions, i)
		switch {
		case to != "" && at >= to || from != "" && at < from:
		case from != "" && ends:
			if f != ForceKnown || from >= best.ValidFrom {
				best, f, ok = v, ForceKnown, true
			}
		case v.Current && !ok:
			best, f, ok = v, ForceAssumed, true
		}
	}
	return best, f, ok
}

// interval gives the days a version holds as far as its neighbours tell: it
// begins where the one before ended (the first one with the norm) and ends
// where the next begins. ends is false for a former wording whose end nobody
// knows; the last version of a norm in force has none, even if it only begins
// in the future and so is not current yet.
func interval(n digesto.Norm, versions []digesto.Version, i int) (from, to digesto.Date, ends bool) {
	v := bounded(n, versions[i])
	from, to = v.ValidFrom, v.ValidTo
	last := i == len(versions)-1
	if from == "" && i > 0 {
		from = versions[i-1].ValidTo
	}
	if from == "" && i == 0 && !versions[i].Current {
		from = n.Published
	}
	if to == "" && !v.Current && !last {
		to = versions[i+1].ValidFrom
	}
	return from, to, to != "" || v.Current || last && n.Status != digesto.StatusRepealed && v.ValidFrom != ""
}

func errNotInForce(n digesto.Norm, u digesto.Unit, at digesto.Date) error {
	e := &digesto.Error{Code: digesto.CodeNotFound,
		Message: fmt.Sprintf("No consta el texto en vigor el %s de %s (%s)", at, u.Label, n.ID),
		Hint:    fmt.Sprintf("Vea las versiones guardadas con «digesto corpus show %s %s».", n.ID, u.ID)}
	switch {
	case at == "" && n.Status == digesto.StatusRepealed:
		e.Message = fmt.Sprintf("%s está derogada: %s no tiene texto en vigor", n.ID, u.Label)
	case at == "":
		e.Message = fmt.Sprintf("%s (%s) no tiene texto en vigor: solo se guardan redacciones anteriores", u.Label, n.ID)
	case n.Published != "" && at < n.Published:
		e.Message = fmt.Sprintf("%s se publicó el %s: el %s aún no existía", n.ID, n.Published, at)
	}
	return e
}
