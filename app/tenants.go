package app

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"digesto"
	"digesto/server"
	"digesto/store"
	"digesto/text/lazyregexp"
)

// TenantScope begins what a key of a tenant may do: "tenant:NAME".
const TenantScope = "tenant:"

// TenantName is what a tenant may be called: it is the name of a folder.
var TenantName = lazyregexp.New(`^[a-z0-9][a-z0-9-]{0,39}$`)

// tenantOf gives whose collections a key sees; "" = those of everybody alone.
func tenantOf(scopes []string) string {
	for _, s := range scopes {
		if name, ok := strings.CutPrefix(s, TenantScope); ok {
			return name
		}
	}
	return ""
}

// TenantDir is the data folder of a tenant: texts, index, traces and audit log.
func TenantDir(data, name string) string { return filepath.Join(data, "tenants", name) }

// hasTenant says whether there is a folder of a tenant.
func (a *App) hasTenant(name string) bool {
	if a.Settings.Data == "" || !TenantName.MatchString(name) {
		return false
	}
	st, err := os.Stat(TenantDir(a.Settings.Data, name))
	return err == nil && st.IsDir()
}

// TenantNames are those that there are folders of, in order.
func (a *App) TenantNames() (out []string) {
	if a.Settings.Data == "" {
		return nil
	}
	list, _ := os.ReadDir(filepath.Join(a.Settings.Data, "tenants")) // none: nobody has one
	for _, d := range list {
		if a.hasTenant(d.Name()) {
			out = append(out, d.Name())
		}
	}
	return out
}

// checkTenant says why a person cannot have a key of a tenant. All keys of a person
// are of the same one: conversations are the person's, and quote what was found.
func (a *App) checkTenant(ctx context.Context, s store.Store, w KeyRequest, scopes []string, old store.User) error {
	if w.Tenant != "" {
		if !TenantName.MatchString(w.Tenant) {
			return &digesto.Error{Code: digesto.CodeInvalid, Message: "«" + w.Tenant + "» no vale como colección", Hint: "use minúsculas, números y guiones, hasta 40"}
		}
		if slices.Contains(scopes, ScopeAdmin) {
			return &digesto.Error{Code: digesto.CodeInvalid, Message: "una clave de una colección no puede administrar el servidor", Hint: "dé a quien lo lleva otra clave, sin --tenant"}
		}
		if !a.hasTenant(w.Tenant) {
			return &digesto.Error{Code: digesto.CodeNotFound, Message: "no hay ninguna colección «" + w.Tenant + "»", Hint: "instale sus textos: digesto corpus add CARPETA --data DATOS/tenants/" + w.Tenant}
		}
	}
	keys, err := s.UserKeys(ctx, w.User)
	if err != nil {
		return err
	}
	if old.KeyHash != "" {
		keys = append(keys, store.Key{})
	}
	for _, k := range keys {
		if tenantOf(k.Scopes) != w.Tenant {
			return &digesto.Error{Code: digesto.CodeConflict, Message: "«" + w.User + "» tiene claves de otra colección", Hint: "use otro nombre: cada persona ve una sola colección"}
		}
	}
	return nil
}

// tenants serves each tenant from a workspace of its own, over that tenant's folder
// alone: its pages, searches, citations, traces and answers kept for later have no way
// to another's texts, because nothing of them is open there.
type tenants struct {
	a       *App
	w       *Workspace // everybody's
	verbose bool
	open    bool
	mu      sync.Mutex
	served  map[string]*tenant
}

type tenant struct {
	mu sync.Mutex
	w  *Workspace
	s  *server.Server
}

// of gives who serves a request; nil = everybody's server, which also answers
// what has no valid key.
func (t *tenants) of(r *http.Request) (http.Handler, error) {
	name, err := t.named(r)
	if err != nil || name == "" {
		return nil, err
	}
	t.mu.Lock()
	one := t.served[name]
	if one == nil {
		one = &tenant{}
		t.served[name] = one
	}
	t.mu.Unlock()
	one.mu.Lock()
	defer one.mu.Unlock()
	if one.s == nil {
		if err := t.begin(one, name); err != nil {
			return nil, err
		}
	}
	return one.s, nil
}

// named gives the tenant of the key that a request brings, or of the account that it
// came in with. The way in and out is everybody's.
func (t *tenants) named(r *http.Request) (string, error) {
	if key, _ := keyIn(r); key != "" {
		name, err := t.w.keys.tenant(r.Context(), key)
		if digesto.CodeOf(err) == digesto.CodeForbidden {
			return "", nil
		}
		return name, err
	}
	if t.w.gate == nil || r.Header.Get("Authorization") != "" || r.Header.Get("X-API-Key") != "" || r.URL.Path == "/salir" || strings.HasPrefix(r.URL.Path, "/entrar") {
		return "", nil
	}
	s, _ := t.w.gate.Session(r)
	return s.Tenant, nil
}

// begin opens the folder of a tenant. Its index stands there too, whatever the
// address of everybody's.
func (t *tenants) begin(one *tenant, name string) error {
	dir := TenantDir(t.a.Settings.Data, name)
	if st, err := os.Stat(dir); err != nil || !st.IsDir() || !TenantName.MatchString(name) {
		return &digesto.Error{Code: digesto.CodeUnavailable, Message: "la colección de esta clave o cuenta no está instalada", Hint: "avise a quien lleva el servicio"}
	}
	a := *t.a
	a.Settings.Data = dir
	w, err := a.Open(a.Context)
	if err != nil {
		return err
	}
	w.Checks = t.w.Checks
	w.tenant, w.closed, w.gate, w.Store, w.keys, w.Law.Remote, w.Law.WordsOnly, w.Law.Wanted = name, t.w.closed, t.w.gate, sharedStore{t.w.Store}, t.w.keys, "", t.w.Law.WordsOnly, make(chan string, 256)
	if err = a.OpenTraces(w, ""); err == nil {
		if _, common := t.w.Audit.(commonAudit); common {
			w.Audit = keptAudit{t.w.Audit}
		} else {
			w.Audit, err = a.OpenAudit()
		}
	}
	var s *server.Server
	if err == nil {
		s, err = a.NewServer(w, t.verbose, t.open)
	}
	if err != nil {
		w.Close()
		return err
	}
	one.w, one.s = w, s
	return nil
}

// close lets go of the tenants.
func (t *tenants) close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, one := range t.served {
		if one.w != nil {
			one.w.Close()
		}
	}
}

// sharedStore is a store that its owner closes.
type sharedStore struct{ store.Store }

func (sharedStore) Close() error { return nil }

// keptAudit is an audit log that its owner closes.
type keptAudit struct{ auditor }

func (keptAudit) Close() error { return nil }

// tenant gives the tenant of a valid key.
func (r *keyring) tenant(ctx context.Context, key string) (string, error) {
	k, _, err := r.valid(ctx, key)
	return tenantOf(k.Scopes), err
}
