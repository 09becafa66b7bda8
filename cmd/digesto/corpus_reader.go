package main

import (
	"fmt"
	"strings"

	"digesto"
	"digesto/corpus"
)

// printVersions lists the wordings of a unit with all that dates them.
func printVersions(a *program, n digesto.Norm, u digesto.Unit) error {
	versions := make([]digesto.Version, len(u.Versions))
	for i := range u.Versions {
		versions[i] = corpus.Proven(n, u, i)
	}
	if a.json {
		return a.printJSON(map[string]any{"norm": n.ID, "unit": u.ID, "label": u.Label, "versions": versions})
	}
	st := a.outStyle()
	fmt.Fprintf(a.out, "%s\n%s\n", st.bold(clean(strings.TrimSpace(u.Label+". "+u.Rubric))), st.dim(clean(corpus.NameOf(n))))
	for i, v := range versions {
		line := versionFacts(v)
		if v.Published != "" {
			line += ", publicada " + string(v.Published)
		}
		line += replacedWords(versions, i)
		fmt.Fprintf(a.out, "  %s · %d palabras\n", line, len(strings.Fields(v.Text)))
		for _, r := range v.Unseen {
			fmt.Fprintln(a.out, st.dim("    sin texto guardado: "+clean(reformLine(r))))
		}
	}
	return nil
}

// replacedWords says since when a wording may be another: on a day, if the text that
// followed was published on it, and else, of two saved states, not before a day.
func replacedWords(versions []digesto.Version, i int) string {
	v := versions[i]
	switch {
	case v.ValidTo != "" || v.Replaced == "":
		return ""
	case i+1 < len(versions) && versions[i+1].Published != v.Replaced:
		return ", la siguiente no es anterior al " + string(v.Replaced)
	}
	return ", la siguiente se publicó " + string(v.Replaced)
}

func reformLine(r digesto.Reform) string {
	s := r.Name
	if r.Norm != "" {
		s += " (" + r.Norm + ")"
	}
	if len(r.Parts) > 0 {
		s += ", apartado " + strings.Join(r.Parts, ", ")
	}
	if r.Published != "" {
		s += ", publicada " + string(r.Published)
	} else if r.Enacted != "" {
		s += ", de " + string(r.Enacted)
	}
	if r.From != "" {
		s += ", en vigor " + string(r.From)
	}
	return s
}

// printRelations says who cites a unit and which norms changed it.
func printRelations(a *program, snap *corpus.Snapshot, n digesto.Norm, u digesto.Unit) error {
	cited, err := snap.CitedBy(n.ID, u.ID)
	if err != nil {
		return err
	}
	var by []digesto.Reform
	for _, v := range u.Versions {
		if v.Current {
			by = append(by, v.Reforms...)
		}
	}
	if a.json {
		return a.printJSON(map[string]any{"norm": n.ID, "unit": u.ID, "amended_by": append([]digesto.Reform{}, by...), "cited_by": append([]corpus.Relation{}, cited...)})
	}
	st := a.outStyle()
	fmt.Fprintln(a.out, st.bold(clean(strings.TrimSpace(u.Label+". "+u.Rubric))))
	fmt.Fprintf(a.out, "Modificado por: %d\n", len(by))
	for _, r := range by {
		fmt.Fprintln(a.out, "  "+clean(reformLine(r)))
	}
	fmt.Fprintf(a.out, "Citado en: %d lugares\n", len(cited))
	for _, r := range cited {
		title := r.Norm
		if from, ok := snap.Norm(r.Norm); ok {
			title = r.Norm + "  " + from.Title
		}
		fmt.Fprintln(a.out, "  "+clean(r.Unit+" · "+title))
	}
	return nil
}

// actWords are the acts in words, of the norm that did them and of the text that bears them.
var actWords = map[digesto.Act][2]string{
	digesto.ActAmends: {"modifica", "modificado"}, digesto.ActAdds: {"añade", "añadido"}, digesto.ActRepeals: {"deroga", "derogado"},
	digesto.ActCites: {"cita", "citado"}, "": {"cambia", "cambiado"},
}

// printAmendments says which norms changed a norm, and which it changed or repealed.
func printAmendments(a *program, snap *corpus.Snapshot, n digesto.Norm) error {
	r, err := snap.Amendments(n.ID)
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(map[string]any{"norm": n.ID, "relations": r})
	}
	st := a.outStyle()
	fmt.Fprintf(a.out, "%s\n%s\n", st.bold(clean(corpus.NameOf(n))), st.dim(clean(n.ID)+" · "+normFacts(n)))
	fmt.Fprintf(a.out, "Modificada por: %d normas\n", len(r.AmendedBy))
	for _, x := range r.AmendedBy {
		line := reformLine(digesto.Reform{Norm: x.Norm, Name: x.Name, Published: x.Published})
		if by, ok := snap.Norm(x.Norm); ok {
			line += " · instalada: " + shortTitle(by)
		}
		fmt.Fprintln(a.out, "  "+clean(line))
		for _, u := range x.Units {
			fmt.Fprintln(a.out, st.dim("    "+clean(touchedLine(u, 1))))
		}
	}
	fmt.Fprintf(a.out, "Modifica: %d artículos instalados\n", len(r.Amends))
	for _, u := range r.Amends {
		fmt.Fprintln(a.out, "  "+clean(touchedLine(u, 0)+" · "+titleOf(snap, u.Norm)))
	}
	fmt.Fprintf(a.out, "Deroga: %d normas o artículos instalados, que nombran sus disposiciones derogatorias\n", len(r.Repeals))
	for _, x := range r.Repeals {
		fmt.Fprintln(a.out, "  "+clean(strings.TrimSpace(x.Unit+" "+titleOf(snap, x.Norm))))
	}
	fmt.Fprintf(a.out, "Nombrada en disposiciones derogatorias de otras: %d\n", len(r.RepealedBy))
	for _, x := range r.RepealedBy {
		fmt.Fprintln(a.out, "  "+clean(strings.TrimSpace(x.Unit+" "+titleOf(snap, x.Norm)+" "+x.ToUnit)))
	}
	return nil
}

// touchedLine is a unit with what was done to it; side 0 says it of the norm that
// did it, 1 of the unit.
func touchedLine(u corpus.Touched, side int) string {
	s := u.Label
	if s == "" {
		s = u.Unit
	}
	if len(u.Parts) > 0 {
		s += ", apartado " + strings.Join(u.Parts, ", ")
	}
	s += ": " + actWords[u.Act][side]
	if u.From != "" {
		s += " desde " + string(u.From)
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
		return id + "  " + shortTitle(n)
	}
	return id
}

// printCitation prints the formal citation.
func printCitation(a *program, n digesto.Norm, u digesto.Unit, v digesto.Version, form corpus.Form) error {
	s, err := corpus.Formal(n, u, v, form, a.Today())
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(map[string]string{"norm": n.ID, "unit": u.ID, "version": v.ID, "form": string(form), "citation": s})
	}
	_, err = fmt.Fprintln(a.out, clean(s))
	return err
}
