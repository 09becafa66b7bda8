package follow

import (
	"bytes"
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"strings"

	"digesto"
)

// pointerName is the one file of a place that changes. Its first line is a [Pointer],
// its second the public key and the signature (ed25519, RFC 8032) of the first, in hex.
const pointerName = "current"

const (
	pointerFormat = 1
	maxPointer    = 8 << 10
	// signedAs stands before what is signed: the same key signs exports, and what is
	// signed as one thing is not taken for another.
	signedAs = "digesto current law\n"
)

// Pointer says which law is published. Exports never change; going back to an earlier
// one is a new pointer to it, so that an old pointer that somebody kept is not taken.
type Pointer struct {
	Format   int     `json:"format"`
	Serial   int64   `json:"serial"` // greater than that of every pointer before
	Law      Export  `json:"law"`
	Previous *Export `json:"previous,omitempty"` // published before
}

// Export names a published export.
type Export struct {
	Snapshot string       `json:"snapshot"`
	File     string       `json:"file"`
	Size     int64        `json:"size"`
	SHA256   string       `json:"sha256"` // of the file
	Day      digesto.Date `json:"day"`
}

// sign writes a pointer with its signature.
func (p Pointer) sign(key ed25519.PrivateKey) ([]byte, error) {
	line, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	pub, _ := key.Public().(ed25519.PublicKey)
	sum := ed25519.Sign(key, append([]byte(signedAs), line...))
	return append(line, "\n"+hex.EncodeToString(pub)+" "+hex.EncodeToString(sum)+"\n"...), nil
}

// readPointer proves a pointer against the public key that is trusted, in hex.
func readPointer(data []byte, trust string) (p Pointer, err error) {
	line, rest, ok := bytes.Cut(data, []byte("\n"))
	key, sign, two := strings.Cut(strings.TrimSuffix(string(rest), "\n"), " ")
	pub, err1 := hex.DecodeString(key)
	sum, err2 := hex.DecodeString(sign)
	if !ok || !two || err1 != nil || err2 != nil || len(pub) != ed25519.PublicKeySize {
		return p, broken("«"+pointerName+"» no dice qué ley está publicada", nil)
	}
	if !strings.EqualFold(strings.TrimSpace(trust), key) {
		return p, &digesto.Error{Code: digesto.CodeForbidden, Message: "La ley publicada está firmada con la clave " + key + ", que no es de confianza", Hint: "Si es la de quien la publica, póngala en «follow_key»; si no, avísele."}
	}
	if !ed25519.Verify(pub, append([]byte(signedAs), line...), sum) {
		return p, broken("la firma de «"+pointerName+"» no es válida", nil)
	}
	if err := json.Unmarshal(line, &p); err != nil || p.Format != pointerFormat || p.Serial <= 0 || !p.Law.valid() || p.Previous != nil && !p.Previous.valid() {
		return Pointer{}, broken("«"+pointerName+"» no se entiende, o es de una versión posterior del programa", err)
	}
	return p, nil
}

func (e Export) valid() bool {
	return isHash(e.Snapshot) && isHash(e.SHA256) && e.File == e.SHA256+suffix && e.Size > 0 && e.Size <= maxExport
}

const (
	suffix    = ".digesto"
	maxExport = 64 << 30
)

func isHash(s string) bool {
	b, err := hex.DecodeString(s)
	return err == nil && len(b) == 32 && strings.ToLower(s) == s
}
