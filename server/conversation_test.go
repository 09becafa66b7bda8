package server_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"digesto"
	"digesto/server"
	"digesto/store"
)

// kept makes a world with a stored clarification of the only user.
func kept(t *testing.T) (*world, store.Store, string) {
	t.Helper()
	s := store.Memory(clock)
	w := newWorld(t, func(o *server.Options) { o.Store = s })
	x, err := s.Begin(t.Context(), store.Begin{User: "local", Text: "faros <b>", Title: "faros <b>"})
	if err != nil {
		t.Fatal(err)
	}
	meta := store.Metadata{store.TypeKey: []byte(`"clarification"`)}
	if err := meta.Set("answer", digesto.Answer{Meta: &digesto.Meta{TraceID: "t9", Options: []string{"de mar", "de río"}}}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Finish(t.Context(), store.Finish{Conversation: x.Conversation.ID, Turn: 1, Text: "¿Qué faros?", Meta: meta}); err != nil {
		t.Fatal(err)
	}
	return w, s, x.Conversation.ID
}

func (w *world) form(path string, v url.Values) (int, string) {
	rec := w.do("POST", path, v.Encode(), "Content-Type", "application/x-www-form-urlencoded", "Accept", "text/html")
	return rec.Code, rec.Header().Get("Location")
}

func TestConversationPages(t *testing.T) {
	w, s, id := kept(t)
	want(t, w.page("/conversaciones").Body.String(), "faros &lt;b&gt;", "/conversaciones/"+id, "2 mensajes")
	want(t, w.page("/conversaciones?q=nada").Body.String(), "No hay ninguna conversación")
	want(t, w.page("/conversaciones/"+id).Body.String(), "¿Qué faros?", "aclaración", `value="de mar"`, "/conversaciones/"+id+"/2", `name="session_id" value="`+id+`"`)
	if code, to := w.form("/conversaciones/"+id, url.Values{"do": {"rename"}, "title": {"Mis faros"}}); code != http.StatusSeeOther || to != "/conversaciones/"+id {
		t.Errorf("rename: %d %s", code, to)
	}
	w.form("/conversaciones/"+id, url.Values{"do": {"share"}})
	c, err := s.Get(t.Context(), "local", id)
	if err != nil || c.Title != "Mis faros" || c.Share == "" {
		t.Fatalf("%+v %v", c, err)
	}
	shared := w.page("/compartida/" + c.Share).Body.String()
	want(t, shared, "Mis faros", "¿Qué faros?", "Conversación compartida")
	if strings.Contains(shared, "<form class=\"flow-s\" method=\"post\" action=\"/conversaciones") || strings.Contains(shared, id) {
		t.Error("a shared page lets its reader act, or tells the id")
	}
	for _, do := range []string{"archive", "unarchive", "unshare", "delete"} {
		if code, _ := w.form("/conversaciones/"+id, url.Values{"do": {do}}); code != http.StatusSeeOther {
			t.Errorf("%s: %d", do, code)
		}
	}
	if rec := w.page("/conversaciones/" + id); rec.Code != 404 {
		t.Errorf("deleted: %d", rec.Code)
	}
	if rec := w.page("/compartida/" + c.Share); rec.Code != 404 {
		t.Errorf("no longer shared: %d", rec.Code)
	}
	want(t, w.page("/conversaciones?state=deleted").Body.String(), "Mis faros", "Restaurar")
	w.form("/conversaciones/"+id, url.Values{"do": {"erase"}})
	if rec := w.postJSON("/v1/conversations/"+id+"/restore", ""); rec.Code != 404 {
		t.Errorf("erased: %d", rec.Code)
	}
	if code, _ := w.form("/conversaciones/"+id, url.Values{"do": {"volar"}}); code != 422 {
		t.Errorf("an unknown deed: %d", code)
	}
}

func TestConversationAPIBadInput(t *testing.T) {
	w, _, id := kept(t)
	for _, c := range []struct {
		method, path, body string
		code               int
	}{
		{"GET", "/v1/conversations?limit=0", "", 422}, {"GET", "/v1/conversations?limit=x", "", 422}, {"GET", "/v1/conversations?state=rota", "", 422}, {"GET", "/v1/conversations?cursor=zz", "", 422},
		{"GET", "/v1/conversations/nada", "", 404}, {"GET", "/v1/conversations/nada/export", "", 404}, {"PATCH", "/v1/conversations/" + id, `{"titulo":"x"}`, 422}, {"PATCH", "/v1/conversations/" + id, `{"title":" "}`, 422},
		{"DELETE", "/v1/conversations/" + id + "?forever=yes", "", 422}, {"GET", "/v1/conversations/" + id + "/export?format=doc", "", 422}, {"DELETE", "/v1/conversations/" + id + "/messages/x", "", 422}, {"DELETE", "/v1/conversations/" + id + "/messages/9", "", 404}, {"POST", "/v1/conversations/" + id + "/messages/1/feedback", `{"rating":1}`, 404},
		{"POST", "/v1/conversations/" + id + "/messages/2/feedback", `{"rating":7}`, 422}, {"POST", "/v1/conversations/" + id + "/messages/2/feedback", `{"comment":null}`, 422}, {"POST", "/v1/conversations/" + id + "/messages/2/feedback", `{"rating":null}`, 422},
		{"POST", "/v1/conversations/" + id + "/messages/2/feedback", `{"Rating":1}`, 422}, {"GET", "/v1/analytics?days=9&all=", "", 422}, {"POST", "/v1/ask", `{"choice":1}`, 422}, {"POST", "/v1/ask", `{"question":null}`, 422}, {"GET", "/v1/analytics?days=-1", "", 422},
	} {
		rec := w.do(c.method, c.path, c.body, "Content-Type", "application/json")
		if rec.Code != c.code || !strings.Contains(rec.Body.String(), `"hint"`) {
			t.Errorf("%s %s: %d %s", c.method, c.path, rec.Code, rec.Body)
		}
	}
}

// TestVisitors are told apart by a cookie where the server is open to others.
func TestVisitors(t *testing.T) {
	var seen []string
	w := newWorld(t, func(o *server.Options) {
		o.Store, o.Visitors = store.Memory(clock), func(*http.Request) bool { return true }
		o.Who = func(r *http.Request) (store.User, error) {
			seen = append(seen, server.Visitor(r))
			return store.User{ID: server.Visitor(r)}, nil
		}
	})
	first := w.page("/conversaciones").Result().Cookies()
	w.page("/conversaciones")
	w.do("GET", "/conversaciones", "", "Accept", "text/html", "Cookie", first[0].Name+"="+first[0].Value)
	if len(seen) != 3 || len(seen[0]) < 26 || seen[0] == seen[1] || seen[2] != seen[0] || !first[0].HttpOnly {
		t.Errorf("seen %q, cookie %+v", seen, first)
	}
}

// TestAnalyticsPage shows the versions of a prompt, with their intervals, and
// only what the one who looks asked.
func TestAnalyticsPage(t *testing.T) {
	w, s, _ := kept(t)
	for i, user := range []string{"local", "local", "otra"} {
		x, err := s.Begin(t.Context(), store.Begin{User: user, Text: "q", Title: "q"})
		if err == nil {
			_, err = s.Finish(t.Context(), store.Finish{Conversation: x.Conversation.ID, Turn: 1, Text: "a",
				Run: store.Run{Type: "refusal", Prompt: "initial", Variant: []string{"1", "2", "3"}[i], Topic: "faros <" + user + ">"}})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	body := w.page("/analitica?days=7").Body.String()
	want(t, body, "Primera pregunta · versión 1", "0,0 % (0,0–79,3)", "Primera pregunta: versión 2 menos 1", "&#43;0,0 puntos (-79,3 a &#43;79,3), no demostrada", "faros &lt;local&gt; (2)", "<th scope=\"row\">sin respuesta en los textos</th><td class=\"r num\">2</td>")
	if strings.Contains(body, "otra") || strings.Contains(body, "v3") {
		t.Error("it shows what another asked")
	}
	if rec := w.page("/analitica?days=nada"); rec.Code != http.StatusUnprocessableEntity {
		t.Errorf("%d", rec.Code)
	}
}
