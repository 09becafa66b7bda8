package app

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
	ScopeAsk    = "ask"    // ask questions
	ScopeRead   = "read"   // see one's own conversations and counts
	ScopeManage = "manage" // change and delete them
	ScopeAdmin  = "admin"  // run the server, see [admins]
)

var AllScopes = []string{ScopeAsk, ScopeRead, ScopeManage, ScopeAdmin}

// DefaultScopes are those of a key that names none.
var DefaultScopes = []string{ScopeAsk, ScopeRead, ScopeManage}

// newKey makes a key: its id, and the whole of it, which is shown once.
func newKey() (id, key string) {
	id = strings.ToLower(rand.Text())[:10]
	return id, keyPrefix + id + "_" + strings.ToLower(rand.Text())
}

// IdOf gives the id under which a key is stored. Keys of the first form have none
// in them: theirs is part of their hash.
func IdOf(key string) (id string, old bool) {
	if id, _, ok := strings.Cut(strings.TrimPrefix(key, keyPrefix), "_"); ok {
		return id, false
	}
	return "v1-" + store.HashKey(key)[:16], true
}

// keyring knows API keys. Who a key belongs to and whether it still holds is read
// anew each time, so that one taken back is refused at once, on every node; only
// the comparison with its hash is remembered: Argon2id is made to be slow, and a
// question must not wait for it.
type keyring struct {
	s        store.Store
	clock    func() time.Time
	slots    chan struct{} // hashes computed at a time: each takes 19 MiB
	mu       sync.Mutex
	compared map[[32]byte]string // digest of a key -> stored hash that it was found to fit
}

const keysKnown = 4096

func newKeyring(s store.Store, clock func() time.Time) *keyring {
	return &keyring{s: s, clock: clock, slots: make(chan struct{}, 2), compared: map[[32]byte]string{}}
}

// errKey is the same whatever is wrong with a key.
func errKey() error {
	return &digesto.Error{Code: digesto.CodeForbidden, Message: "la clave no es válida", Hint: "pida otra a quien lleve el servicio («digesto keys add»)"}
}

// user gives whose a key is, if it may do what is asked.
func (r *keyring) user(ctx context.Context, key, scope string) (store.User, error) {
	k, u, err := r.valid(ctx, key)
	if err != nil {
		return store.User{}, err
	}
	if !slices.Contains(k.Scopes, scope) {
		return store.User{}, &digesto.Error{Code: digesto.CodeForbidden, Message: "la clave no tiene el permiso «" + scope + "»", Hint: "pida una que lo tenga («digesto keys add --scopes»)"}
	}
	return u, nil
}

// valid gives what is stored of a key that holds now. One of the first form gets a
// hash of today's on the way.
func (r *keyring) valid(ctx context.Context, key string) (store.Key, store.User, error) {
	id, old := IdOf(key)
	k, u, err := r.s.Key(ctx, id)
	switch {
	case digesto.CodeOf(err) == digesto.CodeNotFound && old:
		k, u, err = r.upgrade(ctx, id, key)
	case digesto.CodeOf(err) == digesto.CodeNotFound:
		err = errKey()
	case err == nil:
		err = r.compare(ctx, key, k.Hash)
	}
	if err == nil && k.Expires != nil && !r.clock().Before(*k.Expires) {
		err = &digesto.Error{Code: digesto.CodeForbidden, Message: "la clave ha caducado", Hint: "pida otra a quien lleve el servicio («digesto keys rotate»)"}
	}
	return k, u, err
}

// compare says whether a key fits a stored hash.
func (r *keyring) compare(ctx context.Context, key, hash string) error {
	sum := sha256.Sum256([]byte(key))
	if r.fitted(sum, hash) {
		return nil
	}
	select {
	case r.slots <- struct{}{}:
		defer func() { <-r.slots }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if r.fitted(sum, hash) { // who waited beside has compared it
		return nil
	}
	if !store.SecretIs(hash, key) {
		return errKey()
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.compared) >= keysKnown {
		clear(r.compared)
	}
	r.compared[sum] = hash
	return nil
}

func (r *keyring) fitted(sum [32]byte, hash string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.compared[sum] == hash && hash != ""
}

func (r *keyring) upgrade(ctx context.Context, id, key string) (store.Key, store.User, error) {
	u, err := r.s.UserByKey(ctx, store.HashKey(key))
	if digesto.CodeOf(err) == digesto.CodeNotFound {
		return store.Key{}, u, errKey()
	}
	k := store.Key{ID: id, User: u.ID, Hash: store.HashSecret(key), Scopes: DefaultScopes}
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
		return ScopeRead
	case strings.HasPrefix(r.URL.Path, "/v1/conversations") || strings.HasPrefix(r.URL.Path, "/conversaciones"):
		return ScopeManage
	}
	return ScopeAsk
}

// parseScopes reads "ask,read".
func parseScopes(s string) ([]string, error) {
	if s == "" {
		return DefaultScopes, nil
	}
	var out []string
	for x := range strings.SplitSeq(s, ",") {
		if x = strings.TrimSpace(x); !slices.Contains(AllScopes, x) {
			return nil, &digesto.Error{Code: digesto.CodeUsage, Message: "no existe el permiso «" + x + "»", Hint: "los que hay: " + strings.Join(AllScopes, ", ")}
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
