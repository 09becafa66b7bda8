package corpus

import (
	"fmt"
	"strings"

	"digesto"
	"digesto/text/cite"
	"digesto/text/lazyregexp"
)

// Resolve finds the norm and unit that a citation means; unit is "" for a norm
// as a whole. within is where the citation stands, a norm or norm/unit: it
// gives the norm of a citation that names none and the place that "el artículo
// anterior" counts from. A norm that is named but not installed is not_found,
// never taken for the one the citation stands in. Of a range the first unit is given.
//
// Units that share a number (the approving decree and the approved text both
// have an article 1) are told apart by the consecutive run of articles they
// belong to: the one of the longest run is the body of the norm and is meant,
// the first one if runs are as long. Of two long texts (a law and the regulation
// that a file appends to it) the one with the plain id is meant.
func (s *Snapshot) Resolve(m cite.Mention, within string) (norm, unit string, err error) {
	home, place := s.place(within)
	switch {
	case m.Norm != "":
		return s.resolveIn(m.Norm, m, "")
	case len(m.Also) > 0:
		return s.resolveAmong(m, home)
	case m.Name != "" && !m.Relative:
		return "", "", errNoNorm(m.Name)
	case home == "":
		return "", "", &digesto.Error{Code: digesto.CodeNotFound,
			Message: fmt.Sprintf("«%s» no dice de qué norma es", m.Text),
			Hint:    "Nombre también la norma: por su título, su número y año o su sigla."}
	}
	return s.resolveIn(home, m, place)
}

// place splits norm/unit; norms may have slashes in their ids, units have none.
func (s *Snapshot) place(within string) (norm, unit string) {
	if n, ok := s.Norm(within); ok {
		return n.ID, ""
	}
	if i := strings.LastIndexByte(within, '/'); i > 0 {
		if n, ok := s.Norm(within[:i]); ok {
			return n.ID, within[i+1:]
		}
	}
	return "", ""
}

// resolveAmong takes the one candidate that has the unit; the norm the citation
// stands in comes first if it is a candidate.
func (s *Snapshot) resolveAmong(m cite.Mention, home string) (norm, unit string, err error) {
	var found []string
	for _, id := range m.Also {
		n, u, err := s.resolveIn(id, m, "")
		if err != nil {
			if digesto.CodeOf(err) != digesto.CodeNotFound {
				return "", "", err
			}
			continue
		}
		if n == home {
			return n, u, nil
		}
		found, norm, unit = append(found, n), n, u
	}
	switch len(found) {
	case 0:
		return "", "", errNoNorm(m.Name)
	case 1:
		return norm, unit, nil
	}
	return "", "", &digesto.Error{Code: digesto.CodeInvalid,
		Message: fmt.Sprintf("«%s» puede ser de varias normas: %s", m.Text, strings.Join(found, ", ")),
		Hint:    "Nombre la norma por su número y año."}
}

func (s *Snapshot) resolveIn(id string, m cite.Mention, place string) (norm, unit string, err error) {
	i, ok := s.c.find(id)
	if !ok {
		if m.Name != "" {
			id = m.Name
		}
		return "", "", errNoNorm(id)
	}
	n := s.c.entries[i].Norm
	if m.Unit == "" && (m.Number == "" || place == "") {
		return n.ID, "", nil
	}
	t, err := s.c.bodies[i].table()
	if err != nil {
		return "", "", err
	}
	at := t.main(m.Unit)
	if m.Unit == "" {
		at = t.relative(place, m.Kind, m.Number)
	}
	if at < 0 {
		what := m.Unit
		if what == "" {
			what = m.Text
		}
		return n.ID, "", errNoUnit(n, what)
	}
	return n.ID, t.refs[at].id, nil
}

// main gives the unit of an id, case ignored, in the body of the norm, or -1.
func (t *unitTable) main(id string) int {
	best := -1
	for i := range t.refs {
		base, _, _ := strings.Cut(t.refs[i].id, "~")
		if t.refs[i].id == id && base != id {
			return i // the id of one of several, spelt out
		}
		if strings.EqualFold(base, id) && (best < 0 || t.refs[i].run > t.refs[best].run) {
			best = i
		}
	}
	if at, ok := t.find(id); ok && best >= 0 && t.refs[at].run >= bodyRun && t.refs[at].run*2 >= t.refs[best].run {
		return at // two texts of a size: the reader gave the plain id to the norm's own
	}
	if other := onlyOne(id); best < 0 && other != "" {
		if at, ok := t.find(other); ok {
			return at
		}
	}
	return best
}

// onlyOne gives the other id of a disposition that is the only one of its kind: its
// heading may say so or not ("Disposición derogatoria única", "Disposición derogatoria").
func onlyOne(id string) string {
	switch kind, number := strings.CutSuffix(id, "unica"); {
	case len(kind) != 2 || kind[0] != 'd':
		return ""
	case number:
		return kind
	default:
		return kind + "unica"
	}
}

// bodyRun is how many articles make a text of its own, not a decree that
// approves one.
const bodyRun = 10

// relative gives the unit of a kind before or after a place, or the place
// itself, or -1.
func (t *unitTable) relative(place string, kind digesto.UnitKind, number string) int {
	at, ok := t.find(place)
	if !ok {
		return -1
	}
	step := 0
	switch number {
	case "anterior":
		step = -1
	case "siguiente":
		step = 1
	case "presente":
		return at
	default:
		return -1
	}
	for i := at + step; i >= 0 && i < len(t.refs); i += step {
		if t.refs[i].kind == kind {
			return i
		}
	}
	return -1
}

var pointWords = lazyregexp.New(`^(?:apartado|punto|numeral|secci[oó]n) (\d{1,3}(?:\.\d{1,3})*)\.?$`)

// Cited finds the unit of a norm that is meant by its id, by the number of an article, by
// words that cite it ("disposición final tercera") or, of a text that is divided by
// numbered points, by the point ("apartado 3", "apartado 2.1"): where the heading of a
// point is followed by those within it, the first of them.
func (s *Snapshot) Cited(norm, place string) (digesto.Unit, bool) {
	n, ok := s.Norm(norm)
	if !ok {
		return digesto.Unit{}, false
	}
	if u, ok := s.Unit(n.ID, place); ok {
		return u, true
	}
	if num, ok := cite.Number(place); ok {
		if u, ok := s.Unit(n.ID, cite.UnitID(digesto.KindArticle, num)); ok {
			return u, true
		}
	}
	for _, m := range cite.NewTable(nil, []digesto.Norm{n}).Find(place) {
		if in, unit, err := s.Resolve(m, n.ID); err == nil && in == n.ID && unit != "" {
			return s.Unit(in, unit)
		}
	}
	if m := pointWords.FindStringSubmatch(strings.ToLower(strings.TrimSpace(place))); m != nil {
		return s.point(n.ID, m[1])
	}
	return digesto.Unit{}, false
}

// point finds the section of a numbered point.
func (s *Snapshot) point(norm, number string) (digesto.Unit, bool) {
	i, _ := s.c.find(norm)
	t, err := s.c.bodies[i].table()
	if err != nil {
		return digesto.Unit{}, false
	}
	first := ""
	for _, r := range t.refs {
		if r.kind != digesto.KindSection {
			continue
		}
		if strings.HasPrefix(r.id, "s"+number+"-") {
			return s.Unit(norm, r.id)
		}
		if first == "" && strings.HasPrefix(r.id, "s"+number+".") {
			first = r.id
		}
	}
	if first == "" {
		return digesto.Unit{}, false
	}
	return s.Unit(norm, first)
}
