package show

import (
	"cmp"
	"fmt"
	"strings"

	"digesto"
	"digesto/cmd/digesto/internal/terminal"
	"digesto/corpus"
	"digesto/corpus/sync"
	"digesto/text/diff"
)

// normFacts is what is known of a norm, in one line.
func normFacts(n digesto.Norm) string {
	var parts []string
	for _, p := range []string{strings.ReplaceAll(n.Rank, "_", " "), cmp.Or(n.Territory, n.Jurisdiction), n.Collection, strings.Join(n.Packs, ", ")} {
		if p != "" {
			parts = append(parts, p)
		}
	}
	if n.TextAsOf != "" {
		parts = append(parts, "con reformas hasta el "+asWritten(n.TextAsOf))
	}
	switch n.Status {
	case digesto.StatusRepealed:
		parts = append(parts, "derogada")
	case digesto.StatusPartial:
		parts = append(parts, "derogada en parte")
	case digesto.StatusInForce:
		if n.RepealedFrom != "" {
			parts = append(parts, "deja de regir el "+asWritten(n.RepealedFrom))
		}
	}
	switch {
	case n.Official:
		parts = append(parts, "oficial, de "+sync.HostOf(n.Proof))
	case n.Claim != "":
		parts = append(parts, corpus.SuppliedMark+" (dice venir de "+sync.HostOf(n.Claim)+")")
	case n.Supplied:
		parts = append(parts, corpus.SuppliedMark)
	}
	return terminal.Clean(strings.Join(parts, " · "))
}

// UnitLine is a line of a table of contents.
type UnitLine struct {
	ID       string   `json:"id"`
	Label    string   `json:"label"`
	Rubric   string   `json:"rubric,omitempty"`
	Path     []string `json:"path,omitempty"`
	Versions int      `json:"versions"`
}

// Unit shows one version of a unit with all that is known of it.
func Unit(w terminal.Screen, n digesto.Norm, u digesto.Unit, v digesto.Version) {
	fmt.Fprintf(w, "%s\n%s\n", w.Bold(terminal.Clean(strings.TrimSpace(u.Label+". "+u.Rubric))), w.Dim(terminal.Clean(strings.Join(append([]string{corpus.NameOf(n)}, u.Path...), " > "))))
	fmt.Fprintln(w, w.Dim(versionFacts(v)))
	for _, r := range v.Unseen {
		fmt.Fprintln(w, terminal.Indent("aviso: mientras se muestra esta redacción hubo otra reforma cuyo texto no está en la fuente: "+terminal.Clean(reformLine(r)), w.Columns(), 0))
	}
	for _, d := range v.Defects {
		fmt.Fprintln(w, terminal.Indent("aviso: "+terminal.Clean(d.Detail), w.Columns(), 0))
	}
	for para := range strings.SplitSeq(v.Text, "\n") {
		fmt.Fprintln(w, terminal.Indent(terminal.Clean(para), w.Columns(), 2))
	}
	for _, note := range v.Notes {
		fmt.Fprintln(w, w.Dim(terminal.Indent("nota: "+terminal.Clean(note), w.Columns(), 2)))
	}
	if len(u.Versions) > 1 {
		fmt.Fprintln(w, w.Dim(fmt.Sprintf("Tiene %d redacciones; con «--versions» se ven todas.", len(u.Versions))))
	}
}

// versionFacts says when a wording holds, as people say it.
func versionFacts(v digesto.Version) string {
	kind := "redacción vigente"
	if !v.Current {
		kind = "redacción anterior"
	}
	s := kind + ": no consta desde cuándo rige"
	switch from, to := asWritten(v.ValidFrom), asWritten(v.ValidTo); {
	case from != "" && to != "":
		s = kind + ": del " + from + " al " + to + ", este ya no"
	case from != "":
		s = kind + ": desde el " + from
	case to != "":
		s = kind + ": hasta el " + to + ", este ya no; no consta desde cuándo"
	}
	if len(v.Pages) > 0 {
		first, last := v.Pages[0].Page, v.Pages[len(v.Pages)-1].Page
		s += fmt.Sprintf(" · página %d", first)
		if last != first {
			s = strings.TrimSuffix(s, fmt.Sprintf("página %d", first)) + fmt.Sprintf("páginas %d a %d", first, last)
		}
	}
	return s
}

// Versions lists the wordings of a unit with all that dates them.
func Versions(w terminal.Screen, n digesto.Norm, u digesto.Unit, versions []digesto.Version) {
	fmt.Fprintf(w, "%s\n%s\n", w.Bold(terminal.Clean(strings.TrimSpace(u.Label+". "+u.Rubric))), w.Dim(terminal.Clean(corpus.NameOf(n))))
	for i, v := range versions {
		line := versionFacts(v)
		if v.Published != "" {
			line += " · publicada el " + asWritten(v.Published)
		}
		line += replacedWords(versions, i)
		fmt.Fprintln(w, terminal.Indent(line+" · "+terminal.Many(len(strings.Fields(v.Text)), "palabra", "palabras"), w.Columns(), 2))
		for _, r := range v.Unseen {
			fmt.Fprintln(w, w.Dim(terminal.Indent("hubo otra cuyo texto no se guarda: "+terminal.Clean(reformLine(r)), w.Columns(), 4)))
		}
	}
}

// replacedWords says since when a wording may be another: on a day, if the text that
// followed was published on it, and else, of two saved states, not before a day.
func replacedWords(versions []digesto.Version, i int) string {
	v := versions[i]
	switch {
	case v.ValidTo != "" || v.Replaced == "":
		return ""
	case i+1 < len(versions) && versions[i+1].Published != v.Replaced:
		return " · la siguiente no es anterior al " + asWritten(v.Replaced)
	}
	return " · la siguiente se publicó el " + asWritten(v.Replaced)
}

func reformLine(r digesto.Reform) string {
	s := r.Name
	if r.Norm != "" {
		s += " (" + r.Norm + ")"
	}
	if len(r.Parts) > 0 {
		s += ", " + partsOf(r.Parts)
	}
	if r.Published != "" {
		s += ", publicada el " + asWritten(r.Published)
	} else if r.Enacted != "" {
		s += ", del " + asWritten(r.Enacted)
	}
	if r.From != "" {
		s += ", en vigor desde el " + asWritten(r.From)
	}
	return s
}

// partsOf names paragraphs: "apartado 7", "apartados 4, 5 y 6".
func partsOf(parts []string) string {
	last := len(parts) - 1
	if last == 0 {
		return "apartado " + parts[0]
	}
	return "apartados " + strings.Join(parts[:last], ", ") + " y " + parts[last]
}

// Library lists the norms installed, of a snapshot with that hash.
func Library(w terminal.Screen, norms []digesto.Norm, hash string) {
	for _, n := range norms {
		fmt.Fprintf(w, "%s  %s\n", w.Bold(terminal.Clean(n.ID)), terminal.Clean(corpus.NameOf(n)))
		fmt.Fprintln(w, w.Dim("    "+normFacts(n)))
	}
	fmt.Fprintf(w, "%s · instantánea %.12s\n", terminal.Many(len(norms), "norma", "normas"), hash)
}

// Contents prints the table of contents of a norm.
func Contents(w terminal.Screen, n digesto.Norm, lines []UnitLine) {
	fmt.Fprintf(w, "%s\n%s\n", w.Bold(terminal.Clean(corpus.NameOf(n))), w.Dim(terminal.Clean(n.ID)+" · "+normFacts(n)))
	if n.StatusNote != "" {
		fmt.Fprintln(w, terminal.Clean(n.StatusNote))
	}
	path := ""
	for _, l := range lines {
		if p := strings.Join(l.Path, " > "); p != path {
			path = p
			fmt.Fprintln(w, "\n"+w.Bold(terminal.Clean(p)))
		}
		fmt.Fprintf(w, "  %s  %s %s\n", w.Num(l.ID), terminal.Clean(l.Label), terminal.Clean(l.Rubric))
	}
}

// Difference prints what changed of a unit between two versions, word by word.
func Difference(w terminal.Screen, u digesto.Unit, from, to digesto.Version) {
	fmt.Fprintln(w, w.Bold(terminal.Clean(strings.TrimSpace(u.Label+". "+u.Rubric))))
	if from.ID == to.ID {
		fmt.Fprintf(w, "%s\nNo cambió: los dos días tiene la misma redacción.\n", w.Dim(versionFacts(from)))
		return
	}
	pieces := diff.Words(from.Text, to.Text)
	in, out := diff.Changed(pieces)
	fmt.Fprintf(w, "%s\n%s\n", w.Dim("de "+versionFacts(from)), w.Dim("a  "+versionFacts(to)))
	fmt.Fprintln(w, strings.Join(terminal.Wrap(markedPieces(w, pieces, func(s string) string { return s }), w.Columns()), "\n"))
	fmt.Fprintf(w, "%s, %s\n", terminal.Many(in, "palabra entra", "palabras entran"), terminal.Many(out, "sale", "salen"))
}
