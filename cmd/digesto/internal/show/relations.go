package show

import (
	"fmt"
	"slices"
	"strings"

	"digesto"
	"digesto/cmd/digesto/internal/terminal"
	"digesto/corpus"
)

// Relations says who cites a unit and which norms changed it.
func Relations(w terminal.Screen, snap *corpus.Snapshot, u digesto.Unit, by []digesto.Reform, cited []corpus.Relation) {
	fmt.Fprintln(w, w.Bold(terminal.Clean(strings.TrimSpace(u.Label+". "+u.Rubric))))
	fmt.Fprintf(w, "Lo han modificado %s\n", terminal.Many(len(by), "norma", "normas"))
	for _, r := range by {
		fmt.Fprintln(w, terminal.Indent(terminal.Clean(reformLine(r)), w.Columns(), 2))
	}
	fmt.Fprintf(w, "Lo citan %s\n", terminal.Many(len(cited), "lugar", "lugares"))
	for rest := cited; len(rest) > 0; { // those of a norm together
		k := 1
		for k < len(rest) && rest[k].Norm == rest[0].Norm {
			k++
		}
		fmt.Fprintln(w, "  "+terminal.Clean(titleOf(snap, rest[0].Norm)))
		var labels []string
		for _, r := range rest[:k] {
			label := r.Unit
			if from, err := snap.Load(r.Norm, r.Unit); err == nil && from.Label != "" {
				label = from.Label
			}
			labels = append(labels, label)
		}
		fmt.Fprintln(w, w.Dim(terminal.Indent(terminal.Clean(strings.Join(slices.Compact(labels), ", ")), w.Columns(), 4)))
		rest = rest[k:]
	}
}

// actWords are the acts in words, of the norm that did them and of the text that bears them.
var actWords = map[digesto.Act][2]string{
	digesto.ActAmends: {"modifica", "modificado"}, digesto.ActAdds: {"añade", "añadido"}, digesto.ActRepeals: {"deroga", "derogado"},
	digesto.ActCites: {"cita", "citado"}, "": {"cambia", "cambiado"},
}

// Amendments says which norms changed a norm, and which it changed or repealed.
func Amendments(w terminal.Screen, snap *corpus.Snapshot, n digesto.Norm, r corpus.Amendments) {
	fmt.Fprintf(w, "%s\n%s\n", w.Bold(terminal.Clean(corpus.NameOf(n))), w.Dim(terminal.Clean(n.ID)+" · "+normFacts(n)))
	fmt.Fprintf(w, "La han modificado %s\n", terminal.Many(len(r.AmendedBy), "norma", "normas"))
	for _, x := range r.AmendedBy {
		line := reformLine(digesto.Reform{Norm: x.Norm, Name: x.Name, Published: x.Published})
		if by, ok := snap.Norm(x.Norm); ok {
			line += " · instalada: " + shortTitle(by)
		}
		fmt.Fprintln(w, "  "+terminal.Clean(line))
		for _, u := range x.Units {
			fmt.Fprintln(w, w.Dim("    "+terminal.Clean(touchedLine(u, 1))))
		}
	}
	fmt.Fprintf(w, "Modifica %s de lo instalado\n", terminal.Many(len(r.Amends), "artículo", "artículos"))
	for _, u := range r.Amends {
		fmt.Fprintln(w, "  "+terminal.Clean(touchedLine(u, 0)+" · "+titleOf(snap, u.Norm)))
	}
	fmt.Fprintf(w, "Sus disposiciones derogatorias nombran %s de lo instalado\n", terminal.Many(len(r.Repeals), "norma o artículo", "normas o artículos"))
	for _, x := range r.Repeals {
		fmt.Fprintln(w, "  "+terminal.Clean(strings.TrimSpace(x.Unit+" "+titleOf(snap, x.Norm))))
	}
	fmt.Fprintf(w, "La nombran %s\n", terminal.Many(len(r.RepealedBy), "disposición derogatoria de otra norma", "disposiciones derogatorias de otras normas"))
	for _, x := range r.RepealedBy {
		fmt.Fprintln(w, "  "+terminal.Clean(strings.TrimSpace(x.Unit+" "+titleOf(snap, x.Norm)+" "+x.ToUnit)))
	}
}

// touchedLine is a unit with what was done to it; side 0 says it of the norm that
// did it, 1 of the unit.
func touchedLine(u corpus.Touched, side int) string {
	s := u.Label
	if s == "" {
		s = u.Unit
	}
	if len(u.Parts) > 0 {
		s += ", " + partsOf(u.Parts)
	}
	s += ": " + actWords[u.Act][side]
	if u.From != "" {
		s += " desde el " + asWritten(u.From)
	}
	return s
}

// shortTitle is what fits on a line of a norm's title.
func shortTitle(n digesto.Norm) string {
	r := []rune(corpus.NameOf(n))
	if len(r) > 90 {
		return string(r[:89]) + "…"
	}
	return string(r)
}

func titleOf(snap *corpus.Snapshot, id string) string {
	if n, ok := snap.Norm(id); ok {
		return shortTitle(n) + " (" + id + ")"
	}
	return id
}
