// Package idp is an OpenID Connect provider for tests.
package idp

import (
	"cmp"
	"crypto"
	"crypto/hmac"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"math/big"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"
)

// Provider is an OpenID Connect provider: it describes itself, signs with a key
// that it publishes, and gives a token for a code and the verifier behind its challenge.
type Provider struct {
	*httptest.Server
	key    *rsa.PrivateKey
	codes  map[string]url.Values // what was asked with each code
	Claims map[string]any        // more, or other, than the usual
	Forge  bool                  // sign with a key that is not published
	Alg    string                // "none": no signature; "HS256": signed with the client's secret; "" = RS256
}

// New runs a provider until the test ends. Its client is "digesto", its secret "secreto".
func New(t *testing.T) *Provider {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	p := &Provider{key: key, codes: map[string]url.Values{}}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /.well-known/openid-configuration", func(w http.ResponseWriter, _ *http.Request) {
		send(w, map[string]any{"issuer": p.URL, "authorization_endpoint": p.URL + "/authorize", "token_endpoint": p.URL + "/token", "jwks_uri": p.URL + "/keys", "id_token_signing_alg_values_supported": []string{"RS256"}})
	})
	mux.HandleFunc("GET /keys", func(w http.ResponseWriter, _ *http.Request) {
		send(w, map[string]any{"keys": []any{map[string]any{"kty": "RSA", "kid": "k1", "alg": "RS256", "use": "sig", "n": b64(key.N.Bytes()), "e": b64(big.NewInt(int64(key.E)).Bytes())}}})
	})
	mux.HandleFunc("GET /authorize", func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		if q.Get("response_type") != "code" || q.Get("code_challenge_method") != "S256" || q.Get("client_id") != "digesto" || !strings.Contains(q.Get("scope"), "openid") {
			http.Error(w, "bad request", http.StatusBadRequest)
			return
		}
		code := rand.Text()
		p.codes[code] = q
		http.Redirect(w, r, q.Get("redirect_uri")+"?"+url.Values{"code": {code}, "state": {q.Get("state")}}.Encode(), http.StatusFound)
	})
	mux.HandleFunc("POST /token", p.token)
	p.Server = httptest.NewServer(mux)
	t.Cleanup(p.Close)
	return p
}

func send(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v)
}

func b64(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

// token checks code, client, address and verifier, and signs who it is.
func (p *Provider) token(w http.ResponseWriter, r *http.Request) {
	asked, ok := p.codes[r.FormValue("code")]
	delete(p.codes, r.FormValue("code")) // a code is good once
	sum := sha256.Sum256([]byte(r.FormValue("code_verifier")))
	id, secret, _ := r.BasicAuth()
	if !ok || b64(sum[:]) != asked.Get("code_challenge") || r.FormValue("redirect_uri") != asked.Get("redirect_uri") || id != "digesto" || secret != "secreto" {
		http.Error(w, `{"error":"invalid_grant"}`, http.StatusBadRequest)
		return
	}
	claims := map[string]any{"iss": p.URL, "aud": "digesto", "sub": "u-17", "name": "Persona de Prueba", "nonce": asked.Get("nonce"), "iat": time.Now().Unix(), "exp": time.Now().Add(time.Hour).Unix(), "roles": []string{"juristas"}}
	for k, v := range p.Claims {
		claims[k] = v
	}
	head, _ := json.Marshal(map[string]string{"alg": cmp.Or(p.Alg, "RS256"), "kid": "k1"})
	body, _ := json.Marshal(claims)
	text := b64(head) + "." + b64(body)
	hash := sha256.Sum256([]byte(text))
	key := p.key
	if p.Forge {
		key, _ = rsa.GenerateKey(rand.Reader, 2048)
	}
	mark, _ := rsa.SignPKCS1v15(rand.Reader, key, crypto.SHA256, hash[:])
	switch p.Alg {
	case "none":
		mark = nil
	case "HS256":
		m := hmac.New(sha256.New, []byte("secreto"))
		_, _ = m.Write([]byte(text))
		mark = m.Sum(nil)
	}
	send(w, map[string]any{"access_token": "x", "token_type": "Bearer", "id_token": text + "." + b64(mark)})
}
