package main

import (
	"fmt"
	"slices"
	"strings"

	"digesto"
	"digesto/app"
)

// coverageCmd says what is installed and what is not.
type coverageCmd struct {
	Pack  string `name:"pack" placeholder:"PAQUETE" help:"Solo ese paquete."`
	Table bool   `name:"table" help:"Tabla de toda la biblioteca: normas, unidades, versiones, referencias y defectos."`
	Norms bool   `name:"norms" help:"Norma por norma, lo que cada paquete espera y lo que hay."`
}

// Examples of the command.
func (coverageCmd) Examples() []string {
	return []string{"digesto coverage", "digesto coverage --pack laboral", "digesto coverage --table", "digesto coverage --pack laboral --norms", "digesto coverage --json"}
}

// Run prints it.
func (c coverageCmd) Run(a *program) error {
	w, err := a.Open(a.Context)
	if err != nil {
		return err
	}
	defer w.Close()
	if c.Table {
		return c.table(a, w)
	}
	out, err := app.MeasureCoverage(a.App, w, c.Pack)
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(out)
	}
	for _, pc := range out.Packs {
		printCoverage(pc, a)
		if c.Norms {
			printNorms(a, pc.Sources)
		}
	}
	return nil
}

// table prints what the library holds by jurisdiction and format.
func (c coverageCmd) table(a *program, w *app.Workspace) error {
	snap, err := a.Snapshot(w)
	if err != nil {
		return err
	}
	defer snap.Close()
	t, err := tableOf(snap)
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(t)
	}
	return t.print(a)
}

func printCoverage(pc app.PackCoverage, a *program) {
	st := a.outStyle()
	fmt.Fprintf(a.out, "%s  %s\n", st.bold(pc.Pack), pc.Title)
	if pc.Norms == 0 {
		fmt.Fprintf(a.out, "  sin ley instalada; %d fichas propias. Para instalar: %s\n", pc.Fiches, pc.Install)
	} else {
		fmt.Fprintf(a.out, "  %d normas, %d artículos y otras unidades, %d versiones; %d fichas propias\n", pc.Norms, pc.Units, pc.Versions, pc.Fiches)
		if pc.Supplied > 0 {
			fmt.Fprintf(a.out, "  %d aportadas: no consta que su texto venga de su publicador\n", pc.Supplied)
		}
		fmt.Fprintf(a.out, "  textos de %s a %s; %d sin fecha\n", orDash(pc.Oldest), orDash(pc.Newest), pc.Undated)
		var cols []string
		for k, n := range pc.Collections {
			cols = append(cols, fmt.Sprintf("%s %d", k, n))
		}
		slices.Sort(cols)
		fmt.Fprintln(a.out, "  colecciones: "+strings.Join(cols, ", "))
	}
	for _, d := range pc.Damaged {
		fmt.Fprintln(a.out, "  "+hang(st.bad("dañada")+": "+clean(d)+" no se puede leer; vea «digesto corpus check»", a.columns()-2, 4))
	}
	for _, g := range pc.Gaps {
		fmt.Fprintln(a.out, st.dim("  falta: "+g))
	}
	for i, m := range pc.Missing {
		if i == 5 && pc.Norms > 0 {
			fmt.Fprintf(a.out, st.dim("  y %d normas más que no están\n"), len(pc.Missing)-i)
			break
		}
		if pc.Norms > 0 {
			fmt.Fprintln(a.out, st.dim("  "+hang("no está: "+clean(m), a.columns()-2, 4)))
		}
	}
}

func orDash(d digesto.Date) string {
	if d == "" {
		return "—"
	}
	return string(d)
}
