package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"digesto/internal/long"
	"digesto/store"
	"digesto/text"
)

// badWords are put wherever a text is taken.
var badWords = []string{
	`'; DROP TABLE conversations; --`, `" OR 1=1 --`, `<script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `{{.Body}}`, `../../../../etc/passwd`,
	"\x00\x01", "\u202e\ufeff", "¿Descansa\u2067 el\u2069 \u200ffarero?", strings.Repeat("Ω", 3000), `%00%0a%0d`, `javascript:alert(1)`, "${jndi:ldap://x}", "-1", "9223372036854775808", "NaN",
}

// endpoint is an address that the server answers, with the fields it takes.
type endpoint struct {
	method, path string
	fields       []string // of the body; nil: none is taken
	query        []string
}

// pageForms are the forms of the pages; what programs use is in the OpenAPI document.
var pageForms = []endpoint{
	{"GET", "/", nil, []string{"question", "pack", "as_of", "territory"}}, {"POST", "/preguntar", []string{"question", "pack", "as_of", "territory", "session_id", "about", "tone"}, nil},
	{"GET", "/respuestas/{id}", nil, nil}, {"GET", "/leyes", nil, []string{"q", "pack", "territory", "fichas", "page"}}, {"POST", "/corpus", []string{"do", "pack"}, nil}, {"GET", "/leyes/{norm}", nil, nil}, {"GET", "/leyes/FARO-1", nil, []string{"q", "leer"}}, {"GET", "/leyes/FARO-1/{unit}", nil, []string{"as_of", "version", "quote"}},
	{"GET", "/corpus", nil, nil}, {"GET", "/corpus/{pack}", nil, nil}, {"GET", "/evaluacion", nil, []string{"q"}}, {"GET", "/registro", nil, nil}, {"POST", "/preferencias", []string{"theme", "back"}, nil}, {"GET", "/static/{file}", nil, []string{"v"}}, {"GET", "/conversaciones", nil, []string{"q", "state", "cursor"}},
	{"GET", "/conversaciones/{id}", nil, nil}, {"GET", "/conversaciones/{id}/{seq}", nil, []string{"gracias"}}, {"POST", "/conversaciones/{id}/{seq}", []string{"rating", "comment"}, nil}, {"GET", "/ayuda", nil, nil}, {"POST", "/conversaciones/{id}", []string{"do", "title"}, nil}, {"GET", "/compartida/{token}", nil, nil}, {"GET", "/analitica", nil, []string{"days", "all"}}, {"GET", "/admin", nil, []string{"hecho"}}, {"GET", "/admin/entrar", nil, []string{"back"}}, {"POST", "/admin/entrar", []string{"key", "back"}, nil}, {"POST", "/admin/claves", []string{"do", "user", "plan", "scopes", "expires", "grace", "id", "sure"}, nil}, {"POST", "/admin/salir", []string{"x"}, nil},
	{"GET", "/leyes/{norm}/{unit}", nil, []string{"as_of", "version"}}, {"GET", "/leyes/{norm}/{unit}/paginas/{page}", nil, nil}, {"GET", "/leyes/FARO-1/a2/paginas/{page}", nil, nil}, {"GET", "/{nada}", nil, []string{"q"}},
	{"GET", "/documento", nil, []string{"borrado"}}, {"POST", "/documento", []string{"text"}, nil}, {"GET", "/documento/{id}", nil, nil}, {"POST", "/documento/{id}", []string{"question", "do"}, nil}, {"GET", "/calendario", nil, []string{"dia", "asunto"}}, {"GET", "/docs", nil, nil}, {"GET", "/leyes/FARO-1/a2", nil, []string{"quote"}},
	{"POST", "/mcp", []string{"jsonrpc", "id", "method", "params"}, nil}, {"GET", "/mcp", nil, nil}, {"DELETE", "/mcp", nil, nil},
	{"GET", "/verificar", nil, nil}, {"POST", "/verificar", []string{"text", "as_of"}, nil}, {"POST", "/verificar/informe", []string{"text", "as_of", "format"}, nil}, {"GET", "/laboral", nil, []string{"op", "tipo", "desde", "hasta", "salario", "cotizados", "nombre", "year"}}, {"GET", "/jus", nil, []string{"op", "when", "amount", "unit", "item", "qty", "code", "from", "to"}},
}

// described gives the endpoints of the OpenAPI document.
func described(t *testing.T, base string) []endpoint {
	t.Helper()
	var doc struct {
		Paths map[string]map[string]struct {
			Parameters  []struct{ Name, In string }
			RequestBody *struct {
				Content map[string]struct {
					Schema struct {
						Ref        string `json:"$ref"`
						Properties map[string]any
					}
				}
			}
		}
		Components struct {
			Schemas map[string]struct{ Properties map[string]any }
		}
	}
	res, err := http.Get(base + "/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if err := json.NewDecoder(res.Body).Decode(&doc); err != nil {
		t.Fatal(err)
	}
	var out []endpoint
	for path, ops := range doc.Paths {
		for method, op := range ops {
			e := endpoint{method: strings.ToUpper(method), path: path}
			for _, p := range op.Parameters {
				if p.In == "query" {
					e.query = append(e.query, p.Name)
				}
			}
			if op.RequestBody != nil {
				s := op.RequestBody.Content["application/json"].Schema
				e.fields = []string{}
				for f := range doc.Components.Schemas[s.Ref[strings.LastIndex(s.Ref, "/")+1:]].Properties {
					e.fields = append(e.fields, f)
				}
			}
			out = append(out, e)
		}
	}
	if len(out) < 30 {
		t.Fatalf("only %d endpoints", len(out))
	}
	return out
}

var (
	reordering = regexp.MustCompile(`(?i)(?:^|[^\\])(?:\\\\)*\\u(?:202[a-e]|206[6-9]|200[ef]|061c)`)

	braces = regexp.MustCompile(`\{\w+\}`)
	inside = regexp.MustCompile(`goroutine \d|runtime error|panic:|\.go:\d+|SQLITE|sqlite3?:|/tmp/|/home/|/root/`)
)

// TestHostileInput sends what a hostile client would to every endpoint: a clear
// status, nothing of the program's inside, no markup that comes back alive, and
// afterwards everything is there still.
func TestHostileInput(t *testing.T) {
	base := serveLaw(t, lawData(t, map[string]string{"laboral": "versions"}))
	kept := putTo(t, base, `{"pack":"laboral","question":"¿Cuántos días de descanso tiene el farero?"}`)
	client := &http.Client{Timeout: 30 * time.Second, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	tried := 0
	send := func(e endpoint, what, target string, body []byte, ctype string, head http.Header) {
		t.Helper()
		req, err := http.NewRequest(e.method, base+target, bytes.NewReader(body))
		if err != nil {
			return // the client itself refuses it
		}
		for k, v := range head {
			req.Header[k] = v
		}
		if ctype != "" {
			req.Header.Set("Content-Type", ctype)
		}
		req.Header.Set("Accept", "text/html, application/json, text/event-stream;q=0.1")
		res, err := client.Do(req)
		if err != nil {
			if strings.Contains(err.Error(), "invalid header") || len(body) > 1<<16 { // cut while it was sending too much
				return
			}
			t.Errorf("%s %s, %s: %v", e.method, e.path, what, err)
			return
		}
		defer res.Body.Close()
		data, _ := io.ReadAll(io.LimitReader(res.Body, 4<<20))
		tried++
		examine(t, fmt.Sprintf("%s %s, %s", e.method, e.path, what), res, data)
	}
	for _, e := range append(described(t, base), pageForms...) {
		for _, word := range badWords {
			path := braces.ReplaceAllStringFunc(e.path, func(string) string { return strings.ReplaceAll(url.PathEscape(word), ".", "%2e") })
			q := url.Values{}
			for _, name := range e.query {
				q.Set(name, word)
			}
			target := path + "?" + q.Encode()
			switch {
			case e.fields == nil:
				send(e, "bad words", target, nil, "", nil)
			case strings.HasPrefix(e.path, "/v1/") || e.path == "/mcp":
				all := map[string]any{}
				for _, f := range e.fields {
					all[f] = word
					one, _ := json.Marshal(map[string]any{f: word})
					send(e, "bad word in "+f, target, one, "application/json", nil)
				}
				body, _ := json.Marshal(all)
				send(e, "bad words", target, body, "application/json", nil)
			default:
				form := url.Values{}
				for _, f := range e.fields {
					form.Set(f, word)
				}
				send(e, "bad words", target, []byte(form.Encode()), "application/x-www-form-urlencoded", nil)
			}
		}
		target := braces.ReplaceAllString(e.path, "x")
		if e.fields != nil {
			for what, body := range map[string][]byte{
				"huge": []byte(`{"question":"` + strings.Repeat("a", 3<<20) + `"}`), "deep": []byte(strings.Repeat("[", 30000)), "deep object": []byte(strings.Repeat(`{"a":`, 10000)),
				"not UTF-8": []byte("{\"question\":\"\xff\xfe\"}"), "empty": {}, "null": []byte("null"), "number": []byte("1e999999"), "cut": []byte(`{"question":"`), "surrogate": []byte(`{"question":"\ud800"}`),
			} {
				send(e, what, target, body, "application/json", nil)
				send(e, what+" as a form", target, body, "application/x-www-form-urlencoded", nil)
				send(e, what+" as parts", target, body, `multipart/form-data; boundary=x`, nil)
				send(e, what+" as nothing", target, body, "texto/¿?", nil)
			}
		}
		flood := http.Header{}
		for i := range 60 {
			flood.Set(fmt.Sprintf("X-Relleno-%d", i), strings.Repeat("z", 1000))
		}
		send(e, "flood of headers", target, nil, "", flood)
		send(e, "odd headers", target, nil, "", http.Header{"Authorization": {"Bearer " + strings.Repeat("a", 5000)}, "Last-Event-Id": {"'; --"}, "Idempotency-Key": {strings.Repeat("k", 4000)}, "Cookie": {"theme=<script>; visitante=" + strings.Repeat("v", 500)}, "Range": {"bytes=0-0,-1"}})
	}
	t.Logf("%d hostile requests answered", tried)
	if again := putTo(t, base, `{"pack":"laboral","question":"¿Cuántos días de descanso tiene el farero?"}`); citations(t, again) != citations(t, kept) {
		t.Error("what it answers has changed")
	}
	var list struct{ Conversations []struct{ Title string } }
	if err := json.Unmarshal([]byte(get(t, base+"/v1/conversations?q=farero")), &list); err != nil || len(list.Conversations) < 2 {
		t.Errorf("conversations lost: %v %+v", err, list)
	}
}

// TestHostileKnowsEveryEndpoint: what the server answers is in the OpenAPI document or
// among the forms of the pages, so that nothing new escapes TestHostileInput.
func TestHostileKnowsEveryEndpoint(t *testing.T) {
	a, w := otelApp(t, map[string]string{})
	w.Store = store.Memory(nil)
	defer w.Close()
	s, err := a.NewServer(w, false, false)
	if err != nil {
		t.Fatal(err)
	}
	rec := httptest.NewRecorder()
	s.ServeHTTP(rec, httptest.NewRequest("GET", "/openapi.json", nil))
	var doc struct{ Paths map[string]map[string]any }
	if err := json.Unmarshal(rec.Body.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for path, ops := range doc.Paths {
		for method := range ops {
			known[braces.ReplaceAllString(strings.ToUpper(method)+" "+path, "{}")] = true
		}
	}
	for _, e := range pageForms {
		path := braces.ReplaceAllString(e.path, "{}")
		known[e.method+" "+path], known[path] = true, true
	}
	for _, route := range s.Routes() {
		if !known[braces.ReplaceAllString(strings.TrimSuffix(route, "{$}"), "{}")] {
			t.Errorf("%s is tried by no hostile request: describe it, or add it to pageForms", route)
		}
	}
}

// examine holds an answer to what every answer keeps.
func examine(t *testing.T, what string, res *http.Response, body []byte) {
	t.Helper()
	if res.StatusCode >= 500 || res.StatusCode < 200 {
		t.Errorf("%s: %d %.300s", what, res.StatusCode, body)
	}
	ctype := res.Header.Get("Content-Type")
	if m := inside.Find(body); m != nil && !strings.Contains(what, "bad word") {
		t.Errorf("%s: %q shows the inside", what, m)
	}
	if strings.HasPrefix(ctype, "text/html") {
		for _, live := range []string{"<script>alert", "<img src=x"} {
			if bytes.Contains(body, []byte(live)) {
				t.Errorf("%s: markup comes back alive", what)
			}
		}
		if res.Header.Get("Content-Security-Policy") == "" {
			t.Errorf("%s: a page without a policy", what)
		}
	}
	if len(body) > 0 && ctype == "" {
		t.Errorf("%s: a body of no type", what)
	}
	if !utf8.Valid(body) {
		t.Errorf("%s: the answer is not UTF-8", what)
	}
	if bytes.ContainsFunc(body, text.Reorders) || strings.Contains(ctype, "json") && reordering.Match(body) {
		t.Errorf("%s: characters that reorder come back", what)
	}
	if strings.Contains(ctype, "json") && !strings.Contains(ctype, "problem") && res.StatusCode >= 400 && !strings.Contains(what, "/v1/chat") && !strings.Contains(what, "/v1/responses") && !strings.Contains(what, "/v1/models") && !strings.Contains(what, "/mcp") {
		t.Errorf("%s: an error that is no problem: %s %.200s", what, ctype, body)
	}
}

func putTo(t *testing.T, base, body string) string {
	t.Helper()
	return post(t, base+"/v1/ask", "application/json", body)
}

func get(t *testing.T, url string) string {
	t.Helper()
	res, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	data, _ := io.ReadAll(res.Body)
	return string(data)
}

// TestSlowClients holds connections open that send a byte now and then: others
// are answered meanwhile, and the slow ones are let go: after two seconds, and with
// DIGESTO_LONG after those of a server that nobody set up.
func TestSlowClients(t *testing.T) {
	patience := time.Duration(long.Of(0, 2)) * time.Second
	base := serveApp(t, func(a *program) { a.Patience = patience }, map[string]string{"DIGESTO_DATA": t.TempDir()})
	host := strings.TrimPrefix(base, "http://")
	var conns []net.Conn
	for i := range 60 {
		c, err := net.Dial("tcp", host)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		if i%2 == 0 {
			fmt.Fprintf(c, "POST /v1/ask HTTP/1.1\r\nHost: x\r\nX-A: ")
		} else {
			fmt.Fprintf(c, "POST /v1/ask HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n{")
		}
		conns = append(conns, c)
	}
	began := time.Now()
	putTo(t, base, `{"pack":"laboral","question":"¿Cuántos días de vacaciones me corresponden al año?"}`)
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("with slow clients an answer takes %s", took)
	}
	for i, c := range conns {
		_ = c.SetReadDeadline(time.Now().Add(45 * time.Second))
		if _, err := bufio.NewReader(c).ReadString('\n'); err != nil && strings.Contains(err.Error(), "timeout") {
			t.Errorf("connection %d is held for ever", i)
		}
	}
}
