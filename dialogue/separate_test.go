package dialogue

import (
	"slices"
	"testing"
)

// TestSeparate: two matters are two questions; two sides of one matter are one.
func TestSeparate(t *testing.T) {
	for in, want := range map[string][]string{
		"¿Cuánto mide la torre del faro y quién paga el aceite de la lámpara?":   {"¿Cuánto mide la torre del faro?", "¿quién paga el aceite de la lámpara?"},
		"¿Cuánto mide la torre del faro? ¿Quien paga el aceite de la lámpara?":   {"¿Cuánto mide la torre del faro?", "¿Quien paga el aceite de la lámpara?"},
		"¿Cuánto mide la torre del faro y ante qué oficina se reclama el sello?": {"¿Cuánto mide la torre del faro?", "¿ante qué oficina se reclama el sello?"},
		"¿Cuánto mide la torre del faro y cuánto dura?":                          nil, // no matter of its own
		"¿Cuánto mide la torre del faro y quién la paga?":                        nil, // points back
		"¿Cuánto mide la torre que pinta el farero y que barre el mozo?":         nil, // no question
		"Pinto la torre del faro. ¿Cuánto cobro y quién paga el aceite?":         nil, // a case told before
		"¿Qué es la torre y cómo se construye una torre?":                        nil, // the same matter
		"": nil,
	} {
		if got := Separate(in); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
	}
}
