package app

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
	"digesto/disk"
	"digesto/model/wire"
	"digesto/server"
	"digesto/server/login"
	"digesto/store"
)

// loginSettings are those of the entrance through an identity provider.
func loginSettings() []Setting {
	return []Setting{
		{Key: "oidc.issuer", Env: "DIGESTO_OIDC_ISSUER", Quiet: true, Help: "proveedor de identidad OpenID Connect por el que se entra (vacío: no se entra por ninguno)"},
		{Key: "oidc.client", Env: "DIGESTO_OIDC_CLIENT", Quiet: true, Help: "identificador de este servidor en el proveedor"},
		{Key: "oidc.secret", Env: "DIGESTO_OIDC_SECRET", Quiet: true, Secret: true, Help: "su secreto (vacío: cliente público, solo PKCE)"},
		{Key: "oidc.url", Env: "DIGESTO_OIDC_URL", Quiet: true, Help: "dirección pública de este servidor, por ejemplo https://digesto.example"},
		{Key: "oidc.claim", Env: "DIGESTO_OIDC_CLAIM", Quiet: true, Fallback: "roles", Help: "dónde trae los roles el proveedor; con puntos, dentro de un objeto"},
		{Key: "oidc.roles", Env: "DIGESTO_OIDC_ROLES", Quiet: true, Help: "permisos de cada rol: ROL=ask+read+manage+admin, separados por comas"},
		{Key: "oidc.default", Env: "DIGESTO_OIDC_DEFAULT", Quiet: true, Fallback: "ask+read+manage", Help: "permisos de quien no tiene ningún rol conocido; ninguno con «no»"},
		{Key: "oidc.tenant", Env: "DIGESTO_OIDC_TENANT", Quiet: true, Help: "dónde trae el proveedor la colección de cada cuenta (DATOS/tenants/COLECCIÓN); vacío: todas ven la de todos"},
		{Key: "oidc.plan", Env: "DIGESTO_OIDC_PLAN", Quiet: true, Help: "plan de quien entra (vacío: el de quien pregunta sin clave)"},
		{Key: "oidc.required", Env: "DIGESTO_OIDC_REQUIRED", Quiet: true, Fallback: "no", Help: "yes: sin entrar ni clave no se pregunta"},
	}
}

// Gate makes the entrance that the settings describe; nil when they name none. key
// gives what signs its cookies.
func (a *App) Gate(key func() ([]byte, error)) (*login.Gate, error) {
	issuer := a.Settings.Get("oidc.issuer")
	if issuer == "" {
		return nil, nil
	}
	local, err := a.Settings.Yes("local_only")
	if err != nil {
		return nil, err
	}
	signs, err := key()
	if err != nil {
		return nil, err
	}
	client := wire.Client(wire.Options{LocalOnly: local, Proxy: a.proxy()})
	client.Timeout = 10 * time.Second
	opt := login.Options{Issuer: issuer, Client: a.Settings.Get("oidc.client"), Secret: a.Settings.Get("oidc.secret"), Claim: a.Settings.Get("oidc.claim"), Tenant: a.Settings.Get("oidc.tenant"), Known: a.hasTenant,
		Callback: strings.TrimSuffix(a.Settings.Get("oidc.url"), "/") + "/entrar/vuelta", Key: signs, Roles: map[string][]string{}, Clock: a.Now, HTTP: client}
	if opt.Default, err = scopesOf(a.Settings.Get("oidc.default")); err != nil {
		return nil, err
	}
	for part := range strings.SplitSeq(a.Settings.Get("oidc.roles"), ",") {
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
func (a *App) sessionKey() ([]byte, error) {
	key := make([]byte, 32)
	if _, err := rand.Read(key); err != nil {
		return nil, err
	}
	if a.Settings.Data == "" {
		return key, nil
	}
	path := filepath.Join(a.Settings.Data, "session.key")
	kept, err := os.ReadFile(path)
	if err == nil && len(kept) >= 32 {
		return kept, nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, disk.Error(err, path, "revise los permisos de la carpeta de datos")
	}
	if err := os.WriteFile(path, key, 0o600); err != nil {
		a.Say("No se puede guardar %s: al reiniciar habrá que volver a entrar.", path)
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
func (a *App) throughGate(g *login.Gate, who func(*http.Request) (store.User, error)) (func(*http.Request) (store.User, error), error) {
	if g == nil {
		return who, nil
	}
	required, err := a.Settings.Yes("oidc.required")
	if err != nil {
		return nil, err
	}
	plan := a.Settings.Get("oidc.plan")
	if plan == "" {
		plan = a.Settings.Get("plan")
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
