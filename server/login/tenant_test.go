package login

import (
	"net/http"
	"slices"
	"testing"

	"digesto/internal/idp"
)

// TestTenantClaim: the token names whose texts a person sees, where a claim is set for
// it; what it says otherwise is refused, never taken for everybody's.
func TestTenantClaim(t *testing.T) {
	known := func(name string) bool { return name == "azurita" }
	for name, c := range map[string]struct {
		claim  string
		org    any
		tenant string
		status int
	}{
		"off":             {"", "azurita", "", 200},
		"one":             {"org.name", "azurita", "azurita", 200},
		"a list of one":   {"org.name", []any{"azurita"}, "azurita", 200},
		"twice the same":  {"org.name", []any{"azurita", "azurita"}, "azurita", 200},
		"none":            {"org.name", nil, "", 200},
		"empty":           {"org.name", "", "", 200},
		"of two":          {"org.name", []any{"azurita", "bauxita"}, "", 403},
		"unknown":         {"org.name", "bauxita", "", 403},
		"a path":          {"org.name", "../azurita", "", 403},
		"no word":         {"org.name", 7.0, "", 403},
		"no word in list": {"org.name", []any{"azurita", 7.0}, "", 403},
		"an object":       {"org.name", map[string]any{"azurita": true}, "", 403},
	} {
		p := idp.New(t)
		p.Claims = map[string]any{"org": map[string]any{"name": c.org}, "roles": []string{"jefes"}}
		base, _ := site(t, p, func(o *Options) { o.Tenant, o.Known = c.claim, known })
		v := person(t)
		got, status := see(t, v, base+"/entrar?back=/quien")
		if status != c.status || got.OK != (c.status == http.StatusOK) || got.Session.Tenant != c.tenant {
			t.Errorf("%s: %d %+v", name, status, got)
		}
		if got.OK && slices.Contains(got.Session.Scopes, "admin") != (c.tenant == "") {
			t.Errorf("%s: who sees one tenant's texts may %v", name, got.Session.Scopes)
		}
	}
}

// TestTenantClaimChanged: a session that another claim began does not hold.
func TestTenantClaimChanged(t *testing.T) {
	p := idp.New(t)
	p.Claims = map[string]any{"org": "azurita"}
	base, g := site(t, p, nil)
	v := person(t)
	if got, _ := see(t, v, base+"/entrar?back=/quien"); !got.OK || got.Session.Tenant != "" {
		t.Fatalf("%+v", got)
	}
	g.opt.Tenant = "org"
	if got, _ := see(t, v, base+"/quien"); got.OK {
		t.Errorf("a session from before the claim was set: %+v", got)
	}
	if got, _ := see(t, v, base+"/entrar?back=/quien"); got.Session.Tenant != "azurita" {
		t.Fatalf("%+v", got)
	}
	g.opt.Tenant = ""
	if got, _ := see(t, v, base+"/quien"); got.OK {
		t.Errorf("a session from before the claim was taken out: %+v", got)
	}
}
