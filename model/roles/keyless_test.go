package roles

import (
	"context"
	"testing"

	"digesto/model"
)

type repeating string

func (r repeating) Generate(context.Context, model.Request, func(string) error) (model.Response, error) {
	return model.Response{Text: string(r)}, nil
}

// TestKeyIsNotKept: a service that says the key back does not get it into what is kept.
func TestKeyIsNotKept(t *testing.T) {
	for _, c := range []struct{ key, says, want string }{
		{"clave-de-prueba", "Bearer clave-de-prueba, clave-de-prueba", "Bearer [clave], [clave]"}, {"", "nada", "nada"}, {"abc", "abc", "abc"},
	} {
		if out, err := withoutKey(repeating(c.says), c.key).Generate(t.Context(), model.Request{}, nil); err != nil || out.Text != c.want {
			t.Errorf("%q: %q, %v", c.says, out.Text, err)
		}
	}
}
