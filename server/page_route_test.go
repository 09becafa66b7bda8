package server_test

import (
	"html/template"
	"net/http"
	"strings"
	"testing"

	"digesto/server"
)

// TestRoutePage: a page of the wiring stands within the layout and in the
// menu of every page; its status is kept and its JSON twin stays JSON.
func TestRoutePage(t *testing.T) {
	w := newWorld(t, func(o *server.Options) {
		o.Routes = []server.Route{
			{Pattern: "GET /mareas", Menu: "Mareas & lunas", Handle: func(r *http.Request) (any, error) {
				p := server.Page{Title: "Mareas", Body: template.HTML("<h1>Pleamar</h1>")}
				if r.FormValue("dia") == "nunca" {
					p.Status = http.StatusUnprocessableEntity
				}
				return p, nil
			}},
			{Pattern: "GET /v1/mareas", Handle: func(*http.Request) (any, error) { return map[string]int{"altura": 3}, nil }},
		}
	})
	rec := w.page("/mareas")
	if rec.Code != 200 || !strings.HasPrefix(rec.Header().Get("Content-Type"), "text/html") {
		t.Errorf("%d %v", rec.Code, rec.Header())
	}
	want(t, rec.Body.String(), "<title>Mareas — Digesto</title>", "<h1>Pleamar</h1>", `<a href="/mareas" aria-current="page">Mareas &amp; lunas</a>`)
	if code := w.page("/mareas?dia=nunca").Code; code != 422 {
		t.Errorf("status %d", code)
	}
	home := w.page("/").Body.String()
	want(t, home, `<a href="/mareas">Mareas &amp; lunas</a>`)
	if strings.Contains(home, "/v1/mareas") {
		t.Error("a route without a name is in the menu")
	}
	if got := w.page("/v1/mareas").Body.String(); got != "{\"altura\":3}\n" {
		t.Errorf("JSON: %s", got)
	}
}
