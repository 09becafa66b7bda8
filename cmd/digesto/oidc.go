package main

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"digesto"
	"digesto/model/wire"
	"digesto/server"
	"digesto/server/login"
	"digesto/store"
)

// loginSettings are those of the entrance through an identity provider.
func loginSettings() []setting {
	return []setting{
		{key: "oidc.issuer", env: "DIGESTO_OIDC_ISSUER", quiet: true, help: "proveedor de identidad OpenID Connect por el que se entra (vacío: no se entra por ninguno)"},
		{key: "oidc.client", env: "DIGESTO_OIDC_CLIENT", quiet: true, help: "identificador de este servidor en el proveedor"},
		{key: "oidc.secret", env: "DIGESTO_OIDC_SECRET", quiet: true, secret: true, help: "su secreto (vacío: cliente público, solo PKCE)"},
		{key: "oidc.url", env: "DIGESTO_OIDC_URL", quiet: true, help: "dirección pública de este servidor, por ejemplo https://digesto.example"},
		{key: "oidc.claim", env: "DIGESTO_OIDC_CLAIM", quiet: true, fallback: "roles", help: "dónde trae los roles el proveedor; con puntos, dentro de un objeto"},
		{key: "oidc.roles", env: "DIGESTO_OIDC_ROLES", quiet: true, help: "permisos de cada rol: ROL=ask+read+manage+admin, separados por comas"},
		{key: "oidc.default", env: "DIGESTO_OIDC_DEFAULT", quiet: true, fallback: "ask+read+manage", help: "permisos de quien no tiene ningún rol conocido; ninguno con «no»"},
		{key: "oidc.tenant", env: "DIGESTO_OIDC_TENANT", quiet: true, help: "dónde trae el proveedor la colección de cada cuenta (DATOS/tenants/COLECCIÓN); vacío: todas ven la de todos"},
		{key: "oidc.plan", env: "DIGESTO_OIDC_PLAN", quiet: true, help: "plan de quien entra (vacío: el de quien pregunta sin clave)"},
		{key: "oidc.required", env: "DIGESTO_OIDC_REQUIRED", quiet: true, fallback: "no", help: "yes: sin entrar ni clave no se pregunta"},
	}
}

// gate makes the entrance that the settings describe; nil when they name none. key
// gives what signs its cookies.
func (a *app) gate(key func() ([]byte, error)) (*login.Gate, error) {
	issuer := a.conf.get("oidc.issuer")
	if issuer == "" {
		return nil, nil
	}
	local, err := a.conf.yes("local_only")
	if err != nil {
		return nil, err
	}
	signs, err := key()
	if err != nil {
		return nil, err
	}
	client := wire.Client(wire.Options{LocalOnly: local, Proxy: a.proxy()})
	client.Timeout = 10 * time.Second
	opt := login.Options{Issuer: issuer, Client: a.conf.get("oidc.client"), Secret: a.conf.get("oidc.secret"), Claim: a.conf.get("oidc.claim"), Tenant: a.conf.get("oidc.tenant"), Known: a.hasTenant,
		Callback: strings.TrimSuffix(a.conf.get("oidc.url"), "/") + "/entrar/vuelta", Key: signs, Roles: map[string][]string{}, Clock: a.now, HTTP: client}
	if opt.Default, err = scopesOf(a.conf.get("oidc.default")); err != nil {
		return nil, err
	}
	for part := range strings.SplitSeq(a.conf.get("oidc.roles"), ",") {
		role, scopes, _ := strings.Cut(strings.TrimSpace(part), "=")
		if role == "" {
			continue
		}
		if opt.Roles[role], err = scopesOf(scopes); err != nil {
			return nil, err
		}
	}
	return login.New(opt)
}

// scopesOf reads "ask+read"; "no" is none.
func scopesOf(s string) ([]string, error) {
	if s == "no" {
		return []string{}, nil
	}
	return parseScopes(strings.ReplaceAll(s, "+", ","))
}

// sessionKey is the secret that signs cookies: kept in the data folder, so that a
// restart puts nobody out; without one it lasts as long as the program.
func (a *app) sessionKey() ([]byte, error) {
	key := make([]byte, 32)
	if _, err := rand.Read(key); err != nil {
		return nil, err
	}
	if a.conf.data == "" {
		return key, nil
	}
	path := filepath.Join(a.conf.data, "session.key")
	kept, err := os.ReadFile(path)
	if err == nil && len(kept) >= 32 {
		return kept, nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fileError(err, path, "revise los permisos de la carpeta de datos")
	}
	if err := os.WriteFile(path, key, 0o600); err != nil {
		a.say("No se puede guardar %s: al reiniciar habrá que volver a entrar.", path)
	}
	return key, nil
}

// loginRoutes are the entrance and the way out.
func loginRoutes(g *login.Gate) []server.Route {
	if g == nil {
		return nil
	}
	return []server.Route{{Pattern: "GET /entrar", Serve: g.Begin}, {Pattern: "GET /entrar/vuelta", Serve: g.End}, {Pattern: "POST /salir", Serve: g.Leave}}
}

// signed says under which name a request comes in; nil without an entrance.
func signed(g *login.Gate) func(*http.Request) (string, bool) {
	if g == nil {
		return nil
	}
	return func(r *http.Request) (string, bool) {
		s, ok := g.Session(r)
		return s.Name, ok
	}
}

// throughGate tells who came in by the entrance apart, and where it is required
// lets nobody else ask. Keys go on as they did.
func (a *app) throughGate(g *login.Gate, who func(*http.Request) (store.User, error)) (func(*http.Request) (store.User, error), error) {
	if g == nil {
		return who, nil
	}
	required, err := a.conf.yes("oidc.required")
	if err != nil {
		return nil, err
	}
	plan := a.conf.get("oidc.plan")
	if plan == "" {
		plan = a.conf.get("plan")
	}
	return func(r *http.Request) (store.User, error) {
		if r.Header.Get("Authorization") != "" || r.Header.Get("X-API-Key") != "" {
			return who(r)
		}
		s, ok := g.Session(r)
		switch {
		case !ok && required:
			return store.User{}, &digesto.Error{Code: digesto.CodeForbidden, Message: "hay que entrar para preguntar", Hint: "entre en «/entrar» o use una clave"}
		case !ok:
			return who(r)
		case !s.May(scopeOf(r)):
			return store.User{}, &digesto.Error{Code: digesto.CodeForbidden, Message: "su cuenta no tiene el permiso «" + scopeOf(r) + "»", Hint: "pídalo a quien lleve el servicio"}
		}
		id := s.User
		if s.Tenant != "" { // conversations quote what was found: they stay with the tenant
			id += "\x00" + s.Tenant
		}
		return store.User{ID: "o-" + store.HashKey(id)[:32], Name: s.Name, Plan: plan}, nil
	}, nil
}
