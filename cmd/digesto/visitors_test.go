package main

import (
	"io"
	"net/http"
	"strings"
	"testing"
)

// TestOwnerIsHere: what the person at this machine asked is not told to a page that
// comes under another name (DNS rebinding), nor to who comes through a proxy; each of
// those is a visitor of their own.
func TestOwnerIsHere(t *testing.T) {
	base := serveLaw(t, t.TempDir())
	putTo(t, base, `{"pack":"laboral","question":"¿Cuántos días de vacaciones me corresponden al año?"}`)
	list := func(change func(*http.Request)) (string, []*http.Cookie) {
		t.Helper()
		r, err := http.NewRequest("GET", base+"/v1/conversations", nil)
		if err != nil {
			t.Fatal(err)
		}
		change(r)
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		body, _ := io.ReadAll(res.Body)
		if res.StatusCode != http.StatusOK {
			t.Errorf("%d %s", res.StatusCode, body)
		}
		return string(body), res.Cookies()
	}
	if got, cookies := list(func(*http.Request) {}); len(cookies) > 0 || !strings.Contains(got, "vacaciones") {
		t.Errorf("the owner does not see it: %s", got)
	}
	for name, change := range map[string]func(*http.Request){
		"another name": func(r *http.Request) { r.Host = "trampa.example:8080" },
		"a proxy":      func(r *http.Request) { r.Header.Set("X-Forwarded-For", "8.8.8.8") },
		"a proxy's id": func(r *http.Request) { r.Header.Set("X-Real-Ip", "127.0.0.1") },
	} {
		got, cookies := list(change)
		if strings.Contains(got, "vacaciones") || len(cookies) != 1 || cookies[0].Name != "visitante" {
			t.Errorf("%s: %s %v", name, got, cookies)
		}
	}
}
