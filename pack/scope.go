package pack

import (
	"maps"
	"slices"
	"strings"

	"digesto"
)

// Sees says whether a norm belongs to what the pack is asked about: it was added
// to the pack or to none, is law of one of the pack's countries, and passes its
// mandatory filter.
func (p *Pack) Sees(n digesto.Norm) bool {
	return (len(n.Packs) == 0 || slices.Contains(n.Packs, p.Name)) && p.SameLaw(n) && p.Admits(n)
}

// SameLaw says whether a norm is of one of the pack's jurisdictions, or of a part
// of one; a norm that names none may be.
func (p *Pack) SameLaw(n digesto.Norm) bool {
	if n.Jurisdiction == "" || len(p.Jurisdictions) == 0 {
		return true
	}
	return slices.ContainsFunc(p.Jurisdictions, func(j string) bool {
		return j == n.Jurisdiction || strings.HasPrefix(n.Jurisdiction, j+"-")
	})
}

// Admits says whether a norm passes the pack's mandatory filter, which every
// search of the pack applies.
func (p *Pack) Admits(n digesto.Norm) bool {
	for field, want := range p.Filter {
		if got := map[string]string{"territory": n.Territory, "collection": n.Collection, "rank": n.Rank, "norm": n.ID}[field]; got != want {
			return false
		}
	}
	return true
}

// Narrow puts the pack over a filter: its own norms and those of no pack, the law
// of its jurisdictions and that which names none, and its mandatory filter, exactly and in the place of what the caller wished.
func (p *Pack) Narrow(f digesto.Filter) digesto.Filter {
	f.In = maps.Clone(f.In)
	if f.In == nil {
		f.In = map[string][]string{}
	}
	f.In["pack"] = []string{p.Name}
	f.Wider = append(slices.Clone(f.Wider), "pack")
	if len(p.Jurisdictions) > 0 && f.In["jurisdiction"] == nil {
		f.In["jurisdiction"] = slices.Clone(p.Jurisdictions)
		f.Wider = append(f.Wider, "jurisdiction")
	}
	for field, want := range p.Filter {
		f.In[field] = []string{want}
		f.Wider = slices.DeleteFunc(f.Wider, func(w string) bool { return w == field })
	}
	return f
}
