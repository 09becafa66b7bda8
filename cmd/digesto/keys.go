package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"digesto"
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

// keyPrefix begins every key.
const keyPrefix = "dg_"

// keysAddCmd makes a key.
type keysAddCmd struct {
	Plan    string `name:"plan" default:"libre" placeholder:"PLAN" help:"Plan con sus límites (ver «digesto config»)."`
	Scopes  string `name:"scopes" placeholder:"PERMISOS" help:"Lo que la clave permite, separado por comas: ask, read, manage, admin. Sin esto: ask,read,manage."`
	Expires string `name:"expires" placeholder:"FECHA|DÍASd" help:"Cuándo caduca: AAAA-MM-DD o por ejemplo 90d. Sin esto, nunca."`
	User    string `arg:"" placeholder:"PERSONA" help:"Nombre corto, sin espacios."`
}

// Examples of the command.
func (keysAddCmd) Examples() []string {
	return []string{"digesto keys add ana", "digesto keys add programa --plan profesional --scopes ask --expires 90d"}
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
	scopes, err := parseScopes(c.Scopes)
	if err != nil {
		return err
	}
	expires, err := parseExpiry(c.Expires, a.now())
	if err != nil {
		return err
	}
	s, err := a.openDatabase()
	if err != nil {
		return err
	}
	defer s.Close()
	u := store.User{ID: c.User, Name: c.User, Plan: c.Plan}
	if err := a.keepOldKey(s, &u); err != nil {
		return err
	}
	if err := s.PutUser(a.ctx, u); err != nil {
		return err
	}
	return a.giveKey(s, u, scopes, expires)
}

// keepOldKey leaves a user the key of the first form that they may have.
func (a *app) keepOldKey(s store.Store, u *store.User) error {
	all, err := s.Users(a.ctx)
	for _, o := range all {
		if o.ID == u.ID {
			u.KeyHash = o.KeyHash
		}
	}
	return err
}

// giveKey makes a key and prints it, once: only its hash is kept.
func (a *app) giveKey(s store.Store, u store.User, scopes []string, expires *time.Time) error {
	id, key := newKey()
	if err := s.PutKey(a.ctx, store.Key{ID: id, User: u.ID, Hash: store.HashSecret(key), Scopes: scopes, Expires: expires}); err != nil {
		return err
	}
	if a.json {
		return a.printJSON(map[string]any{"user": u.ID, "plan": u.Plan, "id": id, "key": key, "scopes": scopes, "expires_at": expires})
	}
	fmt.Fprintln(a.out, key)
	a.say("Guárdela: no se vuelve a enseñar. Se usa con la cabecera «Authorization: Bearer CLAVE».")
	return nil
}

// keysRotateCmd replaces the keys of a user.
type keysRotateCmd struct {
	Grace   time.Duration `name:"grace" placeholder:"DURACIÓN" help:"Cuánto valen aún las de antes, por ejemplo 24h. Sin esto, dejan de valer ya."`
	Expires string        `name:"expires" placeholder:"FECHA|DÍASd" help:"Cuándo caduca la nueva."`
	User    string        `arg:"" placeholder:"PERSONA" help:"De quién."`
}

// Examples of the command.
func (keysRotateCmd) Examples() []string {
	return []string{"digesto keys rotate ana", "digesto keys rotate programa --grace 24h --expires 90d"}
}

// Run gives the new key the scopes that the newest of the old ones has.
func (c keysRotateCmd) Run(a *app) error {
	expires, err := parseExpiry(c.Expires, a.now())
	if err != nil {
		return err
	}
	s, err := a.openDatabase()
	if err != nil {
		return err
	}
	defer s.Close()
	all, err := s.Users(a.ctx)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(all, func(u store.User) bool { return u.ID == c.User })
	if i < 0 {
		return store.NoUser()
	}
	u, scopes := all[i], defaultScopes
	old, err := s.UserKeys(a.ctx, u.ID)
	if err != nil {
		return err
	}
	if len(old) > 0 {
		scopes = old[len(old)-1].Scopes
	}
	if err := a.giveKey(s, u, scopes, expires); err != nil {
		return err
	}
	end := a.now().Add(c.Grace)
	for _, k := range old {
		switch {
		case c.Grace <= 0:
			err = s.DropKey(a.ctx, k.ID)
		case k.Expires == nil || k.Expires.After(end):
			k.Expires = &end
			err = s.PutKey(a.ctx, k)
		}
		if err != nil {
			return err
		}
	}
	if u.KeyHash == "" {
		return nil
	}
	u.KeyHash = "" // a key of the first form has no end: it is over
	return s.PutUser(a.ctx, u)
}

// keysRevokeCmd takes a key back.
type keysRevokeCmd struct {
	ID string `arg:"" placeholder:"CLAVE" help:"Su identificador, que da «digesto keys list»."`
}

// Examples of the command.
func (keysRevokeCmd) Examples() []string { return []string{"digesto keys revoke k3j5x2abcd"} }

// Run takes the key back; a server that knows it lets it through for a minute at most.
func (c keysRevokeCmd) Run(a *app) error {
	s, err := a.openDatabase()
	if err != nil {
		return err
	}
	defer s.Close()
	if err := s.DropKey(a.ctx, c.ID); err != nil {
		return err
	}
	a.say("La clave «%s» deja de valer, como mucho en un minuto.", c.ID)
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
	keys, err := s.UserKeys(a.ctx, "")
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(map[string]any{"users": all, "keys": keys})
	}
	for _, u := range all {
		fmt.Fprintf(a.out, "%s · %s · desde %s\n", clean(u.ID), clean(u.Plan), u.Created.Format("2006-01-02"))
		if u.KeyHash != "" {
			fmt.Fprintln(a.out, "  clave de la primera forma: se cambia de hash cuando se use")
		}
		for _, k := range keys {
			if k.User == u.ID {
				fmt.Fprintf(a.out, "  %s · %s · desde %s%s\n", clean(k.ID), strings.Join(k.Scopes, ","), k.Created.Format("2006-01-02"), endOf(k, a.now()))
			}
		}
	}
	return nil
}

// endOf says when a key ends.
func endOf(k store.Key, now time.Time) string {
	switch {
	case k.Expires == nil:
		return ""
	case now.Before(*k.Expires):
		return " · hasta " + k.Expires.Format("2006-01-02 15:04")
	}
	return " · caducada"
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
