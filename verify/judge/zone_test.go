package judge

import (
	"testing"
)

func TestZones(t *testing.T) {
	const s = "1. Uno:\na) Alfa.\nb) Beta.\n2. Dos:\na) Gama.\nCola."
	for detail, want := range map[string]string{"1.b": "b) Beta.\n", "2.a": "a) Gama.\nCola.", "letra a": "a) Alfa.\n|a) Gama.\nCola.", "3": "missing", "2, último párrafo": "Cola.|Cola.", "letra z": "missing"} {
		z, state := ZoneOf(detail, "7", s)
		got := ""
		switch state {
		case ZoneMissing:
			got = "missing"
		case ZoneUnread:
			got = "unread"
		default:
			for _, p := range z.Parts {
				if got != "" {
					got += "|"
				}
				got += string([]rune(s)[p.From:p.To])
			}
		}
		if got != want {
			t.Errorf("%s: %q, want %q", detail, got, want)
		}
	}
}

// TestZoneOverRepealedItems: an item ends where the next one begins that is left of its row.
func TestZoneOverRepealedItems(t *testing.T) {
	const s = "1. Se hará:\nb)\ng) Por el guarda.\nh) Por la junta:\ni) de día;\nii) de noche."
	for detail, want := range map[string]string{"letra b": "b)\n", "letra g": "g) Por el guarda.\n"} {
		z, state := ZoneOf(detail, "7", s)
		if state != ZoneFound || len(z.Parts) != 1 || string([]rune(s)[z.Parts[0].From:z.Parts[0].To]) != want {
			t.Errorf("%s: %v %+v", detail, state, z)
		}
	}
}
