package main

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"digesto/internal/idp"
)

// gated runs `digesto serve` behind an identity provider.
func gated(t *testing.T, p *idp.Provider, vars map[string]string) (base, data string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	l.Close()
	base, data = "http://"+addr, t.TempDir()
	all := map[string]string{"DIGESTO_DATA": data, "DIGESTO_OIDC_ISSUER": p.URL, "DIGESTO_OIDC_CLIENT": "digesto", "DIGESTO_OIDC_SECRET": "secreto", "DIGESTO_OIDC_URL": base,
		"DIGESTO_OIDC_ROLES": "juristas=ask+read+manage, lectores=read", "DIGESTO_OIDC_DEFAULT": "no"}
	for k, v := range vars {
		all[k] = v
	}
	e, _, errs := testEnv(all)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan int, 1)
	go func() { done <- run(ctx, []string{"serve", "--addr", addr}, e) }()
	t.Cleanup(func() {
		cancel()
		if code := <-done; code != 0 {
			t.Errorf("serve ends with %d: %s", code, errs.String())
		}
	})
	for range 500 {
		if res, err := http.Get(base + "/healthz"); err == nil {
			res.Body.Close()
			return base, data
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Fatal("the server does not start")
	return "", ""
}

// visitor is a browser with cookies.
type visitor struct {
	t    *testing.T
	base string
	http.Client
}

func newVisitor(t *testing.T, base string) *visitor {
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &visitor{t, base, http.Client{Jar: jar, Timeout: 20 * time.Second}}
}

func (v *visitor) do(method, path, body string) (int, string) {
	v.t.Helper()
	req, _ := http.NewRequest(method, v.base+path, strings.NewReader(body))
	if strings.HasPrefix(body, "{") {
		req.Header.Set("Content-Type", "application/json")
	} else {
		req.Header.Set("Accept", "text/html")
	}
	res, err := v.Do(req)
	if err != nil {
		v.t.Fatal(err)
	}
	defer res.Body.Close()
	data, _ := io.ReadAll(res.Body)
	return res.StatusCode, string(data)
}

const oneQuestion = `{"question":"¿Cuántos días de vacaciones me corresponden al año?","pack":"laboral"}`

// TestServedLogin: people come in through the provider, have conversations of
// their own, and may what their roles allow; anonymous ones may where it is not required.
func TestServedLogin(t *testing.T) {
	p := idp.New(t)
	base, data := gated(t, p, nil)
	ana, luis, nobody := newVisitor(t, base), newVisitor(t, base), newVisitor(t, base)
	if _, page := nobody.do("GET", "/", ""); !strings.Contains(page, `href="/entrar?back=%2F"`) {
		t.Error("no way in is shown")
	}
	if code, page := ana.do("GET", "/entrar?back=/corpus", ""); code != 200 || !strings.Contains(page, "Salir") || !strings.Contains(page, "Persona de Prueba") {
		t.Fatalf("%d %.400s", code, page)
	}
	code, body := ana.do("POST", "/v1/ask", oneQuestion)
	var a struct {
		Meta struct {
			Session string `json:"session_id"`
		}
	}
	if err := json.Unmarshal([]byte(body), &a); err != nil || code != 200 || a.Meta.Session == "" {
		t.Fatalf("%d %s", code, body)
	}
	p.Claims = map[string]any{"sub": "u-18", "name": "Otra Persona"}
	luis.do("GET", "/entrar", "")
	for who, v := range map[string]*visitor{"another": luis, "anonymous": nobody} {
		if code, _ := v.do("GET", "/v1/conversations/"+a.Meta.Session, ""); code != 404 {
			t.Errorf("%s sees it: %d", who, code)
		}
		if code, _ := v.do("POST", "/v1/ask", oneQuestion); code != 200 {
			t.Errorf("%s may not ask: %d", who, code)
		}
	}
	p.Claims = map[string]any{"sub": "u-19", "roles": []string{"lectores"}}
	reader := newVisitor(t, base)
	reader.do("GET", "/entrar", "")
	if code, body := reader.do("POST", "/v1/ask", oneQuestion); code != 403 || !strings.Contains(body, "permiso") {
		t.Errorf("a reader asks: %d %s", code, body)
	}
	if code, _ := reader.do("GET", "/v1/conversations", ""); code != 200 {
		t.Errorf("a reader does not read: %d", code)
	}
	if code, _ := ana.do("POST", "/salir", ""); code != 200 {
		t.Error(code)
	}
	if code, _ := ana.do("GET", "/v1/conversations/"+a.Meta.Session, ""); code != 404 {
		t.Errorf("who left sees it still: %d", code)
	}
	u, _ := url.Parse(base)
	for _, c := range ana.Jar.Cookies(u) {
		if c.Name == "sesion" && c.Value != "" {
			t.Error("the cookie stays")
		}
	}
	if fi, err := os.Stat(filepath.Join(data, "session.key")); err != nil || fi.Mode().Perm() != 0o600 || fi.Size() != 32 {
		t.Errorf("the secret: %v %v", fi, err)
	}
}

// TestLoginRequired asks everybody to come in.
func TestLoginRequired(t *testing.T) {
	p := idp.New(t)
	base, _ := gated(t, p, map[string]string{"DIGESTO_OIDC_REQUIRED": "yes"})
	v := newVisitor(t, base)
	if code, body := v.do("POST", "/v1/ask", oneQuestion); code != 403 || !strings.Contains(body, "/entrar") {
		t.Errorf("%d %s", code, body)
	}
	if code, _ := v.do("GET", "/leyes", ""); code != 200 {
		t.Errorf("the law is hidden: %d", code)
	}
	v.do("GET", "/entrar", "")
	if code, body := v.do("POST", "/v1/ask", oneQuestion); code != 200 {
		t.Errorf("%d %s", code, body)
	}
	for _, bad := range [][2]string{{"DIGESTO_OIDC_ROLES", "x=volar"}, {"DIGESTO_OIDC_ISSUER", "http://idp.example"}, {"DIGESTO_OIDC_CLIENT", ""}, {"DIGESTO_OIDC_REQUIRED", "quizá"}} {
		e, _, errs := testEnv(map[string]string{"DIGESTO_DATA": t.TempDir(), "DIGESTO_OIDC_ISSUER": p.URL, "DIGESTO_OIDC_CLIENT": "digesto", "DIGESTO_OIDC_URL": base, bad[0]: bad[1]})
		if code := run(context.Background(), []string{"serve", "--addr", "127.0.0.1:0"}, e); code != 2 && code != 3 {
			t.Errorf("%v: exit %d %s", bad, code, errs)
		}
	}
}
