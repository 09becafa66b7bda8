package main

import (
	"crypto/rand"
	"fmt"
	"strings"

	"digesto"
	"digesto/store"
)

// keysCmd groups the API keys.
type keysCmd struct {
	Add  keysAddCmd  `cmd:"" help:"Da una clave nueva a una persona o programa."`
	List keysListCmd `cmd:"" help:"Lista quién tiene clave, sin enseñarlas."`
	Rm   keysRmCmd   `cmd:"" help:"Quita a una persona con todo lo suyo, para siempre."`
}

// Examples of the group.
func (keysCmd) Examples() []string {
	return []string{"digesto keys add ana --plan libre", "digesto keys list", "digesto keys rm ana"}
}

// keyPrefix begins every key.
const keyPrefix = "dg_"

// keysAddCmd makes a key.
type keysAddCmd struct {
	Plan string `name:"plan" default:"libre" placeholder:"PLAN" help:"Plan con sus límites (ver «digesto config»)."`
	User string `arg:"" placeholder:"PERSONA" help:"Nombre corto, sin espacios."`
}

// Examples of the command.
func (keysAddCmd) Examples() []string {
	return []string{"digesto keys add ana", "digesto keys add programa --plan profesional"}
}

// Run prints the key, once: only its hash is kept.
func (c keysAddCmd) Run(a *app) error {
	if c.User == localUser || strings.HasPrefix(c.User, "v-") || strings.ContainsAny(c.User, " \t\n/") || len(c.User) > 60 {
		return &digesto.Error{Code: digesto.CodeInvalid, Message: "«" + c.User + "» no vale como nombre", Hint: "use letras y números, sin espacios"}
	}
	plans, err := a.plans()
	if err != nil {
		return err
	}
	if _, ok := plans[c.Plan]; !ok {
		return &digesto.Error{Code: digesto.CodeNotFound, Message: "no existe el plan «" + c.Plan + "»", Hint: "los planes están en la clave «plans» de «digesto config»"}
	}
	s, err := a.openDatabase()
	if err != nil {
		return err
	}
	defer s.Close()
	key := keyPrefix + strings.ToLower(rand.Text())
	if err := s.PutUser(a.ctx, store.User{ID: c.User, Name: c.User, Plan: c.Plan, KeyHash: store.HashKey(key)}); err != nil {
		return err
	}
	if a.json {
		return a.printJSON(map[string]string{"user": c.User, "plan": c.Plan, "key": key})
	}
	fmt.Fprintln(a.out, key)
	a.say("Guárdela: no se vuelve a enseñar. Se usa con la cabecera «Authorization: Bearer CLAVE».")
	return nil
}

// keysListCmd lists the users.
type keysListCmd struct{}

// Examples of the command.
func (keysListCmd) Examples() []string {
	return []string{"digesto keys list", "digesto keys list --json"}
}

// Run lists.
func (keysListCmd) Run(a *app) error {
	s, err := a.openDatabase()
	if err != nil {
		return err
	}
	defer s.Close()
	all, err := s.Users(a.ctx)
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(map[string]any{"users": all})
	}
	for _, u := range all {
		fmt.Fprintf(a.out, "%s · %s · desde %s\n", clean(u.ID), clean(u.Plan), u.Created.Format("2006-01-02"))
	}
	return nil
}

// keysRmCmd erases a user.
type keysRmCmd struct {
	User string `arg:"" placeholder:"PERSONA" help:"Quien se quita."`
}

// Examples of the command.
func (keysRmCmd) Examples() []string { return []string{"digesto keys rm ana"} }

// Run erases.
func (c keysRmCmd) Run(a *app) error {
	s, err := a.openDatabase()
	if err != nil {
		return err
	}
	defer s.Close()
	if err := s.DropUser(a.ctx, c.User); err != nil {
		return err
	}
	a.say("«%s» ya no está, ni sus conversaciones.", c.User)
	return nil
}
