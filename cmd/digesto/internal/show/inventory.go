package show

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"text/tabwriter"

	"digesto/cmd/digesto/internal/terminal"
	"digesto/corpus/inventory"
)

// Inventory prints what the library holds by jurisdiction and format.
func Inventory(to terminal.Screen, t inventory.Table) error {
	w := tabwriter.NewWriter(to, 0, 4, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "ámbito\tformato\tnormas\tunidades\tversiones\trige desde\tpublicada\tsin fecha\treferencias\tresueltas\tno instaladas\tsin unidad\t")
	line := func(r inventory.Row) {
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t\n", cmp.Or(terminal.Clean(r.Jurisdiction), "—"), cmp.Or(terminal.Clean(r.Format), "—"),
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
	fmt.Fprintln(to, "\nDefectos por clase:")
	for _, k := range slices.Sorted(maps.Keys(t.Defects)) {
		fmt.Fprintf(to, "  %-24s %d\n", terminal.Clean(k), t.Defects[k])
	}
	return nil
}
