// Package login lets people in through an OpenID Connect provider (OpenID
// Connect Core 1.0, code flow with PKCE, RFC 7636). Who came in is kept in a
// signed cookie; nothing of the provider's tokens is kept.
package login

import (
	"context"
	"crypto/subtle"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"digesto"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

// Options of a gate. Zero values mean the defaults stated.
type Options struct {
	Issuer   string              // required: https, or http on this machine
	Client   string              // required: the client id given by the provider
	Secret   string              // of the client; "" = a public client, PKCE alone
	Callback string              // required: the whole address of /entrar/vuelta
	Key      []byte              // required: signs the cookies; 32 bytes or more
	Claim    string              // where the token names roles, with points into objects; "roles"
	Roles    map[string][]string // role → scopes; a role that is not here gives none
	Default  []string            // scopes of who has no role that is known
	Tenant   string              // where the token names whose texts a person sees, with points; "" = everybody's, whatever it says
	Known    func(string) bool   // whether a tenant of that name is served here; nil = all are
	Length   time.Duration       // of a session; 12 h
	Clock    func() time.Time    // time.Now
	HTTP     *http.Client        // to the provider; one with a timeout of 10 s
}

// Session is who came in.
type Session struct {
	User   string   `json:"u"` // issuer and subject, joined by a space
	Name   string   `json:"n"`
	Scopes []string `json:"s"`
	Until  int64    `json:"e"`           // Unix seconds
	Tenant string   `json:"t,omitempty"` // whose texts they see; "" = everybody's
	By     string   `json:"c,omitempty"` // the claim that said so: of another one the session does not hold
}

// May says whether a session has a scope.
func (s Session) May(scope string) bool { return slices.Contains(s.Scopes, scope) }

// attempt is a login that has begun: what must come back.
type attempt struct {
	State    string `json:"s"`
	Nonce    string `json:"n"`
	Verifier string `json:"v"`
	Back     string `json:"b"`
	Until    int64  `json:"e"`
}

// Gate lets people in. It asks the provider for its description when the first
// one comes, so that a server starts without it.
type Gate struct {
	opt      Options
	cookies  Cookies
	mu       sync.Mutex
	provider *oidc.Provider
}

// New checks the options.
func New(opt Options) (*Gate, error) {
	issuer, err := url.Parse(opt.Issuer)
	back, err2 := url.Parse(opt.Callback)
	switch {
	case err != nil || !safe(issuer):
		return nil, bad("la dirección del proveedor de identidad no vale", "use una dirección https (http solo en esta máquina)")
	case err2 != nil || back.Host == "" || !strings.HasSuffix(back.Path, "/entrar/vuelta"):
		return nil, bad("la dirección de vuelta no vale", "es la de este servidor seguida de /entrar/vuelta")
	case opt.Client == "":
		return nil, bad("falta el identificador del cliente", "lo da el proveedor al registrar este servidor")
	case len(opt.Key) < 32:
		return nil, errors.New("login: Options.Key is shorter than 32 bytes")
	}
	if opt.Claim == "" {
		opt.Claim = "roles"
	}
	if opt.Length <= 0 {
		opt.Length = 12 * time.Hour
	}
	if opt.Clock == nil {
		opt.Clock = time.Now
	}
	if opt.HTTP == nil {
		opt.HTTP = &http.Client{Timeout: 10 * time.Second}
	}
	return &Gate{opt: opt, cookies: Cookies{opt.Key, back.Scheme == "https"}}, nil
}

func safe(u *url.URL) bool {
	return u.Host != "" && (u.Scheme == "https" || u.Scheme == "http" && (u.Hostname() == "127.0.0.1" || u.Hostname() == "localhost" || u.Hostname() == "::1"))
}

func bad(msg, hint string) error {
	return &digesto.Error{Code: digesto.CodeInvalid, Message: msg, Hint: hint}
}

// Reach asks the provider what it is: an error says that nobody could come in now.
func (g *Gate) Reach(ctx context.Context) error {
	_, _, err := g.describe(ctx)
	return err
}

// context carries the client of requests to the provider.
func (g *Gate) context(ctx context.Context) context.Context {
	return oidc.ClientContext(ctx, g.opt.HTTP)
}

// describe gives the provider, asked for once.
func (g *Gate) describe(ctx context.Context) (*oidc.Provider, *oauth2.Config, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.provider == nil {
		p, err := oidc.NewProvider(g.context(context.WithoutCancel(ctx)), g.opt.Issuer)
		if err != nil {
			return nil, nil, &digesto.Error{Code: digesto.CodeUnavailable, Message: "el proveedor de identidad no contesta", Hint: "vuelva a intentarlo en un momento", Err: err}
		}
		g.provider = p
	}
	return g.provider, &oauth2.Config{ClientID: g.opt.Client, ClientSecret: g.opt.Secret, Endpoint: g.provider.Endpoint(), RedirectURL: g.opt.Callback,
		Scopes: []string{oidc.ScopeOpenID, "profile", "email"}}, nil
}

// Begin sends a person to the provider; ?back= is where they want to be afterwards.
func (g *Gate) Begin(w http.ResponseWriter, r *http.Request) error {
	_, conf, err := g.describe(r.Context())
	if err != nil {
		return err
	}
	a := attempt{State: random(), Nonce: random(), Verifier: oauth2.GenerateVerifier(), Back: local(r.FormValue("back")), Until: g.opt.Clock().Add(10 * time.Minute).Unix()}
	g.cookies.Set(w, attemptCookie, "/entrar", 600, a)
	http.Redirect(w, r, conf.AuthCodeURL(a.State, oidc.Nonce(a.Nonce), oauth2.S256ChallengeOption(a.Verifier)), http.StatusFound)
	return nil
}

// local lets only addresses of this server through.
func local(s string) string {
	u, err := url.Parse(s)
	if err != nil || u.IsAbs() || u.Host != "" || !strings.HasPrefix(s, "/") || strings.HasPrefix(s, "//") || strings.ContainsAny(s, "\\\r\n") {
		return "/"
	}
	return s
}

// errLogin is the same whatever is wrong with what came back.
func errLogin(cause error) error {
	return &digesto.Error{Code: digesto.CodeForbidden, Message: "no se ha podido comprobar la entrada", Hint: "vuelva a entrar; si se repite, avise a quien lleve el servicio", Err: cause}
}

// End takes who comes back from the provider, proves who it is and begins the session.
func (g *Gate) End(w http.ResponseWriter, r *http.Request) error {
	var a attempt
	if !g.cookies.Read(r, attemptCookie, &a) || g.opt.Clock().Unix() > a.Until {
		return errLogin(errors.New("no login was begun here, or too long ago"))
	}
	g.cookies.Drop(w, attemptCookie, "/entrar")
	if subtle.ConstantTimeCompare([]byte(r.FormValue("state")), []byte(a.State)) != 1 || r.FormValue("code") == "" {
		return errLogin(errors.New("state or code: " + r.FormValue("error")))
	}
	provider, conf, err := g.describe(r.Context())
	if err != nil {
		return err
	}
	ctx := g.context(r.Context())
	token, err := conf.Exchange(ctx, r.FormValue("code"), oauth2.VerifierOption(a.Verifier))
	if err != nil {
		return errLogin(err)
	}
	raw, _ := token.Extra("id_token").(string)
	id, err := provider.Verifier(&oidc.Config{ClientID: g.opt.Client, Now: g.opt.Clock}).Verify(ctx, raw)
	if err != nil {
		return errLogin(err)
	}
	if subtle.ConstantTimeCompare([]byte(id.Nonce), []byte(a.Nonce)) != 1 {
		return errLogin(errors.New("nonce"))
	}
	var claims map[string]any
	if err := id.Claims(&claims); err != nil {
		return errLogin(err)
	}
	if party, said := claims["azp"]; id.Subject == "" || said && party != g.opt.Client || !said && len(id.Audience) > 1 { // OpenID Connect Core 1.0, 3.1.3.7
		return errLogin(errors.New("no subject, or a token given to another"))
	}
	s := Session{User: id.Issuer + " " + id.Subject, Name: nameIn(claims), Scopes: g.scopes(claims), Until: g.opt.Clock().Add(g.opt.Length).Unix(), By: g.opt.Tenant}
	if s.Tenant, err = g.tenant(claims); err != nil {
		return err
	}
	if s.Tenant != "" { // who sees one tenant's texts does not run the server of all
		s.Scopes = slices.DeleteFunc(s.Scopes, func(scope string) bool { return scope == "admin" })
	}
	g.cookies.Set(w, sessionCookie, "/", int(g.opt.Length/time.Second), s)
	http.Redirect(w, r, a.Back, http.StatusSeeOther)
	return nil
}

// Leave ends the session.
func (g *Gate) Leave(w http.ResponseWriter, r *http.Request) error {
	g.cookies.Drop(w, sessionCookie, "/")
	http.Redirect(w, r, "/", http.StatusSeeOther)
	return nil
}

// Session gives who makes a request; ok is false for a visitor.
func (g *Gate) Session(r *http.Request) (s Session, ok bool) {
	if !g.cookies.Read(r, sessionCookie, &s) || g.opt.Clock().Unix() > s.Until || s.User == "" || s.By != g.opt.Tenant {
		return Session{}, false
	}
	return s, true
}

// nameIn gives what a person is called.
func nameIn(claims map[string]any) string {
	for _, k := range []string{"name", "preferred_username", "email", "sub"} {
		if s, ok := claims[k].(string); ok && s != "" {
			if r := []rune(s); len(r) > 60 {
				return string(r[:60])
			}
			return s
		}
	}
	return ""
}

// tenant is the one that a token names, "" for none. Of several nobody knows which is
// meant, and one that is not served here must not become everybody's.
func (g *Gate) tenant(claims map[string]any) (string, error) {
	if g.opt.Tenant == "" {
		return "", nil
	}
	names, ok := namesAt(claims, g.opt.Tenant)
	slices.Sort(names)
	names = slices.Compact(names)
	switch {
	case !ok || len(names) > 1:
		return "", errTenant("el proveedor de identidad no dice de qué colección es su cuenta")
	case len(names) == 0:
		return "", nil
	case g.opt.Known != nil && !g.opt.Known(names[0]):
		return "", errTenant("la colección de su cuenta no está aquí")
	}
	return names[0], nil
}

func errTenant(message string) error {
	return &digesto.Error{Code: digesto.CodeForbidden, Message: message, Hint: "avise a quien lleve el servicio"}
}

// namesAt are the words that stand in a token at a path with points; ok is false
// where something else than words does.
func namesAt(claims map[string]any, path string) (names []string, ok bool) {
	var at any = claims
	for part := range strings.SplitSeq(path, ".") {
		m, _ := at.(map[string]any)
		at = m[part]
	}
	switch v := at.(type) {
	case nil:
		return nil, true
	case string:
		return strings.Fields(strings.ReplaceAll(v, ",", " ")), true
	case []any:
		ok = true
		for _, x := range v {
			s, word := x.(string)
			if ok = ok && word; word {
				names = append(names, s)
			}
		}
		return names, ok
	}
	return nil, false
}

// scopes are those of the roles that a token names, each once.
func (g *Gate) scopes(claims map[string]any) []string {
	names, _ := namesAt(claims, g.opt.Claim)
	var out []string
	for _, n := range names {
		out = append(out, g.opt.Roles[n]...)
	}
	if len(out) == 0 {
		out = g.opt.Default
	}
	slices.Sort(out)
	return slices.Compact(slices.Clone(out))
}
