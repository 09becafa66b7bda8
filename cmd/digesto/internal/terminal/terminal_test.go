package terminal

import (
	"strings"
	"testing"
)

func TestClean(t *testing.T) {
	for in, want := range map[string]string{
		"hola\x1b[31mrojo":    "hola[31mrojo",
		"a\u202eb":            "ab",
		"dos\nlíneas\ty tab":  "dos\nlíneas\ty tab",
		"\x07campana\x00nulo": "campananulo",
		"\u009b2J":            "2J",
		"roto\xff":            "roto",
	} {
		if got := Clean(in); got != want {
			t.Errorf("Clean(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestWrap(t *testing.T) {
	got := Wrap("uno dos tres cuatro cinco seis siete ocho", 20)
	for _, l := range got {
		if len([]rune(l)) > 20 {
			t.Errorf("line too long: %q", l)
		}
	}
	if strings.Join(got, " ") != "uno dos tres cuatro cinco seis siete ocho" {
		t.Errorf("words lost: %q", got)
	}
	if long := Wrap("a esternocleidomastoideolargo b", 20); len(long) != 3 {
		t.Errorf("a long word: %q", long)
	}
}
