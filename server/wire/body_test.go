package wire

import (
	"strings"
	"testing"
)

// TestWireName: errors name fields as the wire does.
func TestWireName(t *testing.T) {
	type whenBody struct {
		Year string `json:"year"`
	}
	var v struct {
		whenBody
		Deep struct {
			K int `json:"k"`
		} `json:"deep"`
	}
	for body, want := range map[string]string{`{"year":1}`: "«year»", `{"deep":{"k":"x"}}`: "«deep.k»", `[]`: "no es un objeto JSON", `{"zzz":1}`: "«zzz»"} {
		if err := DecodeBytes([]byte(body), &v); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", body, err)
		}
	}
}
