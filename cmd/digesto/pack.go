package main

import (
	"fmt"
	"os"
	"path/filepath"

	"digesto"
	"digesto/app"
	"digesto/cmd/digesto/internal/terminal"
	"digesto/disk"
	"digesto/ops"
	"digesto/pack"
)

// packCmd groups the commands over packs.
type packCmd struct {
	Check packCheckCmd `cmd:"" help:"Prueba que un paquete está bien hecho."`
	List  packListCmd  `cmd:"" help:"Lista los paquetes con su primera pregunta."`

	Digest packDigestCmd `cmd:"" help:"Cuenta y comprueba las preguntas que llevan a cada lugar de la ley."`
}

// Examples of the group.
func (packCmd) Examples() []string { return []string{"digesto pack list", "digesto pack check"} }

// packListCmd lists packs.
type packListCmd struct{}

// Examples of the command.
func (packListCmd) Examples() []string {
	return []string{"digesto pack list", "digesto pack list --json"}
}

// Run prints them.
func (packListCmd) Run(a *program) error {
	all, err := a.Packs()
	if err != nil {
		return err
	}
	type row struct {
		Name     string   `json:"name"`
		Title    string   `json:"title"`
		Question string   `json:"first_question"`
		Examples []string `json:"examples"`
		Install  string   `json:"install"`
	}
	var rows []row
	for _, p := range all {
		rows = append(rows, row{p.Name, p.Title, p.FirstQuestion, app.NonNil(p.Examples), p.Install.Command()})
	}
	if a.json {
		return a.printJSON(map[string]any{"packs": rows})
	}
	for _, r := range rows {
		fmt.Fprintf(a.out, "%s  %s\n  pruebe: digesto ask --pack %s %q\n", a.outStyle().Bold(r.Name), r.Title, r.Name, r.Question)
	}
	return nil
}

// packCheckCmd proves packs sound.
type packCheckCmd struct {
	Law bool   `name:"law" help:"Compara además las cifras de cada ficha con el artículo instalado."`
	Dir string `arg:"" optional:"" placeholder:"DIR" help:"Carpeta de un paquete; sin ella, los que trae el programa."`
}

// Examples of the command.
func (packCheckCmd) Examples() []string {
	return []string{"digesto pack check", "digesto pack check ./mi-ambito", "digesto pack check --law"}
}

// Run prints every problem; exit 7 when there is one.
func (c packCheckCmd) Run(a *program) error {
	all, err := c.packs(a)
	if err != nil {
		return err
	}
	problems := []ops.PackProblem{}
	for _, p := range all {
		for _, b := range pack.Check(p) {
			problems = append(problems, ops.PackProblem{Pack: p.Name, File: b.File, Line: b.Line, Text: b.Text})
		}
	}
	compared := 0
	if c.Law {
		bad, n, err := ops.CompareFacts(a.App, all)
		if err != nil {
			return err
		}
		problems, compared = append(problems, bad...), n
	}
	if a.json {
		if err := a.printJSON(map[string]any{"packs": len(all), "lay": layCounts(all), "compared_with_law": compared, "problems": problems}); err != nil {
			return err
		}
	} else {
		for _, p := range problems {
			fmt.Fprintln(a.out, terminal.Clean(pack.Problem{File: p.Pack + "/" + p.File, Line: p.Line, Text: p.Text}.String()))
		}
		fmt.Fprintf(a.out, "%d paquetes, %d defectos", len(all), len(problems))
		if c.Law {
			fmt.Fprintf(a.out, "; %d datos y lugares comparados con la ley instalada", compared)
		}
		fmt.Fprintln(a.out)
		counts := layCounts(all)
		for _, p := range all {
			fmt.Fprintf(a.out, "  %s: %d expresiones de la calle\n", p.Name, counts[p.Name])
		}
	}
	if len(problems) > 0 {
		return checkFailed("hay defectos", "Corrija los archivos indicados y repita la orden.")
	}
	return nil
}

// layCounts says how many entries each pack's lexicon of the street has.
func layCounts(all []*pack.Pack) map[string]int {
	n := map[string]int{}
	for _, p := range all {
		n[p.Name] = p.Lay.Len()
	}
	return n
}

// packs gives the packs to check: those of the program, or one in a folder.
func (c packCheckCmd) packs(a *program) ([]*pack.Pack, error) {
	if c.Dir == "" {
		return a.Packs()
	}
	dir, err := filepath.Abs(c.Dir)
	if err != nil {
		return nil, err
	}
	st, err := os.Stat(dir)
	if err != nil {
		return nil, disk.Error(err, c.Dir, "Dé la carpeta que contiene pack.yaml.")
	}
	if !st.IsDir() {
		return nil, &digesto.Error{Code: digesto.CodeInvalid, Message: "«" + c.Dir + "» no es una carpeta", Hint: "Dé la carpeta que contiene pack.yaml."}
	}
	p, err := pack.Load(os.DirFS(filepath.Dir(dir)), filepath.Base(dir))
	if err != nil {
		return nil, err
	}
	return []*pack.Pack{p}, nil
}
