package main

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"digesto"
)

// TestBelongs: the trace of an answer, its page and its conversation are of who asked, by
// key or by cookie, and of who runs the server as far as it is for operation; to anyone
// else there are none.
func TestBelongs(t *testing.T) {
	data := t.TempDir()
	vars := map[string]string{"DIGESTO_DATA": data}
	keys := map[string]string{}
	for name, scopes := range map[string]string{"ana": "ask,read,manage", "beto": "ask,read,manage", "jefa": "ask,read,manage,admin"} {
		e, out, errs := testEnv(vars)
		if code := run(t.Context(), []string{"keys", "add", name, "--scopes", scopes}, e); code != 0 {
			t.Fatal(errs)
		}
		keys[name] = wholeKey.FindString(out.String())
	}
	base := serveLaw(t, data)
	people := map[string]func(*http.Request){
		"nobody":          func(r *http.Request) { r.Header.Set("X-Forwarded-For", "203.0.113.7") },
		"visitor":         func(r *http.Request) { byCookie(r, "a") },
		"another visitor": func(r *http.Request) { byCookie(r, "b") },
		"here":            func(*http.Request) {},
	}
	for name, key := range keys {
		people[name] = func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+key) }
	}
	send := func(who, method, path, body string) (int, string) {
		t.Helper()
		r, err := http.NewRequest(method, base+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		people[who](r)
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		got, _ := io.ReadAll(res.Body)
		return res.StatusCode, string(got)
	}
	for _, asker := range []string{"visitor", "here", "ana"} {
		_, body := send(asker, "POST", "/v1/ask", `{"pack":"laboral","question":"`+holidays+`"}`)
		var a digesto.Answer
		if err := json.Unmarshal([]byte(body), &a); err != nil || a.Meta == nil || a.Meta.TraceID == "" {
			t.Fatalf("%s: %s", asker, body)
		}
		for path, operators := range map[string]bool{"/v1/traces/" + a.Meta.TraceID: true, "/respuestas/" + a.Meta.TraceID: true, "/v1/conversations/" + a.Meta.SessionID + "/export": false} {
			for reader := range people {
				want := 404
				if reader == asker || operators && reader == "jefa" {
					want = 200
				}
				status, got := send(reader, "GET", path, "")
				if status != want || want == 404 && strings.Contains(got, "vacaciones") {
					t.Errorf("asked by %s, %s read by %s: %d, want %d: %.200s", asker, path, reader, status, want, got)
				}
			}
		}
	}
}

// byCookie makes a request one of a person who is known by a cookie alone.
func byCookie(r *http.Request, name string) {
	r.Header.Set("X-Forwarded-For", "203.0.113.8")
	r.AddCookie(&http.Cookie{Name: "visitante", Value: strings.Repeat(name, 26)})
}
