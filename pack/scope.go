package pack

import (
	"slices"
	"strings"

	"digesto"
)

// Sees says whether a norm belongs to what the pack is asked about: it was added
// to the pack or to none, and is law of one of the pack's countries.
func (p *Pack) Sees(n digesto.Norm) bool {
	return (len(n.Packs) == 0 || slices.Contains(n.Packs, p.Name)) && p.SameLaw(n)
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
