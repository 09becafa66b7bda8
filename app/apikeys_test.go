package app

import (
	"context"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"digesto"
	"digesto/store"
	"digesto/store/sqlite"
)

// ring is a keyring over a database of its own, with a clock that a test moves.
func ring(t *testing.T) (*keyring, store.Store, *time.Time) {
	t.Helper()
	now := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	clock := func() time.Time { return now }
	s, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "c.db"), sqlite.Options{Clock: clock})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	if err := s.PutUser(t.Context(), store.User{ID: "ana", Name: "ana", Plan: "libre"}); err != nil {
		t.Fatal(err)
	}
	return newKeyring(s, clock), s, &now
}

func TestKeyring(t *testing.T) {
	r, s, now := ring(t)
	ctx := context.Background()
	id, key := newKey()
	end := now.Add(time.Hour)
	if err := s.PutKey(ctx, store.Key{ID: id, User: "ana", Hash: store.HashSecret(key), Scopes: []string{ScopeAsk}, Expires: &end}); err != nil {
		t.Fatal(err)
	}
	check := func(key, scope, says string) {
		t.Helper()
		u, err := r.user(ctx, key, scope)
		if says == "" && (err != nil || u.ID != "ana") || says != "" && (digesto.CodeOf(err) != digesto.CodeForbidden || !strings.Contains(err.Error(), says)) {
			t.Errorf("%+v %v, want %q", u, err, says)
		}
	}
	check(key, ScopeAsk, "")
	check(key, ScopeRead, "no tiene el permiso «read»")
	check(key+"x", ScopeAsk, "no es válida")
	check(keyPrefix+"noexiste_"+key, ScopeAsk, "no es válida")
	check("", ScopeAsk, "no es válida")
	_, other := newKey()
	check(keyPrefix+id+"_"+other, ScopeAsk, "no es válida") // the right id with another secret
	*now = end.Add(-10 * time.Minute)
	check(key, ScopeAsk, "")
	if err := s.DropKey(ctx, id); err != nil {
		t.Fatal(err)
	}
	check(key, ScopeAsk, "no es válida") // at once, though it has just been compared

	id, key = newKey()
	if err := s.PutKey(ctx, store.Key{ID: id, User: "ana", Hash: store.HashSecret(key), Scopes: []string{ScopeAsk}, Expires: &end}); err != nil {
		t.Fatal(err)
	}
	check(key, ScopeAsk, "")
	*now = end // its end holds at once, though it is known
	check(key, ScopeAsk, "ha caducado")
}

// TestOldKeyIsUpgraded: a key of the first form still works, and from its first use
// on its SHA-256 is nowhere.
func TestOldKeyIsUpgraded(t *testing.T) {
	r, s, _ := ring(t)
	ctx := context.Background()
	old := keyPrefix + "abcdefghijklmnopqrstuvwxyz"
	if err := s.PutUser(ctx, store.User{ID: "ana", Name: "ana", Plan: "libre", KeyHash: store.HashKey(old)}); err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		if u, err := r.user(ctx, old, ScopeRead); err != nil || u.ID != "ana" {
			t.Fatalf("use %d: %+v %v", i, u, err)
		}
	}
	if _, err := s.UserByKey(ctx, store.HashKey(old)); digesto.CodeOf(err) != digesto.CodeNotFound {
		t.Errorf("its first hash is still there: %v", err)
	}
	list, err := s.UserKeys(ctx, "ana")
	if err != nil || len(list) != 1 || !store.SecretIs(list[0].Hash, old) {
		t.Errorf("%+v %v", list, err)
	}
	if _, err := r.user(ctx, old+"x", ScopeRead); digesto.CodeOf(err) != digesto.CodeForbidden {
		t.Errorf("%v", err)
	}
}

func TestScopeOf(t *testing.T) {
	for req, want := range map[string]string{
		"POST /v1/ask": ScopeAsk, "POST /v1/chat/completions": ScopeAsk, "POST /mcp": ScopeAsk, "GET /v1/conversations": ScopeRead, "DELETE /v1/conversations/x": ScopeManage,
		"PATCH /v1/conversations/x": ScopeManage, "GET /v1/analytics": ScopeRead, "POST /conversaciones/x": ScopeManage,
	} {
		method, path, _ := strings.Cut(req, " ")
		if got := scopeOf(httptest.NewRequest(method, path, nil)); got != want {
			t.Errorf("%s: %s, want %s", req, got, want)
		}
	}
}

func TestParseExpiry(t *testing.T) {
	now := time.Date(2030, 1, 1, 12, 0, 0, 0, time.UTC)
	for s, want := range map[string]string{"2030-02-01": "2030-02-01", "90d": "2030-04-01", "": ""} {
		end, err := parseExpiry(s, now)
		if got := ""; err != nil || end != nil && end.Format(time.DateOnly) != want || end == nil && want != got {
			t.Errorf("%q: %v %v", s, end, err)
		}
	}
	for _, s := range []string{"ayer", "2029-01-01", "0d", "-3d", "5h", "90dd"} {
		if end, err := parseExpiry(s, now); digesto.CodeOf(err) != digesto.CodeUsage {
			t.Errorf("%q: %v %v", s, end, err)
		}
	}
}
