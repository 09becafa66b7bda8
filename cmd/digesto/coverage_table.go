package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"digesto"
	"digesto/app"
	"digesto/corpus"
)

// tableRow is what the library holds of one jurisdiction in one format.
type tableRow struct {
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

func (r *tableRow) add(o tableRow) {
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

// libraryTable is the table over all that is installed.
type libraryTable struct {
	Corpus  string         `json:"corpus"`
	Rows    []tableRow     `json:"rows"`
	Total   tableRow       `json:"total"`
	Defects map[string]int `json:"defects"`
}

// tableOf counts a snapshot.
func tableOf(snap *corpus.Snapshot) (libraryTable, error) {
	t := libraryTable{Corpus: snap.Hash(), Defects: map[string]int{}}
	for _, d := range snap.Defects() {
		t.Defects[d.Kind]++
	}
	units := unitNames{snap: snap, of: map[string]map[string]bool{}}
	rows := map[string]*tableRow{}
	for _, n := range snap.Norms() {
		key := n.Jurisdiction + "\x00" + n.Format
		if rows[key] == nil {
			rows[key] = &tableRow{Jurisdiction: n.Jurisdiction, Format: n.Format}
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

func (r *tableRow) versions(n digesto.Norm, u digesto.Unit) {
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

func (r *tableRow) references(units unitNames, home digesto.Norm, refs []digesto.Reference) error {
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

func (t libraryTable) print(a *program) error {
	w := tabwriter.NewWriter(a.out, 0, 4, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "ámbito\tformato\tnormas\tunidades\tversiones\trige desde\tpublicada\tsin fecha\treferencias\tresueltas\tno instaladas\tsin unidad\t")
	line := func(r tableRow) {
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t\n", cmp.Or(clean(r.Jurisdiction), "—"), cmp.Or(clean(r.Format), "—"),
			r.Norms, r.Units, r.Versions, r.InForceFrom, r.Published, r.Undated, r.References, r.Resolved, r.Elsewhere, r.Unresolved)
	}
	for _, r := range t.Rows {
		line(r)
	}
	total := t.Total
	total.Jurisdiction, total.Format = "todo", ""
	line(total)
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(a.out, "\nDefectos por clase:")
	for _, k := range slices.Sorted(maps.Keys(t.Defects)) {
		fmt.Fprintf(a.out, "  %-24s %d\n", clean(k), t.Defects[k])
	}
	return nil
}

// printNorms lists what each pack expects and what is there.
func printNorms(a *program, list []app.NormCompleteness) {
	st := a.outStyle()
	whole := 0
	for _, c := range list {
		state := st.bad("no está")
		switch {
		case c.Damaged:
			state = st.bad("dañada")
		case c.Complete:
			whole++
			state = st.good("completa")
		case c.Doubtful > 0:
			state = st.bad(fmt.Sprintf("con %d artículos dudosos", c.Doubtful))
		case c.Installed && c.Expected == 0: // nothing to hold it to
			state = "instalada"
		case c.Installed:
			state = st.bad("incompleta")
		}
		articles := fmt.Sprintf("%d artículos", c.Articles)
		if c.Expected > 0 {
			articles = fmt.Sprintf("%d de %d artículos", c.Articles, c.Expected)
		}
		fmt.Fprintf(a.out, "  %s  %s · %s · texto de %s\n", clean(c.ID), state, articles, orDash(c.TextAsOf))
	}
	fmt.Fprintf(a.out, "  %d de %d normas completas\n", whole, len(list))
}
