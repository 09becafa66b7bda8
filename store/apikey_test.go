package store_test

import (
	"strings"
	"testing"

	"digesto/store"

	"golang.org/x/crypto/argon2"
)

func TestSecretIs(t *testing.T) {
	a, b := store.HashSecret("dg_uno"), store.HashSecret("dg_uno")
	if a == b || strings.Contains(a, "dg_uno") || !strings.HasPrefix(a, "$argon2id$v=19$m=19456,t=2,p=1$") {
		t.Errorf("%s %s", a, b)
	}
	if !store.SecretIs(a, "dg_uno") || !store.SecretIs(b, "dg_uno") || store.SecretIs(a, "dg_dos") || store.SecretIs(a, "") {
		t.Error("the wrong secrets are known")
	}
	salt, sum, _ := strings.Cut(strings.TrimPrefix(a, "$argon2id$v=19$m=19456,t=2,p=1$"), "$")
	for _, bad := range []string{
		"", "$", a[:len(a)-4], strings.Replace(a, "argon2id", "argon2i", 1), strings.Replace(a, "v=19", "v=18", 1), strings.Replace(a, "t=2", "t=0", 1),
		strings.Replace(a, "m=19456", "m=4000000000", 1), strings.Replace(a, "t=2", "t=4000000000", 1), strings.Replace(a, salt, "", 1), strings.Replace(a, sum, "", 1), strings.Replace(a, salt, "!!", 1), a + "$",
	} {
		if store.SecretIs(bad, "dg_uno") {
			t.Errorf("%q is the hash of a secret", bad)
		}
	}
}

// TestArgonVector is that of RFC 9106's reference code for Argon2id (version 19,
// t=2, m=64 MiB, p=1): the library computes what others do.
func TestArgonVector(t *testing.T) {
	const want = "09316115d5cf24ed5a15a31a3ba326e5cf32edc24702987c02b6566f61913cf7"
	if got := hexOf(argon2.IDKey([]byte("password"), []byte("somesalt"), 2, 64<<10, 1, 32)); got != want {
		t.Errorf("%s", got)
	}
}

func hexOf(b []byte) string {
	const digits = "0123456789abcdef"
	var s strings.Builder
	for _, x := range b {
		s.WriteByte(digits[x>>4])
		s.WriteByte(digits[x&15])
	}
	return s.String()
}
