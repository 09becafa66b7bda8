package server_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"digesto"
	"digesto/store"
)

// TestStoredAnswer shows an answer from its conversation, with what was asked
// before, takes what someone thinks of it, and saves it all as a file.
func TestStoredAnswer(t *testing.T) {
	w, s, id := kept(t)
	turn, err := s.Begin(t.Context(), store.Begin{User: "local", Conversation: id, Text: "¿y de río?"})
	if err != nil {
		t.Fatal(err)
	}
	a := goodAnswer(w.snap)
	meta := *a.Meta
	meta.TraceID, meta.SessionID, meta.Outcome = "t10", id, digesto.OutcomeAnswer
	a.Meta = &meta
	m := store.Metadata{}
	if err := m.Set("answer", a); err != nil {
		t.Fatal(err)
	}
	if err := m.Set(store.TypeKey, "answer"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Finish(t.Context(), store.Finish{Conversation: id, Turn: turn.Message.Turn, Text: a.Answer, Meta: m}); err != nil {
		t.Fatal(err)
	}
	page := "/conversaciones/" + id + "/4"
	want(t, w.page(page).Body.String(), "¿y de río?", "<mark>", "Antes en esta conversación", `action="`+page+`"`, "Otras versiones y formas de cita", "AR")
	if code, to := w.form(page, url.Values{"rating": {"-1"}, "comment": {"falta el <b>mar</b>"}}); code != http.StatusSeeOther || to != page+"?gracias=1#voto" {
		t.Errorf("a vote: %d %s", code, to)
	}
	want(t, w.page(page+"?gracias=1").Body.String(), "Gracias")
	for _, bad := range []string{"/conversaciones/" + id + "/3", "/conversaciones/" + id + "/99", "/conversaciones/" + id + "/x", "/conversaciones/nada/2"} {
		if rec := w.page(bad); rec.Code != http.StatusNotFound {
			t.Errorf("%s: %d", bad, rec.Code)
		}
	}
	if code, _ := w.form(page, url.Values{"rating": {"7"}}); code != http.StatusUnprocessableEntity {
		t.Errorf("a rating of 7: %d", code)
	}
	rec := w.do("GET", "/v1/conversations/"+id+"/export?format=html", "")
	file := rec.Body.String()
	want(t, file, "<style>", "¿y de río?", "<mark>", "Solo lectura")
	for _, not := range []string{"<script", "<form", `href="/`, `src="`} {
		if strings.Contains(file, not) {
			t.Errorf("the file has %q", not)
		}
	}
	if d := rec.Header().Get("Content-Disposition"); !strings.HasSuffix(d, `.html"`) {
		t.Errorf("it is sent as %q", d)
	}
}

// TestHelpAndScript: the help has its parts, and the script is sent small.
func TestHelpAndScript(t *testing.T) {
	w := newWorld(t, nil)
	want(t, w.page("/ayuda").Body.String(), "Atajos de teclado", `data-pref="keys"`, "/openapi.json")
	rec := w.do("GET", "/static/app.js", "", "Accept-Encoding", "gzip")
	if rec.Header().Get("Content-Encoding") != "gzip" || rec.Body.Len() > 5000 {
		t.Errorf("the script is sent as it is: %d bytes", rec.Body.Len())
	}
}
