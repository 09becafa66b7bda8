package main

import (
	"fmt"

	"digesto/cmd/digesto/internal/terminal"
	"digesto/ops"
)

// backupCmd writes the data folder to one file.
type backupCmd struct {
	File string `arg:"" placeholder:"FICHERO" help:"Fichero .tar.gz que se escribe; no puede existir."`
}

// Examples of the command.
func (backupCmd) Examples() []string { return []string{"digesto backup copia.tar.gz"} }

// Run writes it.
func (c backupCmd) Run(a *program) error {
	n, err := ops.Backup(a.App, c.File)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.out, "Copia de %d ficheros en %s\n", n, terminal.Clean(c.File))
	return err
}

// restoreCmd puts a backup in the place of the data folder.
type restoreCmd struct {
	File string `arg:"" placeholder:"FICHERO" help:"Copia hecha con «digesto backup»."`
}

// Examples of the command.
func (restoreCmd) Examples() []string {
	return []string{"digesto restore copia.tar.gz --data /srv/digesto"}
}

// Run puts it back.
func (c restoreCmd) Run(a *program) error {
	done, err := ops.Restore(a.App, c.File)
	if err != nil {
		return err
	}
	fmt.Fprintf(a.out, "Restaurados y comprobados %d ficheros en %s\n", done.Files, terminal.Clean(done.Dir))
	if done.Old != "" {
		fmt.Fprintf(a.out, "Lo que había está en %s: bórrelo cuando no haga falta.\n", terminal.Clean(done.Old))
	}
	return nil
}
