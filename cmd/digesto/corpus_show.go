package main

import (
	"fmt"
	"strings"

	"digesto"
	"digesto/app"
	"digesto/corpus"
	"digesto/text/diff"

	"github.com/alecthomas/kong"
)

// twoDates are the values of --diff: the flag takes two words.
type twoDates struct{ From, To string }

// Decode reads both words.
func (d *twoDates) Decode(ctx *kong.DecodeContext) error {
	if err := ctx.Scan.PopValueInto("fecha", &d.From); err != nil {
		return err
	}
	return ctx.Scan.PopValueInto("fecha", &d.To)
}

// corpusShowCmd shows texts.
type corpusShowCmd struct {
	AsOf      string   `name:"as-of" placeholder:"FECHA" help:"El texto de ese día."`
	Diff      twoDates `name:"diff" placeholder:"D1 D2" help:"Diferencias entre el texto de dos días."`
	Versions  bool     `name:"versions" help:"Todas las redacciones del artículo, con sus fechas."`
	Relations bool     `name:"relations" help:"Quién cita el artículo y qué normas lo cambiaron; sin artículo, qué normas cambiaron la norma y cuáles cambió o derogó ella."`
	Cite      string   `name:"cite" enum:",es,ar,pe,apa" default:"" placeholder:"FORMA" help:"Cita formal: es, ar, pe o apa."`
	Norm      string   `arg:"" placeholder:"NORMA" help:"Identificador, número o nombre usual de la norma."`
	Unit      []string `arg:"" optional:"" placeholder:"ARTÍCULO" help:"Uno o varios artículos o disposiciones: 38, «3 bis», dt5…"`
}

// Examples of the command.
func (corpusShowCmd) Examples() []string {
	return []string{
		"digesto corpus show BOE-A-2015-11430",
		"digesto corpus show ET 38",
		"digesto corpus show ET 38 --as-of 2020-01-01",
		"digesto corpus show ET 38 --diff 2020-01-01 2026-01-01",
		"digesto corpus show ET 48 --versions",
		"digesto corpus show ET 48 --relations",
		"digesto corpus show ET --relations",
		"digesto corpus show ET 48 --as-of 2025-07-01 --cite apa",
	}
}

// Run shows a norm's table of contents, a unit, or differences.
func (c corpusShowCmd) Run(a *program) error {
	at, err := app.ParseDate("--as-of", c.AsOf)
	if err != nil {
		return err
	}
	w, err := a.Open(a.Context)
	if err != nil {
		return err
	}
	defer w.Close()
	snap, n, err := a.FindNorm(w, c.Norm)
	if err != nil {
		return err
	}
	defer snap.Close()
	place := strings.TrimSpace(strings.Join(c.Unit, " "))
	if place == "" && c.Relations {
		return printAmendments(a, snap, n)
	}
	if place == "" {
		return c.contents(a, snap, n)
	}
	u, err := app.FindUnit(w, snap, n, place)
	if err != nil && len(c.Unit) > 1 && !a.json { // "38 40" are two; "3 bis" is one
		for _, one := range c.Unit {
			if _, missing := app.FindUnit(w, snap, n, one); missing != nil {
				return err
			}
		}
		for i, one := range c.Unit {
			if i > 0 {
				fmt.Fprintln(a.out)
			}
			if u, err = app.FindUnit(w, snap, n, one); err == nil {
				err = c.show(a, snap, n, u, at)
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
	if err != nil {
		return err
	}
	return c.show(a, snap, n, u, at)
}

// show prints a unit, or what was asked of it.
func (c corpusShowCmd) show(a *program, snap *corpus.Snapshot, n digesto.Norm, u digesto.Unit, at digesto.Date) error {
	if c.Diff.From != "" {
		return c.diff(a, snap, n, u)
	}
	switch {
	case c.Versions:
		return printVersions(a, n, u)
	case c.Relations:
		return printRelations(a, snap, n, u)
	}
	v, err := snap.Text(n.ID, u.ID, at)
	if err != nil {
		return err
	}
	if c.Cite != "" {
		return printCitation(a, n, u, v, corpus.Form(c.Cite))
	}
	return printUnit(a, n, u, v)
}

// unitLine is a line of a table of contents.
type unitLine struct {
	ID       string   `json:"id"`
	Label    string   `json:"label"`
	Rubric   string   `json:"rubric,omitempty"`
	Path     []string `json:"path,omitempty"`
	Versions int      `json:"versions"`
}

func (c corpusShowCmd) contents(a *program, snap *corpus.Snapshot, n digesto.Norm) error {
	var lines []unitLine
	for u, err := range snap.All(n.ID) {
		if err != nil {
			return err
		}
		lines = append(lines, unitLine{u.ID, u.Label, u.Rubric, u.Path, len(u.Versions)})
	}
	if a.json {
		return a.printJSON(map[string]any{"norm": n, "units": lines})
	}
	st := a.outStyle()
	fmt.Fprintf(a.out, "%s\n%s\n", st.bold(clean(corpus.NameOf(n))), st.dim(clean(n.ID)+" · "+normFacts(n)))
	if n.StatusNote != "" {
		fmt.Fprintln(a.out, clean(n.StatusNote))
	}
	path := ""
	for _, l := range lines {
		if p := strings.Join(l.Path, " > "); p != path {
			path = p
			fmt.Fprintln(a.out, "\n"+st.bold(clean(p)))
		}
		fmt.Fprintf(a.out, "  %s  %s %s\n", st.num(l.ID), clean(l.Label), clean(l.Rubric))
	}
	return nil
}

// printUnit shows one version of a unit with all that is known of it.
func printUnit(a *program, n digesto.Norm, u digesto.Unit, v digesto.Version) error {
	if a.json {
		return a.printJSON(map[string]any{"norm": n, "unit": u.ID, "label": u.Label, "rubric": u.Rubric, "path": u.Path, "version": v, "versions": versionIDs(u)})
	}
	st := a.outStyle()
	fmt.Fprintf(a.out, "%s\n%s\n", st.bold(clean(strings.TrimSpace(u.Label+". "+u.Rubric))), st.dim(clean(strings.Join(append([]string{corpus.NameOf(n)}, u.Path...), " > "))))
	fmt.Fprintln(a.out, st.dim(versionFacts(v)))
	for _, r := range v.Unseen {
		fmt.Fprintln(a.out, indentAll("aviso: mientras se muestra esta redacción hubo otra reforma cuyo texto no está en la fuente: "+clean(reformLine(r)), a.columns(), 0))
	}
	for _, d := range v.Defects {
		fmt.Fprintln(a.out, indentAll("aviso: "+clean(d.Detail), a.columns(), 0))
	}
	for para := range strings.SplitSeq(v.Text, "\n") {
		fmt.Fprintln(a.out, indentAll(clean(para), a.columns(), 2))
	}
	for _, note := range v.Notes {
		fmt.Fprintln(a.out, st.dim(indentAll("nota: "+clean(note), a.columns(), 2)))
	}
	if len(u.Versions) > 1 {
		fmt.Fprintf(a.out, "%d versiones: %s\n", len(u.Versions), strings.Join(versionIDs(u), ", "))
	}
	return nil
}

func versionIDs(u digesto.Unit) []string {
	var ids []string
	for _, v := range u.Versions {
		ids = append(ids, v.ID)
	}
	return ids
}

// versionFacts says which version this is and when it holds.
func versionFacts(v digesto.Version) string {
	s := "versión " + v.ID
	if v.ValidFrom != "" {
		s += ", desde " + string(v.ValidFrom)
	} else {
		s += ", no consta desde cuándo"
	}
	if v.ValidTo != "" {
		s += ", hasta " + string(v.ValidTo) + " (excluido)"
	}
	if !v.Current {
		s += ", texto anterior"
	}
	if len(v.Pages) > 0 {
		s += fmt.Sprintf(", página %d", v.Pages[0].Page)
		if last := v.Pages[len(v.Pages)-1].Page; last != v.Pages[0].Page {
			s += fmt.Sprintf(" a %d", last)
		}
	}
	return s
}

func (c corpusShowCmd) diff(a *program, snap *corpus.Snapshot, n digesto.Norm, u digesto.Unit) error {
	var versions [2]digesto.Version
	for i, s := range []string{c.Diff.From, c.Diff.To} {
		at, err := app.ParseDate("--diff", s)
		if err != nil {
			return err
		}
		if versions[i], err = snap.Text(n.ID, u.ID, at); err != nil {
			return err
		}
	}
	pieces := diff.Words(versions[0].Text, versions[1].Text)
	in, out := diff.Changed(pieces)
	if a.json {
		return a.printJSON(map[string]any{"norm": n.ID, "unit": u.ID, "from": versions[0].ID, "to": versions[1].ID, "words_in": in, "words_out": out, "pieces": pieces})
	}
	st := a.outStyle()
	fmt.Fprintf(a.out, "%s\n%s\n", st.bold(clean(u.Label+". "+u.Rubric)), st.dim(versionFacts(versions[0])+" → "+versionFacts(versions[1])))
	fmt.Fprintln(a.out, strings.Join(wrap(markedPieces(a, pieces, func(s string) string { return s }), a.columns()), "\n"))
	fmt.Fprintf(a.out, "%d palabras entran, %d salen\n", in, out)
	return nil
}
