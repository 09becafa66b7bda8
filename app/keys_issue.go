package app

import (
	"context"
	"slices"
	"strings"
	"time"
	"unicode"

	"digesto"
	"digesto/store"
)

// KeyRequest is a key as people ask for it: on the command line and on the page of
// who runs the server.
type KeyRequest struct{ User, Plan, Scopes, Expires, Tenant string }

// IssuedKey is a key that was just made: the only time that it is seen whole.
type IssuedKey struct {
	User    string     `json:"user"`
	Plan    string     `json:"plan"`
	ID      string     `json:"id"`
	Key     string     `json:"key"`
	Scopes  []string   `json:"scopes"`
	Expires *time.Time `json:"expires_at"`
}

// AddKey gives a person one more key; the person is made if there is none of the name.
func (a *App) AddKey(ctx context.Context, s store.Store, w KeyRequest) (IssuedKey, error) {
	var none IssuedKey
	if w.User == "" || w.User == LocalUser || strings.HasPrefix(w.User, "v-") || strings.HasPrefix(w.User, "o-") || strings.ContainsFunc(w.User, func(r rune) bool { return r == '/' || !unicode.IsGraphic(r) || unicode.IsSpace(r) }) || len(w.User) > 60 {
		return none, &digesto.Error{Code: digesto.CodeInvalid, Message: "«" + w.User + "» no vale como nombre", Hint: "use letras y números, sin espacios"}
	}
	plans, err := a.Plans()
	if err != nil {
		return none, err
	}
	if _, ok := plans[w.Plan]; !ok {
		return none, &digesto.Error{Code: digesto.CodeNotFound, Message: "no existe el plan «" + w.Plan + "»", Hint: "los planes están en la clave «plans» de «digesto config»"}
	}
	scopes, err := parseScopes(w.Scopes)
	if err != nil {
		return none, err
	}
	expires, err := parseExpiry(w.Expires, a.Now())
	if err != nil {
		return none, err
	}
	u := store.User{ID: w.User, Name: w.User, Plan: w.Plan}
	old, err := userNamed(ctx, s, w.User)
	if err == nil {
		u.KeyHash = old.KeyHash // a key of the first form goes on
	} else if digesto.CodeOf(err) != digesto.CodeNotFound {
		return none, err
	}
	if err := a.checkTenant(ctx, s, w, scopes, old); err != nil {
		return none, err
	}
	if w.Tenant != "" {
		scopes = append(slices.Clone(scopes), TenantScope+w.Tenant)
	}
	if err := s.PutUser(ctx, u); err != nil {
		return none, err
	}
	return giveKey(ctx, s, u, scopes, expires)
}

// giveKey makes a key of a user there is.
func giveKey(ctx context.Context, s store.Store, u store.User, scopes []string, expires *time.Time) (IssuedKey, error) {
	id, key := newKey()
	err := s.PutKey(ctx, store.Key{ID: id, User: u.ID, Hash: store.HashSecret(key), Scopes: scopes, Expires: expires})
	return IssuedKey{User: u.ID, Plan: u.Plan, ID: id, Key: key, Scopes: scopes, Expires: expires}, err
}

func userNamed(ctx context.Context, s store.Store, name string) (store.User, error) {
	all, err := s.Users(ctx)
	if err != nil {
		return store.User{}, err
	}
	i := slices.IndexFunc(all, func(u store.User) bool { return u.ID == name })
	if i < 0 {
		return store.User{}, store.NoUser()
	}
	return all[i], nil
}

// RotateKeys gives a person a new key, with the scopes of the newest of theirs; the
// old ones end now, or when the grace does.
func (a *App) RotateKeys(ctx context.Context, s store.Store, name string, grace time.Duration, expiry string) (IssuedKey, error) {
	expires, err := parseExpiry(expiry, a.Now())
	if err != nil {
		return IssuedKey{}, err
	}
	u, err := userNamed(ctx, s, name)
	if err != nil {
		return IssuedKey{}, err
	}
	old, err := s.UserKeys(ctx, u.ID)
	if err != nil {
		return IssuedKey{}, err
	}
	scopes := DefaultScopes
	if len(old) > 0 {
		scopes = old[len(old)-1].Scopes
	}
	given, err := giveKey(ctx, s, u, scopes, expires)
	if err != nil {
		return given, err
	}
	end := a.Now().Add(grace)
	for _, k := range old {
		switch {
		case grace <= 0:
			err = s.DropKey(ctx, k.ID)
		case k.Expires == nil || k.Expires.After(end):
			k.Expires = &end
			err = s.PutKey(ctx, k)
		}
		if err != nil {
			return given, err
		}
	}
	if u.KeyHash == "" {
		return given, nil
	}
	u.KeyHash = "" // a key of the first form has no end: it is over
	return given, s.PutUser(ctx, u)
}
