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

// Cookies are sealed: nobody without the key makes or changes one.
type Cookies struct {
	Key    []byte // 32 bytes or more
	Secure bool   // sent over https alone
}

// sign gives the mark of a value in a cookie of that name: the value of one
// cookie is worth nothing in another.
func (c Cookies) sign(name, value string) string {
	m := hmac.New(sha256.New, c.Key)
	_, _ = m.Write([]byte(name + "=" + value))
	return base64.RawURLEncoding.EncodeToString(m.Sum(nil))
}

// Set writes a value that JSON has into a cookie, for so many seconds.
func (c Cookies) Set(w http.ResponseWriter, name, path string, age int, v any) {
	data, _ := json.Marshal(v) // own types: no error
	value := base64.RawURLEncoding.EncodeToString(data)
	http.SetCookie(w, c.cookie(name, path, value+"."+c.sign(name, value), age))
}

// Drop takes a cookie back.
func (c Cookies) Drop(w http.ResponseWriter, name, path string) {
	http.SetCookie(w, c.cookie(name, path, "", -1))
}

func (c Cookies) cookie(name, path, value string, age int) *http.Cookie {
	return &http.Cookie{Name: name, Value: value, Path: path, MaxAge: age, HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: c.Secure}
}

// Read gives what a cookie of ours holds; false for one that is not ours.
func (c Cookies) Read(r *http.Request, name string, v any) bool {
	sent, err := r.Cookie(name)
	if err != nil || len(sent.Value) > maxCookie {
		return false
	}
	value, mark, ok := strings.Cut(sent.Value, ".")
	if !ok || !hmac.Equal([]byte(mark), []byte(c.sign(name, value))) {
		return false
	}
	data, err := base64.RawURLEncoding.DecodeString(value)
	return err == nil && json.Unmarshal(data, v) == nil
}
