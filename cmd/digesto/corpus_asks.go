package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"digesto"
	"digesto/app"
	"digesto/app/law"
	"digesto/cmd/digesto/internal/terminal"
	"digesto/model/redact"
)

// corpusAsksCmd has the user's own model write the questions that lead to the units of
// installed norms.
type corpusAsksCmd struct {
	Norms     []string `arg:"" optional:"" name:"norm" placeholder:"NORMA" help:"Normas instaladas; sin ellas, dice las que ya tienen preguntas propias."`
	Units     []string `name:"unit" placeholder:"UNIDAD" help:"Solo esas unidades."`
	FromVotes bool     `name:"from-votes" help:"En lugar de escribir, propone preguntas reales que alguien valoró bien, sin sus datos personales, para que una persona las acepte."`
	Days      int      `name:"days" default:"90" placeholder:"N" help:"Con --from-votes, los días que se miran."`
}

// Examples of the command.
func (corpusAsksCmd) Examples() []string {
	return []string{"digesto corpus asks", "digesto corpus asks --from-votes > borradores.txt"}
}

// Run writes, unit by unit; what is done is kept, and the next run goes on from there.
func (c corpusAsksCmd) Run(a *program) error {
	if _, err := a.NeedData(); err != nil {
		return err
	}
	switch {
	case c.FromVotes:
		return c.votes(a)
	case len(c.Norms) == 0:
		return c.list(a)
	}
	set, err := a.Models()
	if err != nil {
		return err
	}
	defer func() { _ = set.Close() }()
	g := set.Writer
	if g == nil {
		return &digesto.Error{Code: digesto.CodeUnavailable, Message: "No hay ningún modelo que escriba", Hint: "Configure uno («model.writer»); «digesto config --help» dice cómo."}
	}
	w, snap, done, err := a.OpenTexts("")
	if err != nil {
		return err
	}
	defer done()
	var reports []app.AsksReport
	for _, id := range c.Norms {
		r, err := a.WriteAsks(w, snap, g, id, c.Units)
		reports = append(reports, r)
		if err != nil {
			return errors.Join(err, c.report(a, reports))
		}
	}
	if err := a.EmbedOwnAsks(); err != nil {
		return err
	}
	return c.report(a, reports)
}

// report prints what was done; entries take part from the next question on.
func (c corpusAsksCmd) report(a *program, list []app.AsksReport) error {
	if a.json {
		return a.printJSON(map[string]any{"norms": list})
	}
	for _, r := range list {
		for _, x := range r.Refused {
			fmt.Fprintln(a.out, "no aceptada:", terminal.Clean(x))
		}
		fmt.Fprintf(a.out, "%s: %d unidades leídas, %d entradas con %d preguntas, %d no aceptadas, faltan %d unidades; %d + %d tokens en %.0f s\n", r.Norm, r.Units, r.Entries, r.Asks, len(r.Refused), r.Left, r.Prompt, r.Written, r.Seconds)
		if r.Entries > 0 {
			fmt.Fprintln(a.out, "Léalas y corríjalas en", r.File+"; un servidor en marcha las usa cuando vuelve a arrancar.")
		}
	}
	return nil
}

// list says which norms have entries of the user's.
func (c corpusAsksCmd) list(a *program) error {
	files, bad, err := law.UserDigest(a.Settings.Data, "*")
	if err != nil {
		return err
	}
	type row struct {
		Norm    string `json:"norm"`
		Entries int    `json:"entries"`
		File    string `json:"file"`
	}
	rows := []row{}
	for _, f := range files {
		rows = append(rows, row{f.Norm, len(f.Entries), f.Name})
	}
	if a.json {
		return a.printJSON(map[string]any{"norms": rows, "problems": app.NonNil(app.Lines(bad))})
	}
	for _, p := range bad {
		fmt.Fprintln(a.out, terminal.Clean(p.String()))
	}
	for _, r := range rows {
		fmt.Fprintf(a.out, "%s: %d entradas en %s\n", r.Norm, r.Entries, r.File)
	}
	if len(rows) == 0 {
		fmt.Fprintln(a.out, "Ninguna norma tiene preguntas propias. Escríbalas con: digesto corpus asks NORMA")
	}
	return nil
}

// votes prints drafts of entries from questions whose answers were voted right, what
// tells who asked taken out.
func (c corpusAsksCmd) votes(a *program) error {
	if c.Days < 1 || c.Days > 3660 {
		return &digesto.Error{Code: digesto.CodeUsage, Message: "--days pide un número de 1 a 3660", Hint: "por ejemplo --days 30"}
	}
	drafts, missing, err := a.Rated(c.Days, 1)
	if err != nil {
		return err
	}
	hide := redact.New(redact.Options{})
	n := 0
	for _, d := range drafts {
		if len(d.Places) == 0 || len(d.History) > 0 { // without its conversation a turn says little
			continue
		}
		norm, unit, _ := strings.Cut(d.Places[0], "/")
		n++
		fmt.Fprintf(a.out, "# %s · %s\nnorm: %s\n== %s\nstreet: %s\n\n", d.Pack, d.Trace, norm, unit, strings.Join(strings.Fields(hide.Text(d.Question)), " "))
	}
	a.Say("%d borradores; %d valoraciones sin traza guardada. Léalos, complete cada entrada y guárdela en %s.", n, missing, filepath.Join(law.AsksDir(a.Settings.Data), "PAQUETE", "NORMA.txt"))
	return nil
}
