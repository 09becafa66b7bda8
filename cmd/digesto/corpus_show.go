package main

import (
	"bytes"
	"encoding/json"
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
	units, err := unitsAt(w, snap, n, c.Unit)
	if err != nil {
		return err
	}
	if a.json && len(units) > 1 {
		return c.list(a, snap, n, units, at)
	}
	for i, u := range units {
		if i > 0 {
			fmt.Fprintln(a.out)
		}
		if err := c.show(a, snap, n, u, at); err != nil {
			return err
		}
	}
	return nil
}

// list prints several units as one JSON value, a list of what each alone prints.
func (c corpusShowCmd) list(a *program, snap *corpus.Snapshot, n digesto.Norm, units []digesto.Unit, at digesto.Date) error {
	out := a.out
	defer func() { a.out = out }()
	all := make([]json.RawMessage, len(units))
	for i, u := range units {
		var b bytes.Buffer
		a.out = &b
		if err := c.show(a, snap, n, u, at); err != nil {
			return err
		}
		all[i] = b.Bytes()
	}
	a.out = out
	return a.printJSON(all)
}

// unitsAt finds what words name: one unit ("3 bis"), or one each ("38 40").
func unitsAt(w *app.Workspace, snap *corpus.Snapshot, n digesto.Norm, words []string) ([]digesto.Unit, error) {
	var out []digesto.Unit
	var missing error
	named := false // what is missing has a number of its own
	for _, one := range words {
		u, err := app.FindUnit(w, snap, n, one)
		if err != nil {
			missing, named = err, strings.ContainsAny(one, "0123456789")
			break
		}
		out = append(out, u)
	}
	if missing == nil {
		return out, nil
	}
	whole, err := app.FindUnit(w, snap, n, strings.TrimSpace(strings.Join(words, " ")))
	if err != nil && len(out) > 0 && named {
		return nil, missing
	}
	return []digesto.Unit{whole}, err
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
		fmt.Fprintln(a.out, st.dim(fmt.Sprintf("Tiene %d redacciones; con «--versions» se ven todas.", len(u.Versions))))
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
	fmt.Fprintln(a.out, st.bold(clean(strings.TrimSpace(u.Label+". "+u.Rubric))))
	if versions[0].ID == versions[1].ID {
		fmt.Fprintf(a.out, "%s\nNo cambió: los dos días tiene la misma redacción.\n", st.dim(versionFacts(versions[0])))
		return nil
	}
	fmt.Fprintf(a.out, "%s\n%s\n", st.dim("de "+versionFacts(versions[0])), st.dim("a  "+versionFacts(versions[1])))
	fmt.Fprintln(a.out, strings.Join(wrap(markedPieces(a, pieces, func(s string) string { return s }), a.columns()), "\n"))
	fmt.Fprintf(a.out, "%s, %s\n", many(in, "palabra entra", "palabras entran"), many(out, "sale", "salen"))
	return nil
}
