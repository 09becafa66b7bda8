package main

import (
	"fmt"
	"os"
	"path/filepath"

	"digesto"
	"digesto/app"
	"digesto/cmd/digesto/internal/terminal"
)

// jusSetCmd adds a value to the user's table.
type jusSetCmd struct {
	Source string `name:"source" required:"" placeholder:"TEXTO" help:"De dónde sale el valor: acuerdo, resolución o página oficial."`
	Date   string `arg:"" placeholder:"FECHA" help:"Día desde el que rige."`
	Value  string `arg:"" placeholder:"PESOS" help:"Pesos por JUS, con punto o coma decimal."`
}

// Examples of the command.
func (jusSetCmd) Examples() []string {
	return []string{`digesto jus set 2026-01-01 38500,75 --source "Acuerdo publicado en el sitio oficial"`}
}

// Run writes the table anew beside the old one and puts it in its place: a
// table that breaks a rule, or a full disk, leaves the old one as it was.
func (c jusSetCmd) Run(a *program) error {
	date, err := app.ParseDate("DATE", c.Date)
	if err != nil {
		return err
	}
	data, err := a.NeedData()
	if err != nil {
		return err
	}
	calc, err := a.calc()
	if err != nil {
		return err
	}
	table, err := calc.Set(date, c.Value, c.Source)
	if err != nil {
		return err
	}
	if err := replaceFile(app.ValuesFile(data), table); err != nil {
		return &digesto.Error{Code: digesto.CodeInvalid, Message: "No se puede guardar el valor en «" + data + "»", Err: err, Hint: "Revise los permisos y el sitio libre, o elija otra carpeta con --data."}
	}
	if a.json {
		return a.printJSON(map[string]string{"date": string(date), "value": c.Value, "source": c.Source, "file": app.ValuesFile(data)})
	}
	fmt.Fprintf(a.out, "Guardado: desde el %s, $ %s (%s)\n", date, terminal.Clean(c.Value), terminal.Clean(c.Source))
	return nil
}

// replaceFile writes a file whole or not at all.
func replaceFile(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".nuevo-")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(f.Name()) }() // gone already once it has its place
	if _, err = f.Write(data); err == nil {
		err = f.Sync()
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
