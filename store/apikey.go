package store

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"strings"

	"golang.org/x/crypto/argon2"
)

// Parameters of Argon2id (RFC 9106): the least that OWASP's Password Storage Cheat
// Sheet names. Keys are 130 random bits, so guessing is hopeless at any price; the
// hash is for the day on which the database is copied.
const (
	argonTime   = 2
	argonMemory = 19 << 10 // KiB
	argonLanes  = 1
	argonSalt   = 16
	argonSum    = 32
)

// HashSecret makes the hash of a secret, with a salt of its own, in the PHC string
// format. It takes some 20 ms and 19 MiB.
func HashSecret(secret string) string {
	salt := make([]byte, argonSalt)
	_, _ = rand.Read(salt) // never fails (crypto/rand)
	sum := argon2.IDKey([]byte(secret), salt, argonTime, argonMemory, argonLanes, argonSum)
	b := base64.RawStdEncoding
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, argonMemory, argonTime, argonLanes, b.EncodeToString(salt), b.EncodeToString(sum))
}

// Bounds of what a stored hash may ask for: a changed one must not stop the server.
const (
	maxArgonMemory = 256 << 10
	maxArgonTime   = 16
)

// SecretIs says whether a hash is that of a secret; one that cannot be read is of none.
func SecretIs(hash, secret string) bool {
	parts := strings.Split(hash, "$")
	var version, lanes int
	var memory, time uint32
	if len(parts) != 6 || parts[0] != "" || parts[1] != "argon2id" {
		return false
	}
	if n, _ := fmt.Sscanf(parts[2], "v=%d", &version); n != 1 || version != argon2.Version {
		return false
	}
	if n, _ := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &memory, &time, &lanes); n != 3 || memory < 8 || memory > maxArgonMemory || time < 1 || time > maxArgonTime || lanes < 1 || lanes > 16 {
		return false
	}
	salt, err := base64.RawStdEncoding.DecodeString(parts[4])
	sum, err2 := base64.RawStdEncoding.DecodeString(parts[5])
	if err != nil || err2 != nil || len(salt) < 8 || len(sum) < 16 || len(sum) > 64 {
		return false
	}
	got := argon2.IDKey([]byte(secret), salt, time, memory, uint8(lanes), uint32(len(sum)))
	return subtle.ConstantTimeCompare(got, sum) == 1
}
