package main

import (
	"digesto"
	"digesto/app"
	"digesto/cmd/digesto/internal/show"
	"digesto/corpus/sync"
)

// corpusUpdateCmd brings what changed since the last time.
type corpusUpdateCmd struct {
	Pack  string `name:"pack" placeholder:"PAQUETE" help:"Solo las normas de ese paquete; la próxima vez, sin él, se mira desde el mismo día que ahora."`
	Since string `name:"since" placeholder:"FECHA" help:"Desde qué día se miran los cambios; sin él, desde la última actualización."`
}

// Examples of the command.
func (corpusUpdateCmd) Examples() []string {
	return []string{"digesto corpus update", "digesto corpus update --pack laboral", "digesto corpus update --since 2026-11-01 --json"}
}

// Run looks for changes, brings them and prints them word by word.
func (c corpusUpdateCmd) Run(a *program) error {
	since, err := app.ParseDate("--since", c.Since)
	if err != nil {
		return err
	}
	w, err := a.OpenPack(c.Pack)
	if err != nil {
		return err
	}
	defer w.Close()
	u, err := sync.Update(a.Context, a.Texts(w), c.Pack, since)
	if err != nil {
		return err
	}
	if a.json {
		err = a.printJSON(u)
	} else {
		show.Updated(a.screen(), u)
	}
	if err != nil {
		return err
	}
	for _, x := range u.Pulled {
		if x.Err != nil {
			return &quietError{&digesto.Error{Code: digesto.CodeOf(x.Err), Message: "hay fuentes que no se han podido mirar"}}
		}
	}
	return nil
}
