package publisher

import "testing"

func TestFormerLabel(t *testing.T) {
	for in, want := range map[string]struct {
		rest string
		ok   bool
	}{
		"TEXTO ANTERIOR":                           {"", true},
		"«TEXTO ANTERIOR»:":                        {"", true},
		"TEXTO ANTERIOR 3. Las barcas":             {"3. Las barcas", true},
		"REDACCIÓN ANTERIOR":                       {"", true},
		"TEXTO VIGENTE HASTA EL 30.6.2023":         {"", true},
		"TEXTO VIGENTE HASTA 1/2/2003 Las barcas":  {"Las barcas", true},
		"TEXTO VIGENTE":                            {"", false},
		"El texto anterior a la reforma se aplica": {"", false},
		"Texto anterior":                           {"", false},
		"":                                         {"", false},
	} {
		if rest, ok := FormerLabel(in); rest != want.rest || ok != want.ok {
			t.Errorf("FormerLabel(%q) = %q %v, want %q %v", in, rest, ok, want.rest, want.ok)
		}
	}
}
