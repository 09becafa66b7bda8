package corpus

import (
	"cmp"
	"slices"

	"digesto"
)

// Touched is a unit that a norm changed, and how.
type Touched struct {
	Act   digesto.Act  `json:"act,omitempty"` // "" = the note does not say
	Norm  string       `json:"norm"`
	Unit  string       `json:"unit"`
	Label string       `json:"label,omitempty"`
	Parts []string     `json:"parts,omitempty"` // numbers of the paragraphs changed; none = all, or not said
	From  digesto.Date `json:"from,omitempty"`
}

// Amendment is a norm that changed another, with the units that it changed.
type Amendment struct {
	Norm      string       `json:"norm,omitempty"` // its id, where the notes or its name give it
	Name      string       `json:"name"`
	Published digesto.Date `json:"published,omitempty"`
	Units     []Touched    `json:"units"`
}

// Amendments is the place of a norm among the others: which changed it and which
// it changed, as the notes beside the texts tell, and what repealing dispositions say.
type Amendments struct {
	AmendedBy  []Amendment `json:"amended_by"`  // newest first
	Amends     []Touched   `json:"amends"`      // installed units whose notes name this norm
	Repeals    []Relation  `json:"repeals"`     // what its own repealing dispositions name: Norm and Unit are of what is named
	RepealedBy []Relation  `json:"repealed_by"` // the repealing dispositions of others that name it
}

// Amendments gives the relations of a norm. Errors are not_found, or
// check_failed for damage.
func (s *Snapshot) Amendments(norm string) (Amendments, error) {
	a := Amendments{AmendedBy: []Amendment{}, Amends: []Touched{}, Repeals: []Relation{}, RepealedBy: []Relation{}}
	at, ok := s.c.find(norm)
	if !ok {
		return a, errNoNorm(norm)
	}
	ids := identifiers(&s.c.entries[at].Norm)
	for u, err := range s.c.bodies[at].all() {
		if err != nil {
			return a, err
		}
		a.addReforms(&u)
		if u.Kind == digesto.KindRepealing {
			a.addRepeals(&u)
		}
	}
	slices.SortStableFunc(a.AmendedBy, func(x, y Amendment) int { return cmp.Compare(y.Published, x.Published) })
	for i := range s.c.entries {
		if i == at || !citesAny(s.c.cites(i), ids) {
			continue
		}
		for u, err := range s.c.bodies[i].all() {
			if err != nil {
				return a, err
			}
			a.addTouched(&u, ids)
			if u.Kind == digesto.KindRepealing {
				a.RepealedBy = appendCitations(a.RepealedBy, digesto.ActRepeals, &u, false, ids, "")
			}
		}
	}
	return a, nil
}

// addReforms enters the changes that the notes of a unit of the norm tell of.
func (a *Amendments) addReforms(u *digesto.Unit) {
	for _, r := range reformsOf(u) {
		k := slices.IndexFunc(a.AmendedBy, func(x Amendment) bool {
			return r.Norm != "" && x.Norm == r.Norm || x.Name == r.Name && (x.Norm == "" || r.Norm == "")
		})
		if k < 0 {
			k = len(a.AmendedBy)
			a.AmendedBy = append(a.AmendedBy, Amendment{Norm: r.Norm, Name: r.Name})
		}
		x := &a.AmendedBy[k]
		x.Norm, x.Published = cmp.Or(x.Norm, r.Norm), cmp.Or(x.Published, r.Day())
		x.Units = append(x.Units, touched(u, r))
	}
}

// addTouched enters the changes of a unit of another norm that this one made.
func (a *Amendments) addTouched(u *digesto.Unit, ids []string) {
	for _, r := range reformsOf(u) {
		if slices.Contains(ids, foldID(r.Norm)) {
			a.Amends = append(a.Amends, touched(u, r))
		}
	}
}

// addRepeals enters the norms that a repealing disposition of the norm names.
func (a *Amendments) addRepeals(u *digesto.Unit) {
	for j := range u.Versions {
		v := &u.Versions[j]
		if !v.Current {
			continue
		}
		for _, r := range v.Refs {
			if r.Norm != "" && foldID(r.Norm) != foldID(u.Norm) {
				a.Repeals = append(a.Repeals, Relation{digesto.ActRepeals, r.Norm, r.Unit, v.ID, r.Start, r.End, "", r.Detail})
			}
		}
	}
}

func touched(u *digesto.Unit, r digesto.Reform) Touched {
	return Touched{Act: r.Act, Norm: u.Norm, Unit: u.ID, Label: u.Label, Parts: r.Parts, From: r.From}
}

// reformsOf gives every change that any wording of a unit tells of, once: those of
// its notes, and of official XML the norm that gave the wording.
func reformsOf(u *digesto.Unit) (out []digesto.Reform) {
	for j := range u.Versions {
		for _, r := range u.Versions[j].Reforms {
			if !slices.ContainsFunc(out, func(o digesto.Reform) bool {
				return o.Name == r.Name && o.Day() == r.Day() && slices.Equal(o.Parts, r.Parts)
			}) {
				out = append(out, r)
			}
		}
	}
	for j := range u.Versions {
		v := &u.Versions[j]
		for _, by := range v.AmendedBy {
			if !slices.ContainsFunc(out, func(o digesto.Reform) bool { return foldID(o.Norm) == foldID(by) || o.Name == by }) {
				out = append(out, digesto.Reform{Norm: by, Name: by, Published: v.Published, From: v.ValidFrom})
			}
		}
	}
	return out
}
