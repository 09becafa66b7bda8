package login

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strings"
)

const (
	sessionCookie = "sesion"
	attemptCookie = "entrada"
	maxCookie     = 4096 // bytes of one; browsers keep no longer ones
)

func random() string { return rand.Text() }

// sign gives the mark of a value in a cookie of that name: the value of one
// cookie is worth nothing in another.
func (g *Gate) sign(name, value string) string {
	m := hmac.New(sha256.New, g.opt.Key)
	_, _ = m.Write([]byte(name + "=" + value))
	return base64.RawURLEncoding.EncodeToString(m.Sum(nil))
}

func (g *Gate) set(w http.ResponseWriter, name, path string, age int, v any) {
	data, _ := json.Marshal(v) // own types: no error
	value := base64.RawURLEncoding.EncodeToString(data)
	http.SetCookie(w, g.cookie(name, path, value+"."+g.sign(name, value), age))
}

func (g *Gate) drop(w http.ResponseWriter, name, path string) {
	http.SetCookie(w, g.cookie(name, path, "", -1))
}

func (g *Gate) cookie(name, path, value string, age int) *http.Cookie {
	return &http.Cookie{Name: name, Value: value, Path: path, MaxAge: age, HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: g.secure}
}

// read gives what a cookie of ours holds; false for one that is not ours.
func (g *Gate) read(r *http.Request, name string, v any) bool {
	c, err := r.Cookie(name)
	if err != nil || len(c.Value) > maxCookie {
		return false
	}
	value, mark, ok := strings.Cut(c.Value, ".")
	if !ok || !hmac.Equal([]byte(mark), []byte(g.sign(name, value))) {
		return false
	}
	data, err := base64.RawURLEncoding.DecodeString(value)
	return err == nil && json.Unmarshal(data, v) == nil
}
