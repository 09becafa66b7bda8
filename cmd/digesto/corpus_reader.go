package main

import (
	"fmt"
	"slices"
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
			line += " · publicada el " + asWritten(v.Published)
		}
		line += replacedWords(versions, i)
		fmt.Fprintln(a.out, indentAll(line+" · "+many(len(strings.Fields(v.Text)), "palabra", "palabras"), a.columns(), 2))
		for _, r := range v.Unseen {
			fmt.Fprintln(a.out, st.dim(indentAll("hubo otra cuyo texto no se guarda: "+clean(reformLine(r)), a.columns(), 4)))
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
	fmt.Fprintf(a.out, "Lo han modificado %s\n", many(len(by), "norma", "normas"))
	for _, r := range by {
		fmt.Fprintln(a.out, indentAll(clean(reformLine(r)), a.columns(), 2))
	}
	fmt.Fprintf(a.out, "Lo citan %s\n", many(len(cited), "lugar", "lugares"))
	for rest := cited; len(rest) > 0; { // those of a norm together
		k := 1
		for k < len(rest) && rest[k].Norm == rest[0].Norm {
			k++
		}
		fmt.Fprintln(a.out, "  "+clean(titleOf(snap, rest[0].Norm)))
		var labels []string
		for _, r := range rest[:k] {
			label := r.Unit
			if from, err := snap.Load(r.Norm, r.Unit); err == nil && from.Label != "" {
				label = from.Label
			}
			labels = append(labels, label)
		}
		fmt.Fprintln(a.out, st.dim(indentAll(clean(strings.Join(slices.Compact(labels), ", ")), a.columns(), 4)))
		rest = rest[k:]
	}
	return nil
}

// partsOf names paragraphs: "apartado 7", "apartados 4, 5 y 6".
func partsOf(parts []string) string {
	last := len(parts) - 1
	if last == 0 {
		return "apartado " + parts[0]
	}
	return "apartados " + strings.Join(parts[:last], ", ") + " y " + parts[last]
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
	fmt.Fprintf(a.out, "La han modificado %s\n", many(len(r.AmendedBy), "norma", "normas"))
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
	fmt.Fprintf(a.out, "Modifica %s de lo instalado\n", many(len(r.Amends), "artículo", "artículos"))
	for _, u := range r.Amends {
		fmt.Fprintln(a.out, "  "+clean(touchedLine(u, 0)+" · "+titleOf(snap, u.Norm)))
	}
	fmt.Fprintf(a.out, "Sus disposiciones derogatorias nombran %s de lo instalado\n", many(len(r.Repeals), "norma o artículo", "normas o artículos"))
	for _, x := range r.Repeals {
		fmt.Fprintln(a.out, "  "+clean(strings.TrimSpace(x.Unit+" "+titleOf(snap, x.Norm))))
	}
	fmt.Fprintf(a.out, "La nombran %s\n", many(len(r.RepealedBy), "disposición derogatoria de otra norma", "disposiciones derogatorias de otras normas"))
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
