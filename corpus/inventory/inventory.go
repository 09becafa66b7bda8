// Package inventory counts what a library holds: norms, units, versions and how they are dated,
// references and where they lead, defects.
package inventory

import (
	"maps"
	"slices"
	"strings"

	"digesto"
	"digesto/corpus"
)

// Row is what the library holds of one jurisdiction in one format.
type Row struct {
	Jurisdiction string `json:"jurisdiction"`
	Format       string `json:"format"`
	Norms        int    `json:"norms"`
	Units        int    `json:"units"`
	Versions     int    `json:"versions"`
	InForceFrom  int    `json:"versions_in_force_from"`    // versions of which it is known since when they hold
	Published    int    `json:"versions_published"`        // others of which the day of publication is known
	Undated      int    `json:"versions_undated"`          // and those of which nothing is
	References   int    `json:"references"`                // found in the text
	Resolved     int    `json:"references_resolved"`       // to an installed norm or unit
	Elsewhere    int    `json:"references_not_installed"`  // to a norm that is named and is not installed
	Unresolved   int    `json:"references_unit_not_found"` // to a unit that the installed norm does not have
}

func (r *Row) add(o Row) {
	r.Norms += o.Norms
	r.Units += o.Units
	r.Versions += o.Versions
	r.InForceFrom += o.InForceFrom
	r.Published += o.Published
	r.Undated += o.Undated
	r.References += o.References
	r.Resolved += o.Resolved
	r.Elsewhere += o.Elsewhere
	r.Unresolved += o.Unresolved
}

// Table is the table over all that is installed.
type Table struct {
	Corpus  string         `json:"corpus"`
	Rows    []Row          `json:"rows"`
	Total   Row            `json:"total"`
	Defects map[string]int `json:"defects"`
}

// Of counts a snapshot.
func Of(snap *corpus.Snapshot) (Table, error) {
	t := Table{Corpus: snap.Hash(), Defects: map[string]int{}}
	for _, d := range snap.Defects() {
		t.Defects[d.Kind]++
	}
	units := unitNames{snap: snap, of: map[string]map[string]bool{}}
	rows := map[string]*Row{}
	for _, n := range snap.Norms() {
		key := n.Jurisdiction + "\x00" + n.Format
		if rows[key] == nil {
			rows[key] = &Row{Jurisdiction: n.Jurisdiction, Format: n.Format}
		}
		r := rows[key]
		r.Norms++
		for u, err := range snap.All(n.ID) {
			if err != nil {
				return t, err
			}
			r.Units++
			r.versions(n, u)
			for _, v := range u.Versions {
				if err := r.references(units, n, v.Refs); err != nil {
					return t, err
				}
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(rows)) {
		t.Rows = append(t.Rows, *rows[key])
		t.Total.add(*rows[key])
	}
	return t, nil
}

func (r *Row) versions(n digesto.Norm, u digesto.Unit) {
	for i := range u.Versions {
		r.Versions++
		switch v := corpus.Proven(n, u, i); {
		case v.ValidFrom != "":
			r.InForceFrom++
		case v.Published != "":
			r.Published++
		default:
			r.Undated++
		}
	}
}

func (r *Row) references(units unitNames, home digesto.Norm, refs []digesto.Reference) error {
	for _, ref := range refs {
		r.References++
		norm := ref.Norm
		if norm == "" && ref.Name == "" {
			norm = home.ID
		}
		has, installed, err := units.has(norm, ref.Unit)
		switch {
		case err != nil:
			return err
		case !installed:
			r.Elsewhere++
		case !has:
			r.Unresolved++
		default:
			r.Resolved++
		}
	}
	return nil
}

// unitNames knows the units of norms, each norm read once.
type unitNames struct {
	snap *corpus.Snapshot
	of   map[string]map[string]bool
}

func (u unitNames) has(norm, unit string) (has, installed bool, err error) {
	n, ok := u.snap.Norm(norm)
	if norm == "" || !ok {
		return false, false, nil
	}
	if unit == "" {
		return true, true, nil
	}
	set := u.of[n.ID]
	if set == nil {
		set = map[string]bool{}
		for x, err := range u.snap.All(n.ID) {
			if err != nil {
				return false, true, err
			}
			set[strings.ToLower(x.ID)] = true
		}
		u.of[n.ID] = set
	}
	return set[strings.ToLower(unit)], true, nil
}
