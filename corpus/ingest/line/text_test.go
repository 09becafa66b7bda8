package line

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestTidy(t *testing.T) {
	for in, want := range map[string]string{
		"  Artículo\u00a01.\t Objeto  ": "Artículo 1. Objeto",
		"uno\ndos":                      "uno dos",
		"":                              "",
		" \u00a0\t":                     "",
	} {
		if got := Tidy(in); got != want {
			t.Errorf("Tidy(%q) = %q, want %q", in, got, want)
		}
	}
}

// A text is cut between characters, never within one.
func TestClip(t *testing.T) {
	const s = "año de la niña"
	for n := 0; n <= len(s)+1; n++ {
		got := Clip(s, n)
		if len(got) > n || !strings.HasPrefix(s, got) || !utf8.ValidString(got) || n-len(got) > 1 && got != s {
			t.Errorf("Clip(%d) = %q", n, got)
		}
	}
}

func TestLetters(t *testing.T) {
	if got := Letters("El Artículo 3, bis (niño)."); got != "elarticulo3bisnino" {
		t.Errorf("Letters = %q", got)
	}
}

func TestShorten(t *testing.T) {
	if got := Shorten([]string{"1", "2"}, 2); got != "1, 2" {
		t.Errorf("two of two: %q", got)
	}
	if got := Shorten([]string{"1", "2", "3"}, 2); got != "1, 2…" {
		t.Errorf("two of three: %q", got)
	}
}
