package text

import "testing"

func TestSound(t *testing.T) {
	for right, heard := range map[string]string{
		"viudedad": "biudedad", "vital": "bital", "discapacidad": "diskapasidad", "empadronamiento": "enpadronamiento",
		"ayuda": "alluda", "hijo": "ijo", "homologacion": "omologasion", "tarjeta": "targeta", "queja": "keja", "guia": "guia",
	} {
		if Sound(right) != Sound(heard) {
			t.Errorf("%s %q, %s %q", right, Sound(right), heard, Sound(heard))
		}
	}
	for _, other := range [][2]string{{"paro", "pato"}, {"guerra", "gerra"}, {"chico", "quico"}, {"nie", "tie"}, {"beca", "boca"}} {
		if Sound(other[0]) == Sound(other[1]) {
			t.Errorf("%v sound alike: %q", other, Sound(other[0]))
		}
	}
}
