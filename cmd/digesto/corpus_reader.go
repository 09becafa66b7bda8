package main

import (
	"fmt"
	"strings"

	"digesto"
	"digesto/corpus"
)

// printVersions lists the wordings of a unit with all that dates them.
func printVersions(a *app, n digesto.Norm, u digesto.Unit) error {
	versions := make([]digesto.Version, len(u.Versions))
	for i := range u.Versions {
		versions[i] = corpus.Proven(n, u, i)
	}
	if a.json {
		return a.printJSON(map[string]any{"norm": n.ID, "unit": u.ID, "label": u.Label, "versions": versions})
	}
	st := a.outStyle()
	fmt.Fprintf(a.out, "%s\n%s\n", st.bold(clean(strings.TrimSpace(u.Label+". "+u.Rubric))), st.dim(clean(n.Title)))
	for _, v := range versions {
		line := versionFacts(v)
		if v.Published != "" {
			line += ", publicada " + string(v.Published)
		}
		if v.ValidTo == "" && v.Replaced != "" {
			line += ", la siguiente se publicó " + string(v.Replaced)
		}
		fmt.Fprintf(a.out, "  %s · %d palabras\n", line, len(strings.Fields(v.Text)))
		for _, r := range v.Unseen {
			fmt.Fprintln(a.out, st.dim("    sin texto guardado: "+clean(reformLine(r))))
		}
	}
	return nil
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
func printRelations(a *app, snap *corpus.Snapshot, n digesto.Norm, u digesto.Unit) error {
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

// printCitation prints the formal citation.
func printCitation(a *app, n digesto.Norm, u digesto.Unit, v digesto.Version, form corpus.Form) error {
	s, err := corpus.Formal(n, u, v, form, a.today())
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(map[string]string{"norm": n.ID, "unit": u.ID, "version": v.ID, "form": string(form), "citation": s})
	}
	_, err = fmt.Fprintln(a.out, clean(s))
	return err
}
