package main

import (
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"digesto/app"
	"digesto/internal/idp"
)

// addTenant installs everybody's law and a law of its own for a tenant.
func addTenant(t *testing.T, data, name string) {
	t.Helper()
	own := app.TenantDir(data, name)
	addLaw(t, own, "diez")
	file := filepath.Join(t.TempDir(), name+".md")
	if err := os.WriteFile(file, fmt.Appendf(nil, secretLaw, len(name), name, "once"), 0o600); err != nil {
		t.Fatal(err)
	}
	e, _, errs := testEnv(map[string]string{"DIGESTO_DATA": own})
	if code := run(t.Context(), []string{"corpus", "add", file, "--pack", "laboral"}, e); code != 0 {
		t.Fatal(errs)
	}
}

// TestTenantsByLogin: a claim of the provider names the tenant; each person sees its
// texts and nobody else's, in answers, lists, pages and conversations.
func TestTenantsByLogin(t *testing.T) {
	p := idp.New(t)
	base, data := gated(t, p, map[string]string{"DIGESTO_OIDC_TENANT": "org", "DIGESTO_OIDC_ROLES": "jefes=ask+read+manage+admin", "DIGESTO_OIDC_DEFAULT": "ask+read+manage"})
	addLaw(t, data, "diez")
	for _, name := range []string{"azurita", "bauxita-dos"} {
		addTenant(t, data, name)
	}
	come := func(sub string, org any) *visitor {
		p.Claims = map[string]any{"sub": sub, "name": "Persona " + sub, "roles": []string{"jefes"}}
		if org != nil {
			p.Claims["org"] = org
		}
		v := newVisitor(t, base)
		if code, page := v.do("GET", "/entrar?back=/leyes", ""); code != 200 || !strings.Contains(page, "Persona "+sub) {
			t.Fatalf("%s: %d %.300s", sub, code, page)
		}
		return v
	}
	people := map[string]*visitor{"azurita": come("u-1", "azurita"), "bauxita-dos": come("u-2", []string{"bauxita-dos"}), "": come("u-3", nil), "nobody": newVisitor(t, base)}
	const ask = `{"question":"¿Cada cuántas semanas se limpian las boyas?","pack":"laboral"}`
	var session, norm string
	for who, v := range people {
		for _, way := range [][3]string{{"POST", "/v1/ask", ask}, {"GET", "/v1/norms", ""}, {"GET", "/leyes?q=boyas", ""}, {"GET", "/corpus", ""}, {"POST", "/v1/search", `{"text":"boyas semanas"}`}} {
			code, body := v.do(way[0], way[1], way[2])
			if code >= 500 {
				t.Errorf("%s as %q: %d %s", way[1], who, code, body)
			}
			for _, w := range []string{"azurita", "bauxita-dos"} {
				if w != who && strings.Contains(body, w) {
					t.Errorf("%s as %q tells of %s: %.500s", way[1], who, w, body)
				}
			}
			if app.TenantName.MatchString(who) && who != "nobody" && way[1] != "/corpus" && !strings.Contains(body, who) {
				t.Errorf("%s as %q does not show its own: %.500s", way[1], who, body)
			}
			if who == "azurita" && way[1] == "/v1/ask" {
				var a struct {
					Meta struct {
						Session string `json:"session_id"`
					}
					Citations []struct{ Ref struct{ Document string } }
				}
				if err := json.Unmarshal([]byte(body), &a); err != nil || len(a.Citations) == 0 {
					t.Fatalf("%v %s", err, body)
				}
				session, norm = a.Meta.Session, a.Citations[0].Ref.Document
			}
		}
		if code, page := v.do("GET", "/admin", ""); strings.Contains(page, "Personas y claves") != (who == "") {
			t.Errorf("the page of who runs the server, as %q: %d", who, code)
		}
	}
	moved := come("u-1", "bauxita-dos") // the person of the first tenant, now of the other
	people["moved"] = moved
	for who, v := range people {
		for _, path := range []string{"/v1/conversations/" + session, "/v1/conversations/" + session + "/messages", "/v1/norms/" + norm} {
			if code, body := v.do("GET", path, ""); (code == 200) != (who == "azurita") {
				t.Errorf("%s as %q: %d %.300s", path, who, code, body)
			}
		}
	}
	if code, page := people["azurita"].do("POST", "/salir", ""); code != 200 || strings.Contains(page, "azurita") {
		t.Errorf("after leaving: %d %.300s", code, page)
	}
	if _, body := people["azurita"].do("GET", "/v1/norms", ""); strings.Contains(body, "azurita") {
		t.Error("who has left still sees the tenant's texts")
	}
	p.Claims = map[string]any{"sub": "u-9", "org": "cinabrio"}
	if code, page := newVisitor(t, base).do("GET", "/entrar?back=/leyes", ""); code != 403 || !strings.Contains(page, "colección") {
		t.Errorf("a tenant that is not here: %d %.300s", code, page)
	}
}

// TestAdminGivesTenantKey: the page of who runs the server gives a key of a tenant,
// which sees that tenant's texts; a key that administers is never of one.
func TestAdminGivesTenantKey(t *testing.T) {
	data := filepath.Join(t.TempDir(), "datos")
	addLaw(t, data, "diez")
	addTenant(t, data, "azurita")
	base := serveApp(t, nil, map[string]string{"DIGESTO_DATA": data})
	v := newVisit(t, base)
	if status, key, page := v.give("jefa", "ask", "read", "manage", "admin"); status != 200 || key == "" {
		t.Fatalf("%d %s", status, page)
	}
	if _, _, page := v.do("GET", "/admin", nil); !strings.Contains(page, `<option value="azurita">solo la colección azurita</option>`) {
		t.Errorf("no collection is offered: %s", page)
	}
	give := func(user, tenant string, scopes ...string) (int, string, string) {
		status, _, page := v.do("POST", "/admin/claves", url.Values{"do": {"add"}, "user": {user}, "plan": {"libre"}, "scopes": scopes, "tenant": {tenant}})
		return status, wholeKey.FindString(page), page
	}
	status, key, page := give("ana", "azurita", "ask", "read")
	if status != 200 || key == "" || !strings.Contains(page, "colección azurita") {
		t.Fatalf("%d %s", status, page)
	}
	for who, k := range map[string]string{"azurita": key, "": ""} {
		res, err := keyed(base+"/v1/norms", k, nil)
		if err != nil {
			t.Fatal(err)
		}
		var list struct{ Norms []struct{ Title string } }
		if err := json.NewDecoder(res.Body).Decode(&list); err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if own := strings.Contains(fmt.Sprint(list), "azurita"); own != (who != "") {
			t.Errorf("key of %q: %v", who, list)
		}
	}
	for name, c := range map[string]struct {
		user, tenant string
		scopes       []string
		says         string
	}{
		"one that administers":    {"eva", "azurita", []string{"ask", "admin"}, "no puede administrar"},
		"one that is not there":   {"eva", "cinabrio", []string{"ask"}, "hay ninguna colección"},
		"a path":                  {"eva", "../azurita", []string{"ask"}, "no vale como colección"},
		"a person of two tenants": {"ana", "", []string{"ask"}, "otra colección"},
	} {
		status, key, page := give(c.user, c.tenant, c.scopes...)
		if status < 400 || key != "" || !strings.Contains(page, c.says) {
			t.Errorf("%s: %d %s", name, status, page)
		}
	}
}
