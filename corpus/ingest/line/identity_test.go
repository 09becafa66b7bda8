package line

import (
	"testing"

	"digesto"
)

func TestTerritory(t *testing.T) {
	for _, c := range [][4]string{
		{"es", "", "es", ""},
		{"es", "es", "es", ""},
		{"es", "es-md", "es", "es-md"},
		{"", "ES-MD", "es", "es-md"},
		{"", "", "", ""},
		{"ar", "es-md", "ar", ""},
	} {
		if j, terr := Territory(c[0], c[1]); j != c[2] || terr != c[3] {
			t.Errorf("Territory(%q, %q) = %q, %q", c[0], c[1], j, terr)
		}
	}
}

func TestSafeID(t *testing.T) {
	if got := SafeID(" LEY 1/2001~a#b\\c "); got != "LEY-1-2001-a-b-c" {
		t.Errorf("SafeID = %q", got)
	}
}

func TestMetadataDate(t *testing.T) {
	m := Metadata{"a": "2001-02-03", "b": "1900-01-01", "c": "3 de febrero"}
	for key, want := range map[string]digesto.Date{"a": "2001-02-03", "b": "", "c": "", "d": ""} {
		if got := m.Date(key); got != want {
			t.Errorf("Date(%s) = %q, want %q", key, got, want)
		}
	}
}

func TestOfficialID(t *testing.T) {
	for in, want := range map[string]string{
		"ref. BOE-A-2001-77, de 2001": "BOE-A-2001-77",
		"BOE-A-2001":                  "",
		"XBOEXY-A-2001-77":            "",
	} {
		if got := OfficialID.FindString(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
