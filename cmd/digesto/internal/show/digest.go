package show

import (
	"fmt"
	"maps"
	"slices"

	"digesto/cmd/digesto/internal/terminal"
	"digesto/digest"
	"digesto/pack"
)

// Digest prints the questions that lead to the law, counted by pack, and what is wrong with them.
func Digest(w terminal.Screen, reports map[string]digest.Report, families []digest.Family, bad []pack.Problem) {
	for _, p := range bad {
		fmt.Fprintln(w, terminal.Clean(p.String()))
	}
	for _, f := range families {
		fmt.Fprintf(w, "%d preguntas con un mismo patrón: %s (p. ej. %s:%d «%s»)\n", len(f.Asks), f.Skeleton, f.Asks[0].Entry.File, f.Asks[0].Ask.Line, terminal.Clean(f.Asks[0].Ask.Text))
	}
	for _, n := range slices.Sorted(maps.Keys(reports)) {
		r := reports[n]
		fmt.Fprintf(w, "%s: %d normas, %d lugares, %d entradas, %d de lo que no está; preguntas:", n, r.Norms, r.Places, r.Entries, r.Elsewhere)
		for _, k := range digest.Kinds {
			fmt.Fprintf(w, " %s %d", k, r.Asks[k])
		}
		fmt.Fprintf(w, "; %d comparadas con la ley\n", r.Compared)
	}
	fmt.Fprintf(w, "%d defectos\n", len(bad))
}

// DigestCoverage prints, by pack and norm, to how much of the installed law questions lead.
func DigestCoverage(to terminal.Screen, by map[string]digest.Coverage) {
	for _, name := range slices.Sorted(maps.Keys(by)) {
		units, places := 0, 0
		for _, n := range by[name].Norms {
			fmt.Fprintf(to, "%s\t%s\t%d de %d unidades\t%d entradas\t%d preguntas\n", name, n.Norm, n.Places, n.Units, n.Entries, n.Asks)
			units, places = units+n.Units, places+n.Places
		}
		for _, w := range by[name].Withdrawn {
			fmt.Fprintf(to, "%s\t%s\tretirada: %s\t%s\n", name, w.Place, w.Why, terminal.Clean(w.Ask))
		}
		fmt.Fprintf(to, "%s: %d normas, %d de %d unidades; %d entradas retiradas\n", name, len(by[name].Norms), places, units, len(by[name].Withdrawn))
	}
}
