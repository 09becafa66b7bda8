package line

import (
	"testing"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
)

// Whatever its charset, a text comes out as it was written.
func TestDecode(t *testing.T) {
	const s = "La niña cruzó el puente del señor Núñez, que es público, y pagó “dos” monedas."
	latin, err := charmap.Windows1252.NewEncoder().String(s)
	if err != nil {
		t.Fatal(err)
	}
	wide, err := unicode.UTF16(unicode.BigEndian, unicode.UseBOM).NewEncoder().String(s)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, in, declared, charset string }{
		{"UTF-8", s, "", "utf-8"},
		{"UTF-8 with a mark", "\ufeff" + s, "", "utf-8"},
		{"UTF-8 declared as another", s, "iso-8859-1", "utf-8"},
		{"UTF-16", wide, "", "utf-16"},
		{"Windows, declared as Latin-1", latin, "ISO-8859-1", "windows-1252"},
		{"Windows, falsely declared UTF-8", latin, "utf-8", "windows-1252"},
		{"Windows, declared as nothing known", latin, "x-unknown", "windows-1252"},
	} {
		if got, charset := Decode([]byte(c.in), c.declared); got != s || charset != c.charset {
			t.Errorf("%s: %s, %q", c.name, charset, got)
		}
	}
	if got, _ := Decode([]byte("uno\rdos"), ""); got != "uno\ndos" {
		t.Errorf("old line ends: %q", got)
	}
}

func TestNotText(t *testing.T) {
	for in, want := range map[string]bool{
		"%PDF-1.4":                     true,
		"PK\x03\x04…":                  true,
		"a\x00b":                       true,
		"\x01\x02\x03\x04\x05":         true,
		"\xff\xfea\x00":                false, // UTF-16
		"Artículo 1.\r\n\tObjeto.\f\n": false,
	} {
		if got := NotText([]byte(in)); got != want {
			t.Errorf("NotText(%q) = %v", in, got)
		}
	}
}
