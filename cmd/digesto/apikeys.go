package main

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"digesto"
	"digesto/store"
)

// What a key may do.
const (
	scopeAsk    = "ask"    // ask questions
	scopeRead   = "read"   // see one's own conversations and counts
	scopeManage = "manage" // change and delete them
	scopeAdmin  = "admin"  // run the server, see [admins]
)

var allScopes = []string{scopeAsk, scopeRead, scopeManage, scopeAdmin}

// defaultScopes are those of a key that names none.
var defaultScopes = []string{scopeAsk, scopeRead, scopeManage}

// newKey makes a key: its id, and the whole of it, which is shown once.
func newKey() (id, key string) {
	id = strings.ToLower(rand.Text())[:10]
	return id, keyPrefix + id + "_" + strings.ToLower(rand.Text())
}

// idOf gives the id under which a key is stored. Keys of the first form have none
// in them: theirs is part of their hash.
func idOf(key string) (id string, old bool) {
	if id, _, ok := strings.Cut(strings.TrimPrefix(key, keyPrefix), "_"); ok {
		return id, false
	}
	return "v1-" + store.HashKey(key)[:16], true
}

// keyring knows API keys. A key is checked against its hash once a minute at
// most: Argon2id is made to be slow, and a question must not wait for it.
type keyring struct {
	s     store.Store
	clock func() time.Time
	slots chan struct{} // hashes computed at a time: each takes 19 MiB
	mu    sync.Mutex
	known map[[32]byte]known
}

// known is a key that was checked not long ago.
type known struct {
	key   store.Key
	user  store.User
	until time.Time
}

const (
	keyMemory = time.Minute // a key that is taken back still works for so long
	keysKnown = 4096
)

func newKeyring(s store.Store, clock func() time.Time) *keyring {
	return &keyring{s: s, clock: clock, slots: make(chan struct{}, 2), known: map[[32]byte]known{}}
}

// errKey is the same whatever is wrong with a key.
func errKey() error {
	return &digesto.Error{Code: digesto.CodeForbidden, Message: "la clave no es válida", Hint: "pida otra a quien lleve el servicio («digesto keys add»)"}
}

// user gives whose a key is, if it may do what is asked.
func (r *keyring) user(ctx context.Context, key, scope string) (store.User, error) {
	k, err := r.valid(ctx, key)
	if err != nil {
		return store.User{}, err
	}
	if !slices.Contains(k.key.Scopes, scope) {
		return store.User{}, &digesto.Error{Code: digesto.CodeForbidden, Message: "la clave no tiene el permiso «" + scope + "»", Hint: "pida una que lo tenga («digesto keys add --scopes»)"}
	}
	return k.user, nil
}

// valid gives what is known of a key that holds today.
func (r *keyring) valid(ctx context.Context, key string) (known, error) {
	sum := sha256.Sum256([]byte(key))
	now := r.clock()
	k, ok := r.recall(sum, now)
	if !ok {
		var err error
		if k.key, k.user, err = r.check(ctx, key); err != nil {
			return known{}, err
		}
		k.until = now.Add(keyMemory)
		r.remember(sum, k)
	}
	if k.key.Expires != nil && !now.Before(*k.key.Expires) {
		return known{}, &digesto.Error{Code: digesto.CodeForbidden, Message: "la clave ha caducado", Hint: "pida otra a quien lleve el servicio («digesto keys rotate»)"}
	}
	return k, nil
}

// recall gives what a check not long ago found.
func (r *keyring) recall(sum [32]byte, now time.Time) (known, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	k, ok := r.known[sum]
	return k, ok && !now.After(k.until)
}

func (r *keyring) remember(sum [32]byte, k known) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.known) >= keysKnown {
		clear(r.known)
	}
	r.known[sum] = k
}

// check looks a key up and compares its hash; one of the first form gets a hash of
// today's on the way.
func (r *keyring) check(ctx context.Context, key string) (store.Key, store.User, error) {
	id, old := idOf(key)
	k, u, err := r.s.Key(ctx, id)
	if digesto.CodeOf(err) == digesto.CodeNotFound && old {
		return r.upgrade(ctx, id, key)
	}
	if digesto.CodeOf(err) == digesto.CodeNotFound {
		return k, u, errKey()
	}
	if err != nil {
		return k, u, err
	}
	select {
	case r.slots <- struct{}{}:
		defer func() { <-r.slots }()
	case <-ctx.Done():
		return k, u, ctx.Err()
	}
	if k, ok := r.recall(sha256.Sum256([]byte(key)), r.clock()); ok { // who waited beside has checked it
		return k.key, k.user, nil
	}
	if !store.SecretIs(k.Hash, key) {
		return k, u, errKey()
	}
	return k, u, nil
}

func (r *keyring) upgrade(ctx context.Context, id, key string) (store.Key, store.User, error) {
	u, err := r.s.UserByKey(ctx, store.HashKey(key))
	if digesto.CodeOf(err) == digesto.CodeNotFound {
		return store.Key{}, u, errKey()
	}
	k := store.Key{ID: id, User: u.ID, Hash: store.HashSecret(key), Scopes: defaultScopes}
	if err == nil {
		err = r.s.PutKey(ctx, k)
	}
	if err == nil {
		u.KeyHash = ""
		err = r.s.PutUser(ctx, u)
	}
	return k, u, err
}

// scopeOf is what a request needs; what is only for who runs the server is asked for there.
func scopeOf(r *http.Request) string {
	switch {
	case r.Method == http.MethodGet || r.Method == http.MethodHead:
		return scopeRead
	case strings.HasPrefix(r.URL.Path, "/v1/conversations") || strings.HasPrefix(r.URL.Path, "/conversaciones"):
		return scopeManage
	}
	return scopeAsk
}

// parseScopes reads "ask,read".
func parseScopes(s string) ([]string, error) {
	if s == "" {
		return defaultScopes, nil
	}
	var out []string
	for x := range strings.SplitSeq(s, ",") {
		if x = strings.TrimSpace(x); !slices.Contains(allScopes, x) {
			return nil, &digesto.Error{Code: digesto.CodeUsage, Message: "no existe el permiso «" + x + "»", Hint: "los que hay: " + strings.Join(allScopes, ", ")}
		}
		if !slices.Contains(out, x) {
			out = append(out, x)
		}
	}
	return out, nil
}

// parseExpiry reads a date, or how many days from now ("90d").
func parseExpiry(s string, now time.Time) (*time.Time, error) {
	if s == "" {
		return nil, nil
	}
	var days int
	end, err := time.Parse(time.DateOnly, s)
	if n, rest := 0, ""; err != nil {
		n, _ = fmt.Sscanf(s, "%d%s", &days, &rest)
		if n != 2 || rest != "d" || days < 1 || days > 36500 {
			return nil, &digesto.Error{Code: digesto.CodeUsage, Message: "«" + s + "» no es una fecha ni un número de días", Hint: "escriba AAAA-MM-DD o por ejemplo 90d"}
		}
		end = now.AddDate(0, 0, days)
	}
	if !end.After(now) {
		return nil, &digesto.Error{Code: digesto.CodeUsage, Message: "la clave ya habría caducado", Hint: "escriba una fecha que esté por venir"}
	}
	return &end, nil
}
