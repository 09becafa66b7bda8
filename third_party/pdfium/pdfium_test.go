package pdfium

import (
	"crypto/sha256"
	"encoding/hex"
	"testing"
)

// TestDigest proves that the blob is the one whose origin the README states.
func TestDigest(t *testing.T) {
	sum := sha256.Sum256(Wasm)
	if got := hex.EncodeToString(sum[:]); got != SHA256 {
		t.Fatalf("pdfium.wasm has SHA-256 %s, README says %s", got, SHA256)
	}
}
