package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"digesto"
	"digesto/app"
	"digesto/cmd/digesto/internal/show"
	"digesto/cmd/digesto/internal/terminal"
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
		return c.amendments(a, snap, n)
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
		return c.versions(a, n, u)
	case c.Relations:
		return c.relations(a, snap, n, u)
	}
	v, err := snap.Text(n.ID, u.ID, at)
	if err != nil {
		return err
	}
	if c.Cite != "" {
		return c.cite(a, n, u, v)
	}
	return c.unit(a, n, u, v)
}

func (c corpusShowCmd) contents(a *program, snap *corpus.Snapshot, n digesto.Norm) error {
	var lines []show.UnitLine
	for u, err := range snap.All(n.ID) {
		if err != nil {
			return err
		}
		lines = append(lines, show.UnitLine{ID: u.ID, Label: u.Label, Rubric: u.Rubric, Path: u.Path, Versions: len(u.Versions)})
	}
	if a.json {
		return a.printJSON(map[string]any{"norm": n, "units": lines})
	}
	show.Contents(a.screen(), n, lines)
	return nil
}

// unit prints one version of a unit.
func (corpusShowCmd) unit(a *program, n digesto.Norm, u digesto.Unit, v digesto.Version) error {
	if a.json {
		return a.printJSON(map[string]any{"norm": n, "unit": u.ID, "label": u.Label, "rubric": u.Rubric, "path": u.Path, "version": v, "versions": versionIDs(u)})
	}
	show.Unit(a.screen(), n, u, v)
	return nil
}

func versionIDs(u digesto.Unit) []string {
	var ids []string
	for _, v := range u.Versions {
		ids = append(ids, v.ID)
	}
	return ids
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
	if a.json {
		pieces := diff.Words(versions[0].Text, versions[1].Text)
		in, out := diff.Changed(pieces)
		return a.printJSON(map[string]any{"norm": n.ID, "unit": u.ID, "from": versions[0].ID, "to": versions[1].ID, "words_in": in, "words_out": out, "pieces": pieces})
	}
	show.Difference(a.screen(), u, versions[0], versions[1])
	return nil
}

// versions prints the wordings of a unit with all that dates them.
func (corpusShowCmd) versions(a *program, n digesto.Norm, u digesto.Unit) error {
	versions := make([]digesto.Version, len(u.Versions))
	for i := range u.Versions {
		versions[i] = corpus.Proven(n, u, i)
	}
	if a.json {
		return a.printJSON(map[string]any{"norm": n.ID, "unit": u.ID, "label": u.Label, "versions": versions})
	}
	show.Versions(a.screen(), n, u, versions)
	return nil
}

// relations prints who cites a unit and which norms changed it.
func (corpusShowCmd) relations(a *program, snap *corpus.Snapshot, n digesto.Norm, u digesto.Unit) error {
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
	show.Relations(a.screen(), snap, u, by, cited)
	return nil
}

// amendments prints which norms changed a norm, and which it changed or repealed.
func (corpusShowCmd) amendments(a *program, snap *corpus.Snapshot, n digesto.Norm) error {
	r, err := snap.Amendments(n.ID)
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(map[string]any{"norm": n.ID, "relations": r})
	}
	show.Amendments(a.screen(), snap, n, r)
	return nil
}

// cite prints the formal citation.
func (c corpusShowCmd) cite(a *program, n digesto.Norm, u digesto.Unit, v digesto.Version) error {
	s, err := corpus.Formal(n, u, v, corpus.Form(c.Cite), a.Today())
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(map[string]string{"norm": n.ID, "unit": u.ID, "version": v.ID, "form": c.Cite, "citation": s})
	}
	_, err = fmt.Fprintln(a.out, terminal.Clean(s))
	return err
}
