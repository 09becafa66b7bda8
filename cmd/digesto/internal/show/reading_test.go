package show

import (
	"slices"
	"testing"
)

func TestTaken(t *testing.T) {
	for _, c := range []struct {
		text, rest string
		want       []string
	}{
		{"el plazo de la Ley 1/2001, de Faros", "el plazo de la", []string{"Ley 1/2001, de Faros"}},
		{"según la Ley 1/2001 el plazo y el Código de Puertos", "según la el plazo y el", []string{"Ley 1/2001", "Código de Puertos"}},
		{"el plazo", "el plazo", []string{}},
		{"Ley 1/2001", "", []string{"Ley 1/2001"}},
		{"", "", []string{}},
	} {
		if got := taken(c.text, c.rest); !slices.Equal(got, c.want) {
			t.Errorf("%q − %q: %q, want %q", c.text, c.rest, got, c.want)
		}
	}
}
