package login

import (
	"encoding/json"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"digesto"
	"digesto/internal/idp"
)

// site is a server with a gate; at /quien it says who asks.
func site(t *testing.T, p *idp.Provider, change func(*Options)) (base string, g *Gate) {
	t.Helper()
	mux := http.NewServeMux()
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	opt := Options{Issuer: p.URL, Client: "digesto", Secret: "secreto", Callback: s.URL + "/entrar/vuelta", Key: []byte(strings.Repeat("k", 32)),
		Roles: map[string][]string{"juristas": {"ask", "read"}, "jefes": {"admin", "ask"}}, Default: []string{"ask"}}
	if change != nil {
		change(&opt)
	}
	g, err := New(opt)
	if err != nil {
		t.Fatal(err)
	}
	for path, h := range map[string]func(http.ResponseWriter, *http.Request) error{"GET /entrar": g.Begin, "GET /entrar/vuelta": g.End, "POST /salir": g.Leave} {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			if err := h(w, r); err != nil {
				http.Error(w, string(digesto.CodeOf(err))+" "+err.Error(), digesto.Codes[digesto.CodeOf(err)].Status)
			}
		})
	}
	mux.HandleFunc("GET /quien", func(w http.ResponseWriter, r *http.Request) {
		u, ok := g.Session(r)
		_ = json.NewEncoder(w).Encode(map[string]any{"ok": ok, "session": u, "at": r.URL.String()})
	})
	return s.URL, g
}

func person(t *testing.T) *http.Client {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &http.Client{Jar: jar, Timeout: 10 * time.Second}
}

type who struct {
	OK      bool
	Session Session
	At      string
}

func see(t *testing.T, c *http.Client, address string) (got who, status int) {
	t.Helper()
	res, err := c.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if res.StatusCode == http.StatusOK {
		if err := json.NewDecoder(res.Body).Decode(&got); err != nil {
			t.Fatal(err)
		}
	}
	return got, res.StatusCode
}

// TestLogin comes in through the provider, is known, and leaves.
func TestLogin(t *testing.T) {
	p := idp.New(t)
	base, _ := site(t, p, nil)
	c := person(t)
	if got, _ := see(t, c, base+"/quien"); got.OK {
		t.Error("a visitor is known")
	}
	got, status := see(t, c, base+"/entrar?back=/quien?x=1")
	if status != 200 || !got.OK || got.At != "/quien?x=1" || got.Session.User != p.URL+" u-17" || got.Session.Name != "Persona de Prueba" || !slices.Equal(got.Session.Scopes, []string{"ask", "read"}) {
		t.Fatalf("%d %+v", status, got)
	}
	if !got.Session.May("read") || got.Session.May("admin") {
		t.Errorf("scopes %v", got.Session.Scopes)
	}
	res, err := c.Post(base+"/salir", "", nil)
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	if got, _ := see(t, c, base+"/quien"); got.OK {
		t.Error("who left is known still")
	}
}

// TestRoles reads roles wherever the provider puts them.
func TestRoles(t *testing.T) {
	for name, k := range map[string]struct {
		claim  string
		claims map[string]any
		want   []string
	}{
		"two roles":     {"", map[string]any{"roles": []string{"jefes", "juristas"}}, []string{"admin", "ask", "read"}},
		"within":        {"realm.roles", map[string]any{"realm": map[string]any{"roles": []string{"jefes"}}}, []string{"admin", "ask"}},
		"as text":       {"groups", map[string]any{"groups": "otros jefes"}, []string{"admin", "ask"}},
		"none is known": {"", map[string]any{"roles": []string{"otros"}}, []string{"ask"}},
		"no claim":      {"nada", nil, []string{"ask"}},
		"of no kind":    {"", map[string]any{"roles": 7}, []string{"ask"}},
	} {
		t.Run(name, func(t *testing.T) {
			p := idp.New(t)
			p.Claims = k.claims
			base, _ := site(t, p, func(o *Options) { o.Claim = k.claim })
			if got, _ := see(t, person(t), base+"/entrar?back=/quien"); !slices.Equal(got.Session.Scopes, k.want) {
				t.Errorf("%v, want %v", got.Session.Scopes, k.want)
			}
		})
	}
}

// TestFalseLogins lets nobody in who is not proved to be who they say.
func TestFalseLogins(t *testing.T) {
	for name, break_ := range map[string]func(*idp.Provider){
		"another key":      func(p *idp.Provider) { p.Forge = true },
		"another audience": func(p *idp.Provider) { p.Claims = map[string]any{"aud": "otro"} },
		"another issuer":   func(p *idp.Provider) { p.Claims = map[string]any{"iss": "https://otro.example"} },
		"another nonce":    func(p *idp.Provider) { p.Claims = map[string]any{"nonce": "otro"} },
		"no nonce":         func(p *idp.Provider) { p.Claims = map[string]any{"nonce": ""} },
		"no signature":     func(p *idp.Provider) { p.Alg = "none" },
		"the secret's own": func(p *idp.Provider) { p.Alg = "HS256" },
		"nobody":           func(p *idp.Provider) { p.Claims = map[string]any{"sub": ""} },
		"given to another": func(p *idp.Provider) {
			p.Claims = map[string]any{"aud": []string{"digesto", "otro"}, "azp": "otro"}
		},
		"given to many": func(p *idp.Provider) { p.Claims = map[string]any{"aud": []string{"digesto", "otro"}} },
		"over":          func(p *idp.Provider) { p.Claims = map[string]any{"exp": time.Now().Add(-time.Hour).Unix()} },
	} {
		t.Run(name, func(t *testing.T) {
			p := idp.New(t)
			break_(p)
			base, _ := site(t, p, nil)
			c := person(t)
			if _, status := see(t, c, base+"/entrar?back=/quien"); status != http.StatusForbidden {
				t.Errorf("status %d", status)
			}
			if got, _ := see(t, c, base+"/quien"); got.OK {
				t.Error("let in")
			}
		})
	}
}

// TestFalseReturns refuses whoever comes back without having gone.
func TestFalseReturns(t *testing.T) {
	p := idp.New(t)
	base, g := site(t, p, nil)
	c := person(t)
	c.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	for _, path := range []string{"/entrar/vuelta", "/entrar/vuelta?code=x&state=y"} {
		if _, status := see(t, c, base+path); status != http.StatusForbidden {
			t.Errorf("%s: %d", path, status)
		}
	}
	if _, status := see(t, c, base+"/entrar?back=https://otro.example/"); status != http.StatusFound {
		t.Fatal(status)
	}
	if _, status := see(t, c, base+"/entrar/vuelta?code=x&state=otro"); status != http.StatusForbidden {
		t.Errorf("a state of another: %d", status)
	}
	for _, back := range []string{"https://otro.example/", "//otro.example", `/\otro.example`, "javascript:x", ""} {
		if got := local(back); got != "/" {
			t.Errorf("%q leads to %q", back, got)
		}
	}
	// A cookie of another name, or changed, or past its end, is none of ours.
	w := httptest.NewRecorder()
	g.cookies.Set(w, attemptCookie, "/", 60, Session{User: "yo", Until: time.Now().Add(time.Hour).Unix()})
	g.cookies.Set(w, sessionCookie, "/", 60, Session{User: "yo", Until: time.Now().Add(-time.Hour).Unix()})
	cookies := w.Result().Cookies()
	for name, value := range map[string]string{"of another name": cookies[0].Value, "over": cookies[1].Value, "changed": "x" + cookies[0].Value, "empty": ".", "long": strings.Repeat("a", 9000)} {
		r := httptest.NewRequest("GET", "/", nil)
		r.AddCookie(&http.Cookie{Name: sessionCookie, Value: value})
		if _, ok := g.Session(r); ok {
			t.Errorf("a cookie %s is taken", name)
		}
	}
}

// TestOptions refuses what cannot be safe; a provider that is away is told so.
func TestOptions(t *testing.T) {
	good := Options{Issuer: "http://127.0.0.1:1", Client: "d", Callback: "https://d.example/entrar/vuelta", Key: make([]byte, 32)}
	for name, change := range map[string]func(*Options){
		"issuer in the clear": func(o *Options) { o.Issuer = "http://idp.example" }, "no issuer": func(o *Options) { o.Issuer = "" },
		"no client": func(o *Options) { o.Client = "" }, "callback elsewhere": func(o *Options) { o.Callback = "https://d.example/" }, "short key": func(o *Options) { o.Key = nil },
	} {
		o := good
		change(&o)
		if _, err := New(o); err == nil {
			t.Errorf("%s passes", name)
		}
	}
	g, err := New(good)
	if err != nil {
		t.Fatal(err)
	}
	if err := g.Begin(httptest.NewRecorder(), httptest.NewRequest("GET", "/entrar", nil)); digesto.CodeOf(err) != digesto.CodeUnavailable {
		t.Error(err)
	}
	w := httptest.NewRecorder()
	g.cookies.Set(w, sessionCookie, "/", 60, Session{})
	if c := w.Result().Cookies()[0]; !c.Secure || !c.HttpOnly || c.SameSite != http.SameSiteLaxMode {
		t.Errorf("%+v", c)
	}
}
