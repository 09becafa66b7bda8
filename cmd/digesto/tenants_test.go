package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"digesto/app"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// secretLaw is the law of one tenant: its secret word stands in its title and in an article.
const secretLaw = `# Ley %[1]d/2003, de las Boyas %[2]s

**Artículo 1. Mantenimiento de las boyas.**

Las boyas %[2]s se limpiarán cada %[3]s semanas, conforme al artículo 2 de la Ley 1/2001, de los Faros.

**Artículo 2. Responsable.**

Del mantenimiento de las boyas responde la capitanía %[2]s.
`

// tenantServer serves everybody's law and that of two tenants; it gives its address
// and a key of each tenant, by name.
func tenantServer(t *testing.T) (base string, keys map[string]string) {
	t.Helper()
	data := filepath.Join(t.TempDir(), "datos")
	vars := map[string]string{"DIGESTO_DATA": data}
	addLaw(t, data, "diez")
	keys = map[string]string{}
	for i, x := range [][2]string{{"azurita", "once"}, {"bauxita", "trece"}} {
		own := app.TenantDir(data, x[0])
		addLaw(t, own, "diez") // everybody's, as they have it
		file := filepath.Join(t.TempDir(), x[0]+".md")
		if err := os.WriteFile(file, fmt.Appendf(nil, secretLaw, i+7, x[0], x[1]), 0o600); err != nil {
			t.Fatal(err)
		}
		e, _, errs := testEnv(map[string]string{"DIGESTO_DATA": own})
		if code := run(t.Context(), []string{"corpus", "add", file, "--pack", "laboral"}, e); code != 0 {
			t.Fatal(errs)
		}
		e, out, errs := testEnv(vars)
		if code := run(t.Context(), []string{"keys", "add", "de-" + x[0], "--tenant", x[0], "--plan", "profesional"}, e); code != 0 {
			t.Fatal(errs)
		}
		keys[x[0]] = strings.TrimSpace(out.String())
	}
	return serveApp(t, nil, vars), keys
}

// TestTenants asks in every way, with the key of each tenant and with none: each sees
// its own law and everybody's, and never a word of the other's.
func TestTenants(t *testing.T) {
	base, keys := tenantServer(t)
	as := func(key, method, path, body string, header ...string) (int, string) {
		t.Helper()
		req, err := http.NewRequest(method, base+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		for i := 0; i < len(header); i += 2 {
			req.Header.Set(header[i], header[i+1])
		}
		if key != "" {
			req.Header.Set("Authorization", "Bearer "+key)
		}
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		all, err := io.ReadAll(res.Body)
		if err != nil {
			t.Fatal(err)
		}
		return res.StatusCode, string(all)
	}
	const ask = `{"question":"¿Cada cuántas semanas se limpian las boyas?","pack":"laboral"}`
	ways := []struct {
		name, method, path, body string
		header                   []string
	}{
		{"json", "POST", "/v1/ask", ask, nil},
		{"stream", "POST", "/v1/ask", ask, []string{"Accept", "text/event-stream"}},
		{"openai", "POST", "/v1/chat/completions", `{"model":"digesto-laboral","messages":[{"role":"user","content":"¿Cada cuántas semanas se limpian las boyas?"}]}`, nil},
		{"openai stream", "POST", "/v1/chat/completions", `{"model":"digesto-laboral","stream":true,"messages":[{"role":"user","content":"¿Cada cuántas semanas se limpian las boyas?"}]}`, nil},
		{"search", "POST", "/v1/search", `{"text":"boyas semanas","pack":"laboral"}`, nil},
		{"search of everything", "POST", "/v1/search", `{"text":"boyas azurita bauxita capitanía"}`, nil},
		{"norms", "GET", "/v1/norms", "", nil},
		{"law pages", "GET", "/leyes?pack=laboral&territory=es&page=1", "", []string{"Accept", "text/html"}},
		{"search as you type", "GET", "/leyes?q=boyas", "", []string{"Accept", "text/html"}},
		{"who cites the law of everybody", "GET", "/v1/norms/LEY-1-2001/a2/relations", "", nil},
		{"verify", "POST", "/v1/verify", `{"text":"Según el artículo 9 de la Ley 1/2001, «del mantenimiento de las boyas responde la capitanía»."}`, nil},
		{"verify of the page", "POST", "/verificar", "text=" + "%C2%ABdel+mantenimiento+de+las+boyas+responde+la+capitan%C3%ADa%C2%BB+%28art.+9+de+la+Ley+1%2F2001%29", []string{"Content-Type", "application/x-www-form-urlencoded", "Accept", "text/html"}},
		{"corpus page", "GET", "/corpus", "", []string{"Accept", "text/html"}},
	}
	words := []string{"azurita", "bauxita"}
	seen := map[string]int{}
	for _, way := range ways {
		for _, who := range []string{"azurita", "bauxita", ""} {
			status, body := as(keys[who], way.method, way.path, way.body, way.header...)
			if status >= 500 {
				t.Errorf("%s as %q: %d %s", way.name, who, status, body)
			}
			asked := strings.ReplaceAll(body, "boyas azurita bauxita capitanía", "") // what was asked is said again
			for _, w := range words {
				if w != who && strings.Contains(asked, w) {
					t.Errorf("%s as %q tells of %s: %s", way.name, who, w, body)
				}
			}
			if who != "" && strings.Contains(asked, who) {
				seen[way.name]++
			}
		}
	}
	for _, name := range []string{"json", "stream", "openai", "openai stream", "search", "search of everything", "norms", "law pages", "search as you type", "verify"} {
		if seen[name] != 2 {
			t.Errorf("%s: %d of 2 tenants see their own law", name, seen[name])
		}
	}

	_, body := as(keys["azurita"], "POST", "/v1/ask", ask)
	var a struct {
		Meta struct {
			Trace   string `json:"trace_id"`
			Session string `json:"session_id"`
		} `json:"meta"`
		Citations []struct {
			Ref struct{ Document, Unit string }
		}
	}
	if err := json.Unmarshal([]byte(body), &a); err != nil || a.Meta.Trace == "" || a.Meta.Session == "" || len(a.Citations) == 0 {
		t.Fatalf("%v %s", err, body)
	}
	at := a.Citations[0].Ref
	norm := "/v1/norms/" + at.Document
	for _, path := range []string{"/v1/traces/" + a.Meta.Trace, "/v1/conversations/" + a.Meta.Session, "/v1/conversations/" + a.Meta.Session + "/messages", "/v1/conversations/" + a.Meta.Session + "/export",
		norm, norm + "/" + at.Unit, norm + "/" + at.Unit + "/versions", norm + "/" + at.Unit + "/relations", norm + "/" + at.Unit + "/citation",
		"/leyes/" + at.Document, "/leyes/" + at.Document + "/" + at.Unit} {
		if status, body := as(keys["azurita"], "GET", path, ""); status != 200 {
			t.Errorf("%s with its key: %d %s", path, status, body)
		}
		for _, who := range []string{"bauxita", ""} {
			if status, body := as(keys[who], "GET", path, ""); status != 404 || strings.Contains(strings.ReplaceAll(body, at.Document, ""), "azurita") {
				t.Errorf("%s as %q: %d %s", path, who, status, body)
			}
		}
	}
	if status, body := as(keys["azurita"]+"x", "GET", norm, ""); status == 200 {
		t.Errorf("a key that is none of ours sees %s", body)
	}
	if status, body := as(keys["azurita"], "POST", "/admin/claves", "do=add&user=eva&plan=libre&scopes=admin", "Content-Type", "application/x-www-form-urlencoded"); status != 403 {
		t.Errorf("the key of a tenant runs the server: %d %s", status, body)
	}
}

// TestTenantsOverMCP: the tools of a tenant find its law, those of the other and of nobody do not.
func TestTenantsOverMCP(t *testing.T) {
	base, keys := tenantServer(t)
	for _, who := range []string{"azurita", "bauxita", ""} {
		client := &http.Client{Transport: withKey{keys[who]}}
		c := connected(t, &sdk.StreamableClientTransport{Endpoint: base + "/mcp", HTTPClient: client, DisableStandaloneSSE: true}, func() {})
		for tool, args := range map[string]map[string]any{
			"search": {"text": "boyas semanas", "pack": "laboral"}, "ask": {"question": "¿Cada cuántas semanas se limpian las boyas?", "pack": "laboral"},
			"verify": {"text": "Según el artículo 9 de la Ley 1/2001, «del mantenimiento de las boyas responde la capitanía»."},
		} {
			text, _ := callTool(t, c, tool, args)
			for _, w := range []string{"azurita", "bauxita"} {
				if strings.Contains(text, w) != (w == who) {
					t.Errorf("%s as %q: %s", tool, who, text)
				}
			}
		}
	}
}

// withKey sends a key with each request.
type withKey struct{ key string }

func (k withKey) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	if k.key != "" {
		r.Header.Set("Authorization", "Bearer "+k.key)
	}
	return http.DefaultTransport.RoundTrip(r)
}

// TestTenantKeys: what no key may be.
func TestTenantKeys(t *testing.T) {
	data := t.TempDir()
	if err := os.MkdirAll(app.TenantDir(data, "azurita"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, k := range []struct {
		args string
		code int
		says string
	}{
		{"ana --tenant azurita", 0, ""}, {"ana --tenant azurita", 0, ""},
		{"ana", 5, "otra colección"}, {"eva", 0, ""}, {"eva --tenant azurita", 5, "otra colección"},
		{"pep --tenant nada", 3, "no hay ninguna colección"}, {"pep --tenant ../azurita", 4, "no vale como colección"}, {"pep --tenant azurita --scopes ask,admin", 4, "no puede administrar"},
		{"pep --scopes tenant:azurita", 2, "no existe el permiso"},
	} {
		e, _, errs := testEnv(map[string]string{"DIGESTO_DATA": data})
		if code := run(t.Context(), append([]string{"keys", "add"}, strings.Fields(k.args)...), e); (code != 0) != (k.code != 0) || !strings.Contains(errs.String(), k.says) {
			t.Errorf("%s: exit %d: %s", k.args, code, errs)
		}
	}
}
