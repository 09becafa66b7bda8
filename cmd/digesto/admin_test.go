package main

import (
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"digesto/app"
	"digesto/internal/browser"
	"digesto/internal/long"
)

// visit is one person's browser, without scripts.
type visit struct {
	t      *testing.T
	base   string
	client *http.Client
	head   http.Header
}

func newVisit(t *testing.T, base string) *visit {
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &visit{t, base, &http.Client{Jar: jar}, http.Header{"Accept": {"text/html"}}}
}

// do gives the status, where it ended and the page.
func (v *visit) do(method, path string, form url.Values) (int, string, string) {
	v.t.Helper()
	req, err := http.NewRequestWithContext(v.t.Context(), method, v.base+path, strings.NewReader(form.Encode()))
	if err != nil {
		v.t.Fatal(err)
	}
	req.Header = v.head.Clone()
	if host := req.Header.Get("Host"); host != "" {
		req.Host = host
	}
	if form != nil {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	res, err := v.client.Do(req)
	if err != nil {
		v.t.Fatal(err)
	}
	defer res.Body.Close()
	body, _ := io.ReadAll(res.Body)
	return res.StatusCode, res.Request.URL.Path, string(body)
}

var wholeKey = regexp.MustCompile(`dg_[a-z0-9]+_[a-z0-9]+`)

// give asks for a key with some permissions and gives it.
func (v *visit) give(user string, scopes ...string) (int, string, string) {
	status, _, page := v.do("POST", "/admin/claves", url.Values{"do": {"add"}, "user": {user}, "plan": {"libre"}, "scopes": scopes})
	return status, wholeKey.FindString(page), page
}

// TestAdmin is the life of keys on the page of who runs the server.
func TestAdmin(t *testing.T) {
	base := serveLaw(t, t.TempDir())
	owner, other := newVisit(t, base), newVisit(t, base)
	if status, at, page := owner.do("GET", "/admin", nil); status != 200 || at != "/admin" || !strings.Contains(page, "Nadie tiene clave") {
		t.Fatalf("the owner of the machine: %d %s", status, at)
	}
	for name, value := range map[string]string{"X-Forwarded-For": "203.0.113.9", "Forwarded": "for=203.0.113.9", "Host": "otra.example"} {
		proxied := newVisit(t, base)
		proxied.head.Set(name, value)
		if status, at, page := proxied.do("GET", "/admin", nil); at != "/admin/entrar" || strings.Contains(page, "Nadie tiene clave") {
			t.Errorf("%s: %d %s", name, status, at)
		}
		if status, key, _ := proxied.give("intruso", "ask", "admin"); status != 403 || key != "" {
			t.Errorf("%s: %d, a key is given", name, status)
		}
	}
	foreign := newVisit(t, base)
	foreign.head.Set("Sec-Fetch-Site", "cross-site")
	if status, key, _ := foreign.give("intruso", "ask", "admin"); status != 403 || key != "" {
		t.Errorf("a form of another site: %d", status)
	}
	if status, key, page := owner.give("ana", "ask"); status != 400 || key != "" || !strings.Contains(page, "La primera clave tiene que poder administrar") || !strings.Contains(page, `value="ana"`) {
		t.Errorf("a first key that cannot run the server: %d", status)
	}
	status, first, page := owner.give("jefa", "ask", "admin")
	if status != 200 || first == "" || !strings.Contains(page, "no se vuelve a enseñar") {
		t.Fatalf("the first key: %d", status)
	}
	if _, at, _ := other.do("GET", "/admin", nil); at != "/admin/entrar" {
		t.Errorf("with a key about, being here still does: %s", at)
	}
	_, page = owner.get("/admin")
	if strings.Contains(page, first) || !strings.Contains(page, "jefa") || !strings.Contains(page, "administrar el servidor") {
		t.Error("the page after the first key")
	}
	_, ana, _ := owner.give("ana", "ask", "read")
	if status, _, page := other.do("POST", "/admin/entrar", url.Values{"key": {ana}, "back": {"/admin"}}); status != 403 || !strings.Contains(page, "no tiene el permiso «admin»") {
		t.Errorf("a key without the permission: %d", status)
	}
	if status, at, _ := other.do("POST", "/admin/entrar", url.Values{"key": {first}, "back": {"//otra.example"}}); status != 200 || at != "/" {
		t.Errorf("a key with it: %d %s", status, at)
	}
	if _, at, _ := other.do("GET", "/admin", nil); at != "/admin" {
		t.Errorf("who came in stands at %s", at)
	}
	if status, _, page := owner.do("POST", "/admin/claves", url.Values{"do": {"rotate"}, "user": {"jefa"}, "grace": {"0s"}}); status != 200 || !wholeKey.MatchString(page) {
		t.Errorf("renewed: %d", status)
	}
	if _, at, _ := other.do("GET", "/admin", nil); at != "/admin/entrar" {
		t.Error("a session lives on without its key")
	}
	id, _ := app.IdOf(ana)
	if _, at, page := owner.do("POST", "/admin/claves", url.Values{"do": {"revoke"}, "id": {id}}); at != "/admin" || !strings.Contains(page, "Sin clave") {
		t.Errorf("revoked: %s", at)
	}
	if status, _, _ := owner.do("POST", "/admin/claves", url.Values{"do": {"remove"}, "user": {"ana"}}); status != 400 {
		t.Errorf("removed without being sure: %d", status)
	}
	if _, _, page := owner.do("POST", "/admin/claves", url.Values{"do": {"remove"}, "user": {"ana"}, "sure": {"yes"}}); strings.Contains(page, ">ana<") {
		t.Error("ana is still there")
	}
	for _, bad := range []url.Values{{"do": {"nada"}}, {"do": {"rotate"}, "user": {"jefa"}, "grace": {"ayer"}}, {"do": {"rotate"}, "user": {"nadie"}, "grace": {"0s"}}, {"do": {"revoke"}, "id": {"x"}}, {"do": {"add"}, "user": {"a b"}, "plan": {"libre"}, "scopes": {"ask"}}, {"do": {"add"}, "user": {"eva"}, "plan": {"nada"}, "scopes": {"ask"}}} {
		if status, _, page := owner.do("POST", "/admin/claves", bad); status < 400 || status >= 500 || wholeKey.MatchString(page) {
			t.Errorf("%v: %d", bad, status)
		}
	}
	if status, _, page := owner.do("GET", "/analitica?all=true", nil); status != 200 || !strings.Contains(page, "de todos") {
		t.Errorf("everybody's counts: %d", status)
	}
	if status, _, _ := other.do("GET", "/analitica?all=true", nil); status != 403 {
		t.Errorf("everybody's counts to a visitor: %d", status)
	}
	owner.do("POST", "/admin/salir", url.Values{})
	if _, at, _ := owner.do("GET", "/admin", nil); at != "/admin/entrar" {
		t.Errorf("who left stands at %s", at)
	}
}

func (v *visit) get(path string) (int, string) {
	v.t.Helper()
	status, _, page := v.do("GET", path, nil)
	return status, page
}

// TestBrowserAdmin gives and takes back a key as different people do, with axe-core
// looking on.
func TestBrowserAdmin(t *testing.T) {
	b := browser.Start(t)
	for name, look := range long.Some(map[string]browser.Look{"desktop": {}, "dark": {Dark: true}, "narrow": {Width: 320, Height: 640}, "noscript": {NoScript: true}}, "narrow") {
		t.Run(name, func(t *testing.T) {
			base := serveLaw(t, t.TempDir())
			tab := b.Tab(t, look)
			look := func(page string) {
				t.Helper()
				if !strings.Contains(name, "noscript") {
					checkPage(t, tab, page)
				}
			}
			tab.Go(base + "/admin")
			look("without keys")
			tab.Type("#persona", "jefa")
			tab.Leave(func() { tab.Click("form.flow .btn.primary") })
			key := wholeKey.FindString(tab.Text("main"))
			if key == "" {
				t.Fatal(tab.Text("main"))
			}
			look("a new key")
			tab.Leave(func() { tab.Click("main .btn.primary") })
			tab.Click("main summary")
			look("with a key")
			tab.Leave(func() { tab.Click(".margin form .btn") })
			tab.Go(base + "/admin")
			look("the door")
			tab.Type("#clave", "dg_no_vale")
			tab.Leave(func() { tab.Press("\r") })
			look("a wrong key")
			if got := tab.Text(".callout.err"); !strings.Contains(got, "no es válida") {
				t.Errorf("a wrong key: %q", got)
			}
			tab.Type("#clave", key)
			tab.Leave(func() { tab.Press("\r") })
			tab.Leave(func() { tab.Click(".keys .btn") })
			if got := tab.Text("main"); !strings.Contains(got, "Administración") {
				t.Errorf("after the key is taken back: %s", got)
			}
		})
	}
}
