package text

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

// reordering are all the characters that reorder.
const reordering = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c"

func TestInOrder(t *testing.T) {
	for in, want := range map[string]string{"": "", "veinte días «a—b…» “c”": "veinte días «a—b…» “c”", "a" + reordering + "b": "ab", "\u202e": ""} {
		if got := InOrder(in); got != want {
			t.Errorf("%q: %q", in, got)
		}
	}
}

// TestMasked: nothing that reorders is left, plain or escaped, and no offset moves.
func TestMasked(t *testing.T) {
	escaped := strings.NewReplacer("\u202e", `\u202e`, "\u2066", `\u2066`, "\u200f", `\u200F`).Replace(`{"a":"x` + reordering + `y «z»"}`)
	for _, in := range []string{"", "a", reordering, "ñ" + reordering + "ñ—…“", escaped, `{"a":"\\\u202e"}`} {
		given := []byte(in)
		b := Masked(given, true)
		if string(given) != in {
			t.Errorf("%q: what was given is changed", in)
		}
		var v map[string]string
		text := string(b)
		if json.Unmarshal(b, &v) == nil {
			text = v["a"]
		}
		if strings.IndexFunc(text, Reorders) >= 0 || len(b) != len(in) || !utf8.Valid(b) || utf8.RuneCount(b) != utf8.RuneCountInString(in) {
			t.Errorf("%q: %q", in, b)
		}
	}
	for _, same := range []string{`{"a":"\\u202e"}`, `{"a":"\u0041"}`, "€ “a” – ‑ …", "\xe2", "\xd8", `\u20`, "\\"} {
		if b := Masked([]byte(same), true); string(b) != same {
			t.Errorf("%q: %q", same, b)
		}
	}
	if b := Masked([]byte(`\u202e`), false); string(b) != `\u202e` {
		t.Errorf("plain text that names one: %q", b)
	}
}
