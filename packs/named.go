package packs

import (
	"fmt"
	"strings"

	"digesto"
	"digesto/pack"
)

// Named finds a pack by name; "" is none, another that there is not is an error.
func Named(all []*pack.Pack, name string) (*pack.Pack, error) {
	if name == "" {
		return nil, nil
	}
	if p, ok := One(all, name); ok {
		return p, nil
	}
	return nil, &digesto.Error{Code: digesto.CodeNotFound, Message: fmt.Sprintf("No hay ningún paquete «%s»", name), Hint: "Los que hay: " + strings.Join(Names(all), ", ") + "."}
}

// Names are the names of packs, in their order.
func Names(all []*pack.Pack) []string {
	var out []string
	for _, p := range all {
		out = append(out, p.Name)
	}
	return out
}
