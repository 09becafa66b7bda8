package main

import (
	"context"
	"fmt"
	"time"

	"digesto/app"
	"digesto/cmd/digesto/internal/show"
	"digesto/store"
)

// keysCmd groups the API keys.
type keysCmd struct {
	Add    keysAddCmd    `cmd:"" help:"Da una clave nueva a una persona o programa; las que tenga siguen valiendo."`
	List   keysListCmd   `cmd:"" help:"Lista quién tiene clave, sin enseñarlas."`
	Rotate keysRotateCmd `cmd:"" help:"Da una clave nueva en lugar de las que una persona tiene."`
	Revoke keysRevokeCmd `cmd:"" help:"Quita una clave."`
	Rm     keysRmCmd     `cmd:"" help:"Quita a una persona con todo lo suyo, para siempre."`
}

// Examples of the group.
func (keysCmd) Examples() []string {
	return []string{"digesto keys add ana --plan libre", "digesto keys rotate ana --grace 24h", "digesto keys list", "digesto keys rm ana"}
}

// keysAddCmd makes a key.
type keysAddCmd struct {
	Plan    string `name:"plan" default:"libre" placeholder:"PLAN" help:"Plan con sus límites (ver «digesto config»)."`
	Scopes  string `name:"scopes" placeholder:"PERMISOS" help:"Lo que la clave permite, separado por comas: ask, read, manage, admin. Sin esto: ask,read,manage."`
	Expires string `name:"expires" placeholder:"CADUCIDAD" help:"Cuándo caduca: AAAA-MM-DD o por ejemplo 90d. Sin esto, nunca."`
	Tenant  string `name:"tenant" placeholder:"COLECCIÓN" help:"La clave ve solo los textos de DATOS/tenants/COLECCIÓN. Sin esto, los de todos."`
	User    string `arg:"" placeholder:"PERSONA" help:"Nombre corto, sin espacios."`
}

// Examples of the command.
func (keysAddCmd) Examples() []string {
	return []string{"digesto keys add ana", "digesto keys add programa --plan profesional --scopes ask --expires 90d"}
}

// Run prints the key, once: only its hash is kept.
func (c keysAddCmd) Run(a *program) error {
	return a.inDatabase(func(s store.Store) error {
		k, err := a.AddKey(a.Context, s, app.KeyRequest{User: c.User, Plan: c.Plan, Scopes: c.Scopes, Expires: c.Expires, Tenant: c.Tenant})
		if err != nil {
			return err
		}
		return a.printKey(k)
	})
}

// printKey shows a key, once: only its hash is kept.
func (a *program) printKey(k app.IssuedKey) error {
	if a.json {
		return a.printJSON(k)
	}
	fmt.Fprintln(a.out, k.Key)
	a.Say("Guárdela: no se vuelve a enseñar. Se usa con la cabecera «Authorization: Bearer CLAVE».")
	return nil
}

// keysRotateCmd replaces the keys of a user.
type keysRotateCmd struct {
	Grace   time.Duration `name:"grace" placeholder:"DURACIÓN" help:"Cuánto valen aún las de antes, por ejemplo 24h. Sin esto, dejan de valer ya."`
	Expires string        `name:"expires" placeholder:"CADUCIDAD" help:"Cuándo caduca la nueva."`
	User    string        `arg:"" placeholder:"PERSONA" help:"De quién."`
}

// Examples of the command.
func (keysRotateCmd) Examples() []string {
	return []string{"digesto keys rotate ana", "digesto keys rotate programa --grace 24h --expires 90d"}
}

// Run gives the new key the scopes that the newest of the old ones has.
func (c keysRotateCmd) Run(a *program) error {
	return a.inDatabase(func(s store.Store) error {
		k, err := a.RotateKeys(a.Context, s, c.User, c.Grace, c.Expires)
		if err != nil {
			return err
		}
		return a.printKey(k)
	})
}

// keysRevokeCmd takes a key back.
type keysRevokeCmd struct {
	ID string `arg:"" placeholder:"CLAVE" help:"Su identificador, que da «digesto keys list»."`
}

// Examples of the command.
func (keysRevokeCmd) Examples() []string { return []string{"digesto keys revoke k3j5x2abcd"} }

// Run takes the key back: every server on this database refuses it from the next request on.
func (c keysRevokeCmd) Run(a *program) error {
	return a.drop(store.Store.DropKey, c.ID, "La clave «%s» ya no vale.")
}

// keysListCmd lists the users.
type keysListCmd struct{}

// Examples of the command.
func (keysListCmd) Examples() []string {
	return []string{"digesto keys list", "digesto keys list --json"}
}

// Run lists.
func (keysListCmd) Run(a *program) error {
	return a.inDatabase(func(s store.Store) error { return a.listKeys(s) })
}

func (a *program) listKeys(s store.Store) error {
	all, err := s.Users(a.Context)
	if err != nil {
		return err
	}
	keys, err := s.UserKeys(a.Context, "")
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(map[string]any{"users": all, "keys": keys})
	}
	show.Keys(a.screen(), all, keys, a.Now())
	return nil
}

// keysRmCmd erases a user.
type keysRmCmd struct {
	User string `arg:"" placeholder:"PERSONA" help:"Quien se quita."`
}

// Examples of the command.
func (keysRmCmd) Examples() []string { return []string{"digesto keys rm ana"} }

// Run erases.
func (c keysRmCmd) Run(a *program) error {
	return a.drop(store.Store.DropUser, c.User, "«%s» ya no está, ni sus conversaciones.")
}

// inDatabase does something with the conversations and keys that are kept.
func (a *program) inDatabase(do func(store.Store) error) error {
	s, err := a.OpenDatabase()
	if err != nil {
		return err
	}
	defer s.Close()
	return do(s)
}

// drop takes out what a name stands for, and says so.
func (a *program) drop(what func(store.Store, context.Context, string) error, name, done string) error {
	return a.inDatabase(func(s store.Store) error {
		if err := what(s, a.Context, name); err != nil {
			return err
		}
		a.Say(done, name)
		return nil
	})
}
