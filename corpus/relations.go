package corpus

import (
	"maps"
	"slices"

	"digesto"
)

// Relation is one citation seen from the norm that is cited.
type Relation struct {
	Kind    digesto.Act `json:"kind"` // "cites"; by a text that changes others "amends"; in a repealing disposition "repeals"
	Norm    string      `json:"norm"` // where the citation stands
	Unit    string      `json:"unit"`
	Version string      `json:"version"`
	Start   int         `json:"start"` // code points in that version's text
	End     int         `json:"end"`
	ToUnit  string      `json:"to_unit,omitempty"` // unit cited; empty = the norm as a whole
	Detail  string      `json:"detail,omitempty"`
}

// CitedBy gives the places whose current text cites a unit of a norm, or, with
// an empty unit, the norm or any unit of it, from other norms. They come
// ordered by norm and text. Only norms that the manifest names as citing are read.
func (s *Snapshot) CitedBy(norm, unit string) ([]Relation, error) {
	target, ok := s.c.find(norm)
	if !ok {
		return nil, errNoNorm(norm)
	}
	ids := identifiers(&s.c.entries[target].Norm)
	var out []Relation
	for i := range s.c.entries {
		if i == target && unit == "" || i != target && !citesAny(s.c.cites(i), ids) {
			continue
		}
		for u, err := range s.c.bodies[i].all() {
			if err != nil {
				return nil, err
			}
			out = appendCitations(out, actOf(&s.c.entries[i].Norm, &u, i == target), &u, i == target, ids, unit)
		}
	}
	return out, nil
}

// actOf says what the citations of a unit do to other norms.
func actOf(n *digesto.Norm, u *digesto.Unit, home bool) digesto.Act {
	switch {
	case home:
		return digesto.ActCites
	case u.Kind == digesto.KindRepealing:
		return digesto.ActRepeals
	case n.Amending || u.Amending:
		return digesto.ActAmends
	}
	return digesto.ActCites
}

// appendCitations adds those references of a unit that mean the target, which
// answers to ids; home says that the unit stands in the target itself.
func appendCitations(out []Relation, kind digesto.Act, u *digesto.Unit, home bool, ids []string, unit string) []Relation {
	for j := range u.Versions {
		v := &u.Versions[j]
		if !v.Current {
			continue
		}
		for _, r := range v.Refs {
			own := home && r.Norm == "" && r.Name == ""
			if !own && !slices.Contains(ids, foldID(r.Norm)) || unit != "" && r.Unit != unit {
				continue
			}
			out = append(out, Relation{kind, u.Norm, u.ID, v.ID, r.Start, r.End, r.Unit, r.Detail})
		}
	}
	return out
}

// citesOf gives the other norms that units cite, or whose reforms they tell of, each
// once, in order: what the manifest keeps so that the question who cites a norm,
// and whom it changed, need not read all text.
func citesOf(units []digesto.Unit) []string {
	seen := map[string]bool{}
	for i := range units {
		for j := range units[i].Versions {
			for _, r := range units[i].Versions[j].Refs {
				if r.Norm != "" {
					seen[foldID(r.Norm)] = true
				}
			}
			for _, r := range units[i].Versions[j].Reforms {
				if r.Norm != "" {
					seen[foldID(r.Norm)] = true
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(seen))
}

// cites gives the folded ids of the norms that an entry cites.
func (c *core) cites(i int) []string {
	if m, ok := c.bodies[i].(*memoryBody); ok {
		return citesOf(m.units)
	}
	return c.entries[i].cites
}

func citesAny(cites, ids []string) bool {
	for _, id := range ids {
		if _, ok := slices.BinarySearch(cites, id); ok {
			return true
		}
	}
	return false
}
