package retrieve

import (
	"slices"
	"strings"

	"digesto"
	"digesto/extract"
	"digesto/query"
	"digesto/text"
)

// copiedRunes is how much of the beginning of two texts must be the same, letter by
// letter, for one to be a copy of the other: what follows may differ by a note of its publisher.
const copiedRunes = 160

// DropCopies leaves of a unit that is installed twice, in two files of one norm that
// do not say that they are one, the copy that is best identified. Both would say the
// same twice, and each would take from the other what tells it from the rest.
func (h *Hits) DropCopies() {
	byUnit := map[string][]int{}
	gone, twin := map[int]bool{}, map[string]string{}
	for k := range h.List {
		x := &h.List[k]
		if !x.Law || x.Exact {
			continue
		}
		for _, o := range byUnit[x.Unit.ID] {
			y := &h.List[o]
			if gone[o] || x.Norm.ID == y.Norm.ID || h.distinct(x.Norm, y.Norm) || !copied(x.Version.Text, y.Version.Text) {
				continue
			}
			x.Score, y.Score = max(x.Score, y.Score), max(x.Score, y.Score)
			if h.known(x.Norm) > h.known(y.Norm) {
				gone[o], twin[y.Norm.ID] = true, x.Norm.ID
			} else {
				gone[k], twin[x.Norm.ID] = true, y.Norm.ID
				break
			}
		}
		byUnit[x.Unit.ID] = append(byUnit[x.Unit.ID], k)
	}
	if len(gone) == 0 {
		return
	}
	at := -1
	h.List = slices.DeleteFunc(h.List, func(Hit) bool { at++; return gone[at] })
	for k := range h.List { // what else was found of a copy is quoted from the norm that it copies
		if x := &h.List[k]; x.Law && !x.Exact && twin[x.Norm.ID] != "" {
			h.original(x, twin[x.Norm.ID])
		}
	}
}

// original puts the unit of a norm in the place of its copy.
func (h *Hits) original(x *Hit, norm string) {
	y, ok := h.Ground(h.Law, norm, x.Unit.ID)
	if !ok || !copied(x.Version.Text, y.Version.Text) || h.at(&y) >= 0 {
		return
	}
	x.Ground, x.Assumed = y.Ground, y.Assumed
	x.Prepared = h.Units.Get(h.An, x.Ground).Proven(x.Version, h.History())
}

// distinct says that two norms are named as two: each is one that the pack's list of
// sources knows.
func (h *Hits) distinct(a, b digesto.Norm) bool {
	return h.known(a) == knownSource && h.known(b) == knownSource
}

// knownSource is how well a norm is identified that a list of official sources names.
const knownSource = 2

// known is how well a norm is identified: by the pack's sources, by its country, not at all.
func (h *Hits) known(n digesto.Norm) int {
	for _, s := range h.Pack.Sources {
		if s.ID == n.ID {
			return knownSource
		}
	}
	return int(extract.OneIf(n.Jurisdiction != ""))
}

// copied says that two texts begin the same.
func copied(a, b string) bool {
	x, y := strings.Fields(text.Fold(query.CutRunes(a, 2*copiedRunes))), strings.Fields(text.Fold(query.CutRunes(b, 2*copiedRunes)))
	s, t := strings.Join(x, " "), strings.Join(y, " ")
	n := min(len(s), len(t), copiedRunes)
	return n > 0 && s[:n] == t[:n] && (n == copiedRunes || len(s) == len(t))
}
