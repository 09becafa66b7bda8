package app

import (
	"context"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"digesto"
	"digesto/disk"
	"digesto/server/login"
	"digesto/store"
)

// admins says who runs the server: who makes keys, installs law and sees how all of
// it does. They are, in this order:
//
//   - who sends a key with the permission "admin";
//   - who came in through the identity provider with a role that gives "admin";
//   - who came in at /admin/entrar with such a key, for twelve hours;
//   - the owner of the machine, where the server listens on it alone, nobody has or had
//     a key yet, no provider is configured and the request came straight from a
//     browser here: neither through a proxy, which would make everyone look local,
//     nor under another host's name, which a foreign page could make this one's.
type admins struct {
	S       store.Store
	Clock   func() time.Time
	keys    *keyring
	Gate    *login.Gate // nil = no provider
	Cookies login.Cookies
	open    bool // the server listens for other machines, or cannot know that there are no keys

	there func() error // says that what is kept is not where it was; nil = nothing is kept
	mark  string       // file that says that there have been keys, see keysMade; "" = none

	mu     sync.Mutex
	keyed  bool // someone has, or had, a key
	looked time.Time
}

// AdminCookie holds an [adminSession].
const AdminCookie = "admin"

// adminLength is how long who came in with a key stays in.
const adminLength = 12 * time.Hour

// adminSession is bound to the hash of a key: one that is changed or gone ends it.
type adminSession struct {
	ID    string `json:"k"`
	Hash  string `json:"h"`
	Until int64  `json:"e"` // Unix seconds
}

// May says under which name a request may run the server, or why it may not.
func (d *admins) May(r *http.Request) (string, error) {
	if key, _ := keyIn(r); key != "" {
		u, err := d.keys.user(r.Context(), key, ScopeAdmin)
		return u.ID, err
	}
	if d.Gate != nil {
		if s, ok := d.Gate.Session(r); ok && s.May(ScopeAdmin) {
			return s.Name, nil
		}
	}
	if u, ok := d.Inside(r); ok {
		return u, nil
	}
	if d.owner(r) {
		return LocalUser, nil
	}
	return "", &digesto.Error{Code: digesto.CodeForbidden, Message: "esta página es de quien lleva el servidor", Hint: "entre en «/admin/entrar» con una clave que tenga el permiso «admin» («digesto keys add NOMBRE --scopes admin»)"}
}

// check is may for who needs no name.
func (d *admins) check(r *http.Request) error {
	_, err := d.May(r)
	return err
}

// keyIn gives the key that a request carries; ok is false where it carries none. An
// empty one after "Bearer" is one, and no good.
func keyIn(r *http.Request) (key string, ok bool) {
	if key, ok = strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); !ok {
		key = r.Header.Get("X-API-Key")
		ok = key != ""
	}
	return strings.TrimSpace(key), ok
}

// Inside tells who came in with a key whose session and key both still hold.
func (d *admins) Inside(r *http.Request) (string, bool) {
	var s adminSession
	if !d.Cookies.Read(r, AdminCookie, &s) || d.Clock().Unix() > s.Until || s.ID == "" {
		return "", false
	}
	k, u, err := d.S.Key(r.Context(), s.ID)
	if err != nil || store.HashKey(k.Hash) != s.Hash || k.Expires != nil && !d.Clock().Before(*k.Expires) || !slices.Contains(k.Scopes, ScopeAdmin) {
		return "", false
	}
	return u.ID, true
}

// Enter begins a session for who has a key with the permission.
func (d *admins) Enter(w http.ResponseWriter, r *http.Request, key string) error {
	u, err := d.keys.user(r.Context(), key, ScopeAdmin)
	if err != nil {
		return err
	}
	id, _ := IdOf(key)
	k, _, err := d.S.Key(r.Context(), id)
	if err != nil || k.User != u.ID {
		return errKey()
	}
	d.mu.Lock()
	d.keyed = true
	d.mu.Unlock()
	c := d.Cookies
	c.Secure = c.Secure || r.TLS != nil
	c.Set(w, AdminCookie, "/", int(adminLength/time.Second), adminSession{id, store.HashKey(k.Hash), d.Clock().Add(adminLength).Unix()})
	return nil
}

// owner says whether a request is of the one person that a server without keys serves.
func (d *admins) owner(r *http.Request) bool {
	if d.open || d.Gate != nil || !fromHere(r) {
		return false
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if now := d.Clock(); !d.keyed && (d.looked.IsZero() || now.Sub(d.looked) > time.Second || now.Before(d.looked)) {
		if d.look(r.Context()) != nil || d.there != nil && d.there() != nil {
			return false
		}
	}
	return !d.keyed
}

// look notes whether someone has a key. Once somebody has had one it stays so: keys that
// are no longer found may have gone with their file. The caller holds the lock, or is alone.
func (d *admins) look(ctx context.Context) error {
	keys, err := d.S.UserKeys(ctx, "")
	if err != nil {
		return err
	}
	d.keyed, d.looked = d.keyed || len(keys) > 0 || d.mark != "" && disk.Exists(d.mark), d.Clock()
	if d.keyed && d.mark != "" && !disk.Exists(d.mark) {
		_ = os.WriteFile(d.mark, nil, 0o600) // on a disk that cannot be written the next one tries
	}
	return nil
}

// keysMade is a file of the data folder that stays when keys are gone with the database:
// where it is, only a key lets run the server.
const keysMade = "keys.made"

// fromHere says whether a request is of a person at this machine: by its addresses, and
// without a proxy between. A page that is read here under a name that was made to lead
// here (DNS rebinding) names another host.
func fromHere(r *http.Request) bool {
	for _, h := range []string{"Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-Ip"} {
		if r.Header.Get(h) != "" {
			return false
		}
	}
	return hereHost(r.Host) && hereHost(r.RemoteAddr)
}

// hereHost says whether a host, with or without its port, is this machine.
func hereHost(s string) bool {
	host, _, err := net.SplitHostPort(s)
	if err != nil {
		host = strings.Trim(s, "[]")
	}
	ip := net.ParseIP(host)
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}
